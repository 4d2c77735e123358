package contracttest

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"path"
	"strconv"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/message"
)

// finding is what a report says of a file: a contract test, or one of its tests, that failed or took too long.
type finding struct {
	rule, title, text, file string
	line                    int // 0 if unknown
}

// lineOf returns the line of a file that a reason begins with: "shop_test.go:12: got 3".
func lineOf(file, reason string) int {
	rest, ok := strings.CutPrefix(reason, path.Base(file)+":")
	if !ok {
		return 0
	}
	number, _, _ := strings.Cut(rest, ":")
	line, _ := strconv.Atoi(number) // 0 for what is no number
	return line
}

// findings lists what did not pass, in the order of the report. What was blocked is none: it says nothing about the code.
func (r *Report) findings() []finding {
	var out []finding
	for _, s := range r.Specs {
		for _, t := range s.Tests {
			if !t.Outcome.Unsettled() {
				continue
			}
			rule := "contract-test-" + string(t.Outcome)
			for _, ran := range t.NotPassed {
				if ran.Outcome == Failed || ran.Outcome == Gone {
					text := strings.TrimSuffix(ran.Name+": "+cmp.Or(ran.Reason, string(ran.Outcome)), ": ")
					if len(ran.Covers) > 0 {
						text += " (" + strings.Join(ran.Covers, ", ") + ")"
					}
					out = append(out, finding{rule, t.ID, text, ran.File, lineOf(ran.File, ran.Reason)})
				}
			}
			if len(out) == 0 || out[len(out)-1].title != t.ID {
				out = append(out, finding{rule, t.ID, t.Title + ": " + t.Reason, s.Path, 0})
			}
		}
	}
	return out
}

// Annotations writes what did not pass as workflow commands of GitHub, which shows them at the files.
func (r *Report) Annotations(w io.Writer) error {
	value := strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	property := strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
	for _, f := range r.findings() {
		at := "file=" + property.Replace(f.file)
		if f.line > 0 {
			at += fmt.Sprintf(",line=%d", f.line)
		}
		if _, err := fmt.Fprintf(w, "::error %s,title=%s::%s\n", at, property.Replace(f.title), value.Replace(f.text)); err != nil {
			return err
		}
	}
	return nil
}

// The part of SARIF 2.1.0 that code scanning reads.
type (
	sarifLog struct {
		Schema  string     `json:"$schema"`
		Version string     `json:"version"`
		Runs    []sarifRun `json:"runs"`
	}
	sarifRun struct {
		Tool struct {
			Driver sarifDriver `json:"driver"`
		} `json:"tool"`
		Results []sarifResult `json:"results"`
	}
	sarifDriver struct {
		Name  string      `json:"name"`
		Rules []sarifRule `json:"rules"`
	}
	sarifRule struct {
		ID    string    `json:"id"`
		Short sarifText `json:"shortDescription"`
	}
	sarifText struct {
		Text string `json:"text"`
	}
	sarifResult struct {
		Rule      string          `json:"ruleId"`
		Level     string          `json:"level"`
		Message   sarifText       `json:"message"`
		Locations []sarifLocation `json:"locations"`
	}
	sarifLocation struct {
		Physical struct {
			Artifact struct {
				URI string `json:"uri"`
			} `json:"artifactLocation"`
			Region *sarifRegion `json:"region,omitempty"`
		} `json:"physicalLocation"`
	}
	sarifRegion struct {
		Line int `json:"startLine"`
	}
)

// SARIF returns what did not pass in SARIF 2.1.0. Texts are in lang.
func (r *Report) SARIF(lang message.Lang) []byte {
	var run sarifRun
	run.Tool.Driver = sarifDriver{Name: "reverse-spec", Rules: []sarifRule{
		{"contract-test-" + string(Failed), sarifText{message.New("a contract test failed: the code does not do what its spec says").In(lang)}},
		{"contract-test-" + string(TimedOut), sarifText{message.New("a contract test took too long").In(lang)}},
	}}
	run.Results = []sarifResult{}
	for _, f := range r.findings() {
		at := sarifLocation{}
		at.Physical.Artifact.URI = f.file
		if f.line > 0 {
			at.Physical.Region = &sarifRegion{f.line}
		}
		run.Results = append(run.Results, sarifResult{f.rule, "error", sarifText{f.title + ": " + f.text}, []sarifLocation{at}})
	}
	text, err := json.MarshalIndent(sarifLog{"https://json.schemastore.org/sarif-2.1.0.json", "2.1.0", []sarifRun{run}}, "", "  ")
	if err != nil {
		return nil // strings always encode
	}
	return append(text, '\n')
}
