// Package orient tells an agent, or a person, where to begin with a task: the places in the code that it is about, who calls them,
// what specs require of them, which tests to run, and the code of the first places, within a number of tokens.
package orient

import (
	"cmp"
	"context"
	"path"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/codegraph"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/explore"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/graphs"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/rag"
	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/project"
	"github.com/reverse-spec/reverse-spec/internal/resolve"
)

// Options configure [For].
type Options struct {
	Tokens int // most tokens of the text; 0 for [DefaultTokens]
	Offset int // places to skip: the next page
	// Search are the options of the search; its numbers of candidates and tokens are set here.
	Search rag.Options
}

// DefaultTokens is the default of Options.Tokens.
const DefaultTokens = 1500

// The numbers of what is shown on a page.
const (
	mostPlaces = 8  // with signature, callers, requirements and tests
	mostMore   = 12 // behind these, by their names alone
	mostCode   = 4
	mostRules  = 5
	mostRows   = 2 // of the table of a requirement
	mostTests  = 5
	mostFiles  = 2
	mostLines  = 24 // of the code of a place
)

// Orientation is where to begin with a task.
type Orientation struct {
	Task   string  `json:"task"`
	Places []Place `json:"places"` // best first
	Rules  []Rule  `json:"requirements"`
	Tests  []Test  `json:"tests"`
	Files  []File  `json:"files"` // where most of the places are: new code belongs beside them
	// Left is the number of further places; Offset is that of the next page.
	Left   int `json:"left"`
	Offset int `json:"offset"`
	// Warning says what the answer lacks.
	Warning string `json:"warning,omitempty"`

	lang   message.Lang
	tokens int
}

// Place is a symbol that the task is about.
type Place struct {
	File      string   `json:"file"`
	Line      int      `json:"line"`
	Symbol    string   `json:"symbol"`
	Signature string   `json:"signature,omitempty"`
	Relevance float64  `json:"relevance"`
	CalledBy  []string `json:"called_by,omitempty"` // the nearest callers
	Code      string   `json:"code,omitempty"`      // of the first places

	end int // its last line
}

// Rule is a requirement of a spec about a place.
type Rule struct {
	ID   string `json:"id"`
	Text string `json:"text"`
	Spec string `json:"spec"`
}

// Test is a file with tests that run a place.
type Test struct {
	File   string   `json:"file"`
	Names  []string `json:"names"`
	Places int      `json:"places"` // the number of places that they run
}

// File is a file with places.
type File struct {
	File   string `json:"file"`
	Places int    `json:"places"`
}

// For returns where to begin with a task. Errors are those of [rag.Query].
func For(ctx context.Context, p *project.Project, g *graphs.Graph, task string, o Options) (*Orientation, error) {
	out := &Orientation{
		Task: task, Places: []Place{}, Rules: []Rule{}, Tests: []Test{}, Files: []File{},
		lang: message.From(ctx), tokens: cmp.Or(o.Tokens, DefaultTokens),
	}
	search := o.Search
	const enough = 40_000 // tokens: the code of all places
	search.TopK, search.Budget, search.Depth, search.FusionDepth, search.Offset = 10, enough, 1, 1, 0
	answer, err := g.Search(ctx, task, search)
	if err != nil {
		return nil, err
	}
	out.Warning = answer.Metadata.Warning
	out.choose(answer.Candidates, o.Offset)
	out.demands(ctx, p)
	out.rules(ctx, p)
	if err := out.tests(ctx, g); err != nil {
		return nil, err
	}
	return out, nil
}

