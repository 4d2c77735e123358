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

// Embedder makes vectors of texts, so that texts which mean alike lie close together.
// It is for use by many goroutines.
type Embedder interface {
	// Name tells apart embedders whose vectors do not compare.
	Name() string
	// Dimensions is how long the vectors are; 0 before the first was made, where only
	// the model knows.
	Dimensions() int
	// Embed returns a vector for each text, in their order. The error is the
	// context's, or says why the model cannot be had.
	Embed(ctx context.Context, texts []string) ([][]float32, error)
}

// The variables of the environment that choose an embedder.
const (
	embedderVariable = "REVERSE_SPEC_EMBEDDER"    // none, ollama or openai; none for ""
	modelVariable    = "REVERSE_SPEC_EMBED_MODEL" // "" for the service's default below
)

// service is a way to ask for embeddings over HTTP.
type service struct {
	address, key string // the variables that hold them; "" for no key
	model, at    string // unless told otherwise
	path         string
	vectors      func(a *answer) [][]float32 // in the order of the texts
}

// answer is what services answer, each in its part.
type answer struct {
	Embeddings [][]float32 `json:"embeddings"` // Ollama
	Data       []struct {  // OpenAI
		Index     int       `json:"index"`
		Embedding []float32 `json:"embedding"`
	} `json:"data"`
}

var services = map[string]service{ //nolint:gochecknoglobals // a table
	"ollama": {
		address: "OLLAMA_HOST", at: "http://127.0.0.1:11434", model: "nomic-embed-text", path: "/api/embed",
		vectors: func(a *answer) [][]float32 { return a.Embeddings },
	},
	"openai": {
		address: "OPENAI_BASE_URL", key: "OPENAI_API_KEY", at: "https://api.openai.com/v1", model: "text-embedding-3-small", path: "/embeddings",
		vectors: inOrder,
	},
}

// inOrder puts embeddings where their texts were.
func inOrder(a *answer) [][]float32 {
	vectors := make([][]float32, len(a.Data))
	for _, d := range a.Data {
		if d.Index >= 0 && d.Index < len(vectors) {
			vectors[d.Index] = d.Embedding
		}
	}
	return vectors
}

// NewEmbedder returns the embedder that the environment asks for: nil where it asks for
// none. Nothing is sent anywhere before the first use.
func NewEmbedder(getenv func(name string) string) (Embedder, error) {
	name := strings.ToLower(strings.TrimSpace(getenv(embedderVariable)))
	if name == "" || name == "none" {
		return nil, nil //nolint:nilnil // no embedder is no error
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

// quoted is as much of a text as an error repeats.
func quoted(text string) string {
	const most = 200
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return text
}

var errAddress = message.Errorf("it is not the address of a server")

// addressOf reads an address that may lack its scheme, as Ollama's may, and then has the
// other address's port where it names none.
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
		return "", errAddress // which may hold a password: it is not named
	}
	if usual, err := url.Parse(otherwise); err == nil && bare && u.Port() == "" && usual.Port() != "" {
		u.Host = net.JoinHostPort(u.Hostname(), usual.Port())
	}
	return strings.TrimSuffix(u.String(), "/"), nil
}
