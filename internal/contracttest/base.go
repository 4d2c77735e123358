package contracttest

import (
	"path"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/manifest"
	"github.com/reverse-spec/reverse-spec/internal/project"
	"github.com/reverse-spec/reverse-spec/spec"
)

// Touched returns those of a project's specs that a change of files touches: their page or lock, a file that they are
// about, a test that they run, or a package manifest above one of these. A spec that cannot be read is touched.
func Touched(p *project.Project, specs, changed []string) []string {
	var out []string
	for _, name := range specs {
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
		return manifest.IsManifest(file) && slices.ContainsFunc(own, func(o string) bool {
			dir := path.Dir(file)
			return dir == "." || strings.HasPrefix(o, dir+"/")
		})
	})
}
