package drift

import (
	"context"
	"errors"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/reverse-spec/reverse-spec/drift/adopted"
	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/evidence"
	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/project"
	"github.com/reverse-spec/reverse-spec/internal/project/source"
	"github.com/reverse-spec/reverse-spec/spec"
)

// IsBehaviour reports whether claims of a kind say what the code does, and are compared whatever a spec says.
func IsBehaviour(kind evidence.Kind) bool { return slices.Contains(ofBehaviour, kind) }

// Linked returns the part of a surface that is linked, as is says of a name in a file, with the private declarations that it calls; "" is
// the statements of the file outside declarations. Claims keep no places.
func Linked(s Surface, is func(file, name string) bool) Surface {
	wanted := withHelpers(&s, is)
	out := Surface{Skeleton: adopted.Restrict(s.Skeleton, wanted), Claims: []spec.RecordedClaim{}, text: s.text}
	out.Imports, out.Calls, out.ParseErrors, out.Entries = nil, nil, nil, nil
	files := map[string]bool{}
	for _, list := range [][]string{filesOf(out.Exports), filesOf(out.Internals), filesOf(out.Variants)} {
		for _, file := range list {
			files[file] = true
		}
	}
	for _, c := range s.Claims {
		if len(c.At) == 0 {
			continue
		}
		file := c.At[0].File
		for name := c.Subject; ; {
			if wanted(file, name) {
				out.Claims = append(out.Claims, c)
				files[file] = true
				break
			}
			i := strings.LastIndexByte(name, '.')
			if i < 0 {
				break
			}
			name = name[:i]
		}
	}
	out.Files = nil
	for _, d := range s.Files {
		if files[d.Path] || wanted(d.Path, "") {
			out.Files = append(out.Files, d)
		}
	}
	return out
}

// IsGiven reports whether claims of a kind have a name that users give a program, the same in a spec as in the code: an option, a command,
// an environment variable.
func IsGiven(k evidence.Kind) bool {
	return k == evidence.Flag || k == evidence.Command || k == evidence.Environment
}

func filesOf(list []code.Symbol) []string {
	var out []string
	for i := range list {
		out = append(out, list[i].File)
		out = append(out, filesOf(list[i].Members)...)
	}
	return out
}

// adoptions are the adopted specs of a project. They are read when they are needed.
type adoptions struct {
	project *project.Project
	once    chan struct{}
	read    bool
	list    []*adopted.Spec
	doubts  []message.Text // locks that cannot be read

	reading  chan struct{}
	surfaces map[string]Surface // of folders, as they are now
}

// Sharing returns options with which the comparisons of several adopted specs of a project read each folder once.
func (o Options) Sharing(p *project.Project) Options {
	o.adoptions = newAdoptions(p)
	return o
}

func newAdoptions(p *project.Project) *adoptions {
	a := &adoptions{project: p, once: make(chan struct{}, 1), reading: make(chan struct{}, 1), surfaces: map[string]Surface{}}
	a.once <- struct{}{}
	a.reading <- struct{}{}
	return a
}

func (a *adoptions) all(ctx context.Context) ([]*adopted.Spec, []message.Text) {
	<-a.once
	defer func() { a.once <- struct{}{} }()
	if !a.read {
		list, failed, err := adopted.All(ctx, a.project)
		if err != nil {
			return nil, nil // they are only shown
		}
		a.list, a.read = list, true
		for _, err := range failed {
			a.doubts = append(a.doubts, message.New("not read: %v", err))
		}
	}
	return a.list, a.doubts
}

// surface reads a folder as it is now, once.
func (a *adoptions) surface(ctx context.Context, folder string, now func() time.Time) (Surface, error) {
	<-a.reading
	defer func() { a.reading <- struct{}{} }()
	if s, known := a.surfaces[folder]; known {
		return s, nil
	}
	s, err := Read(ctx, a.project, folder, source.Folder, now)
	if missing := (*project.MissingError)(nil); errors.As(err, &missing) {
		s, err = Surface{Skeleton: code.Merge(folder, nil, now())}, nil
	}
	if err == nil {
		a.surfaces[folder] = s
	}
	return s, err
}

// explainAdopted adds to items the requirements of adopted specs that the code contradicts now, and those that it may.
func (d *detection) explainAdopted(ctx context.Context, base, now Surface, items []Item) {
	if d.opts.adoptions == nil {
		d.opts.adoptions = newAdoptions(d.project)
	}
	specs, doubts := d.opts.adoptions.all(ctx)
	for _, t := range doubts {
		d.warn(t)
	}
	if len(specs) > 0 {
		d.explainBy(specs, base, now, items)
	}
}

