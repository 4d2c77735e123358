package search_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/search"
)

func same(t *testing.T, what string, got, want any) {
	t.Helper()
	if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("%s: -want +got\n%s", what, diff)
	}
}

// environment returns what looks up variables.
func environment(pairs ...string) func(string) string {
	return func(name string) string {
		for i := 0; i < len(pairs); i += 2 {
			if pairs[i] == name {
				return pairs[i+1]
			}
		}
		return ""
	}
}

// asked is what a service was asked.
type asked struct {
	Model string   `json:"model"`
	Input []string `json:"input"`
}

// service answers requests for embeddings, and says what was asked.
func service(t *testing.T, answer func(w http.ResponseWriter, r *http.Request, a asked)) string {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var a asked
		if err := json.NewDecoder(r.Body).Decode(&a); err != nil {
			t.Error(err)
		}
		answer(w, r, a)
	}))
	t.Cleanup(s.Close)
	return s.URL
}

// lengthOf is a vector for a text.
func lengthOf(text string) []float32 { return []float32{float32(len(text)), 1} }

// ollama answers as Ollama does.
func ollama(w http.ResponseWriter, _ *http.Request, a asked) {
	vectors := make([][]float32, len(a.Input))
	for i, text := range a.Input {
		vectors[i] = lengthOf(text)
	}
	_ = json.NewEncoder(w).Encode(map[string]any{"model": a.Model, "embeddings": vectors})
}

func embedder(t *testing.T, pairs ...string) search.Embedder {
	t.Helper()
	e, err := search.NewEmbedder(environment(pairs...))
	check(t, err)
	return search.WithoutWaiting(e, func(time.Duration) {})
}

func TestOllamaIsAsked(t *testing.T) {
	at := service(t, func(w http.ResponseWriter, r *http.Request, a asked) {
		same(t, "request", []any{r.Method, r.URL.Path, r.Header.Get("Authorization"), a}, []any{"POST", "/api/embed", "", asked{"m", []string{"a", "bcd"}}})
		ollama(w, r, a)
	})
	e := embedder(t, "REVERSE_SPEC_EMBEDDER", "ollama", "REVERSE_SPEC_EMBED_MODEL", "m", "OLLAMA_HOST", strings.TrimPrefix(at, "http://"))
	same(t, "before", []any{e.Name(), e.Dimensions()}, []any{"ollama:m", 0})
	vectors, err := e.Embed(t.Context(), []string{"a", "bcd"})
	check(t, err)
	same(t, "vectors", vectors, [][]float32{{1, 1}, {3, 1}})
	same(t, "after", e.Dimensions(), 2)
}

func TestOpenAIIsAsked(t *testing.T) {
	at := service(t, func(w http.ResponseWriter, r *http.Request, a asked) {
		same(t, "request", []any{r.URL.Path, r.Header.Get("Authorization"), a}, []any{"/v1/embeddings", "Bearer secret", asked{"text-embedding-3-small", []string{"a", "b"}}})
		fmt.Fprint(w, `{"data": [{"index": 1, "embedding": [3, 4]}, {"index": 0, "embedding": [1, 2]}]}`)
	})
	e := embedder(t, "REVERSE_SPEC_EMBEDDER", "OpenAI", "OPENAI_BASE_URL", at+"/v1/", "OPENAI_API_KEY", "secret\n")
	vectors, err := e.Embed(t.Context(), []string{"a", "b"})
	check(t, err)
	same(t, "vectors", vectors, [][]float32{{1, 2}, {3, 4}})
}

func TestRequestsAreBatched(t *testing.T) {
	var sizes []int
	at := service(t, func(w http.ResponseWriter, r *http.Request, a asked) {
		sizes = append(sizes, len(a.Input))
		for _, text := range a.Input {
			if len(text) > 8192 {
				t.Errorf("a text of %d bytes", len(text))
			}
		}
		ollama(w, r, a)
	})
	texts := make([]string, 130)
	texts[129] = strings.Repeat("é", 9000) + "\xff"
	vectors, err := embedder(t, "REVERSE_SPEC_EMBEDDER", "ollama", "OLLAMA_HOST", at).Embed(t.Context(), texts)
	check(t, err)
	same(t, "parts", sizes, []int{64, 64, 2})
	same(t, "vectors", len(vectors), 130)
}

