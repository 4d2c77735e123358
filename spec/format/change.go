package format

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/project"
	"github.com/reverse-spec/reverse-spec/internal/wording"
	"github.com/reverse-spec/reverse-spec/spec"
	"github.com/reverse-spec/reverse-spec/spec/markdown"
)

// ChangeInput is what [WriteChange] makes a change of OpenSpec of.
type ChangeInput struct {
	ID           string   // of the change; a folder name
	Base         string   // the revision that the change begins at, as it was given
	Commits      []string // the subjects of the commits since; nil if unknown
	Files        []string // the files that differ
	Before, Now  []*spec.Outline
	Modules      []string // all modules that exist now
	Capabilities string   // the path of a file that groups modules; "" for none
	Title        string
	Force        bool // replace a change of that id
}

// Change is a change of OpenSpec that was written.
type Change struct {
	ID       string        `json:"id"`
	Path     string        `json:"path"`  // its folder, relative to the project
	Files    []string      `json:"files"` // relative to the project
	Deltas   []DeltaCounts `json:"deltas"`
	Warnings []string      `json:"warnings,omitempty"`
}

// DeltaCounts counts what a change does to the requirements of a capability.
type DeltaCounts struct {
	Capability string `json:"capability"`
	Added      int    `json:"added"`
	Modified   int    `json:"modified"`
	Removed    int    `json:"removed"`
	Renamed    int    `json:"renamed"`
}

// changesDir is where OpenSpec keeps changes.
const changesDir = "openspec/changes"

// WriteChange writes openspec/changes/<id> with the requirements that are not as they were: as deltas of the specs that the project
// has. Deltas is empty, and nothing is written, if the requirements are the same.
func WriteChange(ctx context.Context, p *project.Project, in ChangeInput) (*Change, error) {
	if slug(in.ID) != in.ID || in.ID == "" {
		return nil, message.Errorf("%s is no id of a change: small letters, digits and hyphens", in.ID)
	}
	w := &writer{ctx: ctx, project: p, result: &Result{}, in: Input{Outlines: in.Now, Capabilities: in.Capabilities, Title: in.Title}}
	if err := w.readGroups(); err != nil {
		return nil, err
	}
	old, err := w.readOpenSpec()
	if err != nil {
		return nil, err
	}
	now := map[string]bool{}
	for _, m := range in.Modules {
		now[m] = true
	}
	w.in.Gone = func(module string) bool { return !now[module] }
	before := w.blocksBefore(in.Before)
	out := &Change{ID: in.ID, Path: path.Join(changesDir, in.ID), Files: []string{}, Deltas: []DeltaCounts{}}
	parts := w.deltas(old, before)
	out.Warnings = w.result.Warnings
	if len(parts) == 0 {
		return out, nil
	}
	files := map[string]string{path.Join(out.Path, "proposal.md"): proposal(&in, parts), path.Join(out.Path, "tasks.md"): tasks(&in, parts)}
	for _, p := range parts {
		files[path.Join(out.Path, "specs", p.capability, "spec.md")] = p.render(in.ID)
		out.Deltas = append(out.Deltas, p.count())
		if p.old.text != nil && p.whole && p.result() == "" { // nothing is left of the spec
			files[path.Join(out.Path, ".openspec.yaml")] = "schema: spec-driven\nretire_capabilities: true\n"
		}
	}
	return out, w.saveChange(out, files, in.Force)
}

// deltas returns what a change does to each capability, without those that it does nothing to.
func (w *writer) deltas(old map[string]*openSpecFile, before map[string][]block) []changePart {
	var parts []changePart
	for _, c := range w.openSpecChanges(old) {
		d := newDelta(c, before[c.capability])
		for _, note := range c.notes {
			w.warn(message.New("%s: %v", path.Join(openSpecDir, c.capability, "spec.md"), note))
		}
		if c.foreign && len(d.steps) > 0 {
			w.warn(message.New("%s was not written by reverse-spec, so the change does not touch it; name another capability for %s with --capabilities",
				path.Join(openSpecDir, c.capability, "spec.md"), strings.Join(c.modules, ", ")))
			continue
		}
		if len(d.steps) > 0 {
			parts = append(parts, changePart{c.capability, d})
		}
	}
	return parts
}

// blocksBefore returns the requirements of the modules at the base by capability.
func (w *writer) blocksBefore(list []*spec.Outline) map[string][]block {
	outlines := map[string][]*spec.Outline{}
	for _, o := range list {
		name := w.groups.of(o.Module)
		outlines[name] = append(outlines[name], o)
	}
	out := map[string][]block{}
	for name, list := range outlines {
		slices.SortFunc(list, func(a, b *spec.Outline) int { return strings.Compare(a.Module, b.Module) })
		out[name] = openSpecBlocks(list, func(string) bool { return true })
	}
	return out
}

