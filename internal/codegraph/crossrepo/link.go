package crossrepo

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/codegraph"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/index"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/store"
	"github.com/reverse-spec/reverse-spec/internal/manifest"
	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/project"
	"github.com/reverse-spec/reverse-spec/internal/project/source"
)

// Linked says what a push did to the edges between the projects of a shared store.
type Linked struct {
	Uses   []string `json:"uses,omitempty"`    // names of the projects that this one uses
	UsedBy []string `json:"used_by,omitempty"` // and of those that use it
	From   int      `json:"from"`              // edges from this project
	To     int      `json:"to"`                // edges to it
	// Kept is set if what others can use of the project is what it was, so that nothing was searched in them.
	Kept bool `json:"kept,omitempty"`
	// Skipped are the names of projects that another version of the program pushed, whose facts cannot be read. The edges between this one
	// and them stay as they are until they are pushed again.
	Skipped []string `json:"skipped,omitempty"`
}

// errForeign says that another version of the program pushed a project.
var errForeign = message.Errorf("another version of reverse-spec pushed it: push it again")

// attempts is how often edges are computed anew, because other projects were pushed meanwhile.
const attempts = 5

// Link computes the edges between a project that was pushed to a shared store and the others: those from it to what its manifests require
// and to the contracts that it may use and, if what others can use of it changed, those to it from projects that require it or may use its
// contracts. Edges are found as in [Run]. Nothing else of the store is read. Words calls a function with the words of a name, which
// are recorded for [store.Links.Rank]. It returns nil if the edges are current.
func Link(ctx context.Context, p *project.Project, s store.Shared, key string, words func(name string, f func(word string)), now time.Time) (linked *Linked, err error) {
	defer func() {
		if err != nil {
			linked, err = nil, message.Errorf("link %s to other projects: %w", key, err)
		}
	}()
	texts, err := textsOf(ctx, p)
	if err != nil {
		return nil, err
	}
	sum := hashOf(texts)
	if current, err := s.IsLinked(ctx, key, sum); err != nil || current {
		return nil, err
	}
	for range attempts {
		l := &linking{store: s, project: p, texts: texts, sum: sum, words: words, now: now.UTC().Truncate(time.Second), states: map[string]store.SharedProject{}}
		if linked, err = l.run(ctx, key); !errors.Is(err, store.ErrMoved) {
			return linked, err
		}
	}
	return nil, err
}

// textsOf returns the manifests of a project's own packages, its contracts, and the documents that may use contracts.
func textsOf(ctx context.Context, p *project.Project) (map[string][]byte, error) {
	listing, err := p.List(ctx, ".")
	if err != nil {
		return nil, err
	}
	r := &repository{project: p, listing: listing, parser: source.NewParser(p, listing)}
	of, texts := kinds(), map[string][]byte{}
	for _, path := range r.listed(func(file string) bool {
		return manifest.IsManifest(file) || contractKind(of, file, nil) != nil || isDocument(of, file)
	}) {
		text, err := p.ReadFile(path)
		if err != nil {
			continue // it was listed, and is none that can be read
		}
		texts[path] = text
	}
	return texts, nil
}

// hashOf returns a hash of texts.
func hashOf(texts map[string][]byte) string {
	sum := sha256.New()
	for _, path := range slices.Sorted(maps.Keys(texts)) {
		fmt.Fprintf(sum, "%q %d ", path, len(texts[path]))
		sum.Write(texts[path])
	}
	return hex.EncodeToString(sum.Sum(nil))
}

// linking is one attempt.
type linking struct {
	store   store.Shared
	project *project.Project
	texts   map[string][]byte // of the project
	sum     string            // their hash
	words   func(name string, f func(word string))
	now     time.Time
	states  map[string]store.SharedProject
	skipped []string // names
}

