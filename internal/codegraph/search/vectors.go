package search

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/reverse-spec/reverse-spec/internal/codegraph"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/snapshot"
	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/progress"
)

// Vectors are the embedding vectors of a graph's symbols. It is safe for concurrent use.
type Vectors struct {
	file     *vectorFile
	embedder Embedder
	exact    bool
	mu       sync.RWMutex // read lock held by readers, write lock by Close
}

// Symbols are the nodes to embed; codegraph.Reader implements it.
type Symbols interface {
	Labelled(ctx context.Context, labels ...codegraph.Label) ([]codegraph.ID, error)
	Nodes(ctx context.Context, ids []codegraph.ID, fields ...codegraph.Field) ([]codegraph.Node, error)
}

// VectorOptions configure [OpenVectors].
type VectorOptions struct {
	// Path is the file for the vectors. If it is the derived file of a stored graph followed by [VectorsSuffix], it is
	// removed with the graph.
	Path string
	// Stamp identifies the state of the graph, such as by identity and serial.
	Stamp string
	// Text returns the text to embed for a symbol; nil for [TextOf].
	Text func(n *codegraph.Node) string
	// Exact compares with every vector instead of preselecting by sketch.
	Exact bool
}

// VectorsSuffix is the suffix of vector files.
const VectorsSuffix = ".vectors"

// embedded are the labels of nodes with vectors.
var embedded = []codegraph.Label{
	codegraph.LabelFunction, codegraph.LabelMethod, codegraph.LabelClass, codegraph.LabelInterface, codegraph.LabelEnum, codegraph.LabelType, codegraph.LabelUnion,
}

// TextOf describes a symbol: its kind, names, location, signature and documentation.
func TextOf(n *codegraph.Node) string {
	text := fmt.Sprintf("%s %s in %s", cmp.Or(n.Kind, strings.ToLower(string(n.Label))), n.Name, n.Path)
	if of := enclosing(n); of != "" {
		text += " of " + of
	}
	return strings.Join(append([]string{text}, nonEmpty(n.Signature, n.Doc)...), "\n")
}

func nonEmpty(list ...string) (kept []string) {
	for _, s := range list {
		if s != "" {
			kept = append(kept, s)
		}
	}
	return kept
}

// enclosing returns the name of the enclosing declaration.
func enclosing(n *codegraph.Node) string {
	parts := strings.Split(strings.TrimSuffix(n.QualifiedName, "."+n.Name), ".")
	last := parts[len(parts)-1]
	if last == strings.TrimSuffix(path.Base(n.Path), path.Ext(n.Path)) {
		return ""
	}
	return last
}

// OpenVectors opens the vectors of a graph's symbols. If the file is missing or of another state of the graph, it
// requests the vectors of new texts from the embedder and keeps the others; those of another model are discarded.
// Vectors received before an error are kept. Progress is reported as the stage "embed". The caller closes the
// vectors.
func OpenVectors(ctx context.Context, of Symbols, e Embedder, opts VectorOptions) (*Vectors, error) {
	old, err := openVectors(opts.Path)
	if err != nil || old.Model != e.Name() {
		closeFile(old)
		old = nil
	}
	if old != nil && old.Stamp == opts.Stamp && opts.Stamp != "" {
		return &Vectors{file: old, embedder: e, exact: opts.Exact}, nil
	}
	file, err := refresh(ctx, of, e, opts, old)
	if other := (*DimensionsError)(nil); errors.As(err, &other) && old != nil { // another model with the same name
		file, err = refresh(ctx, of, e, opts, nil)
	}
	closeFile(old)
	if err != nil {
		return nil, message.Errorf("vectors: %w", err)
	}
	return &Vectors{file: file, embedder: e, exact: opts.Exact}, nil
}

// closeFile closes a file unless it is nil.
func closeFile(f *vectorFile) {
	if f != nil {
		_ = f.file.Close() // only read
	}
}

