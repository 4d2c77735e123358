package llm

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"strings"
	"time"

	"github.com/anthropics/anthropic-sdk-go"
	"github.com/anthropics/anthropic-sdk-go/option"
	"github.com/anthropics/anthropic-sdk-go/packages/param"

	"github.com/reverse-spec/reverse-spec/internal/message"
)

// anthropicSilence is the longest pause within a stream. The API sends pings, so a longer
// pause means a dead connection.
const anthropicSilence = 2 * time.Minute

// claude is a client of the Anthropic API. It uses the SDK because that tracks the API's event
// types. The SDK's retries are off, because ours apply, and so is its configuration from the
// environment and files, so that auth shows what is really used.
type claude struct {
	messages anthropic.MessageService
	model    string
	quirks   quirks
}

func openAnthropic(c *Choice, o Options) asker {
	client := anthropic.NewClient(
		option.WithoutEnvironmentDefaults(), option.WithAPIKey(c.key), option.WithBaseURL(c.base), option.WithMaxRetries(0),
		option.WithHTTPClient(transport{now: o.Clock.Now, silence: cmp.Or(o.Silence, anthropicSilence)}.client()),
	)
	return &claude{messages: client.Messages, model: c.Model}
}

// claudeQuirks lists differences between models: newer ones do not accept a temperature, and
// some reasoning models accept a tool but cannot be forced to call it.
var claudeQuirks = []quirk{
	{"temperature", noTemperature},
	{"tool_choice", noSchema},
}

func (c *claude) ask(ctx context.Context, r Request, got func(string)) (*Answer, error) {
	return c.quirks.ask(claudeQuirks, func(without features) (*Answer, error) {
		return c.once(ctx, r, without, got)
	})
}

// once reads one answer to its end.
func (c *claude) once(ctx context.Context, r Request, without features, got func(string)) (*Answer, error) {
	stream := c.messages.NewStreaming(ctx, c.params(r, without))
	defer func() { _ = stream.Close() }()
	s := claudeStream{got: got}
	for stream.Next() {
		s.take(stream.Current())
	}
	a := s.answer()
	switch err := stream.Err(); {
	case err != nil:
		return a, claudeError(err)
	case !s.complete:
		return a, &Error{Kind: KindCut, note: message.New("there is no message_stop")}
	case s.stop == anthropic.StopReasonRefusal:
		return a, &Error{Kind: KindRefused, Message: s.explanation}
	case s.stop == anthropic.StopReasonModelContextWindowExceeded:
		return a, &Error{Kind: KindTooLong, note: message.New("the model's window is full")}
	}
	return a, nil
}

// claudeError converts an error of the SDK.
func claudeError(err error) error {
	if known, ok := errors.AsType[*Error](err); ok {
		return known
	}
	if e, ok := errors.AsType[*anthropic.Error](err); ok { // within a stream; other errors come from the transport
		return inStream([]byte(e.RawJSON()))
	}
	return err
}

// params builds the request. The service caches the prompt up to the end of the system text.
func (c *claude) params(r Request, without features) anthropic.MessageNewParams {
	p := anthropic.MessageNewParams{Model: c.model, MaxTokens: int64(r.MaxTokens)}
	if r.System != "" {
		p.System = []anthropic.TextBlockParam{{Text: r.System, CacheControl: anthropic.NewCacheControlEphemeralParam()}}
	}
	for _, m := range r.Messages {
		block := anthropic.NewTextBlock(m.Text)
		if m.Role == Assistant {
			p.Messages = append(p.Messages, anthropic.NewAssistantMessage(block))
		} else {
			p.Messages = append(p.Messages, anthropic.NewUserMessage(block))
		}
	}
	if r.Temperature != nil && !without[noTemperature] {
		p.Temperature = anthropic.Float(*r.Temperature)
	}
	if r.Schema != nil {
		withTool(&p, r.Schema, without[noSchema])
	}
	return p
}

// withTool requests JSON as the input of a tool.
func withTool(p *anthropic.MessageNewParams, s *Schema, atWill bool) {
	tool := anthropic.ToolParam{Name: s.Name, InputSchema: param.Override[anthropic.ToolInputSchemaParam](s.JSON)}
	if s.Description != "" {
		tool.Description = anthropic.String(s.Description)
	}
	p.Tools = []anthropic.ToolUnionParam{{OfTool: &tool}}
	if atWill {
		p.Messages = append(p.Messages, anthropic.NewUserMessage(anthropic.NewTextBlock("Answer by calling the tool "+s.Name+".")))
	} else {
		p.ToolChoice = anthropic.ToolChoiceParamOfTool(s.Name)
	}
}

// claudeStream assembles an answer from events.
type claudeStream struct {
	got         func(string)
	text, input strings.Builder // input is the tool's input
	model       string
	explanation string // of a refusal
	stop        anthropic.StopReason
	complete    bool
	usage       Usage
}

func (s *claudeStream) take(event anthropic.MessageStreamEventUnion) {
	switch e := event.AsAny().(type) {
	case anthropic.MessageStartEvent:
		u := e.Message.Usage
		s.model = e.Message.Model
		s.usage = Usage{int(u.InputTokens), int(u.OutputTokens), int(u.CacheReadInputTokens), int(u.CacheCreationInputTokens)}
	case anthropic.ContentBlockDeltaEvent:
		switch d := e.Delta.AsAny().(type) {
		case anthropic.TextDelta:
			s.text.WriteString(d.Text)
			s.got(d.Text)
		case anthropic.InputJSONDelta:
			s.input.WriteString(d.PartialJSON)
			s.got(d.PartialJSON)
		}
	case anthropic.MessageDeltaEvent:
		s.stop, s.explanation = e.Delta.StopReason, e.Delta.StopDetails.Explanation
		s.usage.Output = int(e.Usage.OutputTokens) // cumulative
	case anthropic.MessageStopEvent:
		s.complete = true
	}
}

func (s *claudeStream) answer() *Answer {
	a := &Answer{Text: s.text.String(), Stop: StopEnd, Model: s.model, Usage: s.usage}
	if s.input.Len() > 0 {
		a.JSON = json.RawMessage(s.input.String())
	}
	if s.stop == anthropic.StopReasonMaxTokens {
		a.Stop = StopMaxTokens
	}
	return a
}

// anthropicHome is the default address of the API.
const anthropicHome = "https://api.anthropic.com"

func anthropicUsable(ctx context.Context, s *Settings) (ok bool, why string) {
	if strings.TrimSpace(s.Getenv("ANTHROPIC_API_KEY")) == "" {
		return false, message.Sprintf(ctx, "%s is not set", "ANTHROPIC_API_KEY")
	}
	return true, message.Sprintf(ctx, "%s is set", "ANTHROPIC_API_KEY")
}

func anthropicComplete(ctx context.Context, s *Settings, c *Choice) error {
	if ok, _ := anthropicUsable(ctx, s); !ok {
		return &Error{
			Kind: KindMissing, note: message.New("%s is not set", "ANTHROPIC_API_KEY"),
			hint: message.New("set ANTHROPIC_API_KEY, or name another provider by REVERSE_SPEC_PROVIDER: openai, claude-cli or none"),
		}
	}
	return c.at(s.AnthropicURL, anthropicHome, "/v1")
}
