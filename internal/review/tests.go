package review

import (
	"cmp"
	"context"
	"maps"
	"path"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/codegraph"
	"github.com/reverse-spec/reverse-spec/internal/contracttest/runner"
	"github.com/reverse-spec/reverse-spec/internal/lang"
	"github.com/reverse-spec/reverse-spec/internal/project/source"
	"github.com/reverse-spec/reverse-spec/spec"
)

// Tests are the tests to run for a change.
type Tests struct {
	Files    []TestFile `json:"files"` // those that reach the most of what changed first
	More     int        `json:"more,omitempty"`
	Commands []Command  `json:"commands"` // bash, in the project's folder
}

// TestFile is a file with tests to run.
type TestFile struct {
	Path    string   `json:"path"`
	Tests   []string `json:"tests,omitempty"` // their names; nil for all of the file
	Reaches int      `json:"reaches"`         // how many of the changed functions; 0 for a file that itself changed, or is known by name
}

// Command runs tests.
type Command struct {
	Script string `json:"script"`
	Tool   string `json:"tool"`
	// Outcome is "passed", "failed", "blocked", or "" if it was not run; Reason says why.
	Outcome string `json:"outcome,omitempty"`
	Reason  string `json:"reason,omitempty"`
}

// maxTestFiles limits the files of tests.
const maxTestFiles = 12

// wanted are the tests to run of a file.
type wanted struct {
	lines    []int // of tests; nil for all
	all      bool
	reaches  int
	distance int // of the nearest test; 0 if no test reaches what changed
	names    []string
}

// tests finds the tests to run: those that reach a function that changed, those that changed, and those that show a statement.
func (r *reviewer) tests(ctx context.Context) error {
	r.out.Tests = Tests{Files: []TestFile{}, Commands: []Command{}}
	files := map[string]*wanted{}
	at := func(file string) *wanted {
		if files[file] == nil {
			files[file] = &wanted{}
		}
		return files[file]
	}
	if err := r.byGraph(ctx, at); err != nil {
		return err
	}
	for _, item := range slices.Concat(r.out.Breaking, r.out.Untrue, r.out.Changed) {
		for _, t := range item.Tests {
			if file, name, ok := strings.Cut(t, " "); ok {
				w := at(file)
				w.names = append(w.names, name)
			} else if file, line := splitPlace(t); line > 0 {
				w := at(file)
				w.lines = append(w.lines, line)
			}
		}
	}
	for _, file := range r.out.Files.Names {
		l, known := lang.ByPath(file)
		if !known || l.TestPath == nil || !l.TestPath(file) {
			continue
		}
		w := at(file)
		for _, h := range r.hunks[file] {
			w.lines = append(w.lines, h.First, h.Last)
		}
		w.all = w.all || len(r.hunks[file]) == 0
	}
	r.besideCode(at)
	if r.graph == nil {
		if err := r.byName(ctx, at); err != nil {
			return err
		}
	}
	return r.selectTests(ctx, files)
}

// besideCode adds the tests of files that have them beside code that changed.
func (r *reviewer) besideCode(at func(file string) *wanted) {
	for _, file := range r.inline {
		at(file).all = true
	}
}

// far returns the distance of a file's nearest test, for sorting.
func far(w *wanted) int {
	if w.distance == 0 {
		return 1 // it shows a statement
	}
	return w.distance
}

// byGraph adds the tests that reach a function that changed.
func (r *reviewer) byGraph(ctx context.Context, at func(file string) *wanted) error {
	reached, err := r.reached(ctx)
	if err != nil || len(reached) == 0 {
		return err
	}
	ids := slices.Sorted(maps.Keys(reached))
	nodes, err := r.graph.Reader().Nodes(ctx, ids)
	if err != nil {
		return err
	}
	for i, n := range nodes {
		if n.Path == "" {
			continue
		}
		w := at(n.Path)
		w.reaches = max(w.reaches, reached[ids[i]].functions)
		if near := reached[ids[i]].distance; w.distance == 0 || near < w.distance {
			w.distance = near
		}
		if n.Label == codegraph.LabelModule || n.StartLine == 0 {
			w.all = true
		} else {
			w.lines = append(w.lines, n.StartLine)
		}
	}
	return nil
}

// longName is the length from which the name of a function is looked for in all tests, not only in those beside it.
const longName = 6

// byName adds the test files that name a function that changed, where there is no graph.
func (r *reviewer) byName(ctx context.Context, at func(file string) *wanted) error {
	files, err := r.sources(ctx)
	if err != nil {
		return err
	}
	for _, file := range files {
		l, _ := lang.ByPath(file)
		if l.TestPath == nil || !l.TestPath(file) {
			continue
		}
		for _, s := range r.sites {
			other, known := lang.ByPath(s.file)
			name := s.name[strings.LastIndexByte(s.name, '.')+1:]
			stem := strings.TrimSuffix(path.Base(s.file), path.Ext(s.file))
			near := path.Dir(file) == path.Dir(s.file) || strings.Contains(path.Base(file), stem)
			if !known || !kin(l, other) || !near && (strings.Contains(s.name, ".") || len(name) < longName) {
				continue
			}
			if slices.ContainsFunc(r.linesOf(file), func(line string) bool { return mentions(line, name) }) {
				at(file).all = true
				break
			}
		}
	}
	return ctx.Err()
}

