package project

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"

	"github.com/reverse-spec/reverse-spec/internal/message"
)

// ReadFile returns the content of a file. The error is an [*OutsideError], a [*MissingError], or a [*TooLargeError]
// above [MaxFileSize].
func (p *Project) ReadFile(name string) ([]byte, error) { return p.ReadUpTo(name, MaxFileSize) }

// ReadUpTo is like ReadFile with another size limit, in bytes.
func (p *Project) ReadUpTo(name string, limit int64) ([]byte, error) {
	n, err := p.readable(name)
	switch {
	case err != nil:
		return nil, err
	case n.size > limit:
		return nil, &TooLargeError{Path: name, Size: n.size, Limit: limit}
	}
	data, err := p.tree.read(n, limit)
	if err != nil {
		return nil, message.Errorf("read %s: %w", name, p.replacedError(name, err))
	}
	if int64(len(data)) > limit { // it grew since it was examined
		return nil, &TooLargeError{Path: name, Size: int64(len(data)), Limit: limit}
	}
	return data, nil
}

// IsBinary reports whether data is not text, by git's test: a NUL byte in the first 8000 bytes.
func IsBinary(data []byte) bool {
	return bytes.IndexByte(data[:min(len(data), textStart)], 0) >= 0
}

// textStart is the number of bytes that Binary examines.
const textStart = 8000

// readable returns the node of the file at name.
func (p *Project) readable(name string) (node, error) {
	rel, err := p.clean(name)
	if err != nil {
		return node{}, err
	}
	if n, err := p.tree.look(rel); err == nil && n.kind == file {
		return n, nil // the usual case; links to it stay inside, or look fails
	}
	n, err := p.find(name, rel)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return node{}, &MissingError{Path: name, Revision: p.ShortRevision()}
	case err != nil:
		return node{}, message.Errorf("read %s: %w", name, err)
	case n.kind != file:
		return node{}, notFile(name)
	}
	return n, nil
}

// Nearer adds similar paths to a [*MissingError]; it returns any other error as it is.
func (p *Project) Nearer(ctx context.Context, err error) error {
	missing, ok := errors.AsType[*MissingError](err)
	if !ok {
		return err
	}
	rel, unclean := p.clean(missing.Path)
	if unclean != nil {
		return err
	}
	return p.missing(ctx, missing.Path, rel)
}

// replacedError converts an error found only when opening a path, because it was replaced after it was examined.
func (p *Project) replacedError(name string, err error) error {
	switch {
	case errors.Is(err, errLeadsOut):
		return &OutsideError{Path: name, Root: p.root}
	case errors.Is(err, errNotRegular):
		return notFile(name)
	case errors.Is(err, fs.ErrNotExist):
		return &MissingError{Path: name, Revision: p.ShortRevision()}
	}
	return err
}

// Hash returns the SHA-256 of a text file's content in hex, without a byte order mark. The errors are those of
// [Project.ReadFile].
func (p *Project) Hash(name string) (string, error) {
	data, err := p.ReadFile(name)
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(bytes.TrimPrefix(data, []byte("\xef\xbb\xbf")))
	return hex.EncodeToString(sum[:]), nil
}
