package source

import (
	"context"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/evidence/service"
	"github.com/reverse-spec/reverse-spec/internal/lang"
	"github.com/reverse-spec/reverse-spec/internal/project"
)

// configured are the families of the languages whose programs have configuration files that are read.
var configured = []string{"ecma", "jvm", "csharp", "php", "ruby", "python"}

// FindSettings sets t.Settings and t.Sharing; t must be linked. The error is that of the context.
func (s *Services) FindSettings(ctx context.Context, t *Tree) error {
	if err := s.findSharing(ctx, t); err != nil {
		return err
	}
	if !slices.ContainsFunc(t.Files, func(f *code.File) bool { return slices.Contains(configured, familyOf(f.Language)) }) {
		return nil
	}
	var list []service.ConfigurationFile
	err := s.texts(ctx, t.Target, service.IsConfiguration, func(file string, data []byte) { list = append(list, service.ConfigurationFile{Path: file, Data: data}) })
	t.Settings = service.ConfigurationOf(t.Files, t.Sharing, list)
	return err
}

// findSharing sets t.Sharing: files that a tree imports and whose functions may read settings for it, and those of which the
// texts say that they share classes of settings with it. The error is that of the context.
func (s *Services) findSharing(ctx context.Context, t *Tree) error {
	wanted := s.mayRead(t)
	families := map[string]bool{}
	for _, f := range t.Files {
		if !f.Test && !f.Vendored && !f.Generated && service.SharesSettings(f.Language) {
			families[familyOf(f.Language)] = true
		}
	}
	for family := range families {
		wanted = append(wanted, s.sharing(t.Target, family).Of(t.Files)...)
	}
	slices.Sort(wanted)
	wanted = slices.Compact(wanted)
	s.mutex.Lock()
	defer s.mutex.Unlock()
	var unread []project.Entry
	for _, file := range wanted {
		if _, known := s.shared[file]; !known {
			unread = append(unread, project.Entry{Path: file})
		}
	}
	files, err := s.read(ctx, unread)
	if err != nil {
		return err
	}
	for _, f := range files {
		s.shared[f.Path] = f
	}
	for _, file := range wanted {
		if f := s.shared[file]; f != nil {
			t.Sharing = append(t.Sharing, f)
		}
	}
	return nil
}

// mayRead returns the files that those of a tree import, also by files that may re-export them, whose functions may read the
// environment.
func (s *Services) mayRead(t *Tree) []string {
	seen := map[string]bool{}
	var out, open []string
	for _, f := range t.Files {
		seen[f.Path] = true
		if !f.Test && !f.Vendored && !f.Generated {
			open = append(open, t.Links.Imports(f.Path)...)
		}
	}
	for range maxReexports {
		var next []string
		for _, file := range open {
			if seen[file] || isTest(file) {
				continue
			}
			seen[file] = true
			next = append(next, t.Links.Imports(file)...)
			if s.readsSettings(file) {
				out = append(out, file)
			}
		}
		open = next
	}
	return out
}

// readsSettings reports whether the code of a file may read the environment. Many modules import the same files.
func (s *Services) readsSettings(file string) bool {
	s.mutex.Lock()
	reads, known := s.environs[file]
	s.mutex.Unlock()
	if known {
		return reads
	}
	text, err := s.parser.project.ReadFile(file)
	reads = err == nil && service.MayReadSettings(text)
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.environs[file] = reads
	return reads
}

// sharing returns what the texts around a target say of settings that modules in a family of languages share.
func (s *Services) sharing(target, family string) *service.SharedSettings {
	folder, entries := s.around(target, family)
	key := strings.Join([]string{folder, family}, ":")
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if out, known := s.sharings[key]; known {
		return out
	}
	out := &service.SharedSettings{}
	for _, f := range entries {
		if text, err := s.parser.project.ReadFile(f.Path); err == nil {
			l, _ := lang.ByPath(f.Path)
			out.Add(f.Path, l.Name, text)
		}
	}
	s.sharings[key] = out
	return out
}
