package contracttest

import (
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/contracttest/runner"
	"github.com/reverse-spec/reverse-spec/internal/x/openfile"
	"github.com/reverse-spec/reverse-spec/spec"
)

// extends matches the head of a class of Java, Kotlin or PHP that extends another one.
var extends = regexp.MustCompile(`\bclass\s+(\w+)(?:<[^{]*?>)?(?:\([^{]*?\))?\s*(?:\bextends\s+|:\s*)[\w.\\]*?(\w+)\b`)

// heirs maps the classes of tests to those that extend them. A tool runs the tests of an abstract class as tests of these,
// and names them so in its report.
type heirs map[string][]string

// heirsOf reads the classes in the files of a contract test.
func (b *sandbox) heirsOf(runs []spec.RecordedTests) heirs {
	if len(runs) == 0 || !slices.Contains([]string{"mvn", "gradle", "phpunit"}, runs[0].Tool) {
		return nil
	}
	out := heirs{}
	for _, r := range runs {
		text, err := openfile.Read(filepath.Join(b.root, filepath.FromSlash(r.File)), mostBytes)
		if err != nil {
			continue
		}
		for _, m := range extends.FindAllSubmatch(text, -1) {
			out[string(m[2])] = append(out[string(m[2])], string(m[1]))
		}
	}
	return out
}

// of returns the results of a test: those of its own class, or else of the classes that inherit it.
func (h heirs) of(results *runner.Results, file, name string) []runner.Result {
	list := results.Of(file, name)
	class, method, isMember := strings.Cut(name, " > ")
	if len(list) > 0 || !isMember || len(h) == 0 {
		return list
	}
	todo := slices.Clone(h[class])
	seen := map[string]bool{class: true}
	for len(todo) > 0 {
		class, todo = todo[0], todo[1:]
		if seen[class] {
			continue
		}
		seen[class] = true
		list = append(list, results.Of(file, class+" > "+method)...)
		todo = append(todo, h[class]...)
	}
	return list
}
