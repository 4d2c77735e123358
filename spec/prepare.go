package spec

import (
	"cmp"
	"context"
	"path"
	"strings"
	"time"

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
	Deep      bool // include function bodies
	Budget    int  // at most so many tokens of context; 0 for no limit but MaxTokens
	MaxTokens int  // at most so many tokens of the whole result as JSON; 0 for no limit
	Offset    int  // symbols on earlier pages; see PrepareResult.NextOffset
	Scope     source.Scope
	OutputDir string           // folder of the specs of dependencies; "" for [DefaultOutputDir]
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
	tree, err := source.Read(ctx, p, target, source.Options{Scope: opts.Scope})
	if err != nil {
		return nil, err
	}
	if err := tree.Unparsed(); err != nil && !opts.Deep {
		return nil, err
	}
	m := newMaterial(p, tree, string(message.From(ctx)), opts.Now())
	return m.forModel(opts.OutputDir).Prepare(ctx, model.PrepareOptions{
		Deep: opts.Deep, Budget: opts.Budget, MaxTokens: opts.MaxTokens, Offset: opts.Offset, Now: m.now,
	})
}

// forModel returns the module as package model takes it; outputDir is where specs are.
func (m *material) forModel(outputDir string) *model.Module {
	outputDir = cmp.Or(outputDir, DefaultOutputDir)
	return &model.Module{
		Project: m.project, Tree: m.tree, Merged: m.merged, Name: m.name, Intent: cmp.Or(m.ownWords(), m.shows()),
		Interface: func(target string) (module, file, text string, ok bool) {
			return interfaceOfSpec(m.project, outputDir, target)
		},
	}
}

// interfaceOfSpec returns section 3.1 of the spec of target, or of the folder that it is in,
// with the target and the path of that spec.
func interfaceOfSpec(p *project.Project, outputDir, target string) (module, file, text string, ok bool) {
	for _, t := range []string{target, path.Dir(target)} {
		file := PathFor(outputDir, t)
		s, err := Load(p, file)
		if err != nil || t == "." && target != "." {
			continue
		}
		_, parts := blocks(s.Interface, 3)
		for _, part := range parts {
			if strings.HasPrefix(part.title, "3.1") && part.text != "" {
				return t, file, part.text, true
			}
		}
	}
	return "", "", "", false
}
