package project

import (
	"context"
	"errors"
	"io/fs"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/reverse-spec/reverse-spec/internal/message"
)

// Folder is a listing of the names in a folder.
type Folder struct {
	Names []string `json:"names"` // the first names, sorted; never nil
	Total int      `json:"total"` // number of all names
}

// ReadFolder returns the first names in a folder, at most the given number, including files ignored by git and
// .git. The error is an [*OutsideError], a [*MissingError] or a [*NotFolderError].
func (p *Project) ReadFolder(ctx context.Context, name string, most int) (*Folder, error) {
	rel, err := p.clean(name)
	if err != nil {
		return nil, err
	}
	n, err := p.find(name, rel)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, p.missing(ctx, name, rel)
	case err != nil:
		return nil, message.Errorf("list %s: %w", name, err)
	case n.kind != folder:
		return nil, &NotFolderError{Path: name}
	}
	names, total, err := p.tree.children(n.path, most)
	if err != nil {
		return nil, message.Errorf("list %s: %w", name, p.replacedError(name, err))
	}
	return &Folder{Names: names, Total: total}, nil
}

// String returns the names, one per line. A name that contains a newline, is not valid text, or begins with a quote
// is quoted as in Go. A last line says how many were left out.
func (f *Folder) String() string { return f.In(message.English) }

// In is like [Folder.String], with the last line in a language.
func (f *Folder) In(lang message.Lang) string {
	var b strings.Builder
	for _, name := range f.Names {
		if strings.ContainsFunc(name, unicode.IsControl) || !utf8.ValidString(name) || name[0] == '"' {
			name = strconv.Quote(name)
		}
		b.WriteString(name + "\n")
	}
	if more := f.Total - len(f.Names); more > 0 {
		b.WriteString(message.New("… %d of %d entries are left out\n", more, f.Total).In(lang))
	}
	return b.String()
}
