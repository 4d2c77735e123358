package lang

import (
	"context"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/srctext"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// Operations returns the number of operations it takes to read the parts of a text.
func Operations(file string, src []byte, parts Parts) (int64, error) {
	l, _ := ByPath(file)
	if l.Dialect != nil {
		if other := l.Dialect(src); other != nil {
			l = other
		}
	}
	m := syntax.NewMeter(context.Background(), len(src))
	f := &code.File{Path: file, Language: l.Name, LOC: srctext.Lines(src), Size: len(src), Test: l.TestPath(file)}
	err := l.ReadMetered(f, src, parts, m)
	return m.Used(), err
}
