package format

import (
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/x/lazyregexp"
	"github.com/reverse-spec/reverse-spec/spec"
	"github.com/reverse-spec/reverse-spec/spec/markdown"
)

// openSpecFile is a spec of OpenSpec: its requirements, and the text around them.
type openSpecFile struct {
	text   []byte // nil if there is none
	before string // the title, the purpose and all else above the requirements
	above  string // in the section of the requirements, before the first
	blocks []block
	after  string // sections below
}

// Headings as OpenSpec reads them.
var (
	requirementsHeading = lazyregexp.New(`(?i)^##\s+Requirements\s*$`)
	sectionHeading      = lazyregexp.New(`^##\s+`)
	requirementHeading  = lazyregexp.New(`(?i)^###\s*Requirement:\s*(.+)\s*$`)
	closingMarks        = lazyregexp.New(`[ \t]+#+[ \t]*$`)
)

// parseOpenSpec splits a spec as OpenSpec's own archive does.
func parseOpenSpec(text []byte) *openSpecFile {
	f := &openSpecFile{text: text}
	lines := strings.Split(strings.ReplaceAll(strings.TrimPrefix(string(text), "\ufeff"), "\r\n", "\n"), "\n")
	fence := ""
	const (
		head = iota
		inside
		below
	)
	at := head
	var parts [3][]string
	for _, line := range lines {
		fenced := fence != ""
		fence = markdown.FenceAfter(fence, line)
		fenced = fenced || fence != ""
		switch {
		case at == head && !fenced && requirementsHeading.MatchString(line):
			at = inside
			continue
		case at == inside && !fenced && sectionHeading.MatchString(line):
			at = below
		case at == inside && !fenced && requirementHeading.MatchString(line):
			name := requirementHeading.FindStringSubmatch(line)[1]
			f.blocks = append(f.blocks, block{name: strings.TrimSpace(closingMarks.ReplaceAllString(name, ""))})
		}
		if at == inside && len(f.blocks) > 0 {
			b := &f.blocks[len(f.blocks)-1]
			b.raw += line + "\n"
			continue
		}
		parts[at] = append(parts[at], line)
	}
	for i := range f.blocks {
		f.blocks[i].raw = strings.TrimRight(f.blocks[i].raw, " \t\n")
	}
	f.before, f.above, f.after = strings.TrimSpace(strings.Join(parts[head], "\n")), strings.TrimSpace(strings.Join(parts[inside], "\n")), strings.TrimSpace(strings.Join(parts[below], "\n"))
	return f
}

// ours reports whether this program wrote a requirement of the file.
func (f *openSpecFile) ours() bool {
	return slices.ContainsFunc(f.blocks, func(b block) bool { return b.module() != "" })
}

// has reports whether the file has a requirement with an id.
func (f *openSpecFile) has(id string) bool {
	return slices.ContainsFunc(f.blocks, func(b block) bool { known, _ := b.mark(); return known == id })
}

// fate is what becomes of a requirement.
type fate int

const (
	stays    fate = iota // as it is
	modified             // with all of its scenarios, and perhaps another name
	replaced             // by one without some of its scenarios, which OpenSpec takes for another requirement
	removed
	added
)

// step is what becomes of one requirement.
type step struct {
	fate     fate
	old, now *block // nil if there is none
	known    bool   // what is added was so at the base of a change, too
}

// openSpecChange is what becomes of the spec of a capability.
type openSpecChange struct {
	capability string
	modules    []string
	old        *openSpecFile
	fresh      []block // what is said now
	steps      []step  // those about requirements of the old file first, in their order
	foreign    bool    // a person wrote the file
	notes      []message.Text
	purpose    string // of a new spec
}

// newOpenSpecChange compares a spec with what modules do now; gone are the modules whose requirements may go, project is what its
// documentation says of the whole project if the capability is that. Nil if there is
// nothing to say.
func newOpenSpecChange(capability string, old *openSpecFile, outlines []*spec.Outline, project string, gone func(module string) bool) *openSpecChange {
	slices.SortFunc(outlines, func(a, b *spec.Outline) int { return strings.Compare(a.Module, b.Module) })
	c := &openSpecChange{capability: capability, old: old, fresh: openSpecBlocks(outlines, old.has)}
	if len(c.fresh) == 0 && len(old.blocks) == 0 {
		return nil
	}
	for _, o := range outlines {
		c.modules = append(c.modules, o.Module)
	}
	if old.text != nil && !old.ours() {
		c.foreign = true
		return c
	}
	if len(c.fresh) > 0 {
		telling := slices.DeleteFunc(slices.Clone(outlines), func(o *spec.Outline) bool { return len(o.Rules) == 0 })
		c.purpose = purpose(telling, project)
	}
	c.plan(gone)
	return c
}

