package batch

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"

	"github.com/reverse-spec/reverse-spec/internal/x/atomicfile"
	"github.com/reverse-spec/reverse-spec/internal/x/openfile"
	"github.com/reverse-spec/reverse-spec/spec"
	"github.com/reverse-spec/reverse-spec/spec/format"
)

// formCache knows from which code the requirements in another format were written, so that a module that has not changed is not
// read again for them. It is outside the project, and nothing is lost with it.
type formCache struct {
	file    string            // "" for none
	now     map[string]string // by module: a hash of what the format has of it
	entries map[string]formEntry
}

// formEntry is a module as it was written.
type formEntry struct {
	Code string `json:"code"` // the hash of its files
	Text string `json:"text"` // a hash of what the format had of it then
}

// openForms reads the cache of a project and a format. What cannot be read is empty.
func (b *run) openForms(ctx context.Context) *formCache {
	c := &formCache{entries: map[string]formEntry{}}
	if b.opts.Cache == "" || b.opts.Form.Format == format.Own {
		return c
	}
	groups := ""
	if b.opts.Form.Capabilities != "" {
		text, err := b.project.ReadFile(b.opts.Form.Capabilities)
		if err != nil {
			return c
		}
		groups = string(text)
	}
	key := sha256.New()
	for _, part := range []string{b.project.Root(), b.opts.Form.Format, groups, b.opts.Lang, spec.Generator} {
		_, _ = key.Write([]byte(part + "\x00"))
	}
	const name, most = 8, 64 << 20
	c.file = filepath.Join(b.opts.Cache, hex.EncodeToString(key.Sum(nil)[:name])+".json")
	var err error
	if c.now, err = format.Hashes(ctx, b.project, b.opts.Form.Format); err != nil {
		return c
	}
	if text, err := openfile.Read(c.file, most); err == nil {
		_ = json.Unmarshal(text, &c.entries)
	}
	return c
}

// has reports whether what the format has of a module was written from its code as it is.
func (c *formCache) has(m *module) bool {
	e, known := c.entries[m.Path]
	return known && e.Code == m.hash && e.Text == c.now[m.Path]
}

// save notes the modules that were written. Errors only cost the next run its time.
func (c *formCache) save(ctx context.Context, b *run) {
	if c.file == "" {
		return
	}
	now, err := format.Hashes(ctx, b.project, b.opts.Form.Format)
	if err != nil {
		return
	}
	read := map[string]bool{}
	for _, o := range b.outlines {
		read[o.Module] = true
	}
	for _, module := range b.result.Formatted.Left { // they are named again by the next run
		read[module] = false
		delete(c.entries, module)
	}
	for _, m := range b.plan.modules {
		if read[m.Path] {
			c.entries[m.Path] = formEntry{m.hash, now[m.Path]}
		}
	}
	text, err := json.Marshal(c.entries)
	if err != nil || os.MkdirAll(filepath.Dir(c.file), 0o700) != nil {
		return
	}
	_ = atomicfile.File(c.file, text, 0o600)
}
