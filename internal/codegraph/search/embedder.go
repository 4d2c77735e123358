package search

import (
	"context"
	"maps"
	"net"
	"net/url"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/message"
)

// Embedder computes embedding vectors: texts with similar meaning have similar vectors. It is safe for concurrent
// use.
type Embedder interface {
	// Name identifies the vector space: vectors of embedders with different names are not comparable.
	Name() string
	// Dimensions returns the length of the vectors; 0 if it is not known before the first call of Embed.
	Dimensions() int
	// Embed returns a vector for each text, in order. The error is that of the context, or says why the model is
	// not available.
	Embed(ctx context.Context, texts []string) ([][]float32, error)
}

// The environment variables that configure the embedder.
const (
	embedderVariable = "REVERSE_SPEC_EMBEDDER"    // none, ollama or openai; "" is none
	modelVariable    = "REVERSE_SPEC_EMBED_MODEL" // "" for the service's default
)

// service is a protocol of an embedding service.
type service struct {
	address, key string // names of the environment variables; "" for no key
	model, at    string // defaults
	path         string
	vectors      func(a *answer) [][]float32 // in the order of the texts
}

// answer is the response of any service; each sets its own fields.
type answer struct {
	Embeddings [][]float32 `json:"embeddings"` // Ollama
	Data       []struct {  // OpenAI
		Index     int       `json:"index"`
		Embedding []float32 `json:"embedding"`
	} `json:"data"`
}

var services = map[string]service{
	"ollama": {
		address: "OLLAMA_HOST", at: "http://127.0.0.1:11434", model: "nomic-embed-text", path: "/api/embed",
		vectors: func(a *answer) [][]float32 { return a.Embeddings },
	},
	"openai": {
		address: "OPENAI_BASE_URL", key: "OPENAI_API_KEY", at: "https://api.openai.com/v1", model: "text-embedding-3-small", path: "/embeddings",
		vectors: inOrder,
	},
}

// inOrder sorts embeddings by the index of their text.
func inOrder(a *answer) [][]float32 {
	vectors := make([][]float32, len(a.Data))
	for _, d := range a.Data {
		if d.Index >= 0 && d.Index < len(vectors) {
			vectors[d.Index] = d.Embedding
		}
	}
	return vectors
}

// NewEmbedder returns the embedder configured in the environment, or nil if none is. It sends nothing until first
// used.
func NewEmbedder(getenv func(name string) string) (Embedder, error) {
	name := strings.ToLower(strings.TrimSpace(getenv(embedderVariable)))
	if name == "" || name == "none" {
		return nil, nil // no embedder is no error
	}
	s, known := services[name]
	if !known {
		valid := append([]string{"none"}, slices.Sorted(maps.Keys(services))...)
		return nil, message.Errorf("%s is %q, which is not an embedder; it may be %s", embedderVariable, quoted(name), strings.Join(valid, ", "))
	}
	at, err := addressOf(getenv(s.address), s.at)
	if err != nil {
		return nil, message.Errorf("%s: %w", s.address, err)
	}
	r := &remote{service: s, name: name, at: at + s.path, model: s.model, wait: wait}
	if model := getenv(modelVariable); model != "" {
		r.model = model
	}
	if s.key != "" {
		r.key = strings.TrimSpace(getenv(s.key))
	}
	return r, nil
}

// quoted shortens a text for an error.
func quoted(text string) string {
	const most = 200
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return text
}

var errAddress = message.Errorf("it is not the address of a server")

// addressOf parses an address. Like Ollama's it may lack a scheme; it then gets the port of otherwise unless it has
// one.
func addressOf(text, otherwise string) (string, error) {
	if text == "" {
		return otherwise, nil
	}
	bare := !strings.Contains(text, "://")
	if bare {
		text = "http://" + text
	}
	u, err := url.Parse(text)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return "", errAddress // not quoted: it may contain a password
	}
	if usual, err := url.Parse(otherwise); err == nil && bare && u.Port() == "" && usual.Port() != "" {
		u.Host = net.JoinHostPort(u.Hostname(), usual.Port())
	}
	return strings.TrimSuffix(u.String(), "/"), nil
}
