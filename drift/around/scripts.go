package around

import (
	"context"
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