// saveChange writes the files of a change. Those that exist with other contents are replaced only by force.
func (w *writer) saveChange(c *Change, files map[string]string, force bool) error {
	names := sortedKeys(files)
	for _, name := range names {
		if old, err := w.project.ReadUpTo(name, spec.MaxSize); err == nil && string(old) != files[name] && !force {
			return &TakenError{Path: name}
		}
	}
	for _, name := range names {
		if err := w.project.WriteFile(name, []byte(files[name])); err != nil {
			return message.Errorf("write %s: %w", name, err)
		}
	}
	c.Files = names
	return nil
}

// TakenError reports that a change of the id exists already.
type TakenError struct{ Path string }

func (e *TakenError) Error() string { return e.In(message.English) }

// In implements [message.Localizer].
func (e *TakenError) In(lang message.Lang) string {
	return message.New("%s exists with other contents; it was not changed", e.Path).In(lang)
}

// Hint says what the user can do.
func (e *TakenError) Hint() message.Text {
	return message.New("choose another id with --id, or replace the change with --force")
}

// delta is what a change does to the spec of a capability.
type delta struct {
	*openSpecChange
	steps []step // without those about what the change did not touch
	whole bool   // no step was left out
}

// newDelta picks from what becomes of a spec what changed since the base.
func newDelta(c *openSpecChange, before []block) *delta {
	was := map[string]string{} // by id
	for i := range before {
		id, _ := before[i].mark()
		was[id] = before[i].raw
	}
	d := &delta{openSpecChange: c, whole: true}
	steps := c.steps
	if c.foreign {
		steps = nil
		for i := range c.fresh {
			steps = append(steps, step{fate: added, old: nil, now: &c.fresh[i]})
		}
	}
	for _, s := range steps {
		if s.fate == stays {
			continue
		}
		if !s.since(was) && (s.fate != added || c.old.text == nil) {
			d.whole = false
			continue
		}
		if s.fate == added {
			id, _ := s.now.mark()
			s.known = was[id] == s.now.raw
		}
		d.steps = append(d.steps, s)
	}
	return d
}

// since reports whether a step is about something that was not so at the base.
func (s *step) since(was map[string]string) bool {
	if s.now != nil {
		id, _ := s.now.mark()
		return was[id] != s.now.raw
	}
	id, _ := s.old.mark()
	return was[id] != ""
}

func (d *delta) count() DeltaCounts {
	out := DeltaCounts{Capability: d.capability}
	for _, s := range d.steps {
		switch s.fate {
		case added:
			out.Added++
		case removed:
			out.Removed++
		case replaced:
			out.Added++
			out.Removed++
		case modified:
			out.Modified++
			if s.renamed() {
				out.Renamed++
			}
		case stays:
		}
	}
	return out
}

// renamed reports whether a requirement has another name now.
func (s *step) renamed() bool { return s.old != nil && s.now != nil && s.old.name != s.now.name }

// render returns the deltas as OpenSpec reads them.
func (d *delta) render(id string) string {
	var renamed, gone, changed, fresh []string
	for _, s := range d.steps {
		switch s.fate {
		case added:
			fresh = append(fresh, s.now.raw)
		case removed:
			gone = append(gone, removal(s.old.name, "The code does not do this any more.", "None: no code of the project does it."))
		case replaced:
			fresh = append(fresh, s.now.raw)
			name := s.old.name
			if !s.renamed() { // OpenSpec takes a requirement without a scenario that it had for another one
				name += " (before " + id + ")"
				renamed = append(renamed, renaming(s.old.name, name))
			}
			gone = append(gone, removal(name, "It does not have these scenarios any more: "+strings.Join(lost(s), "; ")+".", "“"+s.now.name+"” below is what the code does now."))
		case modified:
			changed = append(changed, s.now.raw)
			if s.renamed() {
				renamed = append(renamed, renaming(s.old.name, s.now.name))
			}
		case stays:
		}
	}
	var parts []string
	if d.old.text == nil {
		parts = append(parts, "## Purpose\n"+d.purpose)
	}
	for _, section := range []struct {
		title string
		list  []string
		sep   string
	}{{"RENAMED", renamed, "\n"}, {"REMOVED", gone, "\n\n"}, {"MODIFIED", changed, "\n\n"}, {"ADDED", fresh, "\n\n"}} {
		if len(section.list) > 0 {
			parts = append(parts, "## "+section.title+" Requirements\n\n"+strings.Join(section.list, section.sep))
		}
	}
	return strings.Join(parts, "\n\n") + "\n"
}

// lost returns the scenarios that a requirement does not have any more.
func lost(s step) []string {
	rest := s.now.scenarios()
	var out []string
	for _, name := range s.old.scenarios() {
		if i := slices.Index(rest, name); i >= 0 {
			rest = slices.Delete(rest, i, i+1)
		} else {
			out = append(out, "“"+name+"”")
		}
	}
	return out
}

