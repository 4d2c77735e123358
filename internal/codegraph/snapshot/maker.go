package snapshot

import (
	"context"
	"errors"
	"fmt"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/store"
	"github.com/reverse-spec/reverse-spec/internal/x/arena"
)

// Maker makes the snapshot of a graph while the graph is built, so that nobody has to read the whole graph for it. It must be closed.
type Maker struct {
	b      *builder // nil if it is closed
	memory arena.Arena
}

// NewMaker returns the maker of the snapshot of an empty graph.
func NewMaker() *Maker {
	m := &Maker{b: newBuilder()}
	m.b.words.occurrences = arena.List[uint32](&m.memory, mostOccurrences)
	m.b.words.runs = arena.List[run](&m.memory, mostOccurrences/4)
	m.b.edges = arena.List[edge](&m.memory, mostEdges)
	m.b.nodes = arena.List[record](&m.memory, mostEdges/4)
	m.b.strings.table.Text = append(arena.List[byte](&m.memory, mostText), m.b.strings.table.Text...)
	return m
}

// Close gives up what was not written.
func (m *Maker) Close() error {
	m.b = nil
	return m.memory.Free()
}

// Errors of graphs whose snapshots are made when they are first needed.
var (
	errLate = errors.New("a node of a file was added after the words of the file")
	errMany = errors.New("the graph is too large to be held in memory")
)

// What a maker holds at most: 64 MB of occurrences of words, and 56 MB of edges.
const (
	mostOccurrences = 1 << 24
	mostEdges       = 1 << 21
	mostText        = 1 << 26 // beyond that, texts are in the heap
)

// Add adds files, nodes and edges. Nodes come in the order of their ids. After an error the maker is of no use.
func (m *Maker) Add(u *store.Update) error {
	b := m.b
	for i := range u.Nodes {
		if f := b.words.files[u.Nodes[i].File]; f != nil && f.whole {
			return errLate
		}
		if err := b.addNode(&u.Nodes[i]); err != nil {
			return err
		}
	}
	for i := range u.Files {
		f := b.words.of(u.Files[i].ID)
		if f.whole {
			return errLate
		}
		f.whole = true
		if err := b.words.addFile(u.Files[i].ID, u.Files[i].Words); err != nil {
			return err
		}
	}
	for i := range u.Edges {
		e, err := b.numbered(&u.Edges[i])
		if err != nil {
			return err
		}
		b.join(e)
	}
	if len(b.words.occurrences) > mostOccurrences || len(b.edges) > mostEdges {
		return errMany
	}
	return nil
}

// Write writes the snapshot of the graph in a state, as [Write] does. Then the maker can only be closed.
func (m *Maker) Write(ctx context.Context, path string, state store.State) error {
	p := planned{state: state}
	if err := p.finish(ctx, m.b); err != nil {
		return fmt.Errorf("write snapshot: %w", err)
	}
	return p.write(path)
}

// finish lays out what a maker has.
func (p *planned) finish(ctx context.Context, b *builder) error {
	b.makeBuckets()
	for i := range b.edges {
		if err := b.locate(&b.edges[i]); err != nil {
			return err
		}
	}
	l, err := b.lists(ctx)
	if err != nil {
		return err
	}
	return p.lay(b, &l, nil)
}
