package search_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/reverse-spec/reverse-spec/internal/codegraph"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/search"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/snapshot"
)

// symbols are nodes in memory.
type symbols []codegraph.Node

func (s symbols) Labelled(_ context.Context, labels ...codegraph.Label) (ids []codegraph.ID, err error) {
	for _, n := range s {
		if slices.Contains(labels, n.Label) {
			ids = append(ids, n.ID)
		}
	}
	return ids, nil
}

func (s symbols) Nodes(_ context.Context, ids []codegraph.ID, _ ...codegraph.Field) ([]codegraph.Node, error) {
	nodes := make([]codegraph.Node, len(ids))
	for i, id := range ids {
		if k := slices.IndexFunc(s, func(n codegraph.Node) bool { return n.ID == id }); k >= 0 {
			nodes[i] = s[k]
		}
	}
	return nodes, nil
}

// oracle embeds texts in memory.
type oracle struct {
	name   string
	vector func(text string) []float32
	asked  []string
	err    error // from the second batch on
}

func (o *oracle) Name() string    { return o.name }
func (o *oracle) Dimensions() int { return 0 }

func (o *oracle) Embed(_ context.Context, texts []string) (vectors [][]float32, err error) {
	if o.err != nil && len(o.asked) > 0 {
		return nil, o.err
	}
	for _, text := range texts {
		o.asked = append(o.asked, text)
		vectors = append(vectors, o.vector(text))
	}
	return vectors, nil
}

// about has a number for each of a few words.
func about(text string) []float32 {
	var v []float32
	for _, word := range []string{"file", "user", "send"} {
		v = append(v, float32(strings.Count(text, word)))
	}
	return v
}

func some(n int) (s symbols) {
	for i := range n {
		s = append(s, codegraph.Node{ID: codegraph.ID(i + 1), Label: codegraph.LabelFunction, Name: fmt.Sprintf("f%d", i), Signature: []string{"file", "user", "send"}[i%3]})
	}
	return append(s, codegraph.Node{ID: 900, Label: codegraph.LabelVariable, Name: "user"})
}

func ids(hits []snapshot.Hit) (out []codegraph.ID) {
	for _, h := range hits {
		out = append(out, h.ID)
	}
	return out
}

func TestNearestMeansTheSame(t *testing.T) {
	o := &oracle{name: "a", vector: about}
	v, err := search.OpenVectors(t.Context(), some(6), o, search.VectorOptions{Path: filepath.Join(t.TempDir(), "v")})
	check(t, err)
	defer v.Close()
	hits, err := v.Nearest(t.Context(), "user user", 2)
	check(t, err)
	same(t, "nearest", hits, []snapshot.Hit{{ID: 2, Score: 1}, {ID: 5, Score: 1}})
	hits, err = v.Nearest(t.Context(), "nothing", 2)
	check(t, err)
	same(t, "of nothing", len(hits), 0)
}

func TestOnlyNewTextsAreEmbedded(t *testing.T) {
	path := filepath.Join(t.TempDir(), "v")
	open := func(s symbols, o *oracle, stamp string) []codegraph.ID {
		t.Helper()
		v, err := search.OpenVectors(t.Context(), s, o, search.VectorOptions{Path: path, Stamp: stamp})
		check(t, err)
		defer v.Close()
		n := len(o.asked)
		hits, err := v.Nearest(t.Context(), "file", 1)
		check(t, err)
		o.asked = o.asked[:n]
		return ids(hits)
	}
	first := &oracle{name: "a", vector: about}
	same(t, "found", open(some(3), first, "1"), []codegraph.ID{1})
	same(t, "the first time", len(first.asked), 3)

	again := &oracle{name: "a", vector: about}
	same(t, "found", open(some(5), again, "1"), []codegraph.ID{1})
	same(t, "the same state", len(again.asked), 0)

	changed := some(4)
	changed[0].Doc, changed[3].Doc = "sends", "file file"
	changed[0], changed[3] = changed[3], changed[0]
	same(t, "found", open(changed, again, "2"), []codegraph.ID{4})
	same(t, "new texts", again.asked, []string{search.TextOf(&changed[0]), search.TextOf(&changed[3])})

	other := &oracle{name: "b", vector: about}
	same(t, "found", open(changed, other, "2"), []codegraph.ID{4})
	same(t, "another model", len(other.asked), 4)
}

func TestAModelThatChangedUnderItsName(t *testing.T) {
	path := filepath.Join(t.TempDir(), "v")
	opts := search.VectorOptions{Path: path, Stamp: "1"}
	v, err := search.OpenVectors(t.Context(), some(3), &oracle{name: "a", vector: about}, opts)
	check(t, err)
	check(t, v.Close())
	longer := &oracle{name: "a", vector: func(text string) []float32 { return append(about(text), 1) }}
	v, err = search.OpenVectors(t.Context(), some(3), longer, opts)
	check(t, err)
	_, err = v.Nearest(t.Context(), "file", 1)
	if other := (*search.DimensionsError)(nil); !errors.As(err, &other) || *other != (search.DimensionsError{Got: 4, Want: 3}) {
		t.Errorf("error %v", err)
	}
	check(t, v.Close())
	for i := range 2 { // after the file was thrown away, and where it is there
		longer.asked = nil
		opts.Stamp = fmt.Sprint("changed", i)
		v, err = search.OpenVectors(t.Context(), some(3+i), longer, opts)
		check(t, err)
		hits, err := v.Nearest(t.Context(), "file", 1)
		check(t, err)
		same(t, "found", ids(hits), []codegraph.ID{1})
		check(t, v.Close())
		longer.vector = func(text string) []float32 { return append(about(text), 1, 1) }
	}
	same(t, "asked", len(longer.asked), 1+4+1) // of the new one, then of all, and of the question
}

