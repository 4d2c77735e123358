package main

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
)

// embeddings returns a server with Ollama's and OpenAI's API. Its vectors treat texts about
// escaping as similar to injection.
func embeddings(t *testing.T, asked *atomic.Int32) *httptest.Server {
	t.Helper()
	mux := http.NewServeMux()
	vectors := func(r *http.Request) [][]float32 {
		var a struct {
			Model string   `json:"model"`
			Input []string `json:"input"`
		}
		if err := json.NewDecoder(r.Body).Decode(&a); err != nil || a.Model == "" {
			t.Errorf("request for %q: %v", a.Model, err)
		}
		asked.Add(int32(len(a.Input)))
		out := make([][]float32, len(a.Input))
		for i, text := range a.Input {
			out[i] = []float32{0.1, 1}
			if strings.Contains(text, "injection") || strings.Contains(text, "Escape") {
				out[i] = []float32{1, 0.1}
			}
		}
		return out
	}
	mux.HandleFunc("POST /api/embed", func(w http.ResponseWriter, r *http.Request) {
		_ = json.NewEncoder(w).Encode(map[string]any{"embeddings": vectors(r)})
	})
	mux.HandleFunc("POST /v1/embeddings", func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer sk-embed" {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		var data []map[string]any
		for i, v := range vectors(r) {
			data = append(data, map[string]any{"index": i, "embedding": v})
		}
		_ = json.NewEncoder(w).Encode(map[string]any{"data": data})
	})
	s := httptest.NewServer(mux)
	t.Cleanup(s.Close)
	return s
}

// found is the compared part of graph-rag's output.
type foundCode struct {
	Candidates []struct{ Symbol, Source string }
	Metadata   struct {
		Anchors string
		Warning string
	}
}

// graphRAG runs graph-rag as a process.
func graphRAG(t *testing.T, dir, question string, env ...string) foundCode {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "reverse-spec", "graph-rag", "--json", "--fusion-depth", "0", "--query", question)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), append([]string{"CKB_UNAVAILABLE=1", "OPENAI_API_KEY=", "OPENAI_BASE_URL=", "OLLAMA_HOST="}, env...)...)
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v: %s", err, stderr.String())
	}
	var a foundCode
	if err := json.Unmarshal(out, &a); err != nil {
		t.Fatal(err)
	}
	return a
}

// escaping returns a project without the word injection.
func escaping(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "shop")
	for name, text := range map[string]string{
		"go.mod":    "module example.com/shop\n",
		"html.go":   "package shop\n\n// Escape replaces what a browser would run.\nfunc Escape(s string) string { return s }\n",
		"total.go":  "package shop\n\n// Total adds prices.\nfunc Total(prices []int) int { return len(prices) }\n",
		"report.go": "package shop\n\n// Report prints the totals.\nfunc Report() {}\n",
	} {
		if err := os.MkdirAll(filepath.Join(dir, ".git"), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// TestEmbeddersFindWhatWordsCannot uses each of the services and checks the reported method.
func TestEmbeddersFindWhatWordsCannot(t *testing.T) {
	const byMeaning, byBoth, byWords = "protection against injection", "injection of a total", "total prices"
	for _, service := range []string{"ollama", "openai"} {
		t.Run(service, func(t *testing.T) {
			t.Setenv("REVERSE_SPEC_HOME", t.TempDir())
			t.Setenv("GRAPH_DB_PATH", "")
			dir, asked := escaping(t), atomic.Int32{}
			s := embeddings(t, &asked)
			env := map[string][]string{
				"ollama": {"REVERSE_SPEC_EMBEDDER=ollama", "OLLAMA_HOST=" + strings.TrimPrefix(s.URL, "http://")},
				"openai": {"REVERSE_SPEC_EMBEDDER=openai", "OPENAI_BASE_URL=" + s.URL + "/v1", "OPENAI_API_KEY=sk-embed"},
			}[service]

			if a := graphRAG(t, dir, byMeaning); len(a.Candidates) != 0 || a.Metadata.Anchors != "bm25" {
				t.Fatalf("words alone: %+v", a)
			}
			a := graphRAG(t, dir, byMeaning, env...)
			if len(a.Candidates) == 0 || a.Candidates[0].Symbol != "shop.html.Escape" || a.Candidates[0].Source != "embedding" || a.Metadata.Anchors != "vector" || a.Metadata.Warning != "" {
				t.Errorf("%q: %+v", byMeaning, a)
			}
			a = graphRAG(t, dir, byBoth, env...)
			symbols := ""
			for _, c := range a.Candidates {
				symbols += c.Symbol + " "
			}
			if !strings.Contains(symbols, "shop.html.Escape ") || !strings.Contains(symbols, "shop.total.Total ") || a.Metadata.Anchors != "hybrid" {
				t.Errorf("%q: %+v", byBoth, a)
			}
			n := asked.Load()
			if graphRAG(t, dir, byBoth, env...); asked.Load() != n {
				t.Errorf("an answer that is kept asks for %d vectors", asked.Load()-n)
			}

			s.Close() // if the embedder fails, keyword search and a warning remain
			a = graphRAG(t, dir, byWords, env...)
			if len(a.Candidates) == 0 || a.Candidates[0].Symbol != "shop.total.Total" || a.Metadata.Anchors != "bm25" || !strings.Contains(a.Metadata.Warning, "by words alone") {
				t.Errorf("%q: %+v", byWords, a)
			}
		})
	}
}
