// Package doctor examines what the program needs and what makes it richer: git, the project's files, its code graph and specs,
// the tools of its tests, coding agents, a model, CKB. [Examine] returns a [Finding] for each, with the command that repairs it.
// It changes nothing.
package doctor

import (
	"context"
	"slices"

	"github.com/reverse-spec/reverse-spec/internal/agents"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/store"
	"github.com/reverse-spec/reverse-spec/internal/llm"
	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/project"
)

// State is how something stands.
type State string

// The states.
const (
	Good    State = "ok"
	Notable State = "note" // it works, and could be better
	Broken  State = "broken"
	Absent  State = "absent" // it is optional, and not there
)

// What is examined; people read it translated.
var (
	aboutProgram = message.Key("program")
	aboutGit     = message.Key("git")
	aboutProject = message.Key("project")
	aboutGraph   = message.Key("code graph")
	aboutServer  = message.Key("server")
	aboutShared  = message.Key("shared graph")
	aboutSpecs   = message.Key("specs")
	aboutTests   = message.Key("contract tests")
	aboutAgent   = message.Key("agent")
	aboutModel   = message.Key("model")
	aboutCKB     = message.Key("CKB")
)

// Finding is what was found of one thing.
type Finding struct {
	Topic  string `json:"topic"`          // one of [Topics]
	Name   string `json:"name,omitempty"` // of one of several: an agent
	State  State  `json:"state"`
	Says   string `json:"says"`
	Repair string `json:"repair,omitempty"` // the command that repairs it, or what to do
}

// Surroundings are what is examined besides the project.
type Surroundings struct {
	Version string
	Store   func() (store.Store, error)
	// Server returns whether a process answers for commands, and what there is to say about it; nil for nothing.
	Server func(ctx context.Context) (runs bool, says message.Text)
	// Shared returns how many projects the shared store has; configured is false if there is none.
	Shared func(ctx context.Context) (projects int, configured bool, err error)
	// Model is the model that would be asked; ModelErr says why none can be chosen.
	Model    *llm.Choice
	ModelErr error
	// Agent returns the options for registering with a coding agent, in the project or for all projects of the user.
	Agent func(client string, global bool) (agents.Options, error)
}

// Examine examines a project and what is around it, in a fixed order. The error is that of the context.
func Examine(ctx context.Context, p *project.Project, s Surroundings) ([]Finding, error) {
	e := &examination{ctx: ctx, project: p, Surroundings: s}
	for _, look := range []func(*examination){
		(*examination).program, (*examination).git, (*examination).files, (*examination).graph, (*examination).server, (*examination).shared, (*examination).specs,
		(*examination).tools, (*examination).agents, (*examination).model, (*examination).ckb,
	} {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		look(e)
	}
	return e.found, ctx.Err()
}

// OK reports whether nothing is broken.
func OK(list []Finding) bool {
	return !slices.ContainsFunc(list, func(f Finding) bool { return f.State == Broken })
}

// examination is one in progress.
type examination struct {
	Surroundings

	ctx     context.Context //nolint:containedctx // of the one call that it lives in
	project *project.Project
	found   []Finding
}

// add adds a finding; repair is a command, the same in all languages.
func (e *examination) add(topic string, state State, repair string, says message.Text) {
	e.found = append(e.found, Finding{topic, "", state, e.text(says), repair})
}

// agent adds a finding about a coding agent.
func (e *examination) agent(name string, state State, repair string, says message.Text) {
	e.found = append(e.found, Finding{aboutAgent, name, state, e.text(says), repair})
}

// text returns a message in the language of the examination.
func (e *examination) text(t message.Text) string { return t.In(message.From(e.ctx)) }
