package review

import (
	"cmp"
	"context"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/reverse-spec/reverse-spec/internal/codegraph"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/graphs"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/store"
	"github.com/reverse-spec/reverse-spec/internal/lang"
	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/project"
)

// How users are found.
const (
	byGraph = "graph"
	byNames = "names"
)

// foreign is a use of a symbol of this project by another repository.
type foreign struct {
	repository string
	root       string // the folder of that repository
	edge       store.VirtualEdge
}

// open opens the code graph, if the project has one, brought up to date. Without one, users are found by name.
func (r *reviewer) open(ctx context.Context, all *graphs.Graphs) {
	if all == nil {
		return
	}
	defer r.pushed(ctx, all)
	stored, err := all.Open(ctx, r.project, graphs.OpenOptions{NoIndex: true})
	if err != nil {
		r.warn(message.New("there is no code graph of the project, so users are found by name: reverse-spec index makes one"))
		return
	}
	if err := stored.Close(); err != nil {
		return
	}
	if r.graph, err = all.Open(ctx, r.project, graphs.OpenOptions{}); err != nil {
		r.graph = nil
		r.warn(message.New("the code graph cannot be read, so users are found by name: %v", err))
		return
	}
	r.out.Index = byGraph
	if r.graph.Index.Stale {
		r.warn(message.New("the code graph is not of the files as they are: %s", r.graph.Index.Why))
	}
	r.federated(ctx, all)
}

func (r *reviewer) warn(t message.Text) {
	r.out.Warnings = append(r.out.Warnings, t.In(r.out.Lang))
}

// federated reads what other repositories use of this one.
func (r *reviewer) federated(ctx context.Context, all *graphs.Graphs) {
	s, err := all.Store()
	if err != nil {
		return
	}
	projects, err := s.Projects(ctx)
	if err != nil {
		return
	}
	for _, other := range projects {
		if other.Root == r.project.Root() || ctx.Err() != nil {
			continue
		}
		g, err := s.Open(ctx, other.Root)
		if err != nil {
			continue // its own commands say why
		}
		edges, err := g.Virtual(ctx, nil)
		if err == nil {
			for _, e := range edges {
				if e.TargetRoot == r.project.Root() {
					r.others = append(r.others, foreign{cmp.Or(e.SourceRepo, other.Name), other.Root, e})
				}
			}
		}
		_ = g.Close() // it was only read
	}
}

// pushed reads what projects of the shared store use of this one, other than those of this machine.
func (r *reviewer) pushed(ctx context.Context, all *graphs.Graphs) {
	consumers, err := all.Consumers(ctx, r.project)
	if err != nil {
		r.warn(message.New("who uses the project in other repositories is unknown: %v", err))
		return
	}
	known := map[string]bool{}
	for _, f := range r.others {
		known[f.repository] = true
	}
	for _, c := range consumers {
		if !known[c.Project] {
			r.others = append(r.others, foreign{c.Project, "", c.Edge})
		}
	}
}

// maxUsers limits the places of an item.
const maxUsers = 8

// leastSure is the confidence from which an edge is followed.
const leastSure = 0.5

// use finds who uses what an item is about.
func (r *reviewer) use(ctx context.Context, item *Item) error {
	users, err := r.usersHere(ctx, item)
	if err != nil {
		return err
	}
	users = append(users, r.foreignUsers(item)...)
	for i := range users {
		users[i].Changed = users[i].Repository == "" && r.touches(users[i].Place)
		if !users[i].Changed && !users[i].Test && (!users[i].ByName || !strings.Contains(item.SymbolName, ".")) {
			item.Stale++
		}
	}
	slices.SortStableFunc(users, func(a, b User) int {
		return cmp.Or(order(a.Test, b.Test), order(a.Changed, b.Changed), order(a.ByName, b.ByName), cmp.Compare(a.Repository, b.Repository))
	})
	item.Moved = len(users) == 0 && r.usedBefore(item)
	item.Users = users[:min(len(users), maxUsers)]
	item.More = len(users) - len(item.Users)
	return nil
}

// usersHere returns who uses what an item is about in this repository: by the graph, or by name.
func (r *reviewer) usersHere(ctx context.Context, item *Item) ([]User, error) {
	if r.graph != nil && !isGone(item) {
		ids, err := r.nodes(ctx, item.Location, item.SymbolName)
		if err != nil {
			return nil, err
		}
		if len(ids) > 0 {
			return r.callers(ctx, ids)
		}
	}
	if item.Rule == "claim-removed" || item.Rule == "claim-changed" {
		return nil, nil
	}
	return r.named(ctx, item)
}

