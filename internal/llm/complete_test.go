package llm_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/reverse-spec/reverse-spec/internal/llm"
	"github.com/reverse-spec/reverse-spec/internal/testsupport/llmtest"
)

// testClock does not wait and records the pauses.
type testClock struct{ pauses []time.Duration }

func (c *testClock) clock() llm.Clock {
	return llm.Clock{
		Now:    func() time.Time { return time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC) },
		Sleep:  func(ctx context.Context, d time.Duration) error { c.pauses = append(c.pauses, d); return ctx.Err() },
		Jitter: func() float64 { return 0 },
	}
}

// open opens a provider with a scripted server.
func open(t *testing.T, provider string, s *llmtest.Server, o llm.Options) llm.Model {
	t.Helper()
	c, err := llm.Choose(t.Context(), llm.Settings{
		Provider: provider, Model: "m", AnthropicURL: s.URL, OpenAIURL: s.URL + "/v1", Getenv: llmtest.Key,
	})
	if err != nil {
		t.Fatal(err)
	}
	return c.Open(o)
}

// apis returns the two providers and their names in errors.
func apis(s *llmtest.Server) map[string]string {
	return map[string]string{llm.Anthropic: "Claude API", llm.OpenAI: "LLM API (" + s.URL + "/v1)"}
}

func ask(text string) llm.Request {
	return llm.Request{System: "be brief", Messages: []llm.Message{{Role: llm.User, Text: text}}}
}

var hello = llmtest.Reply{Text: "Hello, 世界!", Usage: llm.Usage{Input: 10, Output: 5, CacheRead: 200}}

func answer(attempts int) *llm.Answer {
	return &llm.Answer{Text: "Hello, 世界!", Stop: llm.StopEnd, Model: "test-model", Usage: hello.Usage, Attempts: attempts}
}

