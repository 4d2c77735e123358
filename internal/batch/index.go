package batch

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/reverse-spec/reverse-spec/internal/codegraph"
	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/wording"
	"github.com/reverse-spec/reverse-spec/spec"
	"github.com/reverse-spec/reverse-spec/spec/model"
)

// crossCutting is the number of dependents from which a module is a cross-cutting concern.
const crossCutting = 3

// maxTechnologies limits the table of technologies; large workspaces have hundreds of
// packages.
const maxTechnologies = 40

// maxDescription limits a module's description, in characters.
const maxDescription = 200

// writeIndex writes the index of all specs, unless only the version and date would change.
func (b *run) writeIndex() error {
	file := spec.IndexPath(b.opts.OutputDir)
	old, err := spec.Load(b.project, file)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return message.Errorf("write the index: %w", err)
	}
	x := b.index()
	if old != nil {
		x.Lang = cmp.Or(b.opts.Lang, old.Lang)
		x.Technologies = b.technologies(x.Lang)
		if b.stands(file, x, old.Front) {
			return nil
		}
		x.Version = spec.NextVersion(old.Front.Version)
	}
	if err := b.project.WriteFile(file, spec.RenderIndex(x)); err != nil {
		return message.Errorf("write the index: %w", err)
	}
	return nil
}

// stands reports whether the index in a file has the same content as x.
func (b *run) stands(file string, x spec.Index, front spec.Front) bool {
	at, err := time.Parse(time.RFC3339, front.LastUpdated)
	if err != nil {
		return false
	}
	x.Version, x.Now = front.Version, at
	text, err := b.project.ReadUpTo(file, spec.MaxSize)
	return err == nil && bytes.Equal(text, spec.RenderIndex(x))
}

// index collects what is known about the project and its modules.
func (b *run) index() spec.Index {
	x := spec.Index{
		ProjectName: cmp.Or(b.plan.title, filepath.Base(b.project.Root())), Purpose: cmp.Or(b.plan.purpose, model.Purpose(b.project)),
		Lang: cmp.Or(b.opts.Lang, string(b.lang)), OutputDir: b.opts.OutputDir, Version: "v1", Now: b.opts.Now(),
	}
	if len(b.plan.graph.Edges) > 0 {
		x.Diagram = b.plan.graph.MermaidSource
	}
	dependencies := b.plan.graph.Dependencies()
	for _, m := range b.plan.modules {
		row := spec.IndexModule{
			Name: m.path, Description: firstSentence(m.doc), Level: m.level, Dependencies: dependencies[m.path],
			Exports: m.exports, LOC: m.loc, Confidence: m.confidence,
		}
		if m.hasSpec {
			row.SpecPath = m.specPath
		}
		if m.path == "." && m.doc != "" {
			x.Purpose = m.doc
		}
		x.Modules = append(x.Modules, row)
	}
	nodes := slices.DeleteFunc(slices.Clone(b.plan.graph.Modules), func(n codegraph.Module) bool { return n.InDegree < crossCutting })
	slices.SortStableFunc(nodes, func(a, b codegraph.Module) int { return cmp.Compare(b.InDegree, a.InDegree) })
	for _, n := range nodes {
		x.CrossCutting = append(x.CrossCutting, n.Source)
	}
	x.Technologies = b.technologies(x.Lang)
	return x
}

// firstSentence returns the first sentence of a module's documentation.
func firstSentence(doc string) string {
	doc, _, _ = strings.Cut(strings.TrimSpace(doc), "\n\n")
	doc = strings.Join(strings.Fields(doc), " ")
	for i := range doc {
		if strings.HasPrefix(doc[i:], "。") {
			doc = doc[:i+len("。")]
			break
		}
		if strings.HasPrefix(doc[i:], ". ") && !strings.HasSuffix(doc[:i], "e.g") && !strings.HasSuffix(doc[:i], "i.e") {
			doc = doc[:i+1]
			break
		}
	}
	if runes := []rune(doc); len(runes) > maxDescription {
		doc = string(runes[:maxDescription-1]) + "…"
	}
	return doc
}

// technologies describes the project's stack: its own packages, all languages, and the most
// used other packages.
func (b *run) technologies(lang string) []spec.Technology {
	list := b.plan.technologies
	left := len(list) - maxTechnologies
	out := b.packages(lang)
	for _, t := range list[:min(len(list), maxTechnologies)] {
		category := categories[t.Kind]
		out = append(out, spec.Technology{
			Category: wording.In(lang, category[0], category[1]), Name: t.Name, Version: t.Version, Purpose: use(lang, t),
		})
	}
	if left > 0 {
		out = append(out, spec.Technology{
			Category: "…", Name: fmt.Sprintf(wording.In(lang, "%d more", "另有 %d 项"), left),
		})
	}
	return out
}

// maxPackages limits the list of the project's own packages.
const maxPackages = 20

// packages lists the packages declared by the project's manifests.
func (b *run) packages(lang string) []spec.Technology {
	var out []spec.Technology
	for _, p := range b.plan.packages {
		if p.Name == "" || len(out) == maxPackages {
			continue
		}
		out = append(out, spec.Technology{
			Category: wording.In(lang, "Own package", "本项目的包"), Name: p.Name, Version: p.Version,
			Purpose: fmt.Sprintf(wording.In(lang, "%s, dependencies: %d", "%s，依赖：%d 项"), p.Manifest, len(p.Dependencies)),
		})
	}
	return out
}

var categories = map[codegraph.TechnologyKind][2]string{
	codegraph.LanguageTechnology: {"Language", "语言"},
	codegraph.RuntimeTechnology:  {"Runtime", "运行时"},
	codegraph.LibraryTechnology:  {"Library", "库"},
	codegraph.ToolTechnology:     {"Development", "开发"},
}

// use says what shows that the project uses a technology.
func use(lang string, t codegraph.Technology) string {
	files := strconv.Itoa(t.Files)
	switch {
	case t.Kind == codegraph.LanguageTechnology && t.Files == 1:
		return wording.In(lang, "1 file", "1 个文件")
	case t.Kind == codegraph.LanguageTechnology:
		return wording.In(lang, files+" files", files+" 个文件")
	case t.Files == 1:
		return wording.In(lang, "imported by 1 file", "被 1 个文件引用")
	case t.Files > 1:
		return wording.In(lang, "imported by "+files+" files", "被 "+files+" 个文件引用")
	}
	return wording.In(lang, "named in "+t.Manifest, "见 "+t.Manifest)
}
