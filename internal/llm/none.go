package llm

import (
	"context"

	"github.com/reverse-spec/reverse-spec/internal/message"
)

// NoModel returns the warning that no model was found; in Chinese, the contract's words.
func NoModel() message.Text {
	return message.New("ANTHROPIC_API_KEY is not set and no model was asked: the spec holds what the code proves")
}

// none is a model that always fails.
type none struct{ why message.Text }

func noneUsable(ctx context.Context, _ *Settings) (ok bool, why string) {
	return true, message.Sprintf(ctx, "nothing else is usable")
}

// noneComplete adds a warning unless the user chose none.
func noneComplete(ctx context.Context, _ *Settings, c *Choice) error {
	if len(c.Looked) > 0 {
		c.Warnings = append(c.Warnings, NoModel().In(message.From(ctx)))
	}
	return nil
}

func openNone(c *Choice, _ Options) asker {
	if len(c.Warnings) > 0 {
		return none{NoModel()}
	}
	return none{message.New("no model is asked: the provider is none")}
}

func (n none) ask(context.Context, Request, func(string)) (*Answer, error) {
	return nil, &Error{Kind: KindMissing, note: n.why, hint: message.New("reverse-spec auth shows what there is")}
}
