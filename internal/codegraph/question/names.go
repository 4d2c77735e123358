package question

import (
	"context"
	"errors"
	"path"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/codegraph"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/cypher"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/explore"
	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/x/suggest"
)

// Name is a name in a question that does not denote exactly one symbol.
type Name struct {
	Name string `json:"name"`
	// Count is the number of symbols with the name. Matches are the first of them; if Count is 0, Near are similar
	// names.
	Count   int      `json:"count"`
	Matches []Match  `json:"matches,omitempty"`
	Near    []string `json:"near,omitempty"`
}

// Match is a symbol that a name may denote.
type Match struct {
	QualifiedName string          `json:"qualified_name"`
	Label         codegraph.Label `json:"label"`
	Path          string          `json:"path,omitempty"`
	StartLine     int             `json:"start_line,omitempty"`
}

// maxMatches is the maximum number of matches of a name.
const maxMatches = 10

// text describes the matches of the name.
func (n Name) text() message.Text {
	switch {
	case n.Count == 0 && len(n.Near) == 0:
		return message.New("Nothing is named '%s'.", n.Name)
	case n.Count == 0:
		return message.New("Nothing is named '%s'; did you mean %s?", n.Name, strings.Join(n.Near, ", "))
	}
	names := make([]string, 0, len(n.Matches))
	for _, m := range n.Matches {
		names = append(names, m.QualifiedName)
	}
	list := strings.Join(names, ", ")
	if more := n.Count - len(names); more > 0 {
		return message.New("'%s' means %d symbols, each row says which: %s, and %d more.", n.Name, n.Count, list, more)
	}
	return message.New("'%s' means %d symbols, each row says which: %s.", n.Name, n.Count, list)
}

// names reports ambiguous and unknown names in a question and, if nothing was found, unknown paths.
func (a *Answer) names(ctx context.Context, g *explore.Graph, t Translation) error {
	for i, name := range t.Symbols {
		matches, err := meant(ctx, g, t.Meanings[i])
		if err != nil {
			return err
		}
		switch len(matches) {
		case 0:
			_, err := g.Symbol(ctx, name)
			missing := &explore.NotFoundError{}
			if err != nil && !errors.As(err, &missing) {
				return err
			}
			a.Symbols = append(a.Symbols, Name{Name: name, Near: missing.Near})
		case 1:
		default:
			a.Symbols = append(a.Symbols, Name{Name: name, Count: len(matches), Matches: matches[:min(len(matches), maxMatches)]})
		}
	}
	if len(a.Results) > 0 || len(t.Paths) == 0 {
		return nil
	}
	return a.paths(ctx, g.Reader(), t.Paths)
}

// paths reports unknown paths.
func (a *Answer) paths(ctx context.Context, r codegraph.Reader, paths []string) error {
	ids, err := r.Labelled(ctx, codegraph.LabelFile, codegraph.LabelFolder, codegraph.LabelPackage)
	if err != nil {
		return err
	}
	nodes, err := r.Nodes(ctx, ids, codegraph.FieldPath)
	if err != nil {
		return err
	}
	for _, p := range paths {
		name := Name{Name: p}
		found := false
		for i := range nodes {
			at := nodes[i].Path
			found = found || at == p || strings.HasSuffix(at, "/"+p)
			if len(name.Near) < maxNear && alike(path.Base(at), path.Base(p)) {
				name.Near = append(name.Near, at)
			}
		}
		if !found {
			a.Symbols = append(a.Symbols, name)
		}
	}
	return nil
}

const (
	maxNear  = 5 // maximum number of suggestions
	maxEdits = 2 // maximum edit distance of similar names
)

func alike(a, b string) bool {
	return suggest.Distance([]rune(a), []rune(b), maxEdits) <= min(maxEdits, len(b)/3)
}

// meant returns the matches of a name: only code if there is some, because there may be a folder or package with
// the name of a module; and no modules inside a matching folder.
func meant(ctx context.Context, g *explore.Graph, m Meaning) ([]Match, error) {
	query := m.Clause + " RETURN n.qualified_name, labels(n)[0], n.path, n.start_line ORDER BY n.path, n.start_line, n.qualified_name"
	r, err := cypher.Run(ctx, cypher.Code(g.Reader(), g.Root()), query, cypher.Options{})
	if err != nil {
		return nil, err
	}
	all := make([]Match, 0, len(r.Rows))
	for _, row := range r.Rows {
		name, _ := row[0].(string)
		label, _ := row[1].(string)
		file, _ := row[2].(string)
		line, _ := row[3].(int64)
		all = append(all, Match{name, codegraph.Label(label), file, int(line)})
	}
	drop := func(n Match) bool { return n.StartLine == 0 }
	if m.Module {
		drop = func(n Match) bool {
			return slices.ContainsFunc(all, func(o Match) bool { return o.Path != "" && strings.HasPrefix(n.Path, o.Path+"/") })
		}
	}
	if code := slices.DeleteFunc(slices.Clone(all), drop); len(code) > 0 {
		return code, nil
	}
	return all, nil
}
