package check_test

import (
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/cypher/check"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/cypher/syntax"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/cypher/value"
	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/testsupport/golden"
)

// parameters are what the queries of the archives run with.
var parameters = map[string]value.Value{
	"number": int64(3),
	"float":  1.5,
	"text":   "three",
	"list":   value.List{int64(1), int64(2)},
	"mixed":  value.List{int64(1), "two"},
	"map":    value.Map{"a": int64(1)},
	"null":   nil,
}

// TestFaults compares the errors of the queries in each archive, one query per line.
func TestFaults(t *testing.T) {
	golden.Archives(t, ".", func(t *testing.T, files map[string][]byte) string {
		var b strings.Builder
		for query := range strings.Lines(string(files["queries"])) {
			fmt.Fprintf(&b, "%s%s", query, describe(t, query))
		}
		return b.String()
	})
}

// describe returns what is wrong with a query, over several lines.
func describe(t *testing.T, query string) string {
	t.Helper()
	q, err := syntax.Parse(query)
	if err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	err = check.Check(q, parameters)
	if err == nil {
		return "\tfine\n"
	}
	var fault *syntax.Error
	if !errors.As(err, &fault) {
		t.Fatalf("%s: %T is no *syntax.Error", query, err)
	}
	text := fmt.Sprintf("\t%s/%s at %s\n\t%s\n", fault.Class, fault.Code, fault.At, fault.Message)
	if !fault.Advice.Empty() {
		text += "\t" + fault.Advice.String() + "\n"
	}
	return text
}

func TestParameterIsWhatItsValueIs(t *testing.T) {
	q, err := syntax.Parse("RETURN NOT $p")
	if err != nil {
		t.Fatal(err)
	}
	refused := map[string]value.Value{
		"an integer":     int64(1),
		"a float":        math.Pi,
		"a string":       "true",
		"a list":         value.List{true},
		"a map":          value.Map{},
		"a node":         value.Node(1),
		"a path":         &value.Path{},
		"a relationship": knows{},
	}
	for is, v := range refused {
		var fault *syntax.Error
		if err := check.Check(q, map[string]value.Value{"p": v}); !errors.As(err, &fault) {
			t.Errorf("NOT %s: %v", is, err)
		} else if want := "a condition is a boolean, and this is " + is; fault.Message.String() != want {
			t.Errorf("message %q, want %q", fault.Message, want)
		}
	}
	for _, v := range []value.Value{true, nil} {
		if err := check.Check(q, map[string]value.Value{"p": v}); err != nil {
			t.Errorf("NOT %v: %v", v, err)
		}
	}
}

// knows is a relationship.
type knows struct{ value.Relationship }

// FuzzCheck looks for parsable queries on which the check panics.
func FuzzCheck(f *testing.F) {
	archives, err := filepath.Glob("testdata/*.txtar")
	if err != nil {
		f.Fatal(err)
	}
	for _, archive := range archives {
		files, err := txtar.ParseFile(archive)
		if err != nil {
			f.Fatal(err)
		}
		for query := range strings.Lines(string(files.Files[0].Data)) {
			f.Add(query)
		}
	}
	f.Fuzz(func(t *testing.T, query string) {
		q, err := syntax.Parse(query)
		if err != nil {
			return
		}
		var fault *syntax.Error
		if err := check.Check(q, parameters); err != nil && !errors.As(err, &fault) {
			t.Errorf("%q: %T is no *syntax.Error", query, err)
		}
	})
}

// TestFaultsAreWhollyInChinese except names and keywords of the query language.
func TestFaultsAreWhollyInChinese(t *testing.T) {
	sentence := regexp.MustCompile(`[a-z]{2,}( [a-z]{2,}){2}`)
	faults := 0
	for _, query := range archived(t) {
		q, err := syntax.Parse(query)
		if err != nil {
			t.Fatal(err)
		}
		if err = check.Check(q, parameters); err == nil {
			continue
		}
		faults++
		text := message.Render(message.Chinese, err) + " " + message.Hint(message.Chinese, err)
		if at := sentence.FindString(text); at != "" && !strings.Contains(query, at) {
			t.Errorf("%s\n%s\n%q is in English", query, text, at)
		}
	}
	if faults == 0 {
		t.Error("no query has a fault")
	}
}

// archived are the queries of all archives.
func archived(t *testing.T) []string {
	t.Helper()
	archives, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(archives) == 0 {
		t.Fatal("no archives", err)
	}
	var list []string
	for _, name := range archives {
		a, err := txtar.ParseFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range a.Files {
			if f.Name == "queries" {
				list = append(list, strings.Split(strings.TrimSpace(string(f.Data)), "\n")...)
			}
		}
	}
	return list
}
