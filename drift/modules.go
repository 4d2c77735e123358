package drift

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"path"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/reverse-spec/reverse-spec/drift/around"
	"github.com/reverse-spec/reverse-spec/internal/batch/overview"
	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang"
	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/project"
	"github.com/reverse-spec/reverse-spec/internal/project/source"
	"github.com/reverse-spec/reverse-spec/internal/x/lazyregexp"
)

// modules is the comparison of the modules of a project with a revision.
type modules struct {
	several
	old           *project.Project
	before, after map[string][]string // folder -> its source files that are not tests
	// hides reports whether manifests, of the revision (0) or of the project (1), say that others cannot import a name.
	hides func(side int, file, name string) bool
	// elsewhere returns the file, and the name in it, that entries now take what a file declared from; "" for none.
	elsewhere func(file, name string) (newFile, newName string)
	// passes reports whether others import a name through another file than its own alone, before (0) or now (1).
	passes func(side int, file, name string) bool
}

// detectModules compares the modules at paths, or all, with a revision: those of which a file changed.
func detectModules(ctx context.Context, p *project.Project, opts Options, paths []string) (r *Report, err error) {
	if opts.Old == nil {
		if opts.Old, err = p.At(ctx, opts.Base); err != nil {
			return nil, err
		}
		defer func() { err = errors.Join(err, opts.Old.Close()) }()
	}
	ctx = source.Remembering(ctx)
	old, frozen := opts.Old.Frozen(), p.Frozen()
	opts.specs, opts.adoptions = newTargets(p), newAdoptions(p)
	opts.packages = [2]*around.Packages{around.NewPackages(old), around.NewPackages(frozen)}
	m := &modules{several: several{project: p, reading: frozen, opts: opts}, old: old}
	m.several.settle, m.kept = func(item *Item) { m.settle(ctx, item) }, m.inTwin
	published := [2]*around.Published{around.NewPublished(old), around.NewPublished(frozen)}
	m.opts.published = published
	m.hides = func(side int, file, name string) bool { return published[side].Hides(ctx, file, name) }
	m.passes = func(side int, file, name string) bool { return published[side].Passes(ctx, file, name) }
	m.elsewhere = func(file, name string) (string, string) { return published[0].Moved(ctx, published[1], file, name) }
	m.opts.imported = func(side int, file, name string) string {
		if !declarationEnd.MatchString(file) {
			return name // only declarations are made by bundlers and read by users
		}
		return published[side].Name(ctx, file, name)
	}
	if err := m.choose(ctx, paths); err != nil {
		return nil, err
	}
	r, err = m.run(ctx, "git:"+opts.Base, cmp.Or(strings.Join(paths, ", "), "."))
	if r != nil {
		r.SpecVersion = old.Revision()
	}
	return r, err
}

// choose lists both sides, and decides what is compared.
func (m *modules) choose(ctx context.Context, paths []string) (err error) {
	var wg sync.WaitGroup
	var failed error
	wg.Go(func() { m.before, failed = sources(ctx, m.old) })
	m.after, err = sources(ctx, m.reading)
	wg.Wait()
	if err := cmp.Or(failed, err); err != nil {
		return err
	}
	changed := m.opts.Changed
	if changed == nil {
		if changed, err = m.project.Changed(ctx, m.opts.Base); err != nil {
			return err
		}
		m.opts.Changed = changed
	}
	if len(paths) == 0 {
		paths = []string{"."}
	}
	for _, name := range paths {
		if err := m.add(ctx, name, changed); err != nil {
			return err
		}
	}
	return m.contracts(ctx, paths, changed)
}

// sources returns the source files of a project by folder.
func sources(ctx context.Context, p *project.Project) (map[string][]string, error) {
	l, err := p.List(ctx, ".")
	if err != nil {
		return nil, err
	}
	return source.Folders(p, l), nil
}