// choose takes the places of a page.
func (o *Orientation) choose(list []rag.Candidate, offset int) {
	list = list[min(max(0, offset), len(list)):]
	o.Left = max(0, len(list)-mostPlaces-mostMore)
	list = list[:min(len(list), mostPlaces+mostMore)]
	o.Offset = max(0, offset) + len(list)
	for i := range list {
		c := &list[i]
		place := Place{File: c.File, Line: max(1, c.StartLine), Symbol: c.Symbol, Relevance: c.Relevance, end: c.EndLine}
		if i >= mostPlaces {
			o.Places = append(o.Places, place)
			continue
		}
		place.Signature = oneLine(c.Signature)
		const callers = 3
		for _, r := range c.Callers {
			if name := explore.Short(r.Symbol, r.File); len(place.CalledBy) < callers && !slices.Contains(place.CalledBy, name) {
				place.CalledBy = append(place.CalledBy, name)
			}
		}
		if i < mostCode {
			place.Code = shortened(c.Content)
		}
		o.Places = append(o.Places, place)
		o.count(c.File)
	}
	slices.SortStableFunc(o.Files, func(a, b File) int { return b.Places - a.Places })
	o.Files = o.Files[:min(len(o.Files), mostFiles)]
}

// main returns the places of which more is said than the name.
func (o *Orientation) main() []Place { return o.Places[:min(len(o.Places), mostPlaces)] }

// count notes that a place is in a file.
func (o *Orientation) count(file string) {
	i := slices.IndexFunc(o.Files, func(f File) bool { return f.File == file })
	if i < 0 {
		i = len(o.Files)
		o.Files = append(o.Files, File{File: file})
	}
	o.Files[i].Places++
}

// shortened returns the first lines of a symbol's source.
func shortened(code string) string {
	lines := strings.Split(strings.TrimRight(code, "\n"), "\n")
	if len(lines) > mostLines {
		lines = append(lines[:mostLines:mostLines], "…")
	}
	return strings.Join(lines, "\n")
}

// oneLine returns a signature on one line, shortened.
func oneLine(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	const most = 120
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return text
}

// tests finds the tests that run the places, by the TESTS edges of the graph, and those that call them in a file of code, as Rust's do.
func (o *Orientation) tests(ctx context.Context, g *graphs.Graph) error {
	at := map[string]int{}
	for i := range o.main() {
		node, err := g.Symbol(ctx, o.Places[i].Symbol)
		if err != nil {
			continue // it is in another repository, or has the name of others
		}
		x, err := g.Reader().Expand(ctx, []codegraph.ID{node.ID}, codegraph.In, codegraph.Tests, codegraph.Calls)
		if err != nil {
			return err
		}
		var ids []codegraph.ID
		named := map[codegraph.ID]bool{} // tests, not what sets them up
		for _, e := range x.Edges {
			ids = append(ids, e.From)
			named[e.From] = named[e.From] || e.Type == codegraph.Tests
		}
		nodes, err := g.Reader().Nodes(ctx, ids)
		if err != nil {
			return err
		}
		o.addTests(slices.DeleteFunc(nodes, func(n codegraph.Node) bool { return !n.Test }), named, at)
	}
	slices.SortStableFunc(o.Tests, func(a, b Test) int { return b.Places - a.Places })
	o.Tests = o.Tests[:min(len(o.Tests), mostTests)]
	return nil
}

// addTests adds the tests of one place, by their names those that are tests.
func (o *Orientation) addTests(nodes []codegraph.Node, named map[codegraph.ID]bool, at map[string]int) {
	counted := map[string]bool{}
	for _, n := range nodes {
		i, known := at[n.Path]
		if !known {
			i, at[n.Path] = len(o.Tests), len(o.Tests)
			o.Tests = append(o.Tests, Test{File: n.Path})
		}
		if n.Label != codegraph.LabelModule && (named[n.ID] || resolve.IsTest(n.Name, n.Decorators)) && !slices.Contains(o.Tests[i].Names, n.Name) {
			o.Tests[i].Names = append(o.Tests[i].Names, n.Name)
		}
		if !counted[n.Path] {
			counted[n.Path] = true
			o.Tests[i].Places++
		}
	}
}

// folders returns a file and the folders that it is in, the nearest first.
func folders(file string) []string {
	out := []string{file}
	for dir := path.Dir(file); ; dir = path.Dir(dir) {
		out = append(out, dir)
		if dir == "." || dir == "/" {
			return out
		}
	}
}
