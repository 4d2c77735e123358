// Package model is what a spec's writer exchanges with a language model. [Module] collects what is known of a target;
// [Module.Context] and [Module.Explain] put that into contexts within a budget of tokens. Explain sends them, checks the answer against
// the code and returns the [Prose] that is left of it, which package spec merges into the sections.
package model

import (
	"cmp"
	"context"
	"strconv"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/llm/prompt"
	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/project"
	"github.com/reverse-spec/reverse-spec/internal/project/source"
	"github.com/reverse-spec/reverse-spec/spec/markdown"
)

// Module is a module that has been read.
type Module struct {
	Project *project.Project
	Tree    *source.Tree
	Merged  code.Skeleton // all files of Tree as one
	Name    string        // what to call it: its path, or the project's name
	Intent  string        // its purpose, in Markdown
	// Interface returns the interface of another module of the project, as its spec has it:
	// the module that the spec is about (the target or its folder), the path of the spec, and
	// the text. ok is false if there is no such spec.
	Interface func(target string) (module, file, text string, ok bool)
}

// ContextOptions are the options of [Module.Context].
type ContextOptions struct {
	Model    string // gives the budget if Budget is 0; see [prompt.BudgetFor]
	Budget   int    // at most so many tokens; 0 for the model's budget
	Snippets bool   // include functions in full
	// Lines selects the declarations that are given in full, by their first line, if the
	// target is one file; see [Chunks]. The zero value selects all.
	Lines Chunk
}

// Context returns the context of the module for a model, in English. A dependency is given
// by the interface in its spec if there is one, and otherwise by the signatures of what it
// exports. What exceeds the budget is left out in this order: functions, tests, README,
// dependencies, bodies of declarations, declarations. The context holds no secrets. Errors
// are those of reading files, and ctx's.
func (m *Module) Context(ctx context.Context, o ContextOptions) (Context, error) {
	ctx = message.With(ctx, message.Choice{Lang: message.English})
	list, err := m.parts(ctx, o)
	if err != nil {
		return Context{}, err
	}
	return assemble(ctx, list, cmp.Or(o.Budget, prompt.BudgetFor(o.Model))), ctx.Err()
}

// parts returns all parts of a context, uncut.
func (m *Module) parts(ctx context.Context, o ContextOptions) ([]*draft, error) {
	list := []*draft{{kind: SkeletonPart, title: m.Name, items: m.declarations(ctx, o.Lines)}}
	deps, err := m.dependencyInterfaces(ctx)
	if err != nil {
		return nil, err
	}
	list = append(list, &draft{kind: DependencyPart, title: message.Sprintf(ctx, "What it uses"), items: deps})
	if o.Snippets {
		snippets, err := snippets(ctx, m.Project, m.Tree.Files, o.Lines)
		if err != nil {
			return nil, err
		}
		part := &draft{kind: SnippetPart, title: message.Sprintf(ctx, "Functions in full")}
		for _, s := range snippets {
			part.items = append(part.items, item{full: markdown.Fenced(s.language, s.text)})
		}
		list = append(list, part)
	}
	return append(list,
		&draft{kind: TestPart, title: message.Sprintf(ctx, "Tests"), items: m.testNames()},
		&draft{kind: ReadmePart, title: "README", items: readme(m.Project, m.Tree.Target)}), nil
}

// testNames lists the names of the module's tests.
func (m *Module) testNames() []item {
	var out []item
	for _, f := range m.Tree.Files {
		if !f.Test {
			continue
		}
		for _, t := range f.Tests {
			out = append(out, item{full: "- " + markdown.Cell(t.Name) + " (" + f.Path + ":" + strconv.Itoa(t.Line) + ")"})
		}
	}
	return out
}
