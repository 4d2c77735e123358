package resolve_test

import (
	"bufio"
	"encoding/json"
	"maps"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/codegraph"
	"github.com/reverse-spec/reverse-spec/internal/lang"
	"github.com/reverse-spec/reverse-spec/internal/manifest"
	"github.com/reverse-spec/reverse-spec/internal/project"
	"github.com/reverse-spec/reverse-spec/internal/resolve"
)

// TestCallsAsCompilersSeeThem compares the calls of one repository with what its
// language's own tools say, as lines of {caller, callee}: "file:line:name", the
// line being that of the name. See docs/accuracy.md.
//
//	REVERSE_SPEC_CALLS     the repository
//	REVERSE_SPEC_TRUTH     its calls by name
//	REVERSE_SPEC_DISPATCH  its calls by what may run (VTA), for the rule "implementation"; may be missing
//	REVERSE_SPEC_SCIP      SCIP indexes of it, a list of files; may be missing
//	REVERSE_SPEC_LISTS     where false and missed pairs are written, as <this>.false and <this>.missed; may be missing
func TestCallsAsCompilersSeeThem(t *testing.T) {
	repo := os.Getenv("REVERSE_SPEC_CALLS")
	if repo == "" {
		t.Skip("no repository is named in REVERSE_SPEC_CALLS: run make accuracy")
	}
	got := linked(t, repo)
	truth := readTruth(t, os.Getenv("REVERSE_SPEC_TRUTH"))
	c := compareCalls(got, truth)
	t.Log("\n" + c.String())
	for language, s := range got.sites {
		t.Log(language, s)
	}
	if file := os.Getenv("REVERSE_SPEC_DISPATCH"); file != "" {
		d := compareDispatch(got, readTruth(t, file))
		t.Log("\nimplementations: " + d.String())
		d.write(t, os.Getenv("REVERSE_SPEC_LISTS"), ".implementation")
	}
	c.write(t, os.Getenv("REVERSE_SPEC_LISTS"), "")
}

// place is the position of a function's name.
type place struct {
	file string
	line int
}

func (p place) String() string { return p.file + ":" + strconv.Itoa(p.line) }

// pair is a caller and what it calls.
type pair struct{ from, to place }

// said is what one side says of a pair.
type said struct {
	from, to string // names
	rule     string // ours: the rule; theirs: the kind of call
	site     string

	overrides []place // theirs: what the callee overrides
}

// repository is one, linked.
type repository struct {
	pairs      map[pair]said       // nested functions count to the outermost around them
	dispatch   map[pair]said       // those of the rule "implementation"
	bases      map[place][]derived // of types
	calls      []call
	overriding map[end][]end // methods by one that they override
	calledOn   map[end][]end // the types on which a symbol calls methods that they have from others
	above      map[end][]end // types by those that build on them
	below      map[end][]end // and the other way round
	owners     map[end]end   // types by their methods
	files      map[string]*code.File
	symbols    map[string][]resolve.Symbol
	sites      map[string]*sites // by language
}

// sites counts the call sites of a language.
type sites struct {
	resolved   int // with an edge
	unresolved map[resolve.Reason]int
}

func (p *repository) count(language string) *sites {
	if p.sites[language] == nil {
		p.sites[language] = &sites{unresolved: map[resolve.Reason]int{}}
	}
	return p.sites[language]
}

// linked parses and links all files of a repository.
func linked(t *testing.T, dir string) *repository {
	t.Helper()
	files, resolution := parsedRepository(t, dir)
	whole := resolve.New(files, resolution)
	whole.SetOracle(scipOracle(t, dir))
	linker := whole.Linker()
	p := &repository{
		pairs: map[pair]said{}, dispatch: map[pair]said{}, files: map[string]*code.File{}, symbols: map[string][]resolve.Symbol{}, sites: map[string]*sites{},
		bases: map[place][]derived{}, overriding: map[end][]end{}, calledOn: map[end][]end{}, above: map[end][]end{}, below: map[end][]end{}, owners: map[end]end{},
	}
	for _, f := range files {
		p.files[f.Path], p.symbols[f.Path] = f, whole.Symbols(f.Path)
	}
	for _, f := range files {
		r := linker.File(f.Path, nil)
		counts := p.count(f.Language)
		for reason, n := range r.Unresolved {
			counts.unresolved[reason] += n
		}
		for _, e := range r.Edges {
			p.note(f.Path, e)
			if e.Type == codegraph.Inherits || e.Type == codegraph.Implements {
				p.derive(f.Path, e)
			}
			if e.Type == codegraph.Calls && e.To >= 0 {
				counts.resolved += e.Count
				p.add(f.Path, e)
			}
		}
	}
	p.expandMacros()
	p.dispatchAll()
	return p
}