// usedBefore reports whether a changed file named what an item is about before the change, besides where it was declared.
func (r *reviewer) usedBefore(item *Item) bool {
	file, _ := splitPlace(item.Location)
	name := item.SymbolName[strings.LastIndexAny(item.SymbolName, ".:")+1:]
	l, known := lang.ByPath(file)
	if !known {
		return false
	}
	n := 0
	for _, f := range r.changed {
		other, ok := lang.ByPath(f)
		if !ok || !kin(other, l) {
			continue
		}
		text, err := r.old.ReadFile(f)
		if err != nil {
			continue
		}
		for line := range strings.Lines(string(text)) {
			if strings.Contains(line, name) && slices.Contains(strings.FieldsFunc(bare(line), notWord), name) {
				n++
			}
		}
	}
	return n > 1
}

func notWord(c rune) bool {
	return c != '_' && c != '$' && !unicode.IsLetter(c) && !unicode.IsDigit(c)
}

// order sorts false before true.
func order(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}

// touches reports whether the change touches a line.
func (r *reviewer) touches(place string) bool {
	file, line := splitPlace(place)
	if slices.ContainsFunc(r.hunks[file], func(h project.Hunk) bool { return h.First <= line && line <= h.Last }) {
		return true
	}
	_, tracked := r.hunks[file]
	return !tracked && slices.Contains(r.changed, file) // a new file
}

// nodes returns the nodes of the graph that are a symbol: those called so in its file.
func (r *reviewer) nodes(ctx context.Context, place, name string) ([]codegraph.ID, error) {
	file, line := splitPlace(place)
	reader := r.graph.Reader()
	ids, err := reader.At(ctx, file, false)
	if err != nil {
		return nil, err
	}
	list, err := reader.Nodes(ctx, ids)
	if err != nil {
		return nil, err
	}
	name = identifier(name)
	last := name[strings.LastIndexAny(name, ".:")+1:]
	var out, near []codegraph.ID
	for i, n := range list {
		qualified := n.Name == last && strings.HasSuffix(strings.ReplaceAll(n.QualifiedName, "@", "."), strings.ReplaceAll(name, "::", "."))
		if !qualified {
			continue
		}
		out = append(out, ids[i])
		if n.StartLine <= line && line <= n.EndLine {
			near = append(near, ids[i])
		}
	}
	if len(near) > 0 {
		return near, nil
	}
	return out, nil
}

// identifier returns the name of a symbol as the graph has it: without the keyword of a tag in C and the labels of a function's
// parameters in Swift.
func identifier(name string) string {
	if _, tag, ok := strings.Cut(name, " "); ok && !strings.Contains(tag, " ") && !strings.HasPrefix(name, "operator") {
		name = tag
	}
	if before, labels, ok := strings.Cut(name, "("); ok && before != "" && strings.HasSuffix(labels, ":)") {
		return before
	}
	return name
}

// useTypes are the edges from what uses something to it.
var useTypes = []codegraph.Relationship{codegraph.Calls, codegraph.References, codegraph.Inherits, codegraph.Implements, codegraph.Overrides}

// callers returns who calls, names or extends nodes.
func (r *reviewer) callers(ctx context.Context, ids []codegraph.ID) ([]User, error) {
	reader := r.graph.Reader()
	x, err := reader.Expand(ctx, ids, codegraph.In, useTypes...)
	if err != nil {
		return nil, err
	}
	var from []codegraph.ID
	for _, e := range x.Edges {
		from = append(from, e.From)
	}
	list, err := reader.Nodes(ctx, from)
	if err != nil {
		return nil, err
	}
	var out []User
	for i, e := range x.Edges {
		n := list[i]
		if e.Confidence < leastSure && e.Rule != codegraph.RuleDispatch || n.Path == "" || e.Line == 0 || slices.Contains(ids, e.From) {
			continue
		}
		u := User{Place: n.Path + ":" + strconv.Itoa(e.Line), Symbol: n.Name, Test: n.Test}
		if !slices.ContainsFunc(out, func(o User) bool { return o.Place == u.Place }) {
			out = append(out, u)
		}
	}
	slices.SortFunc(out, comparePlaces)
	return out, nil
}

func comparePlaces(a, b User) int {
	af, al := splitPlace(a.Place)
	bf, bl := splitPlace(b.Place)
	return cmp.Or(strings.Compare(af, bf), cmp.Compare(al, bl))
}

// named returns the places that name what an item is about, in files of its language: of something that is gone or that the
// graph does not know. A name that is declared elsewhere, too, is not looked for: nothing tells which is meant.
func (r *reviewer) named(ctx context.Context, item *Item) ([]User, error) {
	file, _ := splitPlace(item.Location)
	name := item.SymbolName[strings.LastIndexAny(item.SymbolName, ".:")+1:]
	l, known := lang.ByPath(file)
	if !known || len(name) < 3 {
		return nil, nil
	}
	files, err := r.sources(ctx)
	if err != nil {
		return nil, err
	}
	n := naming{name: name, file: file, member: name != item.SymbolName, declared: declaration(name)}
	n.here = wordPattern(name, n.member)
	n.outside = n.here
	if l.Name == "go" && !n.member {
		n.outside = qualified(name, r.packageName(ctx, path.Dir(file)))
	}
	var out []User
	for _, f := range files {
		other, ok := lang.ByPath(f)
		if !ok || !kin(other, l) || ctx.Err() != nil {
			continue
		}
		lines, elsewhere := n.in(f, r.linesOf(f))
		if elsewhere {
			return nil, nil
		}
		for _, line := range lines {
			out = append(out, User{Place: f + ":" + strconv.Itoa(line), Test: other.TestPath != nil && other.TestPath(f), ByName: true})
		}
	}
	slices.SortFunc(out, comparePlaces)
	return out, ctx.Err()
}

