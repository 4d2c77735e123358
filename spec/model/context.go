// Package model is what a spec's writer exchanges with a language model. [Module] collects what is known of a target;
// [Module.Context] and [Module.Explain] put that into contexts within a budget of tokens. Explain sends them, checks the answer against
// the code and returns the [Prose] that is left of it, which package spec merges into the sections.
package model

import (
	"cmp"
	"context"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/llm/prompt"
	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/project"
	"github.com/reverse-spec/reverse-spec/internal/project/source"
)

// Module is a module that has been read.
type Module struct {
	Project *project.Project
	Tree    *source.Tree
	Merged  code.Skeleton // all files of Tree as one
	Name    string        // what to call it: its path, or the project's name
	Intent  string        // its purpose, in Markdown
	// Tests are the tests that reach the module, nearest first; nil if they were not looked for.
	Tests []Test
	// Claims is what the code was found to do, in English, with the places; nil if it was not looked for.
	Claims []string
}

// Test is a test that reaches a module.
type Test struct {
	Name, File    string
	Line, EndLine int
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
// by the signatures of what the module names of its exports. What exceeds the budget is left out in this order: tests, functions, README,
// claims, dependencies, bodies of declarations, declarations. The context holds no secrets. Errors
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
	uses := &draft{kind: DependencyPart, title: message.Sprintf(ctx, "What it uses"), items: deps}
	list = append(list, uses)
	if len(m.Claims) > 0 && o.Snippets {
		list = append(list, &draft{kind: ClaimPart, title: message.Sprintf(ctx, "What the code was found to do"), items: m.claims()})
	}
	bodies := 0
	if o.Snippets {
		snippets, err := snippets(ctx, m.Project, m.Tree.Files, o.Lines)
		if err != nil {
			return nil, err
		}
		part := &draft{kind: SnippetPart, title: message.Sprintf(ctx, "Functions in full")}
		for _, s := range snippets {
			part.items = append(part.items, item{full: s.fenced()})
			bodies += len(part.items[len(part.items)-1].full)
		}
		list = append(list, part)
	}
	tests, err := m.tests(o.Snippets, testsPerCode*bodies)
	if err != nil {
		return nil, err
	}
	if o.Snippets {
		uses.limit(max(leastUses, sizeOf(tests)+bodies/2))
	}
	return append(list,
		&draft{kind: TestPart, title: message.Sprintf(ctx, "Tests"), items: tests},
		&draft{kind: ReadmePart, title: "README", items: readme(m.Project, m.Tree.Target)}), nil
}

// testsPerCode is how much longer than the functions the bodies of tests may be.
const testsPerCode = 3

// leastUses is the room for the declarations of other modules in any context with bodies, in bytes. More than half of the module's own code
// and tests they do not take.
const leastUses = 2_000

// limit drops items beyond a number of bytes; they are counted as cut.
func (p *draft) limit(room int) {
	for i, it := range p.items {
		if room -= len(it.full); room < 0 && i > 0 {
			p.items = append(p.items[:i:i], item{full: message.New("… and %d more", len(p.items)-i).In(message.English)})
			return
		}
	}
}

// sizeOf returns half of the bytes of items.
func sizeOf(list []item) int {
	n := 0
	for _, it := range list {
		n += len(it.full)
	}
	return n / 2
}

// claims lists what the code was found to do.
func (m *Module) claims() []item {
	var out []item
	for _, c := range m.Claims[:min(len(m.Claims), maxClaims)] {
		out = append(out, item{full: "- " + c})
	}
	return out
}

// maxClaims limits the claims of a context: they follow from the bodies.
const maxClaims = 40
