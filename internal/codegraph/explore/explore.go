// Package explore answers questions about a project from its code graph: the source of a symbol ([Graph.Snippet]),
// its neighbourhood ([Graph.Around]), and the impact of changing it ([Graph.Impact]).
//
// [Open] updates the graph first, so that answers match the files. If that is not possible, the answer says how old
// the graph is; see [Freshness].
package explore

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	reversespec "github.com/reverse-spec/reverse-spec"
	"github.com/reverse-spec/reverse-spec/internal/codegraph"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/index"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/search"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/snapshot"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/store"
	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/project"
	"github.com/reverse-spec/reverse-spec/internal/x/suggest"
)

// Graph is an open code graph of a project.
type Graph struct {
	project *project.Project // nil for a graph of a shared store
	key     string           // of the project in the shared store
	stored  store.Graph
	reader  *snapshot.Snapshot
	Index   Freshness
	read    func(name string) ([]byte, error) // of a shared graph; nil for the project's
	release func() error                      // of a shared graph
}

// Freshness says how current the graph of an answer is.
type Freshness struct {
	BuiltAt time.Time `json:"built_at"`
	Commit  string    `json:"commit,omitempty"`
	// Shared is the key of the project, and Branch its branch, if the graph is that of a shared store.
	Shared string `json:"shared,omitempty"`
	Branch string `json:"branch,omitempty"`
	// Foreign is the version of the program that indexed the graph, if that was another one whose graphs differ.
	Foreign string `json:"-"`
	// Stale is set if files may have changed since the graph was updated; Why says why it was not updated.
	Stale bool   `json:"stale"`
	Why   string `json:"why,omitempty"`
	// Current is when a shared graph that is stale was last known to be the current one.
	Current time.Time `json:"current,omitzero"`
	// Warnings are those of the run that rebuilt the graph, such as a SCIP index that is no longer used.
	Warnings []string `json:"warnings,omitempty"`
	// Compared is the number of files that were listed to look for changes; 0 if there was no look at all files.
	Compared int `json:"-"`
}

// Options configure [Open].
type Options struct {
	Index   index.Options
	NoIndex bool // use the stored graph as it is
	// Wait bounds the time for indexing if there is an older graph, which is used instead after that time; 0 for no
	// limit.
	Wait time.Duration
}

// Open updates and opens the code graph of a project. While another process is indexing the project, it opens the
// older graph. The caller closes the graph. The error is one of [index.Run] or wraps [store.ErrNone].
func Open(ctx context.Context, p *project.Project, s store.Store, opts Options) (*Graph, error) {
	g := &Graph{project: p}
	if opts.NoIndex {
		g.Index = Freshness{Stale: true, Why: message.Sprintf(ctx, "not asked to look for changes")}
	} else {
		if err := g.refresh(ctx, s, opts); err != nil {
			return nil, err
		}
	}
	if err := g.load(ctx, s, p.Root()); err != nil {
		return nil, err
	}
	return g, nil
}

// Current identifies a stored graph that another process has found to be that of the files.
type Current struct {
	Identity string
	Serial   uint64
	// Warnings are those of [Freshness].
	Warnings []string
}

// errOther is returned if the stored graph is not the one that is asked for.
var errOther = errors.New("another graph is stored")

// OpenCurrent opens the code graph of a project as it is stored, if it is the one that another process has found to be that of
// the files, or was changed since.
func OpenCurrent(ctx context.Context, p *project.Project, s store.Store, c *Current) (*Graph, error) {
	g := &Graph{project: p}
	if err := g.load(ctx, s, p.Root()); err != nil {
		return nil, err
	}
	state, err := g.stored.State(ctx)
	if err == nil && (state.Identity != c.Identity || state.Serial < c.Serial || state.Version != reversespec.Version() || !index.IsCurrent(state)) {
		err = errOther
	}
	if err != nil {
		return nil, errors.Join(err, g.Close())
	}
	g.Index.Warnings = c.Warnings
	return g, nil
}

