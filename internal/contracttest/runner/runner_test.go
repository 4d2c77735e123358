package runner_test

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/contracttest/runner"
	"github.com/reverse-spec/reverse-spec/internal/lang"
	"github.com/reverse-spec/reverse-spec/internal/testsupport/golden"
)

// TestScripts compares, for each file, its tools, their requirements, and the command for all
// selectable tests.
func TestScripts(t *testing.T) {
	golden.Archives(t, "scripts", func(t *testing.T, files map[string][]byte) string {
		var b strings.Builder
		for _, name := range slices.Sorted(maps.Keys(files)) {
			f, err := lang.Parse(t.Context(), name, files[name], lang.All)
			if err != nil {
				continue
			}
			for _, kind := range kindsOf(f) {
				show(&b, files, f, kind)
			}
		}
		return b.String()
	})
}

// kindsOf returns the kinds of tests in a file, in order.
func kindsOf(f *code.File) []string {
	var out []string
	for _, c := range f.Tests {
		if !slices.Contains(out, c.Runner) {
			out = append(out, c.Runner)
		}
	}
	return out
}

// show formats the result for the tests of a kind in a file.
func show(b *strings.Builder, files map[string][]byte, f *code.File, kind string) {
	read := func(name string) ([]byte, error) {
		if text, ok := files[name]; ok {
			return text, nil
		}
		return nil, errors.New("not there")
	}
	fmt.Fprintf(b, "# %s\n", f.Path)
	tool, err := runner.Find(read, f, kind)
	if err != nil {
		fmt.Fprintf(b, "none: %v\n\n", err)
		return
	}
	fmt.Fprintf(b, "%s, needs %s\n", tool.Name, strings.Join(tool.Needs, ", "))
	var filters []string
	for _, c := range f.Tests {
		if c.Runner != kind {
			continue
		}
		filter := tool.Filter(c)
		fmt.Fprintf(b, "%s: %s\n", c.Name, cmp.Or(filter, "(none)"))
		if filter != "" && !slices.Contains(filters, filter) {
			filters = append(filters, filter)
		}
	}
	if len(filters) > 0 {
		fmt.Fprintf(b, "$ %s\n", runner.Script([]runner.Selection{{Tool: tool, Filters: filters[:1], All: append(filters, "", "")}}, false))
		fmt.Fprintf(b, "$ %s\n", runner.Script([]runner.Selection{{Tool: tool, Filters: filters, All: filters}}, false))
	}
	if suite := tool.Suite(); suite != "" {
		fmt.Fprintf(b, "all: %s\n", suite)
	}
	b.WriteString("\n")
}

// TestProbeOfAProjectInAnother: Gradle's wrapper is in the root of a build of several projects.
func TestProbeOfAProjectInAnother(t *testing.T) {
	for has, want := range map[string]string{
		"gradlew":     "cd a/b && ../../gradlew --version",
		"a/gradlew":   "cd a/b && ../gradlew --version",
		"a/b/gradlew": "cd a/b && ./gradlew --version",
		"c/gradlew":   "cd a/b && gradle --version",
	} {
		if got := runner.Probe("gradle", "a/b", nil, func(name string) bool { return name == has }); got != want {
			t.Errorf("%s: %s, want %s", has, got, want)
		}
	}
}
