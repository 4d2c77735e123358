package clients_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"
)

// responses is the model's side of the Responses API: it calls a tool, and with the
// result before it says that it is done.
func responses(t *testing.T, tool string, input object) (url string, result func() string) {
	t.Helper()
	output := make(chan string, 1)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var q struct {
			Input []struct {
				Type   string
				Output json.RawMessage
			}
		}
		if err := json.NewDecoder(r.Body).Decode(&q); err != nil || r.Method != http.MethodPost {
			http.NotFound(w, r)
			return
		}
		arguments, _ := json.Marshal(input)
		item := block("function_call", object{"id": "f", "call_id": "c", "namespace": "mcp__reverse_spec", "name": tool, "arguments": string(arguments)})
		for _, i := range q.Input {
			if i.Type == "function_call_output" {
				select {
				case output <- string(i.Output):
				default: // it was asked twice
				}
				item = block("message", object{"id": "m", "role": "assistant", "content": []object{block("output_text", object{"text": "done"})}})
			}
		}
		w.Header().Set("Content-Type", "text/event-stream")
		usage := object{"input_tokens": 1, "input_tokens_details": nil, "output_tokens": 1, "output_tokens_details": nil, "total_tokens": 2}
		for _, event := range []object{
			block("response.created", object{"response": object{"id": "r"}}),
			block("response.output_item.done", object{"item": item}),
			block("response.completed", object{"response": object{"id": "r", "usage": usage}}),
		} {
			text, _ := json.Marshal(event)
			fmt.Fprintf(w, "event: %s\ndata: %s\n\n", event["type"], text)
		}
	}))
	t.Cleanup(s.Close)
	return s.URL + "/v1", func() string {
		select {
		case text := <-output:
			return text
		default:
			return "nothing"
		}
	}
}
