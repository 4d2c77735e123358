package graphs

import (
	"context"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/question"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/store"
)

// Relation says how many edges of a kind lead from one project of the shared store to another, both of which the caller may see.
type Relation struct {
	Project  string `json:"project"` // the one that uses
	Uses     string `json:"uses"`
	Kind     string `json:"kind"`               // "openapi", "go"
	Contract bool   `json:"contract,omitempty"` // by proto, openapi or graphql
	Places   int    `json:"places"`
}

// Relations returns what projects that are in the shared store use of others, and others of them, sorted; by the names that all projects have in
// [Graphs.List]. There is none without a shared store.
func (g *Graphs) Relations(ctx context.Context, list, all []Listed) ([]Relation, error) {
	var keys []string
	for _, p := range list {
		if p.Shared {
			keys = append(keys, p.Root)
		}
	}
	if len(keys) == 0 {
		return nil, nil
	}
	s, err := g.organisation()
	if err != nil {
		return nil, err
	}
	found, err := s.Relations(ctx, keys)
	if err != nil || len(found) == 0 {
		return nil, err
	}
	names := map[string]string{}
	for _, p := range all {
		if p.Shared {
			names[p.Root] = p.Name
		}
	}
	out := make([]Relation, 0, len(found))
	for _, r := range found {
		if names[r.Source] != "" && names[r.Target] != "" { // else it was pushed or deleted just now
			out = append(out, Relation{names[r.Source], names[r.Target], r.Kind, r.Contract, r.Edges})
		}
	}
	slices.SortFunc(out, func(a, b Relation) int {
		return slices.Compare([]string{a.Uses, a.Project, a.Kind}, []string{b.Uses, b.Project, b.Kind})
	})
	return out, err
}

// ContractUses returns the uses, by other projects that the caller may see, of the contracts of a project of the shared store, by its key.
func (g *Graphs) ContractUses(ctx context.Context, key string) ([]Consumer, error) {
	s, err := g.organisation()
	if err != nil {
		return nil, err
	}
	links, err := s.ContractLinksTo(ctx, key)
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(links, func(a, b store.Link) int { return strings.Compare(a.Edge.TargetSymbol, b.Edge.TargetSymbol) })
	return g.consumersOf(ctx, links)
}

// UsedBy says who uses the project with a name, in a few words: "web (openapi), till (go)", and how many more there are. The relations are those
// of [Graphs.Relations].
func UsedBy(name string, relations []Relation, most int) (users string, more int) {
	var names []string
	kinds := map[string]string{}
	first, _ := slices.BinarySearchFunc(relations, name, func(r Relation, name string) int { return strings.Compare(r.Uses, name) })
	for _, r := range relations[first:] {
		if r.Uses != name {
			break
		}
		if kinds[r.Project] == "" {
			names = append(names, r.Project)
			kinds[r.Project] = r.Kind
		} else {
			kinds[r.Project] += ", " + r.Kind
		}
	}
	shown := names[:min(most, len(names))]
	for i, n := range shown {
		shown[i] = n + " (" + kinds[n] + ")"
	}
	return strings.Join(shown, ", "), len(names) - len(shown)
}

// between returns what the projects of some graphs use of each other.
func (g *Graphs) between(ctx context.Context, asked []store.Ranked) ([]question.Between, error) {
	s, err := g.organisation()
	if err != nil {
		return nil, err
	}
	at, keys := map[string]int{}, []string{}
	for i, p := range asked {
		at[p.Origin.Key] = i
		keys = append(keys, p.Origin.Key)
	}
	found, err := s.Relations(ctx, keys)
	var out []question.Between
	for _, r := range found {
		from, known := at[r.Source]
		to, also := at[r.Target]
		if known && also {
			out = append(out, question.Between{From: from, To: to, Kind: r.Kind, Contract: r.Contract, Count: r.Edges})
		}
	}
	return out, err
}
