package index

import (
	"sync"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/store"
)

// Memory keeps the heads of a graph's files between runs of one process, so that a run does not decode those of files
// that did not change. It counts for one state of one graph: whoever else changes the graph makes it worthless, and
// it is filled again. The zero value is empty. It is safe for concurrent use.
type Memory struct {
	mu       sync.Mutex
	identity string
	serial   uint64
	heads    map[string]*code.File
	size     int64
}

// take returns the heads of a graph in a state and leaves the memory empty; nil if it has none of that state.
func (m *Memory) take(s store.State) map[string]*code.File {
	if m == nil {
		return nil
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	heads := m.heads
	if m.identity != s.Identity || m.serial != s.Serial {
		heads = nil
	}
	m.heads, m.size = nil, 0
	return heads
}

// put keeps the heads of a graph in a state. Nobody changes them any more.
func (m *Memory) put(s store.State, heads map[string]*code.File) {
	if m == nil {
		return
	}
	size := int64(0)
	for _, f := range heads {
		size += sizeOf(f)
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.identity, m.serial, m.heads, m.size = s.Identity, s.Serial, heads, size
}

// Size returns about how many bytes are kept.
func (m *Memory) Size() int64 {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.size
}

// Drop empties the memory.
func (m *Memory) Drop() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.heads, m.size = nil, 0
}

// Bytes of the parts of a head, with what hangs on them: the heads of hugo and prometheus take 7/8 of what this says.
const (
	bytesPerFile  = 2000
	bytesPerExpr  = 120
	bytesPerScope = 300
)

// sizeOf returns about how many bytes a head takes.
func sizeOf(f *code.File) int64 {
	n := bytesPerFile
	if f.Facts != nil {
		n += bytesPerExpr*len(f.Facts.Exprs) + bytesPerScope*len(f.Facts.Scopes)
	}
	return int64(n)
}