func TestBusyServiceIsRetried(t *testing.T) {
	times := atomic.Int32{}
	at := service(t, func(w http.ResponseWriter, r *http.Request, a asked) {
		switch times.Add(1) {
		case 1:
			w.WriteHeader(http.StatusServiceUnavailable)
		case 2:
			w.Header().Set("Retry-After", "7")
			w.WriteHeader(http.StatusTooManyRequests)
		case 3:
			fmt.Fprint(w, "{")
		default:
			ollama(w, r, a)
		}
	})
	e, err := search.NewEmbedder(environment("REVERSE_SPEC_EMBEDDER", "ollama", "OLLAMA_HOST", at))
	check(t, err)
	var pauses []time.Duration
	_, err = search.WithoutWaiting(e, func(d time.Duration) { pauses = append(pauses, d) }).Embed(t.Context(), []string{"a"})
	check(t, err)
	same(t, "pauses", pauses, []time.Duration{500 * time.Millisecond, 7 * time.Second, 2 * time.Second})
}

func TestARefusalIsAnErrorWithoutSecrets(t *testing.T) {
	for status, tries := range map[int]int32{http.StatusUnauthorized: 1, http.StatusInternalServerError: 4} {
		times := atomic.Int32{}
		at := service(t, func(w http.ResponseWriter, r *http.Request, _ asked) {
			times.Add(1)
			w.WriteHeader(status)
			fmt.Fprintf(w, "no: %s", r.Header.Get("Authorization"))
		})
		e := embedder(t, "REVERSE_SPEC_EMBEDDER", "openai", "OPENAI_BASE_URL", strings.Replace(at, "http://", "http://user:hidden@", 1), "OPENAI_API_KEY", "secret")
		_, err := e.Embed(t.Context(), []string{"a"})
		if err == nil || strings.Contains(err.Error(), "secret") || strings.Contains(err.Error(), "hidden") || !strings.Contains(err.Error(), fmt.Sprint(status)) {
			t.Errorf("error %v", err)
		}
		same(t, "tries", times.Load(), tries)
	}
	_, err := embedder(t, "REVERSE_SPEC_EMBEDDER", "ollama", "OLLAMA_HOST", "user:hidden@127.0.0.1:1").Embed(t.Context(), []string{"a"})
	if err == nil || strings.Contains(err.Error(), "hidden") {
		t.Errorf("nobody there: %v", err)
	}
}

func TestVectorsThatDoNotFitAreAnError(t *testing.T) {
	for answer, want := range map[string]any{
		`{"embeddings": [[1, 2]]}`:            nil,
		`{"embeddings": [[1, 2], [1]]}`:       search.DimensionsError{Got: 1, Want: 2},
		`{"embeddings": [[], []]}`:            search.DimensionsError{},
		`{"embeddings": [[1], [2], [3]]}`:     nil,
		`{"embeddings": [["x"], ["y"], [3]]}`: nil,
	} {
		at := service(t, func(w http.ResponseWriter, _ *http.Request, _ asked) { fmt.Fprint(w, answer) })
		_, err := embedder(t, "REVERSE_SPEC_EMBEDDER", "ollama", "OLLAMA_HOST", at).Embed(t.Context(), []string{"a", "b"})
		other := (*search.DimensionsError)(nil)
		switch {
		case err == nil:
			t.Errorf("%s: no error", answer)
		case errors.As(err, &other):
			same(t, answer, any(*other), want)
		case want != nil:
			t.Errorf("%s: %v", answer, err)
		}
	}
}

func TestTheEnvironmentChooses(t *testing.T) {
	for _, none := range []string{"", "none", " None "} {
		e, err := search.NewEmbedder(environment("REVERSE_SPEC_EMBEDDER", none))
		same(t, none, []any{e, err}, []any{nil, nil})
	}
	for _, bad := range [][]string{
		{"REVERSE_SPEC_EMBEDDER", "magic"},
		{"REVERSE_SPEC_EMBEDDER", "builtin"},
		{"REVERSE_SPEC_EMBEDDER", "openai", "OPENAI_BASE_URL", "ftp://user:hidden@x"},
		{"REVERSE_SPEC_EMBEDDER", "ollama", "OLLAMA_HOST", "://"},
	} {
		if _, err := search.NewEmbedder(environment(bad...)); err == nil || strings.Contains(err.Error(), "hidden") {
			t.Errorf("%v: %v", bad, err)
		}
	}
	_, err := search.NewEmbedder(environment("REVERSE_SPEC_EMBEDDER", "Builtin"))
	if want := `REVERSE_SPEC_EMBEDDER is "builtin", which is not an embedder; it may be none, ollama, openai`; err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}
