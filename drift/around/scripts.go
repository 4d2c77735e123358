package around

import (
	"context"
	"strings"
	"time"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang"
)

// File returns the declarations and imports of a file of JavaScript or TypeScript; nil for one that is not in the project or cannot be
// read.
func (p *Published) File(ctx context.Context, file string) *code.Skeleton {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.listed {
		p.list(ctx)
	}
	if s, ok := p.files[file]; ok || !p.known[file] {
		return s
	}
	var out *code.Skeleton
	if text, err := p.project.ReadFile(file); err == nil {
		if f, err := lang.Parse(ctx, file, text, 0); err == nil {
			s := code.Merge(file, []*code.File{f}, time.Time{})
			out = &s
		}
	}
	p.files[file] = out
	return out
}

// Target returns the file that a relative specifier in a file means; "" for none.
func (p *Published) Target(ctx context.Context, file, specifier string) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.listed {
		p.list(ctx)
	}
	return p.target(file, specifier)
}

// Moved returns the file, and the name in it, that has in another project what all entries that name a declaration of a file call by the
// same names; "" if others can import the file itself, or if an entry does not have the name any more.
func (p *Published) Moved(ctx context.Context, to *Published, file, name string) (newFile, newName string) {
	if p.Hides(ctx, file, name) {
		return "", ""
	}
	p.mu.Lock()
	keys := p.origins[file+"\x00"+name]
	reached := len(keys) > 0 && !p.offered[file]
	p.mu.Unlock()
	if !reached {
		return "", ""
	}
	to.mu.Lock()
	defer to.mu.Unlock()
	if !to.listed {
		to.list(ctx)
	}
	place := ""
	for _, key := range keys {
		next := to.sources[key]
		if next == "" || place != "" && place != next {
			return "", ""
		}
		place = next
	}
	newFile, newName, _ = strings.Cut(place, "\x00")
	return newFile, newName
}
