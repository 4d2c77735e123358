// Package formcache notes from which code the requirements of a project in another format were written, so that a module that has
// not changed is not read again for them. It is outside the project, and nothing is lost with it.
package formcache

import (
	"path/filepath"

	"github.com/reverse-spec/reverse-spec/internal/x/ownfiles"
)

// Cache has the modules of a project by their paths. Nil is empty.
type Cache struct {
	file    string
	entries map[string]entry
}

// entry is a module as it was written.
type entry struct {
	Code string `json:"code"` // the hash of its files
	Text string `json:"text"` // a hash of what the format had of it then
}

// Open reads the cache of the project at root in a folder; about says what else decides how requirements are written. What cannot
// be read is empty.
func Open(folder, root string, about ...string) *Cache {
	c := &Cache{file: filepath.Join(folder, ownfiles.Name(root, about...)+".json"), entries: map[string]entry{}}
	ownfiles.Read(c.file, &c.entries)
	return c
}

// Has reports whether what a format has of a module, by its hash, was written from its code, by its hash.
func (c *Cache) Has(module, code, text string) bool {
	if c == nil {
		return false
	}
	e, known := c.entries[module]
	return known && e == entry{code, text}
}

// Set notes a module as it was written.
func (c *Cache) Set(module, code, text string) { c.entries[module] = entry{code, text} }

// Forget removes a module.
func (c *Cache) Forget(module string) { delete(c.entries, module) }

// Save writes the cache. Errors only cost the next run its time.
func (c *Cache) Save() { ownfiles.Write(c.file, c.entries) }
