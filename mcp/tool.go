package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"

	mcpgo "github.com/mark3labs/mcp-go/mcp"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/graphs"
	"github.com/reverse-spec/reverse-spec/internal/jsonrpc"
	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/project"
	"github.com/reverse-spec/reverse-spec/internal/x/suggest"
	"github.com/reverse-spec/reverse-spec/spec"
)

// Tool is one tool of the server: its declaration, and the function that runs it.
type Tool struct {
	Name        string
	Description message.Text
	Params      []Param // in the order in which clients see them
	Effects     Effects
	// Runs marks a tool that runs code of the project. Only a server with
	// [Options.AllowRun] has it; any other has its RunReadOnly form.
	Runs bool
	// Meta goes into the tool's _meta; nil for none.
	Meta map[string]any
	// ErrorPrefix begins the text of an error; "" for "<name> failed: " in the
	// language of the server.
	ErrorPrefix string
	// FixedErrors marks a tool of the contract of specs: its errors begin with
	// "<name> 失败: ", and use the contract's words where it defines some, in every language.
	FixedErrors bool
	// Indent is the indentation of a level of the JSON text; "" for one line.
	Indent string
	// TextOnly leaves out the structured content, which repeats the text: it would take half of
	// the budget of a result that has one. The text must be complete, because some clients show
	// the model nothing else; the structured content would have to be, too, because others (Claude
	// Code, Codex) show nothing else if there is one.
	TextOnly bool
	// Run does the work. Its arguments are checked and complete. A result that
	// is a string is sent as it is; any other as JSON, and it must be an object.
	// A panic is answered as an internal error.
	Run Run
	// RunReadOnly is Run for a server that may not write;
	// nil for a tool that has no use there.
	RunReadOnly Run
	// RefuseUnsafe returns the error of a call that would run code of the project, for a
	// server that may not, and nil for any other call. It is nil for a tool that never
	// runs code, or always, see Runs.
	RefuseUnsafe func(Arguments) error

	// custom runs a tool of the conformance suite, with a result that Run cannot give; nil for
	// all others.
	custom func(context.Context, *toolCall) (*mcpgo.CallToolResult, *jsonrpc.Error)
}

// Run runs a tool in a project.
type Run func(ctx context.Context, p *project.Project, a Arguments) (any, error)

// Effects is what a tool does to the project, as declared to clients.
type Effects struct {
	ReadOnly    bool // writes no file
	Destructive bool // may change or delete what others wrote
	Idempotent  bool // the same call again leaves the same files
	OpenWorld   bool // may reach other machines: a model's service, or what a test calls
}

// Type is the JSON type of a parameter.
type Type string

// The types of parameters.
const (
	String  Type = "string"
	Boolean Type = "boolean"
	Integer Type = "integer"
	Number  Type = "number"
)

// Param is one parameter of a tool.
type Param struct {
	Name        string
	Required    bool
	Type        Type
	Description message.Text // none if the name says it
	Enum        []string     // strings: the values allowed; nil for any
	Minimum     *int         // numbers: the least value; nil for none
	// Path marks a string that names a file or folder.
	Path bool
	// Strict accepts only a JSON boolean; other parameters accept its text, too.
	Strict bool
	// Spelled sends a default of false, as the contract has it. Others that are the type's zero value are not sent.
	Spelled bool
	// Empty allows "" for a required string.
	Empty bool
	// Default is what a call without the argument gets: a string, a bool, an int or
	// a float64. With nil the call gets the type's zero value; see [Arguments.Has].
	Default any
}

// property is the JSON Schema of a parameter. It has no default that is the type's zero value, and no least value of 0: every
// definition is read with each task, and a call that goes below is told.
type property struct {
	Type        Type     `json:"type"`
	Description string   `json:"description,omitempty"`
	Enum        []string `json:"enum,omitempty"`
	Minimum     *int     `json:"minimum,omitempty"`
	Default     any      `json:"default,omitempty"`
}

// fixed is a text of a contract, the same in every language.
func fixed(text string) message.Text { return message.New("%s", text) }

// Writers opens the writer of prose that is configured for a project; nil where there is none, with
// notes that say why.
type Writers func(ctx context.Context, p *project.Project) (w spec.Writer, notes []string, err error)

// open opens the writer of a project; nil Writers have none.
func (o Writers) open(ctx context.Context, p *project.Project) (spec.Writer, []string, error) {
	if o == nil {
		return nil, nil, nil
	}
	return o(ctx, p)
}