// TestAnswersAndErrors checks the result of each script, the same for both APIs.
func TestAnswersAndErrors(t *testing.T) {
	s2, s4 := 2*time.Second, 4*time.Second
	date := time.Date(2026, 11, 21, 12, 0, 7, 0, time.UTC).Format("Mon, 02 Jan 2006 15:04:05 GMT")
	part := llm.Usage{Input: 10, Output: 1, CacheRead: 200} // reported at the beginning of an answer
	for name, c := range map[string]struct {
		replies []llmtest.Reply
		want    *llm.Answer
		err     string // API is replaced by its name
		pauses  []time.Duration
		partly  int // attempts whose beginning arrived
	}{
		"an answer":                      {replies: []llmtest.Reply{hello}, want: answer(1)},
		"500, then an answer":            {[]llmtest.Reply{{Status: 500, Message: "oops"}, hello}, answer(2), "", []time.Duration{s2}, 0},
		"529 twice, then an answer":      {[]llmtest.Reply{{Status: 529}, {Status: 529}, hello}, answer(3), "", []time.Duration{s2, s4}, 0},
		"529 for ever":                   {[]llmtest.Reply{{Status: 529, Message: "Overloaded"}}, nil, "the API answered 529: overloaded: Overloaded (3 attempts)", []time.Duration{s2, s4}, 0},
		"429 with seconds":               {[]llmtest.Reply{{Status: 429, Header: llmtest.Header{"Retry-After": "17"}}, hello}, answer(2), "", []time.Duration{17 * time.Second}, 0},
		"429 with a date":                {[]llmtest.Reply{{Status: 429, Header: llmtest.Header{"Retry-After": date}}, hello}, answer(2), "", []time.Duration{7 * time.Second}, 0},
		"429 with a date that is past":   {[]llmtest.Reply{{Status: 429, Header: llmtest.Header{"Retry-After": "Sat, 21 Nov 2020 12:00:00 GMT"}}, hello}, answer(2), "", []time.Duration{s2}, 0},
		"429 for longer than we wait":    {[]llmtest.Reply{{Status: 429, Message: "later", Header: llmtest.Header{"Retry-After": "3600"}}}, nil, "the API answered 429: rate limit: later", nil, 0},
		"408 and 409, then an answer":    {[]llmtest.Reply{{Status: 408}, {Status: 409}, hello}, answer(3), "", []time.Duration{s2, s4}, 0},
		"400 is final":                   {[]llmtest.Reply{{Status: 400, Message: "no"}, hello}, nil, "the API answered 400: bad request: no", nil, 0},
		"401 is final":                   {[]llmtest.Reply{{Status: 401, Message: "invalid x-api-key"}, hello}, nil, "the API answered 401: the key is not accepted: invalid x-api-key", nil, 0},
		"413 is final":                   {[]llmtest.Reply{{Status: 413}, hello}, nil, "the API answered 413: the request is too large", nil, 0},
		"a page of a gateway":            {[]llmtest.Reply{{Status: 502, Body: "<html>Bad gateway</html>"}, hello}, answer(2), "", []time.Duration{s2}, 0},
		"a page in place of an answer":   {[]llmtest.Reply{{Body: "<html>Log in</html>", Header: llmtest.Header{"Content-Type": "text/html; charset=utf-8"}}}, nil, "the answer of the API cannot be read: a web page came; is the base URL that of the API?", nil, 0},
		"a redirect":                     {[]llmtest.Reply{{Status: 307, Body: "-", Header: llmtest.Header{"Location": "http://elsewhere.example/"}}}, nil, "the API answered 307: an unexpected answer: it leads elsewhere, where a key is not taken", nil, 0},
		"overloaded inside, then answer": {[]llmtest.Reply{broken(llmtest.Overloaded), hello}, answer(2), "", []time.Duration{s2}, 1},
		"cut, then an answer":            {[]llmtest.Reply{broken(llmtest.Cut), hello}, answer(2), "", []time.Duration{s2}, 1},
		"short, then an answer":          {[]llmtest.Reply{broken(llmtest.Short), hello}, answer(2), "", []time.Duration{s2}, 1},
		"garbled, then an answer":        {[]llmtest.Reply{broken(llmtest.Garbled), hello}, answer(2), "", []time.Duration{s2}, 1},
		"an empty answer, then one":      {[]llmtest.Reply{{}, hello}, answer(2), "", []time.Duration{s2}, 0},
		"a refusal":                      {[]llmtest.Reply{{Refusal: "I would rather not"}, hello}, nil, "the API refused to answer: I would rather not", nil, 0},
	} {
		t.Run(name, func(t *testing.T) {
			s := llmtest.Start(c.replies...)
			defer s.Close()
			for provider, api := range apis(s) {
				clock := &testClock{}
				s.Restart()
				got, err := open(t, provider, s, llm.Options{Clock: clock.clock()}).Complete(t.Context(), ask("hi"))
				want := c.want
				if want != nil && c.partly > 0 && provider == llm.Anthropic {
					more := *want
					more.Usage = more.Usage.Add(part)
					want = &more
				}
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("%s: %s", provider, diff)
				}
				if diff := cmp.Diff(strings.Replace(c.err, "the API", "the "+api, 1), text(err)); diff != "" {
					t.Errorf("%s: %s", provider, diff)
				}
				if diff := cmp.Diff(c.pauses, clock.pauses); diff != "" {
					t.Errorf("%s: %s", provider, diff)
				}
			}
		})
	}
}

func broken(b llmtest.Break) llmtest.Reply {
	r := hello
	r.Break = b
	return r
}

