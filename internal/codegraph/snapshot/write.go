package snapshot

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/reverse-spec/reverse-spec/internal/codegraph"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/store"
	"github.com/reverse-spec/reverse-spec/internal/progress"
	"github.com/reverse-spec/reverse-spec/internal/x/openfile"
)

// Section is additional data to store in a snapshot, such as vectors of its nodes.
type Section struct {
	Name string // at most 11 bytes
	Data []byte
}

// errChanged is returned for a graph that was updated while it was read.
var errChanged = errors.New("the graph changed while it was read")

// Write writes the snapshot of a graph and replaces the file at path. On error the old file stays.
func Write(ctx context.Context, path string, source store.Contents, more ...Section) error {
	if err := write(ctx, path, source, nil, more); err != nil {
		return fmt.Errorf("write snapshot: %w", err)
	}
	return nil
}

// write makes the snapshot from that of an earlier state unless old is nil.
func write(ctx context.Context, path string, source store.Contents, old *Snapshot, more []Section) error {
	p, err := plan(ctx, source, old, more)
	if err != nil {
		return err
	}
	return p.write(path)
}

// planned is a snapshot that is not written yet.
type planned struct {
	head     []byte
	at       []uint64
	sections []section
	state    store.State
}

func plan(ctx context.Context, source store.Contents, old *Snapshot, more []Section) (p planned, err error) {
	if p.state, err = source.State(ctx); err != nil {
		return p, err
	}
	b, l, err := contents(ctx, source, old, p.state.NextNode)
	if err != nil {
		return p, err
	}
	after, err := source.State(ctx)
	if err != nil {
		return p, err
	}
	if after.Serial != p.state.Serial || after.Identity != p.state.Identity {
		return p, errChanged
	}
	return p, p.lay(b, &l, more)
}

// write replaces the file at a path.
func (p *planned) write(path string) error {
	RemoveAbandoned(path)
	return replace(path, func(w io.Writer) error { return writeSections(w, p.head, p.at, p.sections) })
}

// lay lays out the sections.
func (p *planned) lay(b *builder, l *lists, more []Section) (err error) {
	if p.sections, err = b.sections(l); err != nil {
		return err
	}
	for _, s := range more {
		p.sections = append(p.sections, section{extra + s.Name, s.Data})
	}
	p.head, p.at, err = header(p.state.Serial, p.state.Identity, p.sections)
	return err
}

// contents returns a builder with the nodes, edges and lists of a source, whose ids are lower than next.
func contents(ctx context.Context, source store.Contents, old *Snapshot, next codegraph.ID) (b *builder, l lists, err error) {
	if old != nil {
		b, l, err = extend(ctx, source, old)
		if !errors.Is(err, errOther) && !errors.Is(err, ErrDamaged) {
			return b, l, err
		}
	}
	b = newBuilder()
	node := func(n store.Node) error {
		report(ctx, len(b.nodes), n.Path, int(n.ID), int(next))
		return b.addNode(&n)
	}
	if err := source.All(ctx, nil, node, b.addEdge); err != nil {
		return nil, l, err
	}
	if err := source.Words(ctx, nil, b.words.addFile); err != nil {
		return nil, l, err
	}
	l, err = b.lists(ctx)
	return b, l, err
}

// reportEvery is how many nodes or terms there are between two reports of progress.
const reportEvery = 1 << 12

func isReported(times int) bool { return times%reportEvery == reportEvery-1 }

// report says how far the making of a snapshot is, at every reportEvery-th time.
func report(ctx context.Context, times int, item string, done, total int) {
	if isReported(times) {
		progress.Report(ctx, progress.Event{Stage: "prepare", Item: item, Done: done, Total: max(done, total)})
	}
}

// inMemory returns the snapshot of a graph in memory, for a folder that cannot be written.
func inMemory(ctx context.Context, source store.Contents) (*Snapshot, error) {
	p, err := plan(ctx, source, nil, nil)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	if err := writeSections(&b, p.head, p.at, p.sections); err != nil {
		return nil, err
	}
	s := &Snapshot{data: b.Bytes(), unmap: func() error { return nil }}
	if err := s.parse(); err != nil {
		return nil, err
	}
	return s, s.layOut()
}