// refresh writes a new file, reusing the vectors of the old one.
func refresh(ctx context.Context, of Symbols, e Embedder, opts VectorOptions, old *vectorFile) (*vectorFile, error) {
	ids, err := of.Labelled(ctx, embedded...)
	if err != nil {
		return nil, err
	}
	w, err := newVectorWriter(opts.Path, e.Name())
	if err != nil {
		return nil, err
	}
	defer w.discard()
	r := &refreshRun{of: of, embedder: e, text: opts.Text, old: old, known: map[sum]int{}, w: w}
	if r.text == nil {
		r.text = TextOf
	}
	if old != nil {
		for i, s := range old.sums {
			r.known[s] = i
		}
	}
	for done := 0; done < len(ids); done += batchTexts {
		if err := r.some(ctx, ids[done:min(done+batchTexts, len(ids))]); err != nil {
			if other := (*DimensionsError)(nil); !errors.As(err, &other) && r.asked {
				f, err2 := w.finish("") // so that these vectors need not be requested again
				closeFile(f)
				err = errors.Join(err, err2)
			}
			return nil, err
		}
		progress.Report(ctx, progress.Event{Stage: "embed", Done: min(done+batchTexts, len(ids)), Total: len(ids)})
	}
	return w.finish(opts.Stamp)
}

// refreshRun is a refresh in progress.
type refreshRun struct {
	of       Symbols
	embedder Embedder
	text     func(n *codegraph.Node) string
	old      *vectorFile
	known    map[sum]int // indexes in old
	w        *vectorWriter
	asked    bool // the embedder was called and answered
}

// some adds the vectors of some nodes.
func (r *refreshRun) some(ctx context.Context, ids []codegraph.ID) error {
	nodes, err := r.of.Nodes(ctx, ids)
	if err != nil {
		return err
	}
	sums, texts := make([]sum, len(nodes)), []string(nil)
	for i := range nodes {
		text := r.text(&nodes[i])
		hash := sha256.Sum256([]byte(text))
		copy(sums[i][:], hash[:])
		if _, there := r.known[sums[i]]; !there {
			texts = append(texts, text)
		}
	}
	var fresh [][]float32
	if len(texts) > 0 {
		if fresh, err = r.embedder.Embed(ctx, texts); err != nil {
			return err
		}
		r.asked = true
	}
	for i, id := range ids {
		var vector []float32
		if place, there := r.known[sums[i]]; there {
			vector = make([]float32, r.old.Dimensions)
			err = r.old.vector(place, vector)
		} else {
			vector, fresh = fresh[0], fresh[1:]
			if !unit(vector) {
				vector = make([]float32, len(vector)) // a zero vector, similar to nothing
			}
		}
		if err := errors.Join(err, r.w.add(id, sums[i], vector)); err != nil {
			return err
		}
	}
	return nil
}

// Close closes the file.
func (v *Vectors) Close() error {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.file.file.Close()
}

// maxRescored is the number of preselected vectors that are compared exactly.
const maxRescored = 500

// Nearest returns the symbols nearest in meaning to a text, nearest first; scores are cosines. The error wraps a
// [*DimensionsError] if the model changed: the vectors are then removed, so that the next [OpenVectors] requests
// new ones.
func (v *Vectors) Nearest(ctx context.Context, text string, limit int) ([]snapshot.Hit, error) {
	v.mu.RLock()
	defer v.mu.RUnlock()
	answers, err := v.embedder.Embed(ctx, []string{text})
	if err != nil {
		return nil, err
	}
	query := slices.Clone(answers[0])
	if len(query) != v.file.Dimensions && len(v.file.ids) > 0 {
		err := &DimensionsError{Got: len(query), Want: v.file.Dimensions}
		return nil, errors.Join(message.Errorf("the model has changed: %w", err), os.Remove(v.file.file.Name()))
	}
	if !unit(query) || len(v.file.ids) == 0 {
		return nil, nil
	}
	return v.rescore(ctx, query, v.candidates(query), limit)
}

// candidates returns the indexes of vectors that may be near to query.
func (v *Vectors) candidates(query []float32) []int {
	if v.exact || len(v.file.ids) <= maxRescored {
		all := make([]int, len(v.file.ids))
		for i := range all {
			all[i] = i
		}
		return all
	}
	return nearest(v.file.sketches, sketch(nil, query, v.file.mean), maxRescored)
}

func (v *Vectors) rescore(ctx context.Context, query []float32, places []int, limit int) ([]snapshot.Hit, error) {
	list := make([]scored, 0, len(places))
	vector := make([]float32, v.file.Dimensions)
	for _, place := range places {
		if len(list)%1024 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err := v.file.vector(place, vector); err != nil {
			return nil, message.Errorf("read vectors: %w", err)
		}
		list = append(list, scored{place, product(query, vector)})
	}
	best := bestOf(list, limit)
	hits := make([]snapshot.Hit, len(best))
	for i, b := range best {
		hits[i] = snapshot.Hit{ID: v.file.ids[b.place], Score: b.score}
	}
	return hits, nil
}