func (p *repository) add(file string, e resolve.Edge) {
	from, fromName, inFunction := outermost(p.symbols[file], e.From)
	to, toName, _ := outermost(p.symbols[e.Path], e.To)
	if !inFunction || e.To == 0 || strings.HasSuffix(file, ".go") && inVariable(p.symbols[file], e.From) {
		return
	}
	if target := p.symbols[e.Path][e.To]; p.isPromise(e.Path, target) {
		to, toName = target.Line, target.Qualified
	}
	key := pair{place{file, from}, place{e.Path, to}}
	old, known := p.pairs[key]
	if !known || resolve.RuleNamed(old.rule).Confidence() < e.Rule.Confidence() {
		p.pairs[key] = said{from: fromName, to: toName, rule: e.Rule.String(), site: file + ":" + strconv.Itoa(e.Line)}
	}
}

// outermost returns the line and name of the outermost function around a symbol, or of the symbol if there is none;
// inFunction says which.
func outermost(list []resolve.Symbol, n int) (line int, name string, inFunction bool) {
	best := n
	for i := n; i > 0; i = list[i].Parent {
		if l := list[i].Label; l == codegraph.LabelFunction || l == codegraph.LabelMethod {
			best, inFunction = i, true
		}
	}
	return list[best].Line, list[best].Qualified, inFunction
}

// isPromise reports whether a symbol is an interface method, which is an entry of its own in the truth for Go even
// if the interface is declared in a function.
func (p *repository) isPromise(file string, s resolve.Symbol) bool {
	f := p.files[file]
	if f == nil || f.Language != "go" {
		return false
	}
	return slices.ContainsFunc(f.Facts.Scopes, func(scope code.Scope) bool {
		return slices.ContainsFunc(scope.Defs, func(d code.Def) bool {
			return d.Abstract && d.Name == s.Name && int(d.Line) == s.Line
		})
	})
}

// inVariable reports whether a symbol is inside a variable's value, which the truth for Go counts as outside
// functions.
func inVariable(list []resolve.Symbol, n int) bool {
	for ; n > 0; n = list[n].Parent {
		if list[n].Label == codegraph.LabelVariable {
			return true
		}
	}
	return false
}

// parsedRepository parses every file of a folder that a language reads, with facts.
func parsedRepository(t *testing.T, dir string) ([]*code.File, *codegraph.Resolution) {
	t.Helper()
	ws, err := project.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer ws.Close()
	listing, err := ws.List(t.Context(), ".")
	if err != nil {
		t.Fatal(err)
	}
	var files []*code.File
	var paths []string
	for _, entry := range listing.Files {
		paths = append(paths, entry.Path)
		if _, ok := lang.ByPath(entry.Path); !ok {
			continue
		}
		src, err := ws.ReadFile(entry.Path)
		if err != nil {
			continue // too large, or a link to nowhere
		}
		if f, err := lang.Parse(t.Context(), entry.Path, src, lang.Facts); err == nil {
			files = append(files, f)
		}
	}
	manifests, err := manifest.Read(paths, ws.ReadFile)
	if err != nil {
		t.Log(err)
	}
	return files, codegraph.Resolve(files, manifests)
}

// readTruth reads pairs. Calls of functions by themselves, calls outside functions
// and of modules are left out; a function that was compiled, where a truth says so, stays as a pair with itself.
func readTruth(t *testing.T, file string) map[pair]said {
	t.Helper()
	out := readPairs(t, file)
	maps.DeleteFunc(out, func(k pair, s said) bool {
		return k.from == k.to && s.rule != "compiled" || strings.HasPrefix(s.from, "<") || strings.HasPrefix(s.to, "<")
	})
	return pythonTruth(out)
}

// readPairs reads lines of {caller, callee}.
func readPairs(t *testing.T, file string) map[pair]said {
	t.Helper()
	in, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	out := map[pair]said{}
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var row struct {
			Caller, Callee, Kind, Site string
			Overrides                  []string
		}
		if err := json.Unmarshal(lines.Bytes(), &row); err != nil {
			t.Fatal(err)
		}
		from, fromName := parsePlace(t, row.Caller)
		to, toName := parsePlace(t, row.Callee)
		theirs := said{from: fromName, to: toName, rule: row.Kind, site: row.Site}
		for _, over := range row.Overrides {
			at, _ := parsePlace(t, over)
			theirs.overrides = append(theirs.overrides, at)
		}
		out[pair{from, to}] = theirs
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return out
}

// parsePlace takes "file:line:name" apart.
func parsePlace(t *testing.T, s string) (place, string) {
	t.Helper()
	file, rest, _ := strings.Cut(s, ":")
	number, name, ok := strings.Cut(rest, ":")
	line, err := strconv.Atoi(number)
	if !ok || err != nil {
		t.Fatalf("%q is no file:line:name", s)
	}
	return place{file, line}, name
}

// covered returns a predicate for the callers that the truth covers: files of its languages in its folders, tests
// only if it has some, and for Go those in the reference build.
func (p *repository) covered(truth map[pair]said) func(file string) bool {
	folders, languages := map[string]bool{}, map[string]bool{}
	tests := false
	for k := range truth {
		folders[path.Dir(k.from.file)] = true
		if f := p.files[k.from.file]; f != nil {
			languages[f.Language] = true
			tests = tests || f.Test
		}
	}
	return func(file string) bool {
		f := p.files[file]
		return folders[path.Dir(file)] && languages[f.Language] && (tests || !f.Test) && f.Constraint == ""
	}
}