// plan decides what becomes of each requirement: those of a person stay, and so do those of modules that were not read.
func (c *openSpecChange) plan(gone func(module string) bool) {
	taken := map[*block]bool{}
	kept := map[string]bool{} // names of requirements of persons
	for i := range c.old.blocks {
		b := &c.old.blocks[i]
		switch module := b.module(); {
		case module == "":
			kept[fold(b.name)] = true
			c.steps = append(c.steps, step{fate: stays, old: b, now: b})
		case !gone(module):
			c.steps = append(c.steps, step{fate: stays, old: b, now: b})
		case !b.intact():
			now := c.successor(b, taken)
			if now != nil {
				taken[now] = true
			}
			kept[fold(b.name)] = true
			if now == nil || now.raw != b.raw {
				c.notes = append(c.notes, message.New("“%s” was changed by hand and stays as it is", b.name))
			}
			c.steps = append(c.steps, step{fate: stays, old: b, now: b})
		default:
			c.settle(b, taken)
		}
	}
	for i := range c.fresh {
		switch b := &c.fresh[i]; {
		case taken[b]:
		case kept[fold(b.name)]:
			c.notes = append(c.notes, message.New("“%s” is not written: the spec has a requirement of that name that a person wrote", b.name))
		default:
			c.steps = append(c.steps, step{fate: added, old: nil, now: b})
		}
	}
}

// settle decides what becomes of a requirement that this program wrote.
func (c *openSpecChange) settle(b *block, taken map[*block]bool) {
	now := c.successor(b, taken)
	switch {
	case now == nil:
		c.steps = append(c.steps, step{fate: removed, old: b, now: nil})
		return
	case now.raw == b.raw:
		c.steps = append(c.steps, step{fate: stays, old: b, now: now})
	case !includes(now.scenarios(), b.scenarios()), now.name != b.name && c.taken(now.name):
		c.steps = append(c.steps, step{fate: replaced, old: b, now: now})
	default:
		c.steps = append(c.steps, step{fate: modified, old: b, now: now})
	}
	taken[now] = true
}

// taken reports whether a requirement of the old file has a name, as OpenSpec compares names.
func (c *openSpecChange) taken(name string) bool {
	return slices.ContainsFunc(c.old.blocks, func(o block) bool { return fold(o.name) == fold(name) })
}

// successor returns what a requirement is now: that with its id, else that with its name; nil for none.
func (c *openSpecChange) successor(b *block, taken map[*block]bool) *block {
	id, _ := b.mark()
	for i := range c.fresh {
		if now, _ := c.fresh[i].mark(); now == id && !taken[&c.fresh[i]] {
			return &c.fresh[i]
		}
	}
	for i := range c.fresh {
		now := &c.fresh[i]
		if other, _ := now.mark(); fold(now.name) == fold(b.name) && !taken[now] && !slices.ContainsFunc(c.old.blocks, func(o block) bool { id, _ := o.mark(); return id == other }) {
			return now
		}
	}
	return nil
}

// includes reports whether a list has all elements of another one.
func includes(list, all []string) bool {
	rest := slices.Clone(list)
	for _, name := range all {
		i := slices.Index(rest, name)
		if i < 0 {
			return false
		}
		rest = slices.Delete(rest, i, i+1)
	}
	return true
}

// result returns the text of the spec, as OpenSpec's archive would leave it; "" for a spec of which nothing is left.
func (c *openSpecChange) result() string {
	var list []string
	for _, s := range c.steps {
		if s.fate == stays || s.fate == modified {
			list = append(list, s.now.raw)
		}
	}
	for _, s := range c.steps {
		if s.fate == replaced || s.fate == added {
			list = append(list, s.now.raw)
		}
	}
	if len(list) == 0 {
		return ""
	}
	before := c.old.before
	if c.old.text == nil {
		before = "# " + c.capability + " Specification\n\n## Purpose\n" + c.purpose
	}
	parts := append([]string{before, "## Requirements", c.old.above}, list...)
	parts = append(parts, c.old.after)
	return strings.Join(slices.DeleteFunc(parts, func(p string) bool { return p == "" }), "\n\n") + "\n"
}
