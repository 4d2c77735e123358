package llm_test

import (
	"encoding/json"
	"errors"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/reverse-spec/reverse-spec/internal/llm"
	"github.com/reverse-spec/reverse-spec/internal/testsupport/llmtest"
)

// FuzzAnswers: any answer of a server becomes JSON by the schema or an [llm.Error].
func FuzzAnswers(f *testing.F) {
	f.Add("data: {\"choices\": [{\"delta\": {\"content\": \"{\\\"name\\\": \\\"a\\\"}\"}, \"finish_reason\": \"stop\"}]}\n\ndata: [DONE]\n\n", 200, "3")
	f.Add("event: message_start\ndata: {\"type\": \"message_start\", \"message\": {\"usage\": {\"input_tokens\": 1}}}\n\nevent: message_stop\ndata: {\"type\": \"message_stop\"}\n\n", 200, "")
	f.Add("event: error\ndata: {\"error\": {\"type\": \"overloaded_error\"}}\n\n", 200, "Sat, 21 Nov 2026 12:00:00 GMT")
	f.Add(`{"error": "no"}`, 429, "-1e300")
	var reply atomic.Pointer[llmtest.Reply]
	s := llmtest.StartFunc(func(llmtest.Request) llmtest.Reply { return *reply.Load() })
	f.Cleanup(s.Close)
	f.Fuzz(func(t *testing.T, body string, status int, after string) {
		if body == "" {
			body = " "
		}
		reply.Store(&llmtest.Reply{Status: 200 + max(0, status)%400, Body: body, Header: llmtest.Header{"Retry-After": after}})
		for provider := range apis(s) {
			r := ask("hi")
			r.Schema = schema
			a, err := open(t, provider, s, llm.Options{Clock: (&testClock{}).clock()}).Complete(t.Context(), r)
			if err != nil {
				if _, ok := errors.AsType[*llm.Error](err); !ok {
					t.Errorf("%s: %T %v", provider, err, err)
				}
				continue
			}
			var place struct{ Name *string }
			if json.Unmarshal(a.JSON, &place) != nil || place.Name == nil {
				t.Error(cmp.Diff(nil, a))
			}
		}
	})
}
