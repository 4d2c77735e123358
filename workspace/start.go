package workspace

import (
	"fmt"
	"io"
	"time"
)

// ReadStart returns the first bytes of a file, most of them at most. The errors are
// those of [Project.ReadFile] but for the size.
func (p *Project) ReadStart(name string, most int64) ([]byte, error) {
	n, err := p.readable(name)
	if err != nil {
		return nil, err
	}
	f, err := p.tree.open(n)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", name, p.refusal(name, err))
	}
	defer func() { _ = f.Close() }()
	data, err := io.ReadAll(io.LimitReader(f, most))
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", name, err)
	}
	return data, nil
}

// ModTime returns when a file or folder was last written, as the file system says. It
// is zero for what is not there, for what a link leads out to, and in a revision.
func (p *Project) ModTime(name string) time.Time {
	rel, err := p.clean(name)
	if err != nil {
		return time.Time{}
	}
	n, err := p.tree.look(rel)
	if err != nil || n.kind == link {
		n, _ = p.find(name, rel) // a node of nothing has no time
	}
	return n.time
}