// load opens the stored graph of a folder or key.
func (g *Graph) load(ctx context.Context, s store.Store, root string) error {
	stored, err := s.Open(ctx, root)
	if err != nil {
		return message.Errorf("open code graph: %w", err)
	}
	g.stored = stored
	state, err := stored.State(ctx)
	if err == nil {
		g.Index.BuiltAt, g.Index.Commit, g.Index.Foreign = state.BuiltAt, state.Commit, ""
		if !index.IsCurrent(state) {
			g.Index.Foreign = state.Version
		}
		g.reader, err = snapshot.Load(ctx, stored)
	}
	if err != nil {
		return errors.Join(message.Errorf("open code graph: %w", err), stored.Close())
	}
	return nil
}

// Share returns the graph for one more question, about the files of p. Read returns their texts; nil for p's own. Closing
// it calls release, and nothing else.
func (g *Graph) Share(p *project.Project, read func(name string) ([]byte, error), release func() error) *Graph {
	return &Graph{project: p, stored: g.stored, reader: g.reader, Index: Freshness{BuiltAt: g.Index.BuiltAt, Commit: g.Index.Commit}, read: read, release: release}
}

// ReadFile returns the text of a file of the project, which nobody changes.
func (g *Graph) ReadFile(name string) ([]byte, error) {
	switch {
	case g.read != nil:
		return g.read(name)
	case g.project == nil:
		return nil, errNoSource
	}
	return g.project.ReadFile(name)
}

// Close closes the graph.
func (g *Graph) Close() error {
	if g.release != nil {
		return g.release()
	}
	return errors.Join(g.reader.Close(), g.stored.Close())
}

// Reader returns a reader of the graph. It is closed with g.
func (g *Graph) Reader() codegraph.Reader { return g.reader }

// Root returns the absolute path of the project's folder, or the key of a project of a shared store.
func (g *Graph) Root() string {
	if g.project == nil {
		return g.key
	}
	return g.project.Root()
}

// Virtual returns the edges from symbols with the given qualified names, or from all symbols for nil, to symbols of
// other repositories. Package crossrepo finds these edges.
func (g *Graph) Virtual(ctx context.Context, symbols []string) ([]store.VirtualEdge, error) {
	return g.stored.Virtual(ctx, symbols)
}

// NotFoundError says that there is no symbol with a name.
type NotFoundError struct {
	Name string
	Near []string // qualified names with a similar spelling or the same last part
}

func (e *NotFoundError) text() message.Text {
	if len(e.Near) > 0 {
		return message.New("no such symbol: %s; did you mean %s?", suggest.Quote(e.Name), strings.Join(e.Near, ", "))
	}
	return message.New("no such symbol: %s", suggest.Quote(e.Name))
}

func (e *NotFoundError) Error() string { return e.text().String() }

// In implements [message.Localizer].
func (e *NotFoundError) In(lang message.Lang) string { return e.text().In(lang) }

// AmbiguousError says that several symbols have a name.
type AmbiguousError struct {
	Name       string
	Candidates []codegraph.Node
}

func (e *AmbiguousError) text() message.Text {
	shown := e.Candidates[:min(MaxNamed, len(e.Candidates))]
	names := make([]string, 0, len(shown))
	for _, n := range shown {
		names = append(names, fmt.Sprintf("%s (%s:%d)", n.QualifiedName, n.Path, n.StartLine))
	}
	list := message.New("%s", strings.Join(names, ", "))
	if more := len(e.Candidates) - len(shown); more > 0 {
		list = message.New("%s, … and %d more", list, more)
	}
	return message.New("%d symbols have the name %s: %s", len(e.Candidates), e.Name, list)
}

func (e *AmbiguousError) Error() string { return e.text().String() }

// In implements [message.Localizer].
func (e *AmbiguousError) In(lang message.Lang) string { return e.text().In(lang) }

// Hint says how to name one of them.
func (e *AmbiguousError) Hint() message.Text {
	return message.New("give more of the qualified name, from the right")
}

// MaxNamed is the maximum number of candidates listed in an error.
const MaxNamed = 10

