package review

import (
	"context"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/codegraph"
	"github.com/reverse-spec/reverse-spec/internal/lang"
	"github.com/reverse-spec/reverse-spec/internal/project/source"
)

// site is a function that changed, with its node in the graph; 0 without one.
type site struct {
	name  string
	file  string
	lines [2]int
	id    codegraph.ID
	class codegraph.ID // the class of a method that the language calls itself; 0 for other functions
	owner int          // the line of the class
}

// maxSites limits the functions that are listed.
const maxSites = 200

// functions finds the functions of code that is not a test in which a line changed.
func (r *reviewer) functions(ctx context.Context) error {
	for _, file := range r.out.Files.Names {
		l, known := lang.ByPath(file)
		if !known || l.TestPath != nil && l.TestPath(file) || len(r.sites) >= maxSites {
			continue
		}
		tree, err := source.Read(ctx, r.now, file, source.Options{Scope: source.File})
		if err != nil {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			continue // it is gone, or cannot be read: diff says so
		}
		for _, f := range tree.Files {
			if !f.Test && !f.Generated && !f.Vendored {
				r.changedIn(f.Path, "", 0, f.Symbols)
				r.changedOutside(f)
			}
			if len(f.Tests) > 0 {
				r.inline = append(r.inline, f.Path)
			}
		}
	}
	return r.nodesOfSites(ctx)
}

// nodesOfSites finds the nodes of the functions, if there is a graph.
func (r *reviewer) nodesOfSites(ctx context.Context) error {
	if r.graph == nil {
		return nil
	}
	for i := range r.sites {
		s := &r.sites[i]
		ids, err := r.nodes(ctx, s.file+":"+strconv.Itoa(s.lines[0]), s.name)
		if err != nil {
			return err
		}
		if len(ids) > 0 {
			s.id = ids[0]
		}
		if class, ok := implicit(s); ok {
			if ids, err = r.nodes(ctx, s.file+":"+strconv.Itoa(s.owner), class); err != nil {
				return err
			}
			if len(ids) > 0 {
				s.class = ids[0]
			}
		}
	}
	return nil
}

// implicit returns the class of a method of Python that no code calls by its name, such as __enter__: who uses the class reaches it.
func implicit(s *site) (class string, ok bool) {
	class, name, ok := cutLast(s.name)
	return class, ok && s.owner > 0 && strings.HasPrefix(name, "__") && strings.HasSuffix(name, "__")
}

func cutLast(name string) (before, after string, ok bool) {
	i := strings.LastIndexByte(name, '.')
	if i < 0 {
		return "", name, false
	}
	return name[:i], name[i+1:], true
}

// changedIn adds the functions among symbols in which a line changed.
func (r *reviewer) changedIn(file, owner string, line int, list []code.Symbol) {
	for i := range list {
		s := &list[i]
		name := owner + s.Name
		callable := s.Kind == code.Function || s.Kind == code.Method || s.Kind == code.Constructor
		if callable && s.BodyHash != "" && r.changes(file, s.StartLine, s.EndLine) {
			r.sites = append(r.sites, site{name: name, file: file, lines: [2]int{s.StartLine, s.EndLine}, owner: line})
		}
		r.changedIn(file, name+".", s.StartLine, s.Members)
	}
}

// aside are lines that are no code: comments, imports, closing brackets.
var aside = regexp.MustCompile(`^(?:$|//|#|/?\*|--|<!--|"""|\x27\x27\x27|(?:import|package|use|from|using|include|require)\b|[\])}>,;]*$)`)

// changedOutside notes the first line of code of a file that is new and in no declaration: other comparisons do not see it.
func (r *reviewer) changedOutside(f *code.File) {
	var before map[string]bool
	lines := r.linesOf(f.Path)
	for _, h := range r.hunks[f.Path] {
		for n := h.First; n <= h.Last && n <= len(lines); n++ {
			text := strings.TrimSpace(lines[n-1])
			if aside.MatchString(text) || declared(f.Symbols, n) || len(f.Tests) > 0 && n >= firstTest(f) {
				continue
			}
			if before == nil {
				before = map[string]bool{}
				old, err := r.old.ReadFile(f.Path)
				if err != nil {
					return // the file is new
				}
				for line := range strings.Lines(string(old)) {
					before[strings.TrimSpace(line)] = true
				}
			}
			if !before[text] {
				r.outside = append(r.outside, f.Path+":"+strconv.Itoa(n))
				return
			}
		}
	}
}