// mentions reports whether a line has a name as a word, or as a member.
func mentions(line, name string) bool {
	for at, rest := 0, line; ; {
		i := strings.Index(rest, name)
		if i < 0 || name == "" {
			return false
		}
		before, _ := utf8.DecodeLastRuneInString(line[:at+i])
		after, _ := utf8.DecodeRuneInString(rest[i+len(name):])
		if !isWordRune(before) && !isWordRune(after) {
			return true
		}
		at, rest = at+i+1, rest[i+1:]
	}
}

// isWordRune reports whether a character continues a name.
func isWordRune(r rune) bool {
	return r == '_' || r == '$' || r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsNumber(r))
}

// selectTests chooses the files, and makes the commands.
func (r *reviewer) selectTests(ctx context.Context, files map[string]*wanted) error {
	paths := slices.SortedFunc(maps.Keys(files), func(a, b string) int {
		changed := func(f string) bool { return slices.Contains(r.changed, f) }
		return cmp.Or(order(!changed(a), !changed(b)), cmp.Compare(far(files[a]), far(files[b])), cmp.Compare(files[b].reaches, files[a].reaches), strings.Compare(a, b))
	})
	var selected []runner.Selection
	for _, file := range paths {
		if len(r.out.Tests.Files) == maxTestFiles {
			r.out.Tests.More++
			continue
		}
		tree, err := source.Read(ctx, r.now, file, source.Options{Scope: source.File})
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil || len(tree.Files) == 0 || len(tree.Files[0].Tests) == 0 {
			continue // it is gone, or a helper
		}
		f, w := tree.Files[0], files[file]
		names, selection, ok := choose(r.now.ReadFile, f, w)
		if !ok {
			continue
		}
		r.out.Tests.Files = append(r.out.Tests.Files, TestFile{Path: file, Tests: names, Reaches: w.reaches})
		if selection.Tool != nil {
			selected = append(selected, selection)
		}
	}
	r.commands(selected)
	return r.runTests(ctx)
}

// choose returns the names of the tests to run of a file, nil for all, and how they are run.
func choose(read runner.Reader, f *code.File, w *wanted) (names []string, s runner.Selection, ok bool) {
	if tool, err := runner.Find(read, f, f.Tests[0].Runner); err == nil {
		s.Tool = tool
	}
	add := func(list []string, filter string) []string {
		if filter == "" || slices.Contains(list, filter) {
			return list
		}
		return append(list, filter)
	}
	for _, t := range f.Tests {
		named := slices.Contains(w.names, t.Name)
		inside := slices.ContainsFunc(w.lines, func(line int) bool { return t.Line <= line && line <= max(t.EndLine, t.Line) })
		chosen := w.all || named || inside
		if chosen {
			names = append(names, t.Name)
		}
		if s.Tool == nil {
			continue
		}
		s.All = add(s.All, s.Tool.Filter(t))
		if chosen {
			s.Filters = add(s.Filters, s.Tool.Filter(t))
		}
	}
	if len(names) == 0 && len(w.lines) == 0 {
		return nil, s, false
	}
	if len(names) == 0 || len(names) == len(f.Tests) { // a helper of the tests changed
		return nil, runner.Selection{Tool: s.Tool, Filters: s.All, All: s.All}, true
	}
	return names, s, true
}

// commands joins selections with the same tool into commands.
func (r *reviewer) commands(list []runner.Selection) {
	for len(list) > 0 {
		first := list[0]
		var joined, rest []runner.Selection
		for _, s := range list {
			if s.Tool.Joins(first.Tool) {
				joined = append(joined, s)
			} else {
				rest = append(rest, s)
			}
		}
		r.out.Tests.Commands = append(r.out.Tests.Commands, Command{Script: runner.Script(joined, false), Tool: first.Tool.Name})
		list = rest
	}
}

// runTests runs the commands, if that is asked for.
func (r *reviewer) runTests(ctx context.Context) error {
	if r.opts.Run == nil || r.opts.Staged || len(r.out.Tests.Commands) == 0 {
		return nil
	}
	var drafts []spec.ContractTest
	for _, c := range r.out.Tests.Commands {
		drafts = append(drafts, spec.ContractTest{Title: c.Tool, Type: "behavior", Script: c.Script})
	}
	results, err := r.opts.Run(ctx, r.project, drafts, nil)
	if err != nil {
		return err
	}
	for i, res := range results {
		c := &r.out.Tests.Commands[i]
		switch {
		case res.Passed:
			c.Outcome = "passed"
		case res.Blocked || res.Absent != "":
			c.Outcome, c.Reason = "blocked", cmp.Or(res.Reason, res.Absent)
		default:
			c.Outcome, c.Reason = "failed", res.Reason
		}
	}
	return nil
}
