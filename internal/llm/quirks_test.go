package llm_test

import (
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/reverse-spec/reverse-spec/internal/llm"
	"github.com/reverse-spec/reverse-spec/internal/testsupport/llmtest"
)

// TestWhatAModelRefusesIsLeftOut from then on: the second request is sent once.
func TestWhatAModelRefusesIsLeftOut(t *testing.T) {
	half := 0.5
	for name, c := range map[string]struct {
		provider string
		refused  string // part of the rejected request
		message  string
		instead  string // part of the accepted request
	}{
		"a forced tool":    {llm.Anthropic, `"tool_choice"`, `tool_choice: type "tool" and "any" are not supported for this model.`, "Answer by calling the tool place."},
		"a temperature":    {llm.Anthropic, `"temperature"`, "temperature is deprecated for this model", `"tool_choice"`},
		"another":          {llm.OpenAI, `"temperature"`, "Unsupported value: 'temperature' does not support 0.5", `"response_format"`},
		"a schema":         {llm.OpenAI, `"response_format"`, "This response_format type is unavailable now", "Answer with one JSON object"},
		"the limit's name": {llm.OpenAI, `"max_tokens"`, "Unsupported parameter: 'max_tokens' is not supported", `"max_completion_tokens":8192`},
		"counting":         {llm.OpenAI, `"stream_options"`, "stream_options: extra inputs are not permitted", `"temperature"`},
	} {
		s := llmtest.StartFunc(func(r llmtest.Request) llmtest.Reply {
			if strings.Contains(r.Body, c.refused) {
				return llmtest.Reply{Status: 400, Message: c.message}
			}
			return llmtest.Reply{JSON: `{"name":"a"}`}
		})
		defer s.Close()
		m := open(t, c.provider, s, llm.Options{})
		r := ask("which place?")
		r.Schema, r.Temperature = schema, &half
		for range 2 {
			if a, err := m.Complete(t.Context(), r); err != nil || a.Attempts != 1 {
				t.Errorf("%s: %v %v", name, a, err)
			}
		}
		asked := s.Requests()
		if len(asked) != 3 || !strings.Contains(asked[1].Body, c.instead) || asked[1].Body != asked[2].Body {
			t.Errorf("%s: %d requests, the second %s", name, len(asked), asked[1].Body)
		}
	}
}

// TestManyAskAtOnce: a model is shared by the modules of a batch.
func TestManyAskAtOnce(t *testing.T) {
	s := llmtest.StartFunc(func(r llmtest.Request) llmtest.Reply {
		if strings.Contains(r.Body, `"temperature"`) {
			return llmtest.Reply{Status: 400, Message: "no temperature"}
		}
		return llmtest.Reply{Text: r.Messages[0].Text}
	})
	defer s.Close()
	half := 0.5
	for provider := range apis(s) {
		m := open(t, provider, s, llm.Options{})
		var all sync.WaitGroup
		for i := range 20 {
			all.Go(func() {
				r := ask(strconv.Itoa(i))
				r.Temperature = &half
				if a, err := m.Complete(t.Context(), r); err != nil || a.Text != strconv.Itoa(i) {
					t.Errorf("%s: %v %v", provider, a, err)
				}
			})
		}
		all.Wait()
	}
}

// TestErrorsOfAllForms: all forms of errors of OpenAI-compatible servers become the same
// error.
func TestErrorsOfAllForms(t *testing.T) {
	for body, want := range map[string]string{
		`{"error": {"message": "m1", "type": "invalid_request_error", "code": null}}`: ": m1",
		`{"object": "error", "message": "m2", "code": 400}`:                           ": m2",
		`{"error": "m3"}`:              ": m3",
		`{"detail": [{"msg": "m4"}]}`:  ": [map[msg:m4]]",
		"m5\nand more":                 ": m5 and more",
		"<html><body>m6</body></html>": "",
		`{"unknown": 1}`:               "",
		strings.Repeat("x", 400):       ": " + strings.Repeat("x", 300) + " …",
	} {
		s := llmtest.Start(llmtest.Reply{Status: 400, Body: body})
		defer s.Close()
		_, err := open(t, llm.OpenAI, s, llm.Options{}).Complete(t.Context(), ask("hi"))
		if diff := cmp.Diff("the "+apis(s)[llm.OpenAI]+" answered 400: bad request"+want, text(err)); diff != "" {
			t.Error(diff)
		}
	}
}

// TestAnEmptyAccountIsNotAskedAgain, because waiting does not help.
func TestAnEmptyAccountIsNotAskedAgain(t *testing.T) {
	s := llmtest.Start(llmtest.Reply{Status: 429, Body: `{"error": {"message": "You exceeded your current quota", "type": "insufficient_quota", "code": "insufficient_quota"}}`})
	defer s.Close()
	if _, err := open(t, llm.OpenAI, s, llm.Options{}).Complete(t.Context(), ask("hi")); err == nil || len(s.Requests()) != 1 {
		t.Errorf("%v after %d requests", err, len(s.Requests()))
	}
}

// TestServersThatDoNotStream answer in one piece, and reasoning is not part of the answer.
func TestServersThatDoNotStream(t *testing.T) {
	s := llmtest.Start(llmtest.Reply{Header: llmtest.Header{"Content-Type": "application/json"}, Body: `{"model": "local", "choices": [
		{"message": {"role": "assistant", "content": "<think>\nHm.\n</think>\n\nHello"}, "finish_reason": "stop"}], "usage": {"prompt_tokens": 7, "completion_tokens": 2}}`})
	defer s.Close()
	got, err := open(t, llm.OpenAI, s, llm.Options{}).Complete(t.Context(), ask("hi"))
	want := &llm.Answer{Text: "Hello", Stop: llm.StopEnd, Model: "local", Usage: llm.Usage{Input: 7, Output: 2}, Attempts: 1}
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Error(diff, err)
	}
}

// TestTheOnlyModelIsTaken if none is named; if there are several, the error lists them.
func TestTheOnlyModelIsTaken(t *testing.T) {
	s := llmtest.Start(hello)
	defer s.Close()
	c, err := llm.Choose(t.Context(), llm.Settings{OpenAIURL: s.URL + "/v1/chat/completions/", Getenv: func(string) string { return "" }})
	if err != nil {
		t.Fatal(err)
	}
	m := c.Open(llm.Options{})
	s.Serve("a", "b")
	_, err = m.Complete(t.Context(), ask("hi"))
	if want := "no model is named, and the server has 2: a, b"; text(err) != want {
		t.Error(err)
	}
	s.Serve("only")
	if _, err := m.Complete(t.Context(), ask("hi")); err != nil {
		t.Error(err)
	}
	if got := s.Requests(); len(got) != 1 || got[0].Model != "only" || got[0].Key != "" {
		t.Errorf("%+v", got)
	}
}

// TestUsageTellsWhatWasKept: tokens written to and read from the cache.
func TestUsageTellsWhatWasKept(t *testing.T) {
	want := llm.Usage{Input: 10, Output: 5, CacheRead: 200, CacheWrite: 3000}
	s := llmtest.Start(llmtest.Reply{Text: "ok", Usage: want})
	defer s.Close()
	got, err := open(t, llm.Anthropic, s, llm.Options{}).Complete(t.Context(), ask("hi"))
	if err != nil || got.Usage != want || got.Usage.Total() != 3215 {
		t.Errorf("%+v %v", got, err)
	}
}
