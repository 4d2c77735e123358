package index

import (
	"errors"
	"os"

	"github.com/reverse-spec/reverse-spec/internal/message"
)

// heldMost is how many bytes a spill keeps in memory.
const heldMost = 32 << 20

// spill stores data, most of that of a large project in a temporary file: its encoded facts need more memory than
// everything else in a full build.
type spill struct {
	held int      // bytes in memory
	file *os.File // nil until it is needed
	end  int64
}

// place is where the data of a spill is: in memory or, if held is nil, in the file.
type place struct {
	held []byte
	at   int64
	size int
}

// put stores data, which must not be changed any more.
func (s *spill) put(data []byte) (place, error) {
	if s.held+len(data) <= heldMost {
		s.held += len(data)
		return place{held: data, size: len(data)}, nil
	}
	if s.file == nil {
		f, err := os.CreateTemp("", "reverse-spec-facts-")
		if err != nil {
			return place{}, message.Errorf("make a temporary file: %w", err)
		}
		s.file = f
	}
	p := place{at: s.end, size: len(data)}
	_, err := s.file.WriteAt(data, s.end)
	s.end += int64(len(data))
	return p, err
}

// get returns the data at a place. It is safe for concurrent use.
func (s *spill) get(p place) ([]byte, error) {
	if p.held != nil {
		return p.held, nil
	}
	data := make([]byte, p.size)
	_, err := s.file.ReadAt(data, p.at)
	return data, err
}

// close removes the file.
func (s *spill) close() error {
	if s.file == nil {
		return nil
	}
	return errors.Join(s.file.Close(), os.Remove(s.file.Name()))
}
