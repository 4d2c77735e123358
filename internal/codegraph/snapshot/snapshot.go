// Package snapshot stores a graph in a read-only form: one file that is mapped into memory, with the nodes and
// edges in arrays and a full-text index. [Load] opens the [Snapshot] of a stored graph, and writes it if needed.
//
// A snapshot is derived from one state of one stored graph. If the graph has changed, the next one is made from it and
// what changed; it is discarded if another version of this program wrote it, or if it is damaged. An open snapshot
// stays readable when it is replaced.
//
// Each section of the file has a checksum, which is verified when the section is first read: opening a snapshot
// takes the same time for any graph.
package snapshot

import (
	"errors"
	"fmt"
	"os"
	"sync"

	"github.com/reverse-spec/reverse-spec/internal/codegraph"
)

// ErrStale is returned for a snapshot of another state, of another graph or by another version of this program.
var ErrStale = errors.New("the snapshot is of another state or version")

// ErrDamaged is returned for a snapshot with invalid contents. Its file has been removed, so that [Load] writes a
// new one.
var ErrDamaged = errors.New("the snapshot is damaged")

// ErrForeign is returned if the snapshot's path is that of another file. It is not changed.
var ErrForeign = errors.New("a file that is not a snapshot has the name of one; move it away")

// errClosed is returned by a closed snapshot.
var errClosed = errors.New("the snapshot is closed")

// Snapshot is an open snapshot. It is safe for concurrent use.
type Snapshot struct {
	path string
	info os.FileInfo
	// The state of the graph that it is of.
	serial   uint64
	identity string

	mu    sync.RWMutex // read lock held by readers, write lock by Close
	data  []byte       // nil if closed
	unmap func() error
	parts map[string]*part

	// Arrays in the sections.
	ids        []uint32
	nodes      []record
	nodeFiles  []uint32
	sizes      []sizes
	buckets    []uint32
	outEnds    []uint32
	out        []outEdge
	edgeFiles  []uint32
	inEnds     []uint32
	in         []inEdge
	stringAt   []uint32
	text       []byte
	qualified  []uint32
	keys       []uint32
	keyEnds    []uint32
	keyed      []uint32
	paths      []uint32
	pathEnds   []uint32
	pathed     []uint32
	terms      []uint32
	termEnds   []uint32
	termCounts []uint32
	postings   []byte

	dict    dictionary
	tallies sync.Pool // of *tally, empty
}

var _ codegraph.Reader = (*Snapshot)(nil)

// part is a section of the file.
type part struct {
	data []byte
	sum  uint32
	once sync.Once
	err  error
}

// Open opens the snapshot of a state of a graph. The error wraps [ErrStale] for one of another state, [ErrDamaged]
// for one that cannot be read, and fs.ErrNotExist if there is none.
func Open(path string, serial uint64, identity string) (*Snapshot, error) {
	return open(path, func(s *Snapshot) error {
		if s.serial != serial || s.identity != identity {
			return fmt.Errorf("%w: it is of state %d of %s, not %d of %s", ErrStale, s.serial, s.identity, serial, identity)
		}
		return nil
	})
}

// open opens a snapshot if its state is accepted.
func open(path string, accept func(s *Snapshot) error) (*Snapshot, error) {
	data, info, unmap, err := load(path)
	if err != nil {
		return nil, fmt.Errorf("open snapshot: %w", err)
	}
	s := &Snapshot{path: path, info: info, data: data, unmap: unmap}
	err = s.parse()
	if err == nil {
		err = accept(s)
	}
	if err == nil {
		err = s.layOut()
	}
	if errors.Is(err, ErrDamaged) {
		s.removeFile()
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("open snapshot %s: %w", path, err), unmap())
	}
	return s, nil
}

// Close waits for readers and unmaps the file.
func (s *Snapshot) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.data == nil {
		return nil
	}
	s.data = nil
	return s.unmap()
}

// removeFile removes the file if it is still the one that was opened.
func (s *Snapshot) removeFile() {
	if now, err := os.Stat(s.path); err == nil && os.SameFile(now, s.info) {
		_ = os.Remove(s.path)
	}
}

// read runs f after verifying the sections that it reads.
func (s *Snapshot) read(f func() error, sections ...string) error {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if s.data == nil {
		return errClosed
	}
	for _, name := range sections {
		if err := s.check(name); err != nil {
			return err
		}
	}
	err := f()
	if errors.Is(err, ErrDamaged) {
		s.removeFile()
	}
	return err
}

// check verifies a section's checksum, once.
func (s *Snapshot) check(name string) error {
	p := s.parts[name]
	if p == nil {
		return fmt.Errorf("%w: section %s is missing", ErrDamaged, name)
	}
	p.once.Do(func() {
		if checksum(p.data) != p.sum {
			p.err = fmt.Errorf("%w: section %s", ErrDamaged, name)
			s.removeFile()
		}
	})
	return p.err
}

// Section calls f with a section that was passed to Write. The bytes are valid only during the call, and f must not
// use the snapshot. The error wraps fs.ErrNotExist if there is no such section.
func (s *Snapshot) Section(name string, f func(data []byte) error) error {
	if s.parts[extra+name] == nil {
		return fmt.Errorf("section %s: %w", name, os.ErrNotExist)
	}
	return s.read(func() error { return f(s.parts[extra+name].data) }, extra+name)
}