func removal(name, reason, migration string) string {
	return fmt.Sprintf("### Requirement: %s\n**Reason**: %s\n**Migration**: %s", name, reason, migration)
}

func renaming(from, to string) string {
	return fmt.Sprintf("- FROM: `### Requirement: %s`\n- TO: `### Requirement: %s`", from, to)
}

// changePart is the part of a change about one capability.
type changePart struct {
	capability string
	*delta
}

// Limits of lists in a proposal.
const (
	mostCommits = 8
	mostFiles   = 20
	whyBytes    = 120 // of the subject of a commit
)

// proposal returns the proposal of a change.
func proposal(in *ChangeInput, parts []changePart) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n\n## Why\nThe code does not do what it did at `%s`: %s of %s.", in.ID, shortBase(in.Base), wording.Count(requirements(parts), "requirement"), wording.Count(len(parts), "capability"))
	if len(in.Commits) > 0 {
		b.WriteString(" The commits since say:\n\n")
		for _, c := range in.Commits[max(0, len(in.Commits)-mostCommits):] {
			fmt.Fprintf(&b, "- %s\n", markdown.QuotedRow(markdown.Clip(c, whyBytes)))
		}
		if left := len(in.Commits) - mostCommits; left > 0 {
			fmt.Fprintf(&b, "- … and %s before\n", wording.Count(left, "commit"))
		}
	} else {
		b.WriteString("\n")
	}
	b.WriteString("\n## What Changes\n")
	for _, p := range parts {
		for _, s := range p.steps {
			fmt.Fprintf(&b, "- %s: %s\n", p.capability, s.words())
		}
	}
	b.WriteString("\n## Impact\n")
	var names []string
	for _, p := range parts {
		names = append(names, "`"+p.capability+"`")
	}
	fmt.Fprintf(&b, "- Specs: %s\n", strings.Join(names, ", "))
	if len(in.Files) > 0 {
		var files []string
		for _, f := range in.Files[:min(len(in.Files), mostFiles)] {
			files = append(files, markdown.Code(f))
		}
		if left := len(in.Files) - mostFiles; left > 0 {
			files = append(files, fmt.Sprintf("and %d more", left))
		}
		fmt.Fprintf(&b, "- Code: %s\n", strings.Join(files, ", "))
	}
	b.WriteString("\nreverse-spec wrote this from the code on both sides. It does not know why the code changed, only what it does.\n")
	return b.String()
}

// words says what becomes of a requirement.
func (s *step) words() string {
	switch {
	case s.fate == removed:
		return "“" + s.old.name + "” is removed"
	case s.fate == added && s.known:
		return "“" + s.now.name + "” is stated now; the code did it before"
	case s.fate == added:
		return "“" + s.now.name + "” is new"
	case s.renamed():
		return "“" + s.old.name + "” becomes “" + s.now.name + "”"
	case s.fate == replaced:
		return "“" + s.now.name + "” loses scenarios: " + strings.Join(lost(*s), ", ")
	}
	return "“" + s.now.name + "” changes"
}

func requirements(parts []changePart) int {
	n := 0
	for _, p := range parts {
		n += len(p.steps)
	}
	return n
}

// tasks returns the tasks of a change: the code is written, the requirements are to be read.
func tasks(in *ChangeInput, parts []changePart) string {
	var b strings.Builder
	b.WriteString("## 1. Code\n\n")
	n := 0
	for _, c := range in.Commits {
		n++
		fmt.Fprintf(&b, "- [x] 1.%d %s\n", n, markdown.QuotedRow(markdown.Clip(c, whyBytes)))
	}
	if n == 0 {
		b.WriteString("- [x] 1.1 The code is written\n")
	}
	b.WriteString("\n## 2. Review\n\n")
	n = 0
	for _, p := range parts {
		for _, s := range p.steps {
			n++
			fmt.Fprintf(&b, "- [ ] 2.%d %s: %s, as was meant\n", n, p.capability, s.words())
		}
	}
	return b.String()
}

// ChangeID makes the id of a change of the name of a branch, or of the revision that it begins at if the branch is a main one.
func ChangeID(branch, base string) string {
	if name := slug(branch); name != "" && name != "main" && name != "master" && name != "trunk" && name != "develop" && branch != base {
		return name
	}
	if name := slug(base); name != "" {
		return "changes-since-" + name
	}
	return "changes"
}

// shortBase returns the name of a revision, or the beginning of the id of a commit.
func shortBase(rev string) string {
	const whole, short = 40, 12
	if len(rev) == whole && strings.Trim(rev, "0123456789abcdef") == "" {
		return rev[:short]
	}
	return rev
}
