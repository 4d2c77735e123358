package clients_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// codex is the real Codex in an empty home, with a project to work on.
type codex struct {
	t             *testing.T
	program       string
	home, project string
}

// newCodex sets up the client that CODEX names.
func newCodex(t *testing.T) *codex {
	t.Helper()
	c := &codex{t: t, program: os.Getenv("CODEX"), home: t.TempDir(), project: t.TempDir()}
	if c.program == "" {
		t.Skip("CODEX names no Codex: make plugin fetches one")
	}
	err := errors.Join(
		os.Mkdir(filepath.Join(c.project, ".git"), 0o755),
		os.WriteFile(filepath.Join(c.project, "shop.go"), []byte("package shop\n\n// Buy buys n of them.\nfunc Buy(n int) error { return nil }\n"), 0o600),
		os.Mkdir(filepath.Join(c.home, ".codex"), 0o755))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// run runs the client with nothing of the user's.
func (c *codex) run(args ...string) string {
	c.t.Helper()
	const patience = 90 * time.Second
	ctx, cancel := context.WithTimeout(c.t.Context(), patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, c.program, args...)
	cmd.Dir = c.project
	cmd.Env = []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + c.home, "CODEX_HOME=" + filepath.Join(c.home, ".codex"),
		"REVERSE_SPEC_HOME=" + filepath.Join(c.home, "graphs"), "REVERSE_SPEC_PROVIDER=none", "MODEL_KEY=none",
	}
	out, err := cmd.CombinedOutput()
	if err != nil {
		c.t.Fatalf("codex %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return string(out)
}

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

// TestCodexUsesThePlugin: it installs it, lists its server, and calls a tool, which works
// in the folder that Codex works in, though the server stands in the plugin's.
func TestCodexUsesThePlugin(t *testing.T) {
	c := newCodex(t)
	c.run("plugin", "marketplace", "add", pluginDir(t))
	c.run("plugin", "add", "reverse-spec@reverse-spec")
	if list := c.run("mcp", "list"); !strings.Contains(list, "reverse-spec") || !strings.Contains(list, "enabled") {
		t.Error(list)
	}
	url, result := responses(t, "prepare", object{"targetPath": "shop.go"})
	out := c.run("exec", "--skip-git-repo-check", "--dangerously-bypass-approvals-and-sandbox", "-m", "gpt-5",
		"-c", "model_provider=script",
		"-c", fmt.Sprintf(`model_providers.script={name="script",base_url=%q,env_key="MODEL_KEY",wire_api="responses"}`, url),
		"hello")
	if got := result(); !strings.Contains(got, "func Buy(n int) error") {
		t.Errorf("%s\n%s", got, out)
	}
}
