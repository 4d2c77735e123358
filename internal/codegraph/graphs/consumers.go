package graphs

import (
	"context"
	"errors"
	"os"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/crossrepo"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/explore"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/shared"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/store"
	"github.com/reverse-spec/reverse-spec/internal/project"
)

// Consumer is a use of a symbol by another project of the shared store.
type Consumer struct {
	Project    string  `json:"project"` // its name
	Key        string  `json:"key"`
	Commit     string  `json:"commit"`
	Symbol     string  `json:"symbol"` // that uses it
	File       string  `json:"file"`
	Line       int     `json:"line"`
	Uses       string  `json:"uses"` // the symbol that is used, as the shared graph names it
	Confidence float64 `json:"confidence"`
	Contract   bool    `json:"contract,omitempty"` // by proto, openapi or graphql
	// Edge is the edge of the use.
	Edge store.VirtualEdge `json:"-"`
}

// Impact is what a change of a symbol affects, also in other projects.
type Impact struct {
	*explore.Impact
	// Consumers are the uses, by other projects of the shared store, of the symbol and of what is affected here.
	Consumers []Consumer `json:"consumers,omitempty"`
	// Unknown says why consumers could not be looked up; nil if they were, or if there is no shared store.
	Unknown error `json:"-"`
}

// Impact returns what a change of a symbol affects, see [explore.Graph.Impact]; of a symbol of a contract, such as an operation, its
// users in other projects.
func (g *Graph) Impact(ctx context.Context, name string, o explore.ImpactOptions) (*Impact, error) {
	here, err := g.Graph.Impact(ctx, name, o)
	if unknown := (*explore.NotFoundError)(nil); errors.As(err, &unknown) {
		if out, err2 := g.contractImpact(ctx, name); out != nil || err2 != nil {
			return out, err2
		}
	}
	if err != nil {
		return nil, err
	}
	symbols := []string{here.Symbol.QualifiedName}
	for _, a := range here.Affected {
		symbols = append(symbols, a.QualifiedName)
	}
	out := &Impact{Impact: here}
	if out.Consumers, out.Unknown = g.consumers(ctx, symbols); ctx.Err() != nil {
		return nil, ctx.Err()
	}
	return out, nil
}

// contractImpact returns the users of a symbol of the project's contracts; nil if nobody uses one of that name.
func (g *Graph) contractImpact(ctx context.Context, name string) (*Impact, error) {
	s, key, _, err := g.shared(ctx)
	if s == nil || err != nil {
		return nil, nil //nolint:nilerr // the caller says that there is no such symbol
	}
	links, err := s.ContractLinksTo(ctx, key)
	if err != nil {
		return nil, nil //nolint:nilerr // as above
	}
	var edges []store.VirtualEdge
	for _, l := range links {
		edges = append(edges, l.Edge)
	}
	of, err := explore.ContractImpact(name, edges)
	if of == nil || err != nil {
		return nil, err
	}
	of.Index = g.Index
	out := &Impact{Impact: of}
	out.Consumers, err = g.of.consumersOf(ctx, slices.DeleteFunc(links, func(l store.Link) bool { return l.Edge.TargetSymbol != of.Symbol.QualifiedName }))
	return out, err
}

// shared returns the project of the shared store that the graph is of, by its key and name; nil for none.
func (g *Graph) shared(ctx context.Context) (s store.Shared, key, name string, err error) {
	if g.Index.Shared != "" {
		s, err = g.of.organisation()
		return s, g.Index.Shared, "", err
	}
	s, p, err := g.of.pushedAs(ctx, g.Project())
	return s, p.Origin.Key, p.Name, err
}

// consumers returns the uses of symbols of the graph by other projects, and of what these serve of its contracts.
func (g *Graph) consumers(ctx context.Context, symbols []string) ([]Consumer, error) {
	s, key, name, err := g.shared(ctx)
	if s == nil || err != nil {
		return nil, err
	}
	theirs := slices.Clone(symbols)
	if name != "" {
		state, err := g.Stored().State(ctx)
		if err != nil {
			return nil, err
		}
		for i := range theirs {
			if rest, ok := strings.CutPrefix(theirs[i], state.Project+"."); ok { // the folder may have another name
				theirs[i] = name + "." + rest
			}
		}
	}
	links, err := s.LinksTo(ctx, key, theirs)
	if err != nil {
		return nil, err
	}
	contracts, err := s.ContractLinksTo(ctx, key)
	if err != nil {
		return nil, err
	}
	served := crossrepo.Served(theirs)
	links = append(links, slices.DeleteFunc(contracts, func(l store.Link) bool { return !served(&l.Edge) || slices.Contains(theirs, l.Edge.TargetSymbol) })...)
	return g.of.consumersOf(ctx, links)
}

// Consumers returns all uses of a project of this machine by other projects of the shared store; nil if it was not pushed, or if there
// is no shared store.
func (g *Graphs) Consumers(ctx context.Context, p *project.Project) ([]Consumer, error) {
	s, pushed, err := g.pushedAs(ctx, p)
	if s == nil || err != nil {
		return nil, err
	}
	links, err := s.LinksTo(ctx, pushed.Origin.Key, nil)
	if err != nil {
		return nil, err
	}
	return g.consumersOf(ctx, links)
}

// pushedAs returns the project of the shared store that a project of this machine is; nil if there is none.
func (g *Graphs) pushedAs(ctx context.Context, p *project.Project) (s store.Shared, pushed store.SharedProject, err error) {
	if p == nil {
		return nil, pushed, nil
	}
	s, err = g.organisation()
	if errors.Is(err, errNoStore) {
		return nil, pushed, nil
	}
	if err != nil {
		return nil, pushed, err
	}
	o, err := shared.OriginOf(ctx, p, "", os.Getenv)
	if err != nil {
		return nil, pushed, nil //nolint:nilerr // without git or a remote it was not pushed
	}
	pushed, err = s.Find(ctx, o.Key)
	if errors.Is(err, store.ErrNone) {
		return nil, pushed, nil
	}
	return s, pushed, err
}

// consumersOf returns the uses that edges are.
func (g *Graphs) consumersOf(ctx context.Context, links []store.Link) ([]Consumer, error) {
	if len(links) == 0 {
		return nil, nil
	}
	s, err := g.organisation()
	if err != nil {
		return nil, err
	}
	all, err := s.Origins(ctx)
	if err != nil {
		return nil, err
	}
	of := map[string]store.SharedProject{}
	for _, p := range all {
		of[p.Origin.Key] = p
	}
	out := make([]Consumer, 0, len(links))
	for _, l := range links {
		e, p := l.Edge, of[l.Source]
		out = append(out, Consumer{p.Name, l.Source, p.Origin.Commit, e.SourceSymbol, e.SourceFile, e.SourceLine, e.TargetSymbol, e.Confidence, l.Contract, e})
	}
	return out, nil
}
