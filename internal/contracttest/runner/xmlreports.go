package runner

import (
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/decode"
)

// A test case of JUnit's XML, and a suite of them, which may contain others.
type (
	junitSuite struct {
		Suites []junitSuite `xml:"testsuite"`
		Cases  []junitCase  `xml:"testcase"`
	}
	junitCase struct {
		Class   string        `xml:"classname,attr"`
		Name    string        `xml:"name,attr"`
		Failure *junitProblem `xml:"failure"`
		Error   *junitProblem `xml:"error"`
		Skipped *junitProblem `xml:"skipped"`
	}
	junitProblem struct {
		Message string `xml:"message,attr"`
		Text    string `xml:",chardata"`
	}
)

// readJUnit reads JUnit's XML as pytest, Surefire, Gradle and PHPUnit write it.
func readJUnit(report []byte, r *Results) {
	var all junitSuite
	if decode.XML(report, &all) == nil {
		all.read(r)
	}
}

func (s *junitSuite) read(r *Results) {
	for i := range s.Suites {
		s.Suites[i].read(r)
	}
	for _, c := range s.Cases {
		res := Result{Place: c.Class, Name: c.Name, Status: Passed}
		switch {
		case c.Error != nil && collected(c.Class, c.Error.Message):
			r.Broken = append(r.Broken, c.Error.Message+"\n"+c.Error.Text)
			continue
		case c.Failure != nil:
			res.Status, res.Text = Failed, c.Failure.Message+"\n"+c.Failure.Text
		case c.Error != nil:
			res.Status, res.Text = Failed, c.Error.Message+"\n"+c.Error.Text
		case c.Skipped != nil:
			res.Status, res.Text = Skipped, c.Skipped.Message
		}
		r.List = append(r.List, res)
	}
}

// collected reports whether an error of pytest is that of a file, which it calls a test case without a class.
func collected(class, text string) bool {
	return class == "" && strings.HasPrefix(text, "collection failure")
}

// readTRX reads the results of dotnet test.
func readTRX(report []byte, r *Results) {
	var all struct {
		Results struct {
			List []struct {
				Name    string `xml:"testName,attr"`
				Outcome string `xml:"outcome,attr"`
				Message string `xml:"Output>ErrorInfo>Message"`
			} `xml:"UnitTestResult"`
		}
	}
	if decode.XML(report, &all) != nil {
		return
	}
	for _, t := range all.Results.List {
		name, arguments, _ := strings.Cut(t.Name, "(")
		place, own := "", name
		if i := strings.LastIndexByte(name, '.'); i >= 0 {
			place, own = name[:i], name[i+1:]
		}
		status := Skipped
		switch t.Outcome {
		case "Passed":
			status = Passed
		case "Failed":
			status = Failed
		}
		if arguments != "" {
			own += "(" + arguments
		}
		r.List = append(r.List, Result{place, own, status, t.Message})
	}
}
