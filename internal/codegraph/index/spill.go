package index

import (
	"errors"
	"os"

	"github.com/reverse-spec/reverse-spec/internal/message"
)

// spill stores data in a temporary file: the encoded facts of a large project need more memory than everything else
// in a full build.
type spill struct {
	file *os.File
	end  int64
}

// place is the position of data in a spill.
type place struct {
	at   int64
	size int
}

func newSpill() (*spill, error) {
	f, err := os.CreateTemp("", "reverse-spec-facts-")
	if err != nil {
		return nil, message.Errorf("make a temporary file: %w", err)
	}
	return &spill{file: f}, nil
}

func (s *spill) put(data []byte) (place, error) {
	p := place{s.end, len(data)}
	_, err := s.file.WriteAt(data, s.end)
	s.end += int64(len(data))
	return p, err
}

// get returns the data at a place. It is safe for concurrent use.
func (s *spill) get(p place) ([]byte, error) {
	data := make([]byte, p.size)
	_, err := s.file.ReadAt(data, p.at)
	return data, err
}

// close removes the file.
func (s *spill) close() error {
	return errors.Join(s.file.Close(), os.Remove(s.file.Name()))
}