// firstTest returns the line of the first test of a file.
func firstTest(f *code.File) int {
	return slices.MinFunc(f.Tests, func(a, b code.Test) int { return a.Line - b.Line }).Line
}

// declared reports whether a line is in a declaration.
func declared(list []code.Symbol, line int) bool {
	return slices.ContainsFunc(list, func(s code.Symbol) bool {
		return s.StartLine <= line && line <= s.EndLine || declared(s.Members, line)
	})
}

// changes reports whether a line among some changed.
func (r *reviewer) changes(file string, first, last int) bool {
	for _, h := range r.hunks[file] {
		if h.First <= last && first <= h.Last {
			return true
		}
	}
	_, tracked := r.hunks[file]
	return !tracked && slices.Contains(r.changed, file)
}

// reached returns the nodes of tests that reach the changed functions, and notes how many tests reach each function.
func (r *reviewer) reached(ctx context.Context) (map[codegraph.ID]*reach, error) {
	out := map[codegraph.ID]*reach{}
	for i := range r.sites {
		s := &r.sites[i]
		at := Site{Name: s.name, Place: s.file + ":" + strconv.Itoa(s.lines[0]), Tests: -1, Users: -1}
		if r.graph != nil && s.id != 0 {
			users, err := r.callers(ctx, []codegraph.ID{s.id})
			if err != nil {
				return nil, err
			}
			at.Tests, at.Users = 0, 0
			for _, u := range users {
				if !u.Test {
					at.Users++
				}
			}
			if at.Tests, err = r.testsOf(ctx, s, out); err != nil {
				return nil, err
			}
		}
		r.out.Functions = append(r.out.Functions, at)
	}
	return out, nil
}

// reach is how a test reaches what changed.
type reach struct{ functions, distance int }

// Limits of the search for tests.
const (
	maxDistance = 6
	maxNodes    = 3000
)

// testsOf adds the tests that reach a function, directly or through others, and returns their number. A function is also
// reached through what it overrides or implements.
func (r *reviewer) testsOf(ctx context.Context, s *site, out map[codegraph.ID]*reach) (int, error) {
	reader := r.graph.Reader()
	seen := map[codegraph.ID]bool{s.id: true}
	frontier, n := []codegraph.ID{s.id}, 0
	if s.class != 0 {
		seen[s.class] = true
		frontier = append(frontier, s.class)
	}
	for d := 1; d <= maxDistance && len(frontier) > 0 && len(seen) < maxNodes; d++ {
		x, err := reader.Expand(ctx, frontier, codegraph.In, append(slices.Clone(useTypes), codegraph.Tests)...)
		if err != nil {
			return 0, err
		}
		above, err := reader.Expand(ctx, frontier, codegraph.Out, codegraph.Overrides)
		if err != nil {
			return 0, err
		}
		var next []codegraph.ID
		add := func(id codegraph.ID) {
			if !seen[id] {
				seen[id] = true
				next = append(next, id)
			}
		}
		for _, e := range x.Edges {
			add(e.From)
		}
		for _, e := range above.Edges {
			add(e.To)
		}
		if frontier, err = r.notTests(ctx, next, d, out, &n); err != nil {
			return 0, err
		}
	}
	return n, nil
}

// notTests notes the tests among nodes at a distance, and returns the others.
func (r *reviewer) notTests(ctx context.Context, ids []codegraph.ID, distance int, out map[codegraph.ID]*reach, n *int) ([]codegraph.ID, error) {
	nodes, err := r.graph.Reader().Nodes(ctx, ids)
	if err != nil {
		return nil, err
	}
	var rest []codegraph.ID
	for i, node := range nodes {
		if !node.Test {
			rest = append(rest, ids[i])
			continue
		}
		*n++
		if out[ids[i]] == nil {
			out[ids[i]] = &reach{distance: distance}
		}
		out[ids[i]].functions++
		out[ids[i]].distance = min(out[ids[i]].distance, distance)
	}
	return rest, nil
}

// untested returns the changed functions that no test reaches; known is false without a graph.
func (r *Review) untested() (list []Site, known bool) {
	for _, s := range r.Functions {
		known = known || s.Tests >= 0
		if s.Tests == 0 {
			list = append(list, s)
		}
	}
	return list, known
}

// names lists the first names of functions.
func names(list []Site, most int) string {
	var out []string
	for _, s := range list[:min(len(list), most)] {
		out = append(out, "`"+s.Name+"`")
	}
	if left := len(list) - most; left > 0 {
		out = append(out, "+"+strconv.Itoa(left))
	}
	return strings.Join(out, ", ")
}
