package contracttest

import (
	"encoding/xml"
	"strconv"

	"github.com/reverse-spec/reverse-spec/internal/message"
)

// The part of JUnit's report format that is common to its readers; times are in seconds.
type (
	junitReport struct {
		XMLName xml.Name     `xml:"testsuites"`
		Suites  []junitSuite `xml:"testsuite"`
	}
	junitSuite struct {
		Name     string      `xml:"name,attr"`
		Tests    int         `xml:"tests,attr"`
		Failures int         `xml:"failures,attr"`
		Skipped  int         `xml:"skipped,attr"`
		Time     string      `xml:"time,attr"`
		Cases    []junitCase `xml:"testcase"`
	}
	junitCase struct {
		Class   string       `xml:"classname,attr"`
		Name    string       `xml:"name,attr"`
		Time    string       `xml:"time,attr"`
		Failure *junitReason `xml:"failure"`
		Skipped *junitReason `xml:"skipped"`
	}
	junitReason struct {
		Message string `xml:"message,attr"`
		Type    string `xml:"type,attr,omitempty"`
		Output  string `xml:",chardata"`
	}
)

// JUnit returns the report as JUnit XML with one suite per spec. Texts are in lang.
func (r *Report) JUnit(lang message.Lang) []byte {
	var out junitReport
	for _, s := range r.Specs {
		suite := junitSuite{Name: s.Path, Tests: len(s.Tests), Cases: []junitCase{}}
		var millis int64
		for _, t := range s.Tests {
			c := t.junit(s.Path, lang)
			millis += t.Millis
			if c.Failure != nil {
				suite.Failures++
			}
			if c.Skipped != nil {
				suite.Skipped++
			}
			suite.Cases = append(suite.Cases, c)
		}
		suite.Time = seconds(millis)
		out.Suites = append(out.Suites, suite)
	}
	for i := range r.Suites {
		out.Suites = append(out.Suites, r.Suites[i].junit())
	}
	text, err := xml.MarshalIndent(out, "", "  ")
	if err != nil {
		return nil // strings and numbers always encode
	}
	return append([]byte(xml.Header), append(text, '\n')...)
}

func (t *Test) junit(class string, lang message.Lang) junitCase {
	c := junitCase{Class: class, Name: t.ID + ": " + t.Title, Time: seconds(t.Millis)}
	switch {
	case t.Outcome.Unsettled():
		c.Failure = &junitReason{Message: t.Reason, Type: string(t.Outcome), Output: t.Output}
	case t.Outcome != Passed:
		reason := t.Reason
		if reason == "" {
			reason = message.New("not run").In(lang)
		}
		c.Skipped = &junitReason{Message: reason}
	}
	return c
}

func seconds(millis int64) string { return strconv.FormatFloat(float64(millis)/1000, 'f', 3, 64) }