// naming is how a declaration is named.
type naming struct {
	name, file    string // file declares it
	member        bool
	here, outside *regexp.Regexp // in its folder, and in others
	declared      *regexp.Regexp // a line that declares the name
}

// in returns the lines of a file that have the name; elsewhere is set if the file declares something else under it.
func (n *naming) in(file string, text []string) (lines []int, elsewhere bool) {
	wanted := n.here
	if path.Dir(file) != path.Dir(n.file) {
		wanted = n.outside
	}
	for i, line := range text {
		if !strings.Contains(line, n.name) {
			continue
		}
		names := wanted.MatchString(bare(line))
		if (names || n.member) && file != n.file && n.declared.MatchString(line) {
			return nil, true
		}
		if names {
			lines = append(lines, i+1)
		}
	}
	return lines, false
}

// wordPattern matches a name as a word, or as a member.
func wordPattern(name string, member bool) *regexp.Regexp {
	if member {
		return regexp.MustCompile(`(\.|->|::)` + regexp.QuoteMeta(name) + `($|[^\pL\pN_$])`)
	}
	return regexp.MustCompile(`(^|[^\pL\pN_$.])` + regexp.QuoteMeta(name) + `($|[^\pL\pN_$])`)
}

// qualified matches a name of a package of Go.
func qualified(name, pkg string) *regexp.Regexp {
	return regexp.MustCompile(`(^|[^\pL\pN_$.])` + regexp.QuoteMeta(pkg+"."+name) + `($|[^\pL\pN_$])`)
}

// packageName returns the name of the package of Go in a folder.
func (r *reviewer) packageName(ctx context.Context, dir string) string {
	files, _ := r.sources(ctx) // an error is that of the caller's next use
	for _, f := range files {
		if path.Dir(f) != dir || strings.HasSuffix(f, "_test.go") {
			continue
		}
		for _, line := range r.linesOf(f) {
			if name, ok := strings.CutPrefix(line, "package "); ok {
				return strings.Fields(name + " x")[0]
			}
		}
	}
	return path.Base(dir)
}

// kin reports whether code of one language can use that of another.
func kin(a, b *lang.Language) bool {
	families := [][]string{{"typescript", "javascript", "tsx", "jsx", "vue", "svelte"}, {"c", "cpp"}, {"java", "kotlin", "scala"}}
	return a.Name == b.Name || slices.ContainsFunc(families, func(f []string) bool { return slices.Contains(f, a.Name) && slices.Contains(f, b.Name) })
}

// declaration matches a line that declares a name: after a keyword, or as a method of Java and its like.
func declaration(name string) *regexp.Regexp {
	quoted := regexp.QuoteMeta(name)
	return regexp.MustCompile(`\b(func|function|class|interface|struct|enum|trait|type|def|fn|const|let|var|val|module)\s+(\([^)]*\)\s*)?` + quoted + `\b|` +
		`^\s*((public|private|protected|static|async|final|override|abstract)\s+)*[\w<>\[\], ]*\b` + quoted + `\s*(<[^>]*>)?\([^;]*\{\s*$`)
}

// strings and comments of a line, in most languages.
var (
	quoted    = regexp.MustCompile("\"(?:[^\"\\\\]|\\\\.)*\"|'(?:[^'\\\\]|\\\\.)*'|`[^`]*`")
	commented = regexp.MustCompile(`(//|#\s|/\*|^\s*\*).*`)
)

// bare returns a line without its texts and comments.
func bare(line string) string {
	return commented.ReplaceAllString(quoted.ReplaceAllString(line, `""`), "")
}

// sources returns the source files of the project.
func (r *reviewer) sources(ctx context.Context) ([]string, error) {
	if r.listed != nil {
		return r.listed, nil
	}
	l, err := r.now.List(ctx, ".")
	if err != nil {
		return nil, err
	}
	r.listed = []string{}
	for _, f := range l.Files {
		if _, known := lang.ByPath(f.Path); known {
			r.listed = append(r.listed, f.Path)
		}
	}
	return r.listed, nil
}

// linesOf returns the lines of a file; nil if it cannot be read.
func (r *reviewer) linesOf(file string) []string {
	if lines, known := r.codeText[file]; known {
		return lines
	}
	if r.codeText == nil {
		r.codeText = map[string][]string{}
	}
	var lines []string
	if text, err := r.now.ReadFile(file); err == nil {
		lines = strings.Split(string(text), "\n")
	}
	r.codeText[file] = lines
	return lines
}