// Tools returns the tools of the contracts in their order: those of specs
// (prepare, generate, batch, diff), of which two ask a model unless writers is nil;
// those of the code graph; and the one that runs contract tests. Each call makes a new table,
// which the caller may change. With nil graphs the tools can be listed and not called. Forms is that of [Options].
func Tools(g *graphs.Graphs, writers Writers, forms string) []Tool {
	return []Tool{
		prepareTool(), generateTool(writers), batchTool(writers, forms), diffTool(),
		listProjectsTool(g), deleteProjectTool(g), wipeDatabaseTool(g),
		indexRepositoryTool(g), queryTool(g), codeSnippetTool(g),
		replaceTool(), readFileTool(), writeFileTool(), listDirectoryTool(),
		graphRAGTool(g), callChainTool(g),
		orientTool(g), reviewTool(g), verifyClaimTool(g), proposeTool(), adoptTool(), verifyTool(),
	}
}

// UnknownTool returns an error for the first name that no tool of [Tools] has; nil if there is none.
func UnknownTool(names []string) error {
	var known []string
	for _, t := range Tools(nil, nil, "") {
		known = append(known, t.Name)
	}
	for _, name := range names {
		if slices.Contains(known, name) {
			continue
		}
		if near := suggest.Nearest(name, known); near != "" {
			return message.Errorf("unknown tool %s; did you mean %s?", name, near)
		}
		return message.Errorf("unknown tool %s; the tools are %s", name, strings.Join(known, ", "))
	}
	return nil
}

// readOnly returns the tool for a server that may not write, and reports whether there
// is one.
func (t Tool) readOnly() (Tool, bool) {
	if !t.Effects.ReadOnly {
		t.Run = t.RunReadOnly
		t.Effects = Effects{ReadOnly: true, Idempotent: true}
	}
	return t, t.Run != nil
}

// mayRunCode returns the tool for a server that may run code of the project, which may
// do anything.
func (t Tool) mayRunCode() Tool {
	if t.RefuseUnsafe != nil {
		t.Effects.Destructive, t.Effects.OpenWorld = true, true
	}
	return t
}

// declare returns the tool as declared to mcp-go, described in a language.
func (t Tool) declare(lang message.Lang) (mcpgo.Tool, error) {
	schema, err := t.schema(lang)
	if err != nil {
		return mcpgo.Tool{}, fmt.Errorf("schema of %s: %w", t.Name, err)
	}
	tool := mcpgo.NewToolWithRawSchema(t.Name, t.Description.In(lang), schema)
	tool.Annotations = mcpgo.ToolAnnotation{
		ReadOnlyHint:    &t.Effects.ReadOnly,
		DestructiveHint: &t.Effects.Destructive,
		IdempotentHint:  &t.Effects.Idempotent,
		OpenWorldHint:   &t.Effects.OpenWorld,
	}
	if t.Meta != nil {
		tool.Meta = &mcpgo.Meta{AdditionalFields: t.Meta}
	}
	return tool, nil
}

func (p *Param) property(lang message.Lang) property {
	out := property{p.Type, p.Description.In(lang), p.Enum, p.Minimum, p.Default}
	if v := reflect.ValueOf(p.Default); v.IsValid() && v.IsZero() && !p.Spelled {
		out.Default = nil
	}
	if p.Minimum != nil && *p.Minimum == 0 {
		out.Minimum = nil
	}
	return out
}

// schema returns the JSON Schema of the tool's arguments. It is written by hand
// because the order of the properties is the contract's, and a Go map has none.
func (t Tool) schema(lang message.Lang) (json.RawMessage, error) {
	var b bytes.Buffer
	b.WriteString(`{"type":"object","properties":{`)
	required := []string{}
	for i, p := range t.Params {
		if i > 0 {
			b.WriteByte(',')
		}
		schema, err := jsonrpc.Encode(p.property(lang))
		if err != nil {
			return nil, fmt.Errorf("parameter %s: %w", p.Name, err)
		}
		fmt.Fprintf(&b, "%q:%s", p.Name, schema)
		if p.Required {
			required = append(required, p.Name)
		}
	}
	names, err := jsonrpc.Encode(required)
	if err != nil {
		return nil, err
	}
	fmt.Fprintf(&b, `},"required":%s}`, names)
	return b.Bytes(), nil
}

// names returns the names of the tool's parameters in order.
func (t Tool) names() []string {
	names := make([]string, len(t.Params))
	for i, p := range t.Params {
		names[i] = p.Name
	}
	return names
}