// writeSections writes the header, and the sections at their offsets.
func writeSections(w io.Writer, head []byte, at []uint64, sections []section) error {
	if _, err := w.Write(head); err != nil {
		return err
	}
	written := uint64(len(head))
	for i, s := range sections {
		if _, err := w.Write(make([]byte, at[i]-written)); err != nil {
			return err
		}
		if _, err := w.Write(s.data); err != nil {
			return err
		}
		written = at[i] + uint64(len(s.data))
	}
	return nil
}

// replace writes a temporary file and renames it to path. It does not sync: data lost in a crash is detected by the
// checksums.
func replace(path string, fill func(w io.Writer) error) (err error) {
	f, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+tempMark+"*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.Remove(f.Name()))
		}
	}()
	if err := errors.Join(fill(f), f.Close()); err != nil {
		return err
	}
	if err := replaceable(path); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}

// replaceable returns an error if the file exists and is not a snapshot.
func replaceable(path string) error {
	f, err := openfile.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	head := make([]byte, markSize)
	n, err := io.ReadFull(f, head)
	if err = errors.Join(ignoreEnd(err), f.Close()); err == nil && !ours(head[:n]) {
		err = fmt.Errorf("%s: %w", path, ErrForeign)
	}
	return err
}

// ignoreEnd returns nil for the end of a file.
func ignoreEnd(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return nil
	}
	return err
}

// tempMark is part of the names of temporary files.
const tempMark = ".new-"

// abandonedAge is the age from which a temporary file is taken to be left by a killed process.
const abandonedAge = time.Hour

// RemoveAbandoned removes temporary files that killed processes left for the file at path: files of its name
// followed by ".new-" and more, not written for an hour.
func RemoveAbandoned(path string) {
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil {
		return
	}
	for _, e := range entries {
		if info, err := e.Info(); err == nil && strings.HasPrefix(e.Name(), filepath.Base(path)+tempMark) && time.Since(info.ModTime()) > abandonedAge {
			_ = os.Remove(filepath.Join(filepath.Dir(path), e.Name()))
		}
	}
}

// maxTries bounds how often a graph is read that others keep updating.
const maxTries = 5

// Load opens the snapshot of the current state of a stored graph. If there is none or it cannot be used, Load
// writes it first, from that of an earlier state if there is one; if no file can be written, it builds the snapshot in memory.
func Load(ctx context.Context, g store.Graph) (*Snapshot, error) {
	for range maxTries {
		state, err := g.State(ctx)
		if err != nil {
			return nil, fmt.Errorf("load snapshot: %w", err)
		}
		s, err := Open(g.Derived(), state.Serial, state.Identity)
		if err == nil {
			return s, nil
		}
		if !errors.Is(err, os.ErrNotExist) && !errors.Is(err, ErrStale) && !errors.Is(err, ErrDamaged) {
			return nil, err
		}
		err = renew(ctx, g, state)
		if openfile.ReadOnly(err) {
			s, err = inMemory(ctx, g)
			if err == nil {
				return s, nil
			}
		}
		if err != nil && !errors.Is(err, errChanged) {
			return nil, err
		}
	}
	return nil, fmt.Errorf("load snapshot: %w", errChanged)
}

// renew writes the snapshot of a graph.
func renew(ctx context.Context, g store.Graph, state store.State) error {
	source, err := near(ctx, g)
	if err != nil {
		return err
	}
	old, err := open(g.Derived(), func(s *Snapshot) error {
		if s.identity != state.Identity || s.serial >= state.Serial {
			return ErrStale
		}
		return nil
	})
	if err != nil {
		return Write(ctx, g.Derived(), source)
	}
	if err = write(ctx, g.Derived(), source, old, nil); err != nil {
		err = fmt.Errorf("write snapshot: %w", err)
	}
	return errors.Join(err, old.Close())
}

// near returns what the snapshot of a graph is made of.
func near(ctx context.Context, g store.Graph) (store.Contents, error) {
	if far, ok := g.(store.Distant); ok {
		return far.Near(ctx)
	}
	return g, nil
}
