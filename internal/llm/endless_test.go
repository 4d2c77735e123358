package llm_test

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/reverse-spec/reverse-spec/internal/llm"
	"github.com/reverse-spec/reverse-spec/internal/testsupport/llmtest"
)

// TestAModelThatDoesNotStopIsCut in both APIs, after a few times the permitted length and
// without another attempt.
func TestAModelThatDoesNotStopIsCut(t *testing.T) {
	const word = "on and on and on and on and on and "
	events := map[string][2]string{ // the start of an answer, and the repeated part
		llm.OpenAI: {"", "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"" + word + "\"}}]}\n\n"},
		llm.Anthropic: {
			"event: message_start\ndata: {\"type\":\"message_start\",\"message\":{\"id\":\"m\",\"type\":\"message\",\"role\":\"assistant\",\"model\":\"m\",\"content\":[],\"usage\":{\"input_tokens\":1,\"output_tokens\":1}}}\n\n" +
				"event: content_block_start\ndata: {\"type\":\"content_block_start\",\"index\":0,\"content_block\":{\"type\":\"text\",\"text\":\"\"}}\n\n",
			"event: content_block_delta\ndata: {\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"type\":\"text_delta\",\"text\":\"" + word + "\"}}\n\n",
		},
	}
	for provider, e := range events {
		t.Run(provider, func(t *testing.T) {
			requests := 0
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				requests++
				w.Header().Set("Content-Type", "text/event-stream")
				fmt.Fprint(w, e[0])
				for r.Context().Err() == nil {
					if _, err := fmt.Fprint(w, e[1]); err != nil {
						return
					}
				}
			}))
			defer server.Close()
			c, err := llm.Choose(t.Context(), llm.Settings{
				Provider: provider, Model: "m", AnthropicURL: server.URL, OpenAIURL: server.URL + "/v1", Getenv: llmtest.Key,
			})
			if err != nil {
				t.Fatal(err)
			}
			read := 0
			request := ask("hello")
			request.MaxTokens = 100
			request.Progress = func(p llm.Progress) { read = p.Bytes }
			_, err = c.Open(llm.Options{}).Complete(t.Context(), request)
			failed, ok := errors.AsType[*llm.Error](err)
			if !ok || failed.Kind != llm.KindTooLong || failed.Attempts != 1 || requests != 1 {
				t.Fatalf("%d requests: %v", requests, err)
			}
			if read > 100_000 {
				t.Errorf("%d bytes were read", read)
			}
		})
	}
}
