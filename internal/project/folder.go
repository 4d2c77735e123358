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

// Folder is what is in a folder, by name.
type Folder struct {
	Names []string `json:"names"` // in order, the first of them; never nil
	Total int      `json:"total"` // how many there are
}

// ReadFolder returns the first names in a folder, at most as many as asked for,
// files that git ignores and .git among them. The errors are an
// [*OutsideError], a [*MissingError], and a [*NotFolderError].
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
		return nil, message.Errorf("list %s: %w", name, p.refusal(name, err))
	}
	return &Folder{Names: names, Total: total}, nil
}

// String is the names, one a line. A name that would break its line, or is not
// text, stands in quotes with escapes as in Go; so does one that begins with a
// quote. A last line tells how many were left out.
func (f *Folder) String() string { return f.In(message.English) }

// In is [Folder.String] with the last line in a language.
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
