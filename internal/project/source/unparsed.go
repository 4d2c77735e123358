package source

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang"
)

// unreadParser is the [code.File.Parser] of a file that could not be parsed.
const unreadParser = "baseline"

// unparsed returns the result for a file that its language cannot parse. Hashes and size are those of the file.
func unparsed(name string, src []byte, reason error) *code.File {
	if errors.Is(reason, lang.ErrTooComplex) {
		reason = lang.ErrTooComplex
	}
	src = bytes.TrimPrefix(src, []byte("\xef\xbb\xbf"))
	sum := sha256.Sum256(src)
	f := &code.File{
		Path: name, Size: len(src), Hash: hex.EncodeToString(sum[:]), Parser: unreadParser,
		ParseErrors: []code.ParseError{{Line: 1, Column: 1, Message: reason.Error()}},
	}
	if l, ok := lang.ByPath(name); ok {
		f.Language = l.Name
	}
	f.LOC = bytes.Count(src, []byte{'\n'})
	if len(src) > 0 && src[len(src)-1] != '\n' {
		f.LOC++
	}
	f.Digest = code.Digest{Path: f.Path, Hash: f.Hash, Tokens: f.Hash} // any change counts
	return f
}
