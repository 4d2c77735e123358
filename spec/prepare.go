package spec

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/reverse-spec/reverse-spec/internal/evidence"
	"github.com/reverse-spec/reverse-spec/internal/evidence/cases"
	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/project"
	"github.com/reverse-spec/reverse-spec/internal/project/source"
	"github.com/reverse-spec/reverse-spec/spec/model"
)

// Types of package model that belong to the interface of this package.
type (
	// PrepareResult is the result of [Prepare].
	PrepareResult = model.PrepareResult
	// Omitted is what did not fit into a result.
	Omitted = model.Omitted
	// Writer writes the prose of a spec: a language model.
	Writer = model.Writer
	// Task is what a [Writer] is asked for.
	Task = model.Task
	// Written is the answer of a [Writer].
	Written = model.Written
	// Usage counts the tokens of requests.
	Usage = model.Usage
)

// PrepareOptions are the options of [Prepare].
type PrepareOptions struct {
	Deep      bool // include function bodies, those of the tests that reach the target, and claims
	Budget    int  // at most so many tokens of context; 0 for no limit but MaxTokens
	MaxTokens int  // at most so many tokens of the whole result as JSON; 0 for no limit
	Offset    int  // symbols on earlier pages; see PrepareResult.NextOffset
	Scope     source.Scope
	Now       func() time.Time // nil for time.Now
}

// Prepare reads the target, a file or a folder, and returns its skeletons and a context for
// a reader. The result contains no secrets of the files; Redactions says where they are.
//
// A result above MaxTokens is cut in the contract's order: snippets, dependencies, skeleton.
// Truncated, TruncatedParts and Omitted say what was cut. If the symbols alone do not fit, the
// result is the first of several pages. It has the same share of each file, exported symbols
// first; NextOffset is the offset of the next page. All pages with the same MaxTokens together
// have each symbol once.
//
// The text of a target that cannot be parsed at all is returned if Deep, and otherwise the
// error is a [*source.UnparsedError]. Other errors are those of [source.Read], and a
// [*model.OffsetError].
func Prepare(ctx context.Context, p *project.Project, target string, opts PrepareOptions) (*PrepareResult, error) {
	if opts.Now == nil {
		opts.Now = time.Now
	}
	tree, err := source.Read(ctx, p, target, source.Options{Scope: opts.Scope, Parts: source.ForSpec})
	if err != nil {
		return nil, err
	}
	if err := tree.Unparsed(); err != nil && !opts.Deep {
		return nil, err
	}
	m := newMaterial(p, tree, string(message.From(ctx)), opts.Now())
	if opts.Deep {
		if err := tree.ReadRelated(ctx, p); err != nil {
			return nil, err
		}
		m.claims = evidence.Find(ctx, tree.Files, m.merged, tree.Links, evidence.Known{Endpoints: tree.Endpoints, Commands: tree.Commands, Settings: tree.Settings, Sharing: tree.Sharing})
		m.readTests()
	}
	return m.forModel().Prepare(ctx, model.PrepareOptions{
		Deep: opts.Deep, Budget: opts.Budget, MaxTokens: opts.MaxTokens, Offset: opts.Offset, Now: m.now,
	})
}

// forModel returns the module as package model takes it.
func (m *material) forModel() *model.Module {
	out := &model.Module{Project: m.project, Tree: m.tree, Merged: m.merged, Name: m.name, Intent: cmp.Or(m.ownWords(), m.shows())}
	for _, c := range m.nearest() {
		out.Tests = append(out.Tests, model.Test{Name: c.Name, File: c.File(), Line: c.Line, EndLine: c.EndLine})
	}
	for i := range m.claims {
		if c := &m.claims[i]; c.Subject != "" && len(c.At) > 0 && slices.Contains(modelKinds, c.Kind) {
			out.Claims = append(out.Claims, Say(c, "en")+" ("+m.placeList(c)+")")
		}
	}
	return out
}

// modelKinds are the claims that help a model: those that take a look at several places.
var modelKinds = []evidence.Kind{
	evidence.Exit, evidence.Route, evidence.Refusal, evidence.Topic, evidence.Environment, evidence.Setting, evidence.Stored, evidence.Resource,
}

// nearest returns the tests that reach the module, nearest first, without those around others.
func (m *material) nearest() []*cases.Case {
	distance := map[*cases.Case]int{}
	var out []*cases.Case
	for _, c := range m.cases {
		around := func(o *cases.Case) bool {
			return o != c && o.File() == c.File() && o.Line >= c.Line && o.EndLine <= c.EndLine && c.EndLine > 0 && (o.Line > c.Line || o.EndLine < c.EndLine)
		}
		if d, ok := c.Reaches(); ok && !slices.ContainsFunc(m.cases, around) {
			distance[c] = d
			out = append(out, c)
		}
	}
	slices.SortStableFunc(out, func(a, b *cases.Case) int { return distance[a] - distance[b] })
	return out
}
