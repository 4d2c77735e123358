package mcp

import (
	"context"
	"errors"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/project"
	"github.com/reverse-spec/reverse-spec/internal/x/suggest"
)

// failure is the text of a call that failed, in the form of the tool's contract, "<tool>
// 失败: <detail>" or "Error: <detail>", or, for a tool outside the contracts, in the language of
// the call. A hint follows on a line of its own. Long arguments are quoted in part.
func (t Tool) failure(ctx context.Context, err error, arguments any) string {
	lang, given := message.From(ctx), texts(arguments)
	text := ""
	switch {
	case t.FixedErrors:
		text = t.Name + " 失败: " + suggest.Message(fixedDetail(ctx, err), given...)
	case t.ErrorPrefix != "":
		text = t.ErrorPrefix + suggest.Message(detail(ctx, err), given...)
	default:
		text = message.New("%s failed: %s", t.Name, suggest.Message(detail(ctx, err), given...)).In(lang)
	}
	if hint := suggest.Message(message.Hint(lang, err), given...); hint != "" && !strings.Contains(text, hint) {
		text += "\n" + hint
	}
	return text
}

// texts returns the string arguments of a call.
func texts(arguments any) []string {
	object, _ := arguments.(map[string]any)
	var out []string
	for _, value := range object {
		if text, ok := value.(string); ok {
			out = append(out, text)
		}
	}
	return out
}

// detail is the text of an error in the language of the call. Of an error about a path that is
// missing or outside the project, the wrapping is left out.
func detail(ctx context.Context, err error) string {
	lang := message.From(ctx)
	if missing, ok := errors.AsType[*project.MissingError](err); ok {
		return message.Render(lang, missing)
	}
	if outside, ok := errors.AsType[*project.OutsideError](err); ok {
		return message.Render(lang, outside)
	}
	if ctx.Err() != nil && errors.Is(err, ctx.Err()) {
		return message.New("cancelled: the server is shutting down").In(lang)
	}
	return message.Render(lang, err)
}

// fixedDetail is detail in the words that section 4 of the contract of specs defines for some
// errors, in any language. In English they are followed by a translation.
func fixedDetail(ctx context.Context, err error) string {
	lang := message.From(ctx)
	if missing, ok := errors.AsType[*project.MissingError](err); ok {
		return glossed(lang, "目标路径不存在: "+suggest.Quote(missing.Path), "no such file or folder", missingDetails(missing))
	}
	if worded, ok := errors.AsType[wordedError](err); ok {
		return glossed(lang, worded.Words().In(message.Chinese), worded.Words().String(), worded.Details())
	}
	if fixed, ok := errors.AsType[fixedError](err); ok {
		return withFixed(lang, fixed.Fixed(), message.Render(lang, err))
	}
	return detail(ctx, err)
}

// wordedError is an error whose Chinese words are the contract's, with details: code that cannot
// be parsed.
type wordedError interface {
	error
	Words() message.Text
	Details() []message.Text
}

// fixedError is an error of which some kinds have words in the contract: the failure of a model.
type fixedError interface {
	error
	Fixed() string // "" for the other kinds
}

// withFixed is the contract's words followed by the text of the error, unless that begins with them.
func withFixed(lang message.Lang, words, text string) string {
	if words == "" || strings.HasPrefix(text, words) {
		return text
	}
	return message.New("%s (%s)", words, text).In(lang)
}

// glossed is a text of the contract with details, and in English with a translation.
func glossed(lang message.Lang, words, meaning string, details []message.Text) string {
	var notes []string
	if lang == message.English {
		notes = append(notes, meaning)
	}
	for _, d := range details {
		notes = append(notes, d.In(lang))
	}
	if notes == nil {
		return words
	}
	return message.New("%s (%s)", words, strings.Join(notes, message.Translate(lang, "; "))).In(lang)
}

func missingDetails(e *project.MissingError) (details []message.Text) {
	if e.Revision != "" {
		details = append(details, message.New("in revision %s", e.Revision))
	}
	if len(e.Near) > 0 {
		details = append(details, message.New("did you mean %s?", alternatives(e.Near)))
	}
	return details
}

// alternatives joins names: "a, b or c".
func alternatives(names []string) message.Text {
	last := len(names) - 1
	if last == 0 {
		return fixed(names[0])
	}
	return message.New("%s or %s", strings.Join(names[:last], ", "), names[last])
}

// internalError is an internal error that a tool returns.
type internalError struct{ err error }

func (e internalError) Error() string { return e.In(message.English) }
func (e internalError) In(lang message.Lang) string {
	return internal(lang, message.Render(lang, e.err))
}
func (e internalError) Unwrap() error { return e.err }

// internal is the contract's text for an internal error, the same in every tool.
func internal(lang message.Lang, text string) string {
	return glossed(lang, "内部错误: "+text, "internal error", nil)
}