// Symbol returns the symbol with a qualified name, or the only symbol whose qualified name ends in it. The error is
// a [*NotFoundError] or an [*AmbiguousError].
func (g *Graph) Symbol(ctx context.Context, name string) (codegraph.Node, error) {
	if id, err := g.reader.Qualified(ctx, name); err != nil || id != 0 {
		return g.node(ctx, id, err)
	}
	ids, err := g.reader.Suffixed(ctx, name)
	if err != nil {
		return codegraph.Node{}, err
	}
	nodes, err := g.reader.Nodes(ctx, ids)
	if err != nil {
		return codegraph.Node{}, err
	}
	nodes = code(nodes)
	switch len(nodes) {
	case 0:
		return codegraph.Node{}, g.notFound(ctx, name)
	case 1:
		return nodes[0], nil
	}
	return codegraph.Node{}, &AmbiguousError{Name: name, Candidates: nodes}
}

func (g *Graph) node(ctx context.Context, id codegraph.ID, err error) (codegraph.Node, error) {
	if err != nil {
		return codegraph.Node{}, err
	}
	nodes, err := g.reader.Nodes(ctx, []codegraph.ID{id})
	if err != nil {
		return codegraph.Node{}, err
	}
	return nodes[0], nil
}

// code removes nodes without source code, unless nothing would be left.
func code(nodes []codegraph.Node) []codegraph.Node {
	var out []codegraph.Node
	for _, n := range nodes {
		switch n.Label {
		case codegraph.LabelFile, codegraph.LabelFolder, codegraph.LabelPackage, codegraph.LabelProject, codegraph.LabelExternalPackage,
			codegraph.LabelExternalType, codegraph.LabelExternalMethod:
		default:
			out = append(out, n)
		}
	}
	if len(out) == 0 {
		return nodes
	}
	return out
}

// notFound returns an error that suggests symbols with the same last part, those in the named place first, or else
// with a similar spelling.
func (g *Graph) notFound(ctx context.Context, name string) error {
	e := &NotFoundError{Name: name}
	within, last := "", name
	if dot := strings.LastIndexByte(name, '.'); dot >= 0 {
		within, last = name[:dot], name[dot+1:]
	}
	ids, err := g.reader.Named(ctx, last)
	if err != nil {
		return err
	}
	alike := func(codegraph.Node) bool { return true }
	if len(ids) == 0 {
		hits, err := search.Find(ctx, g.reader, name, search.Options{Limit: 2 * maxNear})
		if err != nil {
			return err
		}
		for _, h := range hits {
			ids = append(ids, h.ID)
		}
		alike = func(n codegraph.Node) bool { return isSimilar(n.Name, last) }
	}
	nodes, err := g.reader.Nodes(ctx, ids)
	if err != nil {
		return err
	}
	slices.SortStableFunc(nodes, func(a, b codegraph.Node) int { return cmp.Compare(qualifierRank(b, within), qualifierRank(a, within)) })
	for _, n := range nodes {
		if alike(n) && len(e.Near) < maxNear {
			e.Near = append(e.Near, n.QualifiedName)
		}
	}
	return e
}

// maxNear is the maximum number of suggestions.
const maxNear = 5

// qualifierRank rates how well a node matches the qualifier of a name: 2 for its folder, 1 for an enclosing declaration.
func qualifierRank(n codegraph.Node, within string) int {
	last := within[strings.LastIndexByte(within, '.')+1:]
	switch {
	case last == "":
		return 0
	case path.Base(path.Dir(n.Path)) == last:
		return 2
	case strings.Contains("."+n.QualifiedName, "."+last+"."):
		return 1
	}
	return 0
}

// isSimilar reports whether one name contains the other, differs from it by one or two edits, or is its
// abbreviation.
func isSimilar(name, asked string) bool {
	name, asked = strings.ToLower(name), strings.ToLower(asked)
	slips := min(2, len(asked)/3)
	return strings.Contains(name, asked) || suggest.Distance([]rune(name), []rune(asked), slips) <= slips || isAbbreviation(asked, name)
}

// isAbbreviation reports whether short is name with up to half of its letters left out: parse_cfg for parse_config.
func isAbbreviation(short, name string) bool {
	if len(name) > 2*len(short) {
		return false
	}
	rest := name
	for _, r := range short {
		_, after, ok := strings.Cut(rest, string(r))
		if !ok {
			return false
		}
		rest = after
	}
	return true
}
