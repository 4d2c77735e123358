package llm

import (
	"context"
	"errors"

	"github.com/reverse-spec/reverse-spec/internal/message"
)

// ClientModel is the model that a client of the MCP server lends to it (sampling/createMessage). The client may ask its user before
// each request, and may choose another model than the one that is named.
type ClientModel struct {
	// Asked reports whether the call asks for a model of its own accord; [Auto] then chooses this one if no other is usable.
	Asked bool
	// Sample sends one request and returns the answer; nil if the client offers no model. A [*DeclinedError] says that the client or
	// its user does not want to.
	Sample func(ctx context.Context, r Request, model string) (*Answer, error)
}

// DeclinedError is the refusal of a client to lend its model.
type DeclinedError struct{ Reason string }

func (e *DeclinedError) Error() string { return e.Reason }

type clientModelKey struct{}

// WithClientModel returns a context for the call of a client.
func WithClientModel(ctx context.Context, m ClientModel) context.Context {
	return context.WithValue(ctx, clientModelKey{}, m)
}

// AskClientModel marks that the call of the context asks for a model.
func AskClientModel(ctx context.Context) context.Context {
	m := clientModel(ctx)
	m.Asked = true
	return WithClientModel(ctx, m)
}

// clientModel returns the model of the client whose call a context is; the zero value outside a call.
func clientModel(ctx context.Context) ClientModel {
	m, _ := ctx.Value(clientModelKey{}).(ClientModel)
	return m
}

// lent asks the model of the client. It takes it from the context of each request, because a server may have several clients.
type lent struct{ model string }

func openClient(c *Choice, _ Options) asker { return &lent{model: c.Model} }

// clientUsable chooses the client's model only for calls that ask for one: each request may interrupt a person.
func clientUsable(ctx context.Context, _ *Settings) (ok bool, why string) {
	m := clientModel(ctx)
	switch {
	case m.Sample == nil:
		return false, message.Sprintf(ctx, "there is no MCP client that offers its model")
	case !m.Asked:
		return false, message.Sprintf(ctx, "the call does not ask for the MCP client's model: give it prose, or name the provider")
	}
	return true, message.Sprintf(ctx, "the MCP client offers its model, and the call asks for it")
}

func clientComplete(ctx context.Context, _ *Settings, _ *Choice) error {
	if clientModel(ctx).Sample == nil {
		return noClientModel()
	}
	return nil
}

// noClientModel is the error for a call whose client offers no model.
func noClientModel() *Error {
	return &Error{
		Kind: KindMissing, note: message.New("there is no MCP client that offers its model"),
		hint: message.New("only mcp-server has one, from a client with the capability sampling; set ANTHROPIC_API_KEY, or name another provider"),
	}
}

// ask sends the request once. Nobody is asked again who did not want to.
func (l *lent) ask(ctx context.Context, r Request, got func(string)) (*Answer, error) {
	sample := clientModel(ctx).Sample
	if sample == nil {
		return nil, noClientModel()
	}
	if r.Schema != nil {
		r.System = joinTexts(r.System, r.Schema.inPrompt())
	}
	a, err := sample(ctx, r, l.model)
	if declined, ok := errors.AsType[*DeclinedError](err); ok {
		return nil, &Error{
			Kind: KindRefused, Message: declined.Reason, final: true,
			hint: message.New("allow it in the client, which asks its user first; or set ANTHROPIC_API_KEY, or leave out prose"),
		}
	}
	if err != nil {
		return nil, &Error{Kind: KindUnreachable, Message: err.Error(), Err: err, final: true}
	}
	a.Text = withoutThoughts(a.Text)
	got(a.Text)
	return a, nil
}

// joinTexts joins two parts of a prompt.
func joinTexts(a, b string) string {
	if a == "" {
		return b
	}
	return a + "\n\n" + b
}
