package view

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"html/template"
	"net/http"
	"net/url"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/codegraph"
	"github.com/reverse-spec/reverse-spec/internal/manifest"
	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/project"
	"github.com/reverse-spec/reverse-spec/internal/project/source"
)

// moduleReader computes the modules of the project's code and re-reads it after changes.
type moduleReader struct {
	project *project.Project

	mu    sync.Mutex
	files digest // of the listing that the graph was built from
	graph *codegraph.DependencyGraph
}

// read returns the current modules. The first call takes seconds for a large project.
func (m *moduleReader) read(ctx context.Context) (*codegraph.DependencyGraph, error) {
	l, err := m.project.List(ctx, ".")
	if err != nil {
		return nil, err
	}
	sum := sha256.New()
	var manifests []string
	for _, f := range l.Files {
		fmt.Fprintf(sum, "%q %d %d %x\n", f.Path, f.Size, f.ModTime.UnixNano(), f.Stamp())
		if manifest.IsManifest(f.Path) {
			manifests = append(manifests, f.Path)
		}
	}
	files := digest(sum.Sum(nil))
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.graph != nil && m.files == files {
		return m.graph, nil
	}
	tree, err := source.Read(ctx, m.project, ".", source.Options{Scope: source.Everything})
	if _, empty := errors.AsType[*source.EmptyError](err); empty {
		return &codegraph.DependencyGraph{}, nil
	}
	if err != nil {
		return nil, err
	}
	known, _ := manifest.Read(manifests, m.project.ReadFile) // an invalid manifest declares no modules
	folders := codegraph.Folders(tree.Files)
	m.graph = codegraph.Modules(tree.Files, codegraph.Resolve(tree.Files, known), codegraph.Options{
		ProjectRoot: ".",
		Group: func(f *code.File) string { // modules as in package batch
			if codegraph.IsTestData(path.Dir(f.Path)) {
				return ""
			}
			return folders(f)
		},
	})
	m.files = files
	return m.graph, nil
}

// moduleRow is a module with its spec and dependencies.
type moduleRow struct {
	Name   string
	Spec   string // address of its spec; "" for none
	Health string // of its spec; "" for none
	Level  int
	Needs  []string
	UsedBy int
}

// modulesPage returns the frame into which the module map is loaded.
func (s *Site) modulesPage(r *http.Request) (answer, error) {
	if s.options.Static { // nothing is fetched later
		a, err := s.modulesPicture(r)
		a.fragment = false
		return a, err
	}
	q := url.Values{}
	for _, name := range []string{"in", "edges"} {
		q.Set(name, r.FormValue(name))
	}
	return answer{template: "modules.html", title: message.Sprintf(r.Context(), "Modules"), data: "/modules/picture?" + q.Encode()}, nil
}

// modulesPicture returns the module map.
func (s *Site) modulesPicture(r *http.Request) (answer, error) {
	g, err := s.modules.read(r.Context())
	if err != nil {
		return answer{}, err
	}
	specs, err := s.library.all(r.Context())
	if err != nil {
		return answer{}, err
	}
	page := picturePage{In: r.FormValue("in"), All: r.FormValue("edges") == "all", Rows: s.moduleRows(g, specs)}
	if err := page.draw(s.lang); err != nil {
		return answer{}, err
	}
	return answer{template: "picture.html", title: message.Sprintf(r.Context(), "Modules"), fragment: r.FormValue("page") == "", data: page}, nil
}

// picturePage is the data of the module map.
type picturePage struct {
	In      string // the displayed folder; "" for all
	Shared  string // the folder of all modules, which is not in their names; "" for none
	Up      string // address of the parent folder; "" for none
	All     bool   // all edges are shown
	Rows    []moduleRow
	Folders bool // some boxes are folders
	Edges   int
	Left    int           // omitted edges; see moduleMap.thin
	Other   string        // address of the page with or without them
	Picture template.HTML // "" if not drawn
	Problem string        // why it is not drawn
}

// draw draws the modules in the requested folder and keeps their rows.
func (p *picturePage) draw(lang message.Lang) error {
	m := newMap(p.Rows, p.In)
	if len(m.boxes) == 0 && p.In != "" {
		return &notFoundError{message.New("There is no module in %q.", p.In)}
	}
	p.Rows = m.rows
	if !p.All {
		p.Left = m.thin()
	}
	p.Folders, p.Edges = len(m.boxes) < len(m.rows), len(m.edges)
	if p.In != "" {
		p.Up = modulesAddress(strings.TrimSuffix(path.Dir(p.In), "."), false)
	}
	p.Other = modulesAddress(p.In, !p.All)
	p.Shared = m.shared()
	svg, err := m.svg(lang)
	if err != nil {
		p.Problem = message.Render(lang, err)
		return nil
	}
	p.Picture = template.HTML(svg) // package mermaid escapes what it writes
	return nil
}

// modulesAddress returns the address of the map of a folder, with all edges or without implied
// ones.
func modulesAddress(in string, all bool) string {
	q := url.Values{}
	if in != "" {
		q.Set("in", in)
	}
	if all {
		q.Set("edges", "all")
	}
	if len(q) == 0 {
		return "/modules"
	}
	return "/modules?" + q.Encode()
}

// moduleRows joins the modules with their specs, in dependency order. A spec that was compared and differs has drifted, whatever it says
// of itself.
func (s *Site) moduleRows(g *codegraph.DependencyGraph, specs []row) []moduleRow {
	of := map[string]*row{}
	for i := range specs {
		of[specs[i].Front.SourceTarget] = &specs[i]
	}
	needs := g.Dependencies()
	var out []moduleRow
	for _, m := range g.Modules {
		r := moduleRow{Name: m.Source, Health: "none", Level: m.Level, Needs: needs[m.Source], UsedBy: m.InDegree}
		if spec := of[m.Source]; spec != nil {
			r.Spec, r.Health = at("spec", spec.Path), spec.Health()
			if b := s.drift.known(spec.Path, spec.digest); b != nil && b.total > 0 && gravity(r.Health) < gravity("drifted") {
				r.Health = "drifted"
			}
		}
		out = append(out, r)
	}
	slices.SortStableFunc(out, func(a, b moduleRow) int { return a.Level - b.Level })
	return out
}
