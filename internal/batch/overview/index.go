// Package overview makes the index of a project's specs: what the project is, where its programs start and what they serve, how calls go
// from there through its modules, and what these are for.
package overview

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/codegraph"
	"github.com/reverse-spec/reverse-spec/internal/manifest"
	"github.com/reverse-spec/reverse-spec/internal/project"
	"github.com/reverse-spec/reverse-spec/internal/project/source"
	"github.com/reverse-spec/reverse-spec/internal/wording"
	"github.com/reverse-spec/reverse-spec/spec"
)

// Project is what an index is made of.
type Project struct {
	Project      *project.Project
	OutputDir    string // of the specs
	Now          time.Time
	Title        string // by the manifests, as Purpose; "" for none
	Purpose      string
	Modules      []*Module // dependencies first
	Graph        *codegraph.DependencyGraph
	Technologies []codegraph.Technology
	Packages     []manifest.Package
	Published    Published
	Linker       *source.Linker

	byPath map[string]*Module
	of     map[string]string // the module of each file
}

// Module is a module of a project.
type Module struct {
	Path       string
	SpecPath   string // "" if it has no spec
	Level      int
	Files      []string // those that are not tests
	Language   string
	Exports    int
	LOC        int
	Entries    []code.Entry // where programs start
	Confidence spec.Confidence
}

// crossCutting is the number of dependents from which a module is a cross-cutting concern.
const crossCutting = 3

// maxTechnologies limits the table of technologies; large workspaces have hundreds of
// packages.
const maxTechnologies = 20

// Index collects what is known about the project and its modules, in a language.
func (o *Project) Index(ctx context.Context, lang string) spec.Index {
	o.byPath, o.of = map[string]*Module{}, map[string]string{}
	for _, m := range o.Modules {
		o.byPath[m.Path] = m
		for _, file := range m.Files {
			o.of[file] = m.Path
		}
	}
	x := spec.Index{
		ProjectName: cmp.Or(o.Title, filepath.Base(o.Project.Root())), Purpose: o.purpose(),
		Lang: lang, OutputDir: o.OutputDir, Version: "v1", Now: o.Now,
	}
	if n := len(o.Graph.Edges); n > 0 && n <= maxDrawnEdges {
		x.Diagram = o.Graph.MermaidSource
	}
	dependencies := o.Graph.Dependencies()
	pages := make([]page, len(o.Modules))
	service := false
	for i, m := range o.Modules {
		pages[i] = o.read(m)
		_, side := sideOf(m.Path)
		service = service || !side && pages[i].serves()
	}
	var entries []entry
	for i, m := range o.Modules {
		page := &pages[i]
		x.Modules = append(x.Modules, spec.IndexModule{
			Name: m.Path, SpecPath: page.path, Role: o.Published.role(m, page, service), Description: page.intent, Level: m.Level, Dependencies: dependencies[m.Path],
			LOC: m.LOC, Confidence: m.Confidence, Health: page.health, Requirements: page.requirements, Tested: page.tested,
		})
		entries = append(entries, page.entries...)
	}
	entries = ordered(entries, x.Modules)
	for _, e := range entries {
		x.Entries = append(x.Entries, e.IndexEntry)
	}
	x.Flows = o.flows(ctx, &x, entries)
	nodes := slices.DeleteFunc(slices.Clone(o.Graph.Modules), func(n codegraph.Module) bool { return n.InDegree < crossCutting })
	slices.SortStableFunc(nodes, func(a, b codegraph.Module) int { return cmp.Compare(b.InDegree, a.InDegree) })
	for _, n := range nodes {
		x.CrossCutting = append(x.CrossCutting, n.Source)
	}
	x.Technologies = o.Stack(x.Lang)
	return x
}

// maxDrawnEdges is the most dependencies between modules that are drawn: a diagram with more shows nothing.
const maxDrawnEdges = 40

// Stack describes the project's stack: its own packages, all languages, and the most
// used other packages.
func (o *Project) Stack(lang string) []spec.Technology {
	list := o.Technologies
	left := len(list) - maxTechnologies
	out := o.packages(lang)
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
const maxPackages = 8

// packages lists the packages declared by the project's manifests.
func (o *Project) packages(lang string) []spec.Technology {
	var out []spec.Technology
	for _, p := range o.Packages {
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
