// Package snapshot is the form of a stored graph that is made for reading: one
// file that is mapped into memory, with the nodes and edges in arrays and an index
// of their words.
//
// A snapshot is derived. It is of one state of one stored graph, and thrown away
// when the graph has another, when it is of another version of this program, or
// damaged. A snapshot that is open goes on being readable when another takes its
// place.
//
// Each section of the file has a checksum, which is looked at when the section is
// read for the first time: to open a snapshot costs the same for any graph.
package snapshot

import (
	"errors"
	"fmt"
	"os"
	"sync"

	"github.com/reverse-spec/reverse-spec/internal/codegraph"
)

// ErrStale is the error for a snapshot of another state, of another graph or of
// another version of this program.
var ErrStale = errors.New("the snapshot is of another state or version")

// ErrDamaged is the error for a snapshot whose contents cannot be right. Its file
// has then been removed, so that [Load] writes another.
var ErrDamaged = errors.New("the snapshot is damaged")

// ErrForeign is the error for a file in the place of a snapshot that is none. It is
// left as it is.
var ErrForeign = errors.New("a file that is not a snapshot has the name of one; move it away")

// errClosed is the error for the use of a closed snapshot.
var errClosed = errors.New("the snapshot is closed")

// Snapshot is an open snapshot, for use by many goroutines.
type Snapshot struct {
	path string
	info os.FileInfo

	mu    sync.RWMutex // held by readers, and by Close alone
	data  []byte       // nil when closed
	unmap func() error
	parts map[string]*part

	// What the sections hold, as far as it can be told without reading it.
	ids        []uint32
	nodes      []record
	buckets    []uint32
	outEnds    []uint32
	out        []outEdge
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
	tallies sync.Pool // *tally, empty
}

var _ codegraph.Reader = (*Snapshot)(nil)

// part is one section of a file.
type part struct {
	data []byte
	sum  uint32
	once sync.Once
	err  error
}

// Open opens the snapshot of a state of a graph. The error is [ErrStale] (wrapped)
// for one of another state, [ErrDamaged] (wrapped) for one that cannot be read, and
// fs.ErrNotExist when there is none.
func Open(path string, serial uint64, identity string) (*Snapshot, error) {
	data, info, unmap, err := load(path)
	if err != nil {
		return nil, fmt.Errorf("open snapshot: %w", err)
	}
	s := &Snapshot{path: path, info: info, data: data, unmap: unmap}
	err = s.parse(serial, identity)
	if err == nil {
		err = s.layOut()
	}
	if errors.Is(err, ErrDamaged) {
		s.throwAway()
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("open snapshot %s: %w", path, err), unmap())
	}
	return s, nil
}

// Close lets go of the file, once nobody reads any more.
func (s *Snapshot) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.data == nil {
		return nil
	}
	s.data = nil
	return s.unmap()
}

// throwAway removes the file, if it is still the one that was opened.
func (s *Snapshot) throwAway() {
	if now, err := os.Stat(s.path); err == nil && os.SameFile(now, s.info) {
		_ = os.Remove(s.path)
	}
}

// read runs f, which reads some sections.
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
		s.throwAway()
	}
	return err
}

// check looks at a section's checksum, once.
func (s *Snapshot) check(name string) error {
	p := s.parts[name]
	if p == nil {
		return fmt.Errorf("%w: section %s is missing", ErrDamaged, name)
	}
	p.once.Do(func() {
		if checksum(p.data) != p.sum {
			p.err = fmt.Errorf("%w: section %s", ErrDamaged, name)
			s.throwAway()
		}
	})
	return p.err
}

// Section calls f with a section that was given to Write; the bytes are f's only
// during the call, and f may not use the snapshot. The error is fs.ErrNotExist (wrapped) when there is none.
func (s *Snapshot) Section(name string, f func(data []byte) error) error {
	if s.parts[extra+name] == nil {
		return fmt.Errorf("section %s: %w", name, os.ErrNotExist)
	}
	return s.read(func() error { return f(s.parts[extra+name].data) }, extra+name)
}
