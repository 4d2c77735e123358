package core

import (
	"bytes"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/srctext"
)

// Entries records where programs start: the symbols that Language.Entry accepts, or the first
// line of a script with "#!".
func Entries(l *Language, f *code.File, src []byte) {
	if l.Entry != nil {
		entriesIn(l, f, f.Symbols, "")
	}
	if len(f.Entries) == 0 && bytes.HasPrefix(src, []byte("#!")) && !bytes.HasPrefix(src, []byte("#![")) {
		f.Entries = []code.Entry{{Line: 1}}
	}
}

func entriesIn(l *Language, f *code.File, list []code.Symbol, owner string) {
	for i := range list {
		s := &list[i]
		if l.Entry(f, owner, s) {
			f.Entries = append(f.Entries, code.Entry{Name: srctext.Join(owner, s.Name), Line: s.StartLine})
		}
		entriesIn(l, f, s.Members, srctext.Join(owner, s.Name))
	}
}