func text(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

var schema = &llm.Schema{
	Name: "place", Description: "a place",
	JSON: json.RawMessage(`{"type": "object", "properties": {"name": {"type": "string"}, "people": {"type": "integer"}}, "required": ["name"], "additionalProperties": false}`),
}

// TestStructuredAnswers are valid by their schema, or an error.
func TestStructuredAnswers(t *testing.T) {
	for name, c := range map[string]struct {
		replies []llmtest.Reply
		json    string
		err     string
	}{
		"valid":                  {[]llmtest.Reply{{JSON: `{"name": "北京", "people": 22}`}}, `{"name":"北京","people":22}`, ""},
		"invalid, then valid":    {[]llmtest.Reply{{JSON: `{"name": 5}`}, {JSON: `{"name": "a"}`}}, `{"name":"a"}`, ""},
		"invalid for ever":       {[]llmtest.Reply{{JSON: `{"people": 5}`}}, "", "the answer of the API cannot be read: it is not as the schema says: at '': missing property 'name' (3 attempts)"},
		"broken, then valid":     {[]llmtest.Reply{{JSON: `{"name": "a`}, {JSON: `{"name": "a"}`}}, `{"name":"a"}`, ""},
		"text with JSON in it":   {[]llmtest.Reply{{Text: "Here you are:\n```json\n{\"name\": \"a\"}\n```\nDone."}}, `{"name":"a"}`, ""},
		"text without":           {[]llmtest.Reply{{Text: "I cannot"}}, "", "the answer of the API cannot be read: it is not JSON (3 attempts)"},
		"cut at the most tokens": {[]llmtest.Reply{{JSON: `{"name": "a`, Stop: "max"}}, "", "the answer of the API is longer than it may be: 100 tokens are not enough"},
	} {
		t.Run(name, func(t *testing.T) {
			for provider, stop := range map[string]string{llm.Anthropic: "max_tokens", llm.OpenAI: "length"} {
				s := llmtest.Start(stopped(c.replies, stop)...)
				defer s.Close()
				clock := &testClock{}
				r := ask("which place?")
				r.Schema, r.MaxTokens = schema, 100
				got, err := open(t, provider, s, llm.Options{Clock: clock.clock()}).Complete(t.Context(), r)
				var want *llm.Answer
				if c.json != "" {
					want = &llm.Answer{JSON: json.RawMessage(c.json), Stop: llm.StopEnd, Model: "test-model", Attempts: len(c.replies)}
				}
				if diff := cmp.Diff(want, got, cmpopts.IgnoreFields(llm.Answer{}, "Usage")); diff != "" {
					t.Errorf("%s: %s", provider, diff)
				}
				if diff := cmp.Diff(strings.Replace(c.err, "the API", "the "+apis(s)[provider], 1), text(err)); diff != "" {
					t.Errorf("%s: %s", provider, diff)
				}
			}
		})
	}
}

// stopped substitutes an API's word for a truncated answer.
func stopped(replies []llmtest.Reply, word string) []llmtest.Reply {
	var out []llmtest.Reply
	for _, r := range replies {
		if r.Stop == "max" {
			r.Stop = word
		}
		out = append(out, r)
	}
	return out
}

// TestTextCutAtMaxTokensIsAnAnswer marked as truncated.
func TestTextCutAtMaxTokensIsAnAnswer(t *testing.T) {
	for provider, stop := range map[string]string{llm.Anthropic: "max_tokens", llm.OpenAI: "length"} {
		s := llmtest.Start(llmtest.Reply{Text: "Once upon", Stop: stop})
		defer s.Close()
		got, err := open(t, provider, s, llm.Options{}).Complete(t.Context(), ask("a story"))
		want := &llm.Answer{Text: "Once upon", Stop: llm.StopMaxTokens, Model: "test-model", Attempts: 1}
		if diff := cmp.Diff(want, got, cmpopts.IgnoreFields(llm.Answer{}, "Usage")); diff != "" || err != nil {
			t.Errorf("%s: %s %v", provider, diff, err)
		}
	}
}

// TestARequestIsSentCompletely in both APIs, with the system prompt marked for caching where
// possible.
func TestARequestIsSentCompletely(t *testing.T) {
	s := llmtest.Start(llmtest.Reply{JSON: `{"name":"a"}`})
	defer s.Close()
	half := 0.5
	conversation := []llm.Message{{Role: llm.User, Text: "a"}, {Role: llm.Assistant, Text: "b"}, {Role: llm.User, Text: "c"}}
	for _, provider := range []string{llm.Anthropic, llm.OpenAI} {
		_, err := open(t, provider, s, llm.Options{}).Complete(t.Context(),
			llm.Request{System: "be brief", Messages: conversation, Schema: schema, MaxTokens: 77, Temperature: &half})
		if err != nil {
			t.Fatal(err)
		}
	}
	want := llmtest.Request{
		API: "anthropic", Key: llmtest.Key("ANTHROPIC_API_KEY"), Model: "m", System: "be brief", Cached: true, Messages: conversation, MaxTokens: 77,
		Schema: `{"type":"object","properties":{"name":{"type":"string"},"people":{"type":"integer"}},"required":["name"],"additionalProperties":false}`,
	}
	other := want
	other.API, other.Key, other.Cached = "openai", llmtest.Key("OPENAI_API_KEY"), false
	if diff := cmp.Diff([]llmtest.Request{want, other}, s.Requests(), cmpopts.IgnoreFields(llmtest.Request{}, "Body")); diff != "" {
		t.Error(diff)
	}
	for _, r := range s.Requests() {
		if !strings.Contains(r.Body, `"temperature":0.5`) || !strings.Contains(r.Body, `"stream":true`) {
			t.Errorf("%s: %s", r.API, r.Body)
		}
	}
}

// TestProgressTellsPiecesAndPauses as an answer arrives.
func TestProgressTellsPiecesAndPauses(t *testing.T) {
	s := llmtest.Start(broken(llmtest.Short), hello)
	defer s.Close()
	for provider := range apis(s) {
		s.Restart()
		var got []llm.Progress
		r := ask("hi")
		r.Progress = func(p llm.Progress) { got = append(got, p) }
		clock := &testClock{}
		if _, err := open(t, provider, s, llm.Options{Clock: clock.clock()}).Complete(t.Context(), r); err != nil {
			t.Fatal(err)
		}
		want := []llm.Progress{
			{Attempt: 1, Piece: "Hello", Bytes: 5},
			{Attempt: 1, Pause: 2 * time.Second},
			{Attempt: 2, Piece: "Hello", Bytes: 5},
			{Attempt: 2, Piece: ", 世", Bytes: 10},
			{Attempt: 2, Piece: "界!", Bytes: 14},
		}
		if diff := cmp.Diff(want, got, cmpopts.IgnoreFields(llm.Progress{}, "Err")); diff != "" {
			t.Errorf("%s: %s", provider, diff)
		}
	}
}

// TestAHangingAttemptTimesOut before and within an answer.
func TestAHangingAttemptTimesOut(t *testing.T) {
	for _, reply := range []llmtest.Reply{{Silent: true}, broken(llmtest.Hang)} {
		s := llmtest.Start(reply)
		defer s.Close()
		for provider, api := range apis(s) {
			clock := &testClock{}
			_, err := open(t, provider, s, llm.Options{Limit: 20 * time.Millisecond, Clock: clock.clock()}).Complete(t.Context(), ask("hi"))
			if want := "the " + api + " gave no complete answer in time: 20ms (3 attempts)"; text(err) != want {
				t.Errorf("%s: %v", provider, err)
			}
		}
	}
}

// TestAStalledAnswerIsCut long before the time limit of an attempt.
func TestAStalledAnswerIsCut(t *testing.T) {
	s := llmtest.Start(broken(llmtest.Hang))
	defer s.Close()
	for provider, api := range apis(s) {
		clock := &testClock{}
		_, err := open(t, provider, s, llm.Options{Silence: 20 * time.Millisecond, Clock: clock.clock()}).Complete(t.Context(), ask("hi"))
		if want := "the answer of the " + api + " broke off: nothing came for 20ms (3 attempts)"; text(err) != want {
			t.Errorf("%s: %v", provider, err)
		}
	}
}

// TestCancellingEndsAtOnce with ctx's error and without another attempt.
func TestCancellingEndsAtOnce(t *testing.T) {
	for _, reply := range []llmtest.Reply{{Silent: true}, broken(llmtest.Hang), {Status: 500}} {
		for _, provider := range []string{llm.Anthropic, llm.OpenAI} {
			ctx, cancel := context.WithCancel(t.Context())
			s := llmtest.StartFunc(func(llmtest.Request) llmtest.Reply { cancel(); return reply })
			defer s.Close()
			_, err := open(t, provider, s, llm.Options{}).Complete(ctx, ask("hi"))
			if !errors.Is(err, context.Canceled) || len(s.Requests()) > 1 {
				t.Errorf("%s: %v after %d requests", provider, err, len(s.Requests()))
			}
		}
	}
}

// TestAPauseEndsWithTheContext.
func TestAPauseEndsWithTheContext(t *testing.T) {
	s := llmtest.Start(llmtest.Reply{Status: 500})
	defer s.Close()
	ctx, cancel := context.WithCancel(t.Context())
	r := ask("hi")
	r.Progress = func(p llm.Progress) {
		if p.Pause > time.Second { // 2 s minus jitter
			cancel()
		}
	}
	if _, err := open(t, llm.Anthropic, s, llm.Options{}).Complete(ctx, r); !errors.Is(err, context.Canceled) || len(s.Requests()) != 1 {
		t.Errorf("%v after %d requests", err, len(s.Requests()))
	}
}

// TestABrokenSchemaIsNotSent, because it is a bug of the program.
func TestABrokenSchemaIsNotSent(t *testing.T) {
	s := llmtest.Start(hello)
	defer s.Close()
	for broken, want := range map[string]string{
		`{`:             "schema a: unexpected EOF",
		`{"type": "x"}`: "schema a: ",
	} {
		r := ask("hi")
		r.Schema = &llm.Schema{Name: "a", JSON: json.RawMessage(broken)}
		if _, err := open(t, llm.OpenAI, s, llm.Options{}).Complete(t.Context(), r); !strings.HasPrefix(text(err), want) || len(s.Requests()) > 0 {
			t.Error(err)
		}
	}
}

// TestErrorsSayWhatToDo if anything can be done.
func TestErrorsSayWhatToDo(t *testing.T) {
	for status, want := range map[int]string{
		400: "",
		401: "reverse-spec auth shows which key is used, and auth --verify tries it",
		404: "is there such a model at this address? REVERSE_SPEC_MODEL and reverse-spec auth tell",
		413: "name a smaller part of the project",
		418: "",
	} {
		s := llmtest.Start(llmtest.Reply{Status: status, Message: "no"})
		defer s.Close()
		_, err := open(t, llm.Anthropic, s, llm.Options{}).Complete(t.Context(), ask("hi"))
		if e, ok := errors.AsType[*llm.Error](err); !ok || e.Status != status || e.Hint().String() != want {
			t.Errorf("%d: %v", status, err)
		}
	}
}

// TestADeadlineIsNotWaitedInto: the error is the service's, not a timeout.
func TestADeadlineIsNotWaitedInto(t *testing.T) {
	s := llmtest.Start(llmtest.Reply{Status: 429, Message: "slow down", Header: llmtest.Header{"Retry-After": "30"}})
	defer s.Close()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	_, err := open(t, llm.Anthropic, s, llm.Options{}).Complete(ctx, ask("hi"))
	if want := "the Claude API answered 429: rate limit: slow down"; text(err) != want {
		t.Error(err)
	}
	if e, _ := errors.AsType[*llm.Error](err); e == nil || e.RetryAfter != 30*time.Second || e.Hint().String() != "the service asks to be left alone for 30s" {
		t.Errorf("%+v", e)
	}
}

// TestNobodyThere: a failed connection is described without the address, which may have a
// password.
func TestNobodyThere(t *testing.T) {
	s := llmtest.Start(hello)
	s.Close()
	clock := &testClock{}
	_, err := open(t, llm.Anthropic, s, llm.Options{Clock: clock.clock()}).Complete(t.Context(), ask("hi"))
	want := "the Claude API cannot be reached: dial tcp " + strings.TrimPrefix(s.URL, "http://") + ": connect: connection refused (3 attempts)"
	if text(err) != want {
		t.Error(err)
	}
}

// TestAKeyIsNeverInAnError, even if the service repeats it.
func TestAKeyIsNeverInAnError(t *testing.T) {
	for provider, variable := range map[string]string{llm.Anthropic: "ANTHROPIC_API_KEY", llm.OpenAI: "OPENAI_API_KEY"} {
		key := llmtest.Key(variable)
		for _, reply := range []llmtest.Reply{{Status: 401, Message: "invalid key " + key}, {Status: 401, Body: "who is " + key + "?"}, {Refusal: key}} {
			s := llmtest.Start(reply)
			defer s.Close()
			_, err := open(t, provider, s, llm.Options{}).Complete(t.Context(), ask("hi"))
			if err == nil || strings.Contains(err.Error(), key) || !strings.Contains(err.Error(), "…"+key[len(key)-4:]) {
				t.Error(err)
			}
		}
	}
}
