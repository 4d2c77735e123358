package source

import (
	"context"
	"crypto/sha256"
	"slices"
	"strings"
	"sync"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang"
	"github.com/reverse-spec/reverse-spec/internal/project"
)

// maxRemembered is the size, in bytes of their texts, of the parsed files that are remembered.
const maxRemembered = 48 << 20

// memory has what was read with a context of [Remembering]. It is safe for concurrent use.
type memory struct {
	mutex    sync.Mutex
	files    map[remembered]*parsing
	size     int
	services map[servedBy]*Services
}

// remembered identifies a parse result: what a text says does not depend on the project that it is in.
type remembered struct {
	name     string
	sum      [sha256.Size]byte
	parts    lang.Parts
	pack     bool
	vendored bool
}

// servedBy identifies the services of the languages of a project.
type servedBy struct {
	project  *project.Project
	families string
}

// parsing is a file that is parsed once.
type parsing struct {
	once sync.Once
	file *code.File
	err  error
}

type memoryKey struct{}

// Remembering returns a context with which a text is parsed once, in whichever project and however often it is read, and services
// are found once for each project. It is for comparisons of two states of a project, which have most of their files in common.
func Remembering(ctx context.Context) context.Context {
	if ctx.Value(memoryKey{}) != nil {
		return ctx
	}
	return context.WithValue(ctx, memoryKey{}, &memory{files: map[remembered]*parsing{}, services: map[servedBy]*Services{}})
}

// memoryOf returns the memory of a context; nil if it has none.
func memoryOf(ctx context.Context) *memory {
	m, _ := ctx.Value(memoryKey{}).(*memory)
	return m
}

// parsed returns the result of read for a text, from memory if it is there. The file is the caller's own, except for what only readers
// of files change: symbols, facts and bodies.
func (m *memory) parsed(key *remembered, size int, read func() (*code.File, error)) (*code.File, error) {
	m.mutex.Lock()
	p := m.files[*key]
	if p == nil {
		p = &parsing{}
		if m.size+size <= maxRemembered {
			m.files[*key] = p
			m.size += size
		}
	}
	m.mutex.Unlock()
	p.once.Do(func() { p.file, p.err = read() })
	if p.err != nil {
		return nil, p.err
	}
	own := *p.file
	own.Imports = slices.Clone(own.Imports) // resolving sets what they mean
	return &own, nil
}

// servicesOf returns the services of a project for some families of languages, made by create if they are new.
func (m *memory) servicesOf(p *project.Project, families map[string]bool, create func() *Services) *Services {
	list := make([]string, 0, len(families))
	for family := range families {
		list = append(list, family)
	}
	slices.Sort(list)
	key := servedBy{p, strings.Join(list, " ")}
	m.mutex.Lock()
	defer m.mutex.Unlock()
	s := m.services[key]
	if s == nil {
		s = create()
		m.services[key] = s
	}
	return s
}