func (l *linking) run(ctx context.Context, key string) (linked *Linked, err error) {
	own, err := l.store.Find(ctx, key)
	if err != nil {
		return nil, err
	}
	r, err := l.open(ctx, own, l.texts)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, r.close()) }()
	surface, terms, nodes, err := r.surface(ctx, l.words)
	if err != nil {
		return nil, err
	}
	published := store.Published{Publishes: r.names(), Requires: r.requires(), Texts: l.texts, Surface: surface, Terms: terms}
	if published.Contracts, err = l.contracts(ctx, r); err != nil {
		return nil, err
	}
	changed, err := l.store.Publish(ctx, key, published)
	if err != nil {
		return nil, err
	}
	required, requiring, err := l.store.Neighbours(ctx, key)
	if err != nil {
		return nil, err
	}
	u := store.LinkUpdate{Key: key, Surface: surface, Texts: l.sum, States: l.states, Contracts: map[string]string{}}
	if u.Links, err = l.from(ctx, r, required); err != nil {
		return nil, err
	}
	if changed.Surface {
		to, err := l.to(ctx, r, requiring)
		if err != nil {
			return nil, err
		}
		u.Links = append(u.Links, to...)
	} else {
		u.Move = movedTo(nodes)
	}
	if err := l.byContracts(ctx, r, changed.Contracts, &u); err != nil {
		return nil, err
	}
	if err := l.store.ReplaceLinks(ctx, u); err != nil {
		return nil, err
	}
	return l.summary(ctx, key, !changed.Surface && !changed.Contracts)
}

// summary says what is stored now.
func (l *linking) summary(ctx context.Context, key string, kept bool) (*Linked, error) {
	from, err1 := l.store.LinksFrom(ctx, key, nil)
	to, err2 := l.store.LinksTo(ctx, key, nil)
	return &Linked{
		Kept: kept, From: len(from), To: len(to), Skipped: tidy(l.skipped),
		Uses:   repositories(from, func(link *store.Link) string { return link.Edge.TargetRepo }),
		UsedBy: repositories(to, func(link *store.Link) string { return link.Edge.SourceRepo }),
	}, errors.Join(err1, err2)
}