// explainBy does so with some adopted specs.
func (d *detection) explainBy(specs []*adopted.Spec, base, now Surface, items []Item) {
	sides := [2]map[string]*code.Symbol{symbolsByName(&base.Skeleton), symbolsByName(&now.Skeleton)}
	less, names := d.removalsOf(base, now), renamedPrivates(sides)
	for i := range items {
		item := &items[i]
		if !item.matters() {
			continue
		}
		c := item.change(base, now, sides)
		if names.explain(&c) {
			continue
		}
		c.Removes = less.Of(&c)
		if c.Symbol != "" {
			c.Users = append(usersOf(&base, sides[0], c.Symbol), usersOf(&now, sides[1], c.Symbol)...)
		}
		for _, concern := range adopted.Concerned(specs, &c) {
			item.addConcern(&concern)
		}
	}
}

// matters reports whether requirements may be about an item: not about what is new, or about how a declaration is written.
func (i *Item) matters() bool {
	if i.old != nil {
		return true
	}
	return i.ChangeType != Addition && (i.Breaking || i.Category != Interface || i.ChangeType == Removal)
}

// change returns an item as a change that requirements may be about.
func (i *Item) change(base, now Surface, sides [2]map[string]*code.Symbol) adopted.Change {
	c := adopted.Change{
		Symbol: i.SymbolName, Was: i.OldValue, Is: i.NewValue,
		Removed: i.ChangeType == Removal && i.old == nil,
	}
	if bodyHash.MatchString(c.Was) {
		c.Was, c.Is = "", ""
	}
	for _, claim := range []*spec.RecordedClaim{i.old, i.now} {
		if claim == nil {
			continue
		}
		c.Name, c.Symbol = claim.Name, claim.Subject
		for _, at := range claim.At {
			c.Files = append(c.Files, at.File)
		}
	}
	file, _ := splitLocation(i.Location)
	c.Files = append(c.Files, file)
	for side, s := range i.symbols {
		if s == nil {
			s = sides[side][c.Symbol]
		}
		if s == nil {
			continue
		}
		c.Files = append(c.Files, s.File)
		surface, text := &base, &c.Before
		if side == 1 {
			surface, text = &now, &c.After
		}
		if surface.text != nil && s.StartLine > 0 {
			*text = linesOf(surface.cleaned(s.File), s.StartLine, s.EndLine)
		}
	}
	return c
}

// addConcern adds a requirement to the statements of an item, with its tests.
func (i *Item) addConcern(c *adopted.Concern) {
	s := Statement{ID: c.Requirement.ID, Title: c.Requirement.Title, Location: c.Spec.Path + ":" + strconv.Itoa(c.Line()), Adopted: true}
	if c.Scenario != nil {
		s.ID, s.Title = c.Scenario.ID, c.Requirement.Title+": "+c.Scenario.Title
	}
	if c.Contradicted {
		if i.Severity == Low { // what people demand is more than how the code does it
			i.Severity = Medium
		}
		i.Statements = append(i.Statements, s)
		for _, t := range c.Spec.Tests(c.Requirement.ID) {
			i.Tests = withTest(i.Tests, t)
		}
	} else {
		i.Related = append(i.Related, s)
	}
}

// concerned keeps the items that a requirement of an adopted spec is about.
func concerned(list []Item) []Item {
	return slices.DeleteFunc(list, func(i Item) bool {
		return !slices.ContainsFunc(slices.Concat(i.Statements, i.Related), func(s Statement) bool { return s.Adopted })
	})
}

// detectAdopted compares the code that an adopted spec is linked to with what it was when the links were accepted.
func detectAdopted(ctx context.Context, p *project.Project, opts Options, s *adopted.Spec) (*Report, error) {
	d := &detection{project: p, opts: opts, report: &Report{Warnings: []string{}, Lang: message.From(ctx), SpecPath: s.Path, SourcePath: ".", SpecVersion: "v1"}, target: "."}
	if d.opts.adoptions == nil {
		d.opts.adoptions = newAdoptions(p)
	}
	d.commits = &commits{project: p, wanted: func() []string {
		return slices.Compact([]string{p.LastCommit(ctx, adopted.LockPath(s.Path)), "HEAD"})
	}}
	defer d.commits.close() //nolint:errcheck // they were only read
	if s.Written == nil {
		d.warn(message.New("%s is gone, or has no requirement any more", s.Path))
	}
	for _, q := range s.Lock.Requirements {
		switch now := s.Requirement(q.ID); {
		case now == nil && s.Written != nil:
			d.warn(message.New("the spec has no requirement %s any more; adopt it again", q.ID))
		case now != nil && adopted.Hash(now) != q.Hash:
			d.warn(message.New("%s:%d: the requirement %s changed since its links were accepted; adopt it again", s.Path, now.Line, q.ID))
		}
	}
	result := Result{Noise: map[string]int{}}
	all := differ{items: []Item{}}
	for _, folder := range foldersOf(s) {
		if opts.Source != "" && folder != path.Dir(path.Clean(opts.Source)) {
			continue
		}
		items, noise, err := d.compareLinked(ctx, s, folder)
		if err != nil {
			return nil, err
		}
		all.items = append(all.items, items...)
		for kind, n := range noise {
			result.Noise[kind] += n
		}
	}
	all.items = concerned(all.items)
	all.finish()
	result.Items = all.items
	d.fill(result)
	if opts.NoReport {
		return d.report, nil
	}
	return d.report, d.write()
}