// add adds the changed modules at a path, a folder or file.
func (m *modules) add(ctx context.Context, name string, changed []string) error {
	rel, err := m.project.Rel(name)
	if err != nil {
		return err
	}
	if m.isFile(rel) {
		m.compare(rel)
		return nil
	}
	if !m.has(rel) {
		if m.hasContract(ctx, rel) {
			return nil
		}
		return m.missing(ctx, rel)
	}
	dirs := map[string]bool{}
	for _, file := range changed {
		if dir := path.Dir(file); isBelow(rel, dir) && (slices.Contains(m.before[dir], file) || slices.Contains(m.after[dir], file)) {
			dirs[dir] = true
		}
	}
	own := maps.Clone(dirs)
	m.addEmbedders(ctx, rel, dirs)
	for _, dir := range slices.Sorted(maps.Keys(dirs)) {
		switch {
		case len(m.after[dir]) == 0:
			err = m.gone(ctx, dir)
		case len(m.before[dir]) == 0:
			err = m.come(ctx, dir)
		default:
			m.compare(dir)
			m.pending[len(m.pending)-1].declarations = !own[dir]
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// isFile reports whether a path is a source file on either side.
func (m *modules) isFile(name string) bool {
	dir := path.Dir(name)
	return slices.Contains(m.before[dir], name) || slices.Contains(m.after[dir], name)
}

// has reports whether there is a module at or below a folder on either side.
func (m *modules) has(folder string) bool {
	for _, side := range []map[string][]string{m.before, m.after} {
		for dir := range side {
			if isBelow(folder, dir) {
				return true
			}
		}
	}
	return false
}

// isBelow reports whether a folder is another one or in it.
func isBelow(outer, dir string) bool {
	return outer == "." || dir == outer || strings.HasPrefix(dir, outer+"/")
}

// missing returns why there is nothing to compare at a path.
func (m *modules) missing(ctx context.Context, name string) error {
	if _, err := m.project.List(ctx, name); err != nil {
		return err
	}
	return &source.EmptyError{Target: name}
}

// compare adds the comparison of a file or of the files of a folder.
func (m *modules) compare(target string) {
	one := Options{Source: target, Base: m.opts.Base, Old: m.old, Now: m.opts.Now, NoReport: true, scope: source.Folder, specs: m.opts.specs, adoptions: m.opts.adoptions, packages: m.opts.packages, published: m.opts.published, imported: m.opts.imported}
	if m.isFile(target) {
		one.scope = source.Auto
	} else {
		one.without = m.sameTest
	}
	m.pending = append(m.pending, one)
}

// sameTest reports whether a file is a test that did not change: what it shows of a module is the same on both sides.
func (m *modules) sameTest(file string) bool {
	l, known := lang.ByPath(file)
	return known && l.IsTest(file) && !slices.Contains(m.opts.Changed, file)
}

// gone adds the item of a module without files now.
func (m *modules) gone(ctx context.Context, dir string) error {
	n, err := exportsOf(ctx, m.old, dir)
	if err != nil {
		return err
	}
	moved := ""
	if to := m.movedTo(ctx, dir); to != "" {
		moved = message.New("; its files are in `%s` now", to).In(m.lang(ctx))
	}
	m.whole(ctx, "module-removed", dir, n, m.before[dir][0], moved)
	return nil
}

// come adds the item of a module without files before.
func (m *modules) come(ctx context.Context, dir string) error {
	n, err := exportsOf(ctx, m.reading, dir)
	if err != nil {
		return err
	}
	m.whole(ctx, "module-added", dir, n, m.after[dir][0], "")
	return nil
}

// whole adds an item about a module as a whole.
func (m *modules) whole(ctx context.Context, rule, dir string, exports int, file, more string) {
	r := ruleByID(rule)
	lang := m.lang(ctx)
	fill := strings.NewReplacer("{symbol}", dir, "{what}", message.Count(exports, "%d export", "%d exports").In(lang), "{more}", more)
	item := Item{
		Rule: r.ID, Severity: r.Severity, Breaking: r.Breaking && exports > 0, Category: r.Category, ChangeType: r.ChangeType,
		SymbolName: dir, Location: file + ":1", DetectedBy: "structural",
		Description:    fill.Replace(message.Translate(lang, r.Words)),
		ProposedUpdate: fill.Replace(message.Translate(lang, r.Update)),
	}
	if r.ChangeType == Removal {
		item.OldValue = dir
	} else {
		item.NewValue = dir
	}
	m.settle(ctx, &item)
	m.known = append(m.known, item)
}

func (m *modules) lang(ctx context.Context) message.Lang { return message.From(ctx) }

// exportsOf returns how many exported declarations a folder has.
func exportsOf(ctx context.Context, p *project.Project, dir string) (int, error) {
	tree, err := source.Read(ctx, p, dir, source.Options{Scope: source.Folder})
	if empty := (*source.EmptyError)(nil); errors.As(err, &empty) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	return len(code.Merge(dir, tree.Files, time.Now()).Exports), nil
}

// movedTo returns the new folder that has most of the files of one that is gone; "" for none.
func (m *modules) movedTo(ctx context.Context, dir string) string {
	texts := map[string]bool{}
	for _, file := range m.before[dir] {
		if text, err := m.old.ReadFile(file); err == nil {
			texts[string(text)] = true
		}
	}
	for _, to := range slices.Sorted(maps.Keys(m.after)) {
		if len(m.before[to]) > 0 || ctx.Err() != nil {
			continue
		}
		same := 0
		for _, file := range m.after[to] {
			if text, err := m.reading.ReadFile(file); err == nil && texts[string(text)] {
				same++
			}
		}
		if 2*same > len(m.before[dir]) {
			return to
		}
	}
	return ""
}

// settle makes a change of declarations that other projects cannot import one of inner code: it breaks nobody outside.
// What users reach by name, such as a route or a flag, stays.
func (m *modules) settle(ctx context.Context, item *Item) {
	file, _ := splitLocation(item.Location)
	if item.Category == Behavior {
		if overview.Aside(file) {
			item.Breaking, item.Severity = false, Low
		}
		return
	}
	if item.Breaking && item.Rule == "export-removed" && m.stillNamed(ctx, item, file) {
		item.Breaking, item.Severity = false, Low
	}
	if dir := path.Dir(file); overview.Inside(file) || m.isProgram(dir) || item.Breaking && m.isHidden(item, file) {
		item.Breaking, item.Severity = false, Low
	}
}

// stillNamed reports whether the entries that named a declaration that is gone from a file take one from another file now, with which
// users can do the same.
func (m *modules) stillNamed(ctx context.Context, item *Item, file string) bool {
	newFile, newName := m.elsewhere(file, item.SymbolName)
	old := item.symbols[0]
	if newFile == "" || newFile == file || old == nil {
		return false
	}
	tree, err := m.reading.ReadFile(newFile)
	if err != nil {
		return false
	}
	f, err := lang.Parse(ctx, newFile, tree, 0)
	if err != nil {
		return false
	}
	now := code.Merge(newFile, []*code.File{f}, time.Time{})
	i := slices.IndexFunc(now.Exports, func(s code.Symbol) bool { return s.Name == newName && s.Kind == old.Kind })
	if i < 0 {
		return false
	}
	same := now.Exports[i]
	same.File, same.Name = old.File, old.Name
	one := func(s code.Symbol) Surface {
		return Surface{Skeleton: code.Skeleton{FilePath: s.File, Language: now.Language, Exports: []code.Symbol{s}}}
	}
	items := Compare(ctx, one(*old), one(same), message.English).Items
	return !slices.ContainsFunc(items, func(i Item) bool { return i.Breaking })
}

// isHidden reports whether the manifests say that others could not import what an item is about. What is gone was seen
// before, all else must have been seen before and now, or is new.
func (m *modules) isHidden(item *Item, file string) bool {
	name, _, _ := strings.Cut(item.SymbolName, ".")
	if item.Rule == "module-removed" {
		return !slices.ContainsFunc(m.before[item.SymbolName], func(f string) bool { return !m.hides(0, f, "") })
	}
	if old := item.symbols[0]; item.Rule == "file-moved" && old != nil && m.passes(0, old.File, name) && m.passes(1, file, name) {
		return true
	}
	if old := item.symbols[0]; old != nil && item.ChangeType != Removal && old.File != "" && old.File != file { // it moved
		return m.hides(0, old.File, name)
	}
	return m.hides(0, file, name) && m.hides(1, file, name)
}

// inTwin reports whether the declarations for another system of modules still have a name that those in a file have lost.
func (m *modules) inTwin(ctx context.Context, file, name string) bool {
	for _, dir := range slices.Sorted(maps.Keys(m.after)) {
		for _, other := range m.after[dir] {
			if other == file || twin(other) != twin(file) || m.hides(1, other, name) {
				continue
			}
			tree, err := source.Read(ctx, m.reading, other, source.Options{})
			if err == nil && slices.ContainsFunc(code.Merge(dir, tree.Files, time.Now()).Exports, func(s code.Symbol) bool { return s.Name == name }) {
				return true
			}
		}
	}
	return false
}

// isProgram reports whether a folder is a package of Go that nothing can import.
func (m *modules) isProgram(dir string) bool {
	p, files := m.reading, m.after[dir]
	if len(files) == 0 {
		p, files = m.old, m.before[dir]
	}
	if len(files) == 0 || path.Ext(files[0]) != ".go" {
		return false
	}
	text, err := p.ReadFile(files[0])
	return err == nil && programClause.Match(text)
}

// programClause is the package clause of a program in Go.
var programClause = lazyregexp.New(`(?m)^package main\b`)