// repositories returns the names at one end of edges, sorted.
func repositories(links []store.Link, of func(*store.Link) string) []string {
	var names []string
	for i := range links {
		names = append(names, of(&links[i]))
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// open opens a project of the store. Nil texts are those of the store.
func (l *linking) open(ctx context.Context, p store.SharedProject, texts map[string][]byte) (r *repository, err error) {
	key := p.Origin.Key
	r = &repository{RepositoryConfig: RepositoryConfig{Name: p.Name, Path: key}, prefix: "0", texts: texts, ids: map[string]store.FileID{}, nodes: map[string][]store.Node{}}
	defer func() {
		if err != nil {
			err = errors.Join(message.Errorf("project %s: %w", key, err), r.close())
		}
	}()
	if texts == nil {
		if r.texts, err = l.store.Texts(ctx, key); err != nil {
			return r, err
		}
	}
	if r.stored, err = l.store.Open(ctx, key); err != nil {
		return r, err
	}
	state, err := r.stored.State(ctx)
	if err != nil {
		return r, err
	}
	if !index.IsReadable(state) {
		return r, errForeign
	}
	p.Identity, p.Serial = state.Identity, state.Serial
	l.states[key] = p
	if r.files, err = r.stored.Files(ctx); err != nil {
		return r, err
	}
	for _, f := range r.files {
		r.ids[f.Path] = f.ID
	}
	if r.structure, err = r.stored.NodesOf(ctx, 0); err != nil {
		return r, err
	}
	r.manifests, _ = manifest.Read(r.manifestPaths(), r.readFile) // a manifest that cannot be read publishes nothing
	return r, nil
}

// unlessForeign opens a project; nil if another version of the program pushed it.
func (l *linking) unlessForeign(ctx context.Context, p store.SharedProject) (*repository, error) {
	r, err := l.open(ctx, p, nil)
	if errors.Is(err, errForeign) {
		l.skipped = append(l.skipped, p.Name)
		return nil, nil
	}
	return r, err
}

// names returns the names of the packages that the repository publishes.
func (r *repository) names() []string {
	var out []string
	for _, p := range r.manifests.Packages() {
		out = append(out, normalizeName(cmp.Or(p.ImportPath, p.Name)))
	}
	return tidy(out)
}

// requires returns the names of the packages that the repository requires, other than its own.
func (r *repository) requires() []string {
	own := r.names()
	var out []string
	for _, p := range r.manifests.Packages() {
		for _, d := range p.Dependencies {
			if name := normalizeName(d.Name); !slices.Contains(own, name) {
				out = append(out, name)
			}
		}
	}
	return tidy(out)
}

// tidy sorts names and removes empty and repeated ones.
func tidy(names []string) []string {
	slices.Sort(names)
	return slices.DeleteFunc(slices.Compact(names), func(name string) bool { return name == "" })
}

// surface returns a hash of what other projects can use of the repository, the words of its names, and where each of its
// symbols is.
func (r *repository) surface(ctx context.Context, words func(name string, f func(word string))) (hash string, terms map[string]int, nodes map[string]codegraph.Node, err error) {
	nodes, terms = map[string]codegraph.Node{}, map[string]int{}
	lines := append(r.names(), fmt.Sprint("facts ", code.FactsVersion)) // what another version pushed has edges that were skipped
	err = r.stored.All(ctx, nil, func(n store.Node) error {
		if n.QualifiedName == "" {
			return nil
		}
		nodes[n.QualifiedName] = n.Node
		if n.File != 0 && !n.Test {
			words(n.Name, func(word string) { terms[word]++ })
		}
		if n.Exported && !n.Test {
			lines = append(lines, strings.Join([]string{string(n.Label), n.QualifiedName, n.Path, n.Signature}, "\x00"))
		}
		return nil
	}, nil)
	slices.Sort(lines)
	sum := sha256.Sum256([]byte(strings.Join(lines, "\x01")))
	return hex.EncodeToString(sum[:]), terms, nodes, err
}

// from returns the edges from a repository to those that it requires.
func (l *linking) from(ctx context.Context, r *repository, required []store.SharedProject) (links []store.Link, err error) {
	repos := []*repository{r}
	defer func() {
		for _, other := range repos[1:] {
			err = errors.Join(err, other.close())
		}
	}()
	for _, p := range required {
		other, err := l.unlessForeign(ctx, p)
		if err != nil {
			return nil, err
		}
		if other != nil {
			repos = append(repos, other)
		}
	}
	return l.between(ctx, repos, r, func(to *repository) bool { return to != r })
}

// to returns the edges to a repository from those that require it, one after the other.
func (l *linking) to(ctx context.Context, r *repository, requiring []store.SharedProject) (links []store.Link, err error) {
	for _, p := range requiring {
		other, err := l.unlessForeign(ctx, p)
		if err != nil {
			return nil, err
		}
		if other == nil {
			continue
		}
		found, err := l.between(ctx, []*repository{r, other}, other, func(to *repository) bool { return to == r })
		if err = errors.Join(err, other.close()); err != nil {
			return nil, err
		}
		links = append(links, found...)
	}
	return links, nil
}

// between returns the edges from one of some repositories to those that fit.
func (l *linking) between(ctx context.Context, repos []*repository, from *repository, fits func(to *repository) bool) ([]store.Link, error) {
	if len(repos) < 2 {
		return nil, nil
	}
	f := newFederation()
	byName := map[string]*repository{}
	for i, r := range repos {
		r.place, r.prefix = i, strconv.Itoa(i)
		byName[r.Name] = r
	}
	f.repos = repos
	var err error
	if f.joint, err = linkRepositories(ctx, repos); err != nil {
		return nil, err
	}
	for _, to := range repos {
		f.depends[[2]int{from.place, to.place}] = from != to && from.depends(to)
	}
	if err := f.search(ctx, from); err != nil {
		return nil, err
	}
	return l.links(f, from, false, func(name string) *repository {
		if to := byName[name]; to != nil && fits(to) {
			return to
		}
		return nil
	}), nil
}

// links returns the edges that were found from a repository to those that are named.
func (l *linking) links(f *federation, from *repository, contract bool, named func(name string) *repository) []store.Link {
	var links []store.Link
	for _, e := range f.edges[from.place] {
		to := named(e.TargetRepo)
		if to == nil {
			continue
		}
		e.CreatedAt, e.UpdatedAt = l.now, l.now
		links = append(links, store.Link{Source: from.Path, Target: to.Path, Contract: contract, Edge: *e})
	}
	slices.SortFunc(links, func(a, b store.Link) int { return compareEdges(a.Edge, b.Edge) })
	return links
}

// movedTo returns the function that puts an edge at the lines where its target is now.
func movedTo(nodes map[string]codegraph.Node) func(*store.VirtualEdge) bool {
	return func(e *store.VirtualEdge) bool {
		n, ok := nodes[e.TargetSymbol]
		if !ok || e.StartLine == n.StartLine && e.EndLine == n.EndLine && e.TargetFile == place(n) {
			return false
		}
		e.TargetFile, e.StartLine, e.EndLine, e.Signature = place(n), n.StartLine, n.EndLine, n.Signature
		return true
	}
}