func TestVectorsBeforeAnErrorAreKept(t *testing.T) {
	opts := search.VectorOptions{Path: filepath.Join(t.TempDir(), "v"), Stamp: "1"}
	s := some(100)
	o := &oracle{name: "a", vector: about, err: errors.New("away")}
	if _, err := search.OpenVectors(t.Context(), s, o, opts); !errors.Is(err, o.err) {
		t.Fatalf("error %v", err)
	}
	same(t, "asked", len(o.asked), 64)
	o = &oracle{name: "a", vector: about}
	v, err := search.OpenVectors(t.Context(), s, o, opts)
	check(t, err)
	check(t, v.Close())
	same(t, "asked then", len(o.asked), 36)
	left, err := os.ReadDir(filepath.Dir(opts.Path))
	check(t, err)
	same(t, "files", len(left), 1)
}

func TestDamagedVectorsAreRebuilt(t *testing.T) {
	opts := search.VectorOptions{Path: filepath.Join(t.TempDir(), "v"), Stamp: "1"}
	v, err := search.OpenVectors(t.Context(), some(9), &oracle{name: "a", vector: about}, opts)
	check(t, err)
	check(t, v.Close())
	whole, err := os.ReadFile(opts.Path)
	check(t, err)
	for _, harm := range []func(data []byte) []byte{
		func([]byte) []byte { return nil },
		func(data []byte) []byte { return data[:len(data)/2] },
		func(data []byte) []byte { return data[3:] },
		func(data []byte) []byte { data[len(data)-2]++; return data },
		func(data []byte) []byte { data[len(data)-7]++; return data },
		func(data []byte) []byte { data[9*3*4]++; return data },
	} {
		check(t, os.WriteFile(opts.Path, harm(slices.Clone(whole)), 0o600))
		o := &oracle{name: "a", vector: about}
		v, err := search.OpenVectors(t.Context(), some(9), o, opts)
		check(t, err)
		check(t, v.Close())
		same(t, "asked", len(o.asked), 9)
	}
}

// TestSketchesFindTheNearest compares with looking at every vector.
func TestSketchesFindTheNearest(t *testing.T) {
	const dimensions, topics = 64, 40
	r := rand.New(rand.NewPCG(1, 1))
	centres := make([][]float32, topics)
	for i := range centres {
		for range dimensions {
			centres[i] = append(centres[i], float32(r.NormFloat64())+1) // shifted
		}
	}
	vectorOf := func(text string) []float32 {
		var topic, noise uint64
		_, err := fmt.Sscanf(text[strings.LastIndexByte(text, '\n')+1:], "topic %d %d", &topic, &noise)
		check(t, err)
		r := rand.New(rand.NewPCG(topic, noise))
		v := slices.Clone(centres[topic])
		for i := range v {
			v[i] += float32(r.NormFloat64()) * 0.6
		}
		return v
	}
	var s symbols
	for i := range 6000 {
		s = append(s, codegraph.Node{ID: codegraph.ID(i + 1), Label: codegraph.LabelFunction, Signature: fmt.Sprintf("topic %d %d", i%topics, i)})
	}
	found := map[bool][][]codegraph.ID{}
	for _, exact := range []bool{false, true} {
		v, err := search.OpenVectors(t.Context(), s, &oracle{name: "a", vector: vectorOf}, search.VectorOptions{Path: filepath.Join(t.TempDir(), "v"), Exact: exact})
		check(t, err)
		for q := range 50 {
			hits, err := v.Nearest(t.Context(), fmt.Sprintf("topic %d %d", q%topics, 10_000+q), 10)
			check(t, err)
			found[exact] = append(found[exact], ids(hits))
		}
		check(t, v.Close())
	}
	both := 0
	for q := range 50 {
		for _, id := range found[true][q] {
			if slices.Contains(found[false][q], id) {
				both++
			}
		}
	}
	if both < 490 {
		t.Errorf("%d of 500", both)
	}
}

func TestAbandonedFilesAreRemoved(t *testing.T) {
	path := filepath.Join(t.TempDir(), "v")
	check(t, os.WriteFile(path+".new-1", nil, 0o600))
	check(t, os.WriteFile(path+".new-2", nil, 0o600))
	check(t, os.Chtimes(path+".new-1", time.Time{}, time.Now().Add(-2*time.Hour)))
	v, err := search.OpenVectors(t.Context(), some(3), &oracle{name: "a", vector: about}, search.VectorOptions{Path: path})
	check(t, err)
	check(t, v.Close())
	left, err := filepath.Glob(path + "*")
	check(t, err)
	same(t, "left", left, []string{path, path + ".new-2"}) // which another may be writing
}
