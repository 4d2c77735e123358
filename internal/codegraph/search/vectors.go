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

// Vectors are the vectors of a graph's symbols, for use by many goroutines.
type Vectors struct {
	file     *vectorFile
	embedder Embedder
	exact    bool
	mu       sync.RWMutex // held by readers, and by Close alone
}

// Symbols is what vectors are made of; a graph.Reader is one.
type Symbols interface {
	Labelled(ctx context.Context, labels ...codegraph.Label) ([]codegraph.ID, error)
	Nodes(ctx context.Context, ids []codegraph.ID, fields ...codegraph.Field) ([]codegraph.Node, error)
}

// VectorOptions say which vectors are wanted.
type VectorOptions struct {
	// Path is the file that keeps them: the derived file of a store's graph and
	// [VectorsEnd] is removed with the graph.
	Path string
	// Stamp tells states of the graph apart, such as its identity and serial.
	Stamp string
	// Text is what a symbol is told the embedder by; nil for [TextOf].
	Text func(n *codegraph.Node) string
	// Exact compares with every vector instead of those whose sketches are alike.
	Exact bool
}

// VectorsEnd is the end of the name of a file of vectors.
const VectorsEnd = ".vectors"

// embedded are the nodes that have vectors.
var embedded = []codegraph.Label{ //nolint:gochecknoglobals // a table
	codegraph.LabelFunction, codegraph.LabelMethod, codegraph.LabelClass, codegraph.LabelInterface, codegraph.LabelEnum, codegraph.LabelType, codegraph.LabelUnion,
}

// TextOf says what a symbol is: its kind, its names, where it is, its signature and its
// documentation.
func TextOf(n *codegraph.Node) string {
	text := fmt.Sprintf("%s %s in %s", cmp.Or(n.Kind, strings.ToLower(string(n.Label))), n.Name, n.Path)
	if of := around(n); of != "" {
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

// around is the name of what a symbol is declared in.
func around(n *codegraph.Node) string {
	parts := strings.Split(strings.TrimSuffix(n.QualifiedName, "."+n.Name), ".")
	last := parts[len(parts)-1]
	if last == strings.TrimSuffix(path.Base(n.Path), path.Ext(n.Path)) {
		return ""
	}
	return last
}

// OpenVectors opens the vectors of a graph's symbols. Where the file has none of them,
// or those of another state, the embedder is asked for the vectors of the texts that are
// new; those of another model do not count. What was answered before an error is kept.
// Progress is reported as the stage "embed". The caller closes the vectors.
func OpenVectors(ctx context.Context, of Symbols, e Embedder, opts VectorOptions) (*Vectors, error) {
	old, err := openVectors(opts.Path)
	if err != nil || old.Model != e.Name() {
		shut(old)
		old = nil
	}
	if old != nil && old.Stamp == opts.Stamp && opts.Stamp != "" {
		return &Vectors{file: old, embedder: e, exact: opts.Exact}, nil
	}
	file, err := refresh(ctx, of, e, opts, old)
	if other := (*DimensionsError)(nil); errors.As(err, &other) && old != nil { // another model of the same name
		file, err = refresh(ctx, of, e, opts, nil)
	}
	shut(old)
	if err != nil {
		return nil, message.Errorf("vectors: %w", err)
	}
	return &Vectors{file: file, embedder: e, exact: opts.Exact}, nil
}

// shut closes a file, if there is one.
func shut(f *vectorFile) {
	if f != nil {
		_ = f.file.Close() // of which nothing was written
	}
}

// refresh writes the file anew, with what the old one has.
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
	r := &refreshing{of: of, embedder: e, text: opts.Text, old: old, known: map[sum]int{}, w: w}
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
				f, err2 := w.finish("") // what there is need not be asked for again
				shut(f)
				err = errors.Join(err, err2)
			}
			return nil, err
		}
		progress.Report(ctx, progress.Event{Stage: "embed", Done: min(done+batchTexts, len(ids)), Total: len(ids)})
	}
	return w.finish(opts.Stamp)
}

// refreshing is the writing of vectors under way.
type refreshing struct {
	of       Symbols
	embedder Embedder
	text     func(n *codegraph.Node) string
	old      *vectorFile
	known    map[sum]int // places in old
	w        *vectorWriter
	asked    bool // the embedder was, and answered
}

// some adds the vectors of some nodes.
func (r *refreshing) some(ctx context.Context, ids []codegraph.ID) error {
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
				vector = make([]float32, len(vector)) // which is like nothing
			}
		}
		if err := errors.Join(err, r.w.add(id, sums[i], vector)); err != nil {
			return err
		}
	}
	return nil
}

// Close lets go of the file.
func (v *Vectors) Close() error {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.file.file.Close()
}

// rescored is how many vectors are looked at whose sketches are alike.
const rescored = 500

// Nearest returns the symbols whose meaning is nearest to that of a text, the nearest
// first; the scores are cosines. The error is a [*DimensionsError] (wrapped) when the
// model is another than that of the vectors: they are then thrown away, so that the next
// [OpenVectors] asks for them anew.
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

// candidates are the places of vectors that may be near to one.
func (v *Vectors) candidates(query []float32) []int {
	if v.exact || len(v.file.ids) <= rescored {
		all := make([]int, len(v.file.ids))
		for i := range all {
			all[i] = i
		}
		return all
	}
	return nearest(v.file.sketches, sketch(nil, query, v.file.mean), rescored)
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