// foldersOf returns the folders of the code that a spec is linked to.
func foldersOf(s *adopted.Spec) []string {
	var out []string
	for _, l := range s.Accepted(false) {
		out = append(out, path.Dir(l.File))
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// compareLinked compares the linked code of a folder.
func (d *detection) compareLinked(ctx context.Context, s *adopted.Spec, folder string) ([]Item, map[string]int, error) {
	hashes := map[string]string{}
	for _, f := range s.Lock.Skeleton.Files {
		hashes[f.Path] = f.Hash
	}
	recorded := Surface{Skeleton: s.Lock.Skeleton, Claims: s.Lock.Claims}
	recorded.text = func(file string) []byte { return d.commits.read(ctx, file, hashes[file]) }
	base := recordedIn(recorded, s, folder)
	whole, err := d.opts.adoptions.surface(ctx, folder, d.opts.Now)
	if err != nil {
		return nil, nil, err
	}
	names := map[string]bool{}
	for _, l := range s.Accepted(false) {
		if path.Dir(l.File) == folder {
			names[l.Symbol] = true
		}
	}
	for _, name := range leaves(&base.Skeleton) { // what is linked may call a helper no more that is still there
		names[name] = true
	}
	whole.text = d.textNow
	now := Linked(whole, func(_, name string) bool { return names[name] })
	now.text = d.textNow
	result := Compare(ctx, base, now, d.report.Lang)
	result.Items = d.withoutMoved(ctx, result.Items)
	now.Calls = whole.Calls // say which linked declarations use a helper
	for i := range result.Items {
		result.Items[i].sources(base, now, nil)
	}
	d.explainBy([]*adopted.Spec{s}, base, now, result.Items)
	return result.Items, result.Noise, ctx.Err()
}

// recordedIn returns the part of a recorded surface that is in a folder.
func recordedIn(s Surface, of *adopted.Spec, folder string) Surface {
	out := s
	out.FilePath = folder
	keep := func(list []code.Symbol) []code.Symbol {
		return slices.DeleteFunc(slices.Clone(list), func(sym code.Symbol) bool { return path.Dir(sym.File) != folder })
	}
	out.Exports, out.Internals, out.Variants = keep(s.Exports), keep(s.Internals), keep(s.Variants)
	out.Files = slices.DeleteFunc(slices.Clone(s.Files), func(f code.Digest) bool { return path.Dir(f.Path) != folder })
	out.Claims = []spec.RecordedClaim{}
	names := map[string]bool{}
	for _, l := range of.Accepted(false) {
		names[l.Symbol] = names[l.Symbol] || path.Dir(l.File) == folder
	}
	for _, name := range leaves(&out.Skeleton) { // helpers of what is linked
		names[name] = true
	}
	for _, c := range s.Claims {
		for name := c.Subject; ; {
			if names[name] {
				out.Claims = append(out.Claims, c)
				break
			}
			i := strings.LastIndexByte(name, '.')
			if i < 0 {
				break
			}
			name = name[:i]
		}
	}
	return out
}

// withoutMoved leaves out the removal of declarations that another file of the project has with the same body.
func (d *detection) withoutMoved(ctx context.Context, items []Item) []Item {
	gone := func(i Item) bool { return i.ChangeType == Removal && i.symbols[0] != nil && i.symbols[1] == nil }
	if !slices.ContainsFunc(items, gone) {
		return items
	}
	tree, err := source.Read(ctx, d.project, ".", source.Options{Scope: source.Everything})
	if err != nil {
		return items
	}
	merged := code.Merge(".", tree.Files, d.opts.Now())
	moved := map[string]bool{}
	var note func(list []code.Symbol)
	note = func(list []code.Symbol) {
		for i := range list {
			moved[list[i].Name+" "+list[i].BodyHash] = true
			note(list[i].Members)
		}
	}
	note(merged.Exports)
	note(merged.Internals)
	return slices.DeleteFunc(items, func(i Item) bool {
		return gone(i) && i.symbols[0].BodyHash != "" && moved[i.symbols[0].Name+" "+i.symbols[0].BodyHash]
	})
}
