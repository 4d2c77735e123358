package contracttest

import (
	"context"
	"path"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/contracttest/kept"
	"github.com/reverse-spec/reverse-spec/internal/manifest"
	"github.com/reverse-spec/reverse-spec/internal/project"
	"github.com/reverse-spec/reverse-spec/internal/x/lazyregexp"
	"github.com/reverse-spec/reverse-spec/spec"
)

// Paths returns the specs of a project: its pages, and those that people wrote and adopted.
func Paths(ctx context.Context, p *project.Project) ([]string, error) { return kept.Paths(ctx, p) }

// Touched returns those of a project's specs that a change of files touches: their page or lock, a file that they are
// about, a test that they run, or a file above one of these that says how tests run: a package manifest, what it locks, or
// settings and fixtures of a test tool. A spec that cannot be read is touched.
func Touched(p *project.Project, specs, changed []string) []string {
	var out []string
	for _, name := range specs {
		if touched, known := kept.Touched(p, name, changed); known {
			if touched {
				out = append(out, name)
			}
			continue
		}
		text, err := p.ReadUpTo(name, spec.MaxSize)
		if err != nil {
			out = append(out, name)
			continue
		}
		s, err := spec.Parse(text)
		if err != nil || touches(p, s, name, changed) {
			out = append(out, name)
		}
	}
	return out
}

func touches(p *project.Project, s *spec.Spec, page string, changed []string) bool {
	_ = s.ReadLock(p, page)
	own := append([]string{page, spec.LockPath(page, s.Front.SourceTarget)}, s.Front.RelatedFiles...)
	for _, t := range s.ContractTests {
		for _, r := range t.Runs {
			own = append(own, r.File)
		}
	}
	return slices.ContainsFunc(changed, func(file string) bool {
		if slices.Contains(own, file) || s.Front.Scope != "file" && path.Dir(file) == s.Front.SourceTarget {
			return true
		}
		return (manifest.IsManifest(file) || governing.MatchString(path.Base(file))) && slices.ContainsFunc(own, func(o string) bool {
			dir := path.Dir(file)
			return dir == "." || strings.HasPrefix(o, dir+"/")
		})
	})
}

// governing matches the names of files that say how the tests in their folder and below run, other than manifests.
var governing = lazyregexp.New(`^(?:conftest\.py|\.?pytest\.(?:ini|toml)|tox\.ini|(?:vite|vitest|jest|ava|babel|playwright)\.config\.\w+|\.mocharc(?:\.\w+)?|go\.sum|` +
	`package-lock\.json|npm-shrinkwrap\.json|pnpm-lock\.yaml|yarn\.lock|bun\.lockb?|Cargo\.lock|build\.rs|uv\.lock|poetry\.lock|Pipfile\.lock|Gemfile\.lock|\.rspec|spec_helper\.rb|rails_helper\.rb|` +
	`composer\.lock|phpunit\.xml(?:\.dist)?|gradle\.properties|packages\.lock\.json|Directory\.Build\.(?:props|targets)|Package\.resolved)$`)
