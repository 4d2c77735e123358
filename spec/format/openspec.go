package format

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/wording"
	"github.com/reverse-spec/reverse-spec/spec"
	"github.com/reverse-spec/reverse-spec/spec/markdown"
	"github.com/reverse-spec/reverse-spec/spec/model"
)

// openSpecDir is where OpenSpec keeps specs.
const openSpecDir = "openspec/specs"

// openSpec writes openspec/specs/<capability>/spec.md.
func (w *writer) openSpec() error {
	old, err := w.readOpenSpec()
	if err != nil {
		return err
	}
	for _, change := range w.openSpecChanges(old) {
		file := path.Join(openSpecDir, change.capability, "spec.md")
		text := change.result()
		switch {
		case change.foreign:
			w.warn(message.New("%s was not written by reverse-spec and stays as it is; name another capability for %s with --capabilities", file, strings.Join(change.modules, ", ")))
		case text == "" && change.old.text != nil:
			if err := w.remove(file); err != nil {
				return err
			}
		case text != "":
			w.result.Requirements += len(change.fresh)
			if err := w.save(file, change.old.text, text); err != nil {
				return err
			}
		}
		if change.foreign || len(change.notes) > 0 {
			w.result.Left = append(w.result.Left, change.modules...)
		}
		for _, note := range change.notes {
			w.warn(message.New("%s: %v", file, note))
		}
	}
	return nil
}

// readOpenSpec reads the specs that the project has, by capability, and notes where requirements of modules are.
func (w *writer) readOpenSpec() (map[string]*openSpecFile, error) {
	out := map[string]*openSpecFile{}
	list, err := w.names(openSpecDir)
	if err != nil {
		return nil, err
	}
	for _, name := range list {
		text, err := w.read(path.Join(openSpecDir, name, "spec.md"))
		if err != nil {
			return nil, err
		}
		if text == nil {
			continue
		}
		f := parseOpenSpec(text)
		out[name] = f
		for i := range f.blocks {
			if module := f.blocks[i].module(); module != "" && w.groups.placed[module] == "" {
				w.groups.placed[module] = name
			}
		}
	}
	return out, nil
}

// maxCapabilities limits the specs that are read.
const maxCapabilities = 10000

// openSpecChanges returns what becomes of each capability that has requirements of the modules, or had some; sorted by name.
func (w *writer) openSpecChanges(old map[string]*openSpecFile) []*openSpecChange {
	outlines := map[string][]*spec.Outline{}
	read := map[string]bool{}
	for _, o := range w.in.Outlines {
		read[o.Module] = true
		name := w.groups.of(o.Module)
		outlines[name] = append(outlines[name], o)
	}
	gone := func(module string) bool { return read[module] || w.in.Gone != nil && w.in.Gone(module) }
	names := map[string]bool{}
	for name := range outlines {
		names[name] = true
	}
	for name, f := range old {
		for i := range f.blocks {
			names[name] = names[name] || f.blocks[i].module() != "" && gone(f.blocks[i].module())
		}
	}
	var out []*openSpecChange
	for name, wanted := range names {
		if !wanted {
			continue
		}
		file := old[name]
		if file == nil {
			file = &openSpecFile{}
		}
		project := ""
		if name == slug(w.groups.title) {
			project, _ = model.FolderWords(w.project, ".")
			if strings.HasSuffix(project, ":") { // it introduces something else
				project = ""
			}
		}
		if c := newOpenSpecChange(name, file, outlines[name], project, gone); c != nil {
			out = append(out, c)
		}
	}
	slices.SortFunc(out, func(a, b *openSpecChange) int { return strings.Compare(a.capability, b.capability) })
	return out
}

// block is a requirement of a spec of OpenSpec.
type block struct {
	name string // after "### Requirement: "
	raw  string // its lines, without empty ones at its end
}

// idLine begins the line by which a requirement is known as one that this program wrote: the reader of OpenSpec takes such
// lines for metadata.
const idLine = "**ID**: `"

// idMark is between the id and the hash of what was written.
const idMark = "` (reverse-spec "

// mark returns the id of a requirement that this program wrote, and the hash of what it wrote; "" for others.
func (b *block) mark() (id, hash string) {
	for line := range strings.SplitSeq(b.raw, "\n") {
		rest, ok := strings.CutPrefix(line, idLine)
		if !ok {
			continue
		}
		id, hash, ok = strings.Cut(rest, idMark)
		if ok && strings.HasSuffix(hash, ")") {
			return id, strings.TrimSuffix(hash, ")")
		}
	}
	return "", ""
}

// module returns the module that a requirement was written from; "" for one that a person wrote.
func (b *block) module() string {
	id, _ := b.mark()
	module, _, _ := strings.Cut(id, "#")
	return module
}

// intact reports whether a requirement is as this program wrote it.
func (b *block) intact() bool {
	_, hash := b.mark()
	return hash != "" && hash == b.hash()
}

// hash returns what the mark has of a requirement as it is: a hash of its lines without the mark.
func (b *block) hash() string {
	var lines []string
	for line := range strings.SplitSeq(b.raw, "\n") {
		if !strings.HasPrefix(line, idLine) {
			lines = append(lines, strings.TrimRight(line, " \t\r"))
		}
	}
	sum := sha256.Sum256([]byte(strings.TrimSpace(strings.Join(lines, "\n"))))
	return hex.EncodeToString(sum[:hashBytes])
}

// hashBytes is the length of the hash in a mark.
const hashBytes = 4

// scenarios returns the names of the scenarios of a requirement.
func (b *block) scenarios() []string {
	var out []string
	fence := ""
	for line := range strings.SplitSeq(b.raw, "\n") {
		fence = markdown.FenceAfter(fence, line)
		if name, ok := strings.CutPrefix(line, "#### "); ok && fence == "" {
			out = append(out, strings.TrimSpace(strings.TrimPrefix(name, "Scenario:")))
		}
	}
	return out
}

// mostRules is the number of requirements of a module that a new spec has, those first that matter most to users. A requirement
// that a spec has stays as long as the code does what it says, whatever its rank.
const mostRules = 25

// openSpecBlocks renders the rules of the modules of a capability, with names told apart: the first of each module, and those
// that the spec has.
func openSpecBlocks(outlines []*spec.Outline, has func(id string) bool) []block {
	var out []block
	seen := map[string]bool{}
	for _, o := range outlines {
		for i := range o.Rules {
			r := o.Rules[i]
			if i >= mostRules && !has(idOf(o, &r)) {
				continue
			}
			for n := 1; seen[fold(r.Name)]; n++ {
				r.Name = o.Rules[i].Name + " in " + o.Module
				if n > 1 {
					r.Name += fmt.Sprintf(" (%d)", n)
				}
			}
			seen[fold(r.Name)] = true
			out = append(out, openSpecBlock(o, &r))
		}
	}
	return out
}

// fold returns a name as OpenSpec compares it.
func fold(name string) string { return strings.ToLower(strings.Join(strings.Fields(name), " ")) }

// openSpecBlock renders one rule.
func openSpecBlock(o *spec.Outline, r *spec.Rule) block {
	var body, rest strings.Builder
	fmt.Fprintf(&body, "### Requirement: %s\n%s\n\n", r.Name, duty(r, o.Lang))
	fmt.Fprintf(&rest, "**Evidence**: %s\n", openSpecEvidence(r))
	for i := range r.Cases {
		c := &r.Cases[i]
		fmt.Fprintf(&rest, "\n#### Scenario: %s\n- **WHEN** %s\n- **THEN** %s\n", c.Name, row(c.When), row(c.Then))
	}
	for i := range r.Examples {
		e := &r.Examples[i]
		fmt.Fprintf(&rest, "\n#### Scenario: %s\n", exampleName(r, e, o.Lang))
		keyword := "GIVEN"
		for _, g := range e.Given {
			fmt.Fprintf(&rest, "- **%s** %s\n", keyword, row(g))
			keyword = "AND"
		}
		fmt.Fprintf(&rest, "- **WHEN** %s\n", row(e.When))
		keyword = "THEN"
		for _, t := range e.Then {
			fmt.Fprintf(&rest, "- **%s** %s\n", keyword, row(t))
			keyword = "AND"
		}
	}
	b := block{name: r.Name, raw: strings.TrimRight(body.String()+rest.String(), "\n")}
	hash := b.hash()
	b.raw = strings.TrimRight(body.String()+idLine+idOf(o, r)+idMark+hash+")\n"+rest.String(), "\n")
	return b
}

// idOf returns the id of a rule, without what a code span cannot hold.
func idOf(o *spec.Outline, r *spec.Rule) string {
	return strings.ReplaceAll(markdown.OneLine(o.Module+"#"+r.Key), "`", "'")
}

// exampleName tells the name of an example from those of the cases.
func exampleName(r *spec.Rule, e *spec.Example, lang string) string {
	name := e.Name
	if slices.ContainsFunc(r.Cases, func(c spec.RuleCase) bool { return fold(c.Name) == fold(name) }) {
		name += wording.In(lang, ", as tested", "（测试）")
	}
	return name
}

// row returns a text on one line, as the content of a list item.
func row(text string) string {
	text = markdown.OneLine(text)
	if strings.HasPrefix(text, "```") { // it would open a block of code
		return `\` + text
	}
	return text
}

// longDuty is the length of a sentence about which OpenSpec remarks that it is long.
const longDuty = 450

// duty returns the sentence of a rule with the word that OpenSpec asks for, and its note.
func duty(r *spec.Rule, lang string) string {
	text := row(r.Says)
	if !strings.Contains(text, "SHALL") && !strings.Contains(text, "MUST") {
		text = "SHALL: " + text
	}
	if r.Note != "" && len(text)+len(r.Note) < longDuty {
		text += wording.In(lang, " ", "") + row(r.Note)
	}
	if r.More > 0 {
		text += fmt.Sprintf(wording.In(lang, " The %d cases after those below are left out.", "此处略去其后的 %d 种情形。"), r.More)
	}
	return text
}

// openSpecEvidence names the files and symbols that show a rule. They have no lines: a requirement changes when behaviour does,
// not when code moves. The page of the module has the lines.
func openSpecEvidence(r *spec.Rule) string {
	const most = 4
	var parts []string
	for _, f := range r.Files[:min(len(r.Files), most)] {
		parts = append(parts, markdown.Code(f))
	}
	text := strings.Join(parts, ", ")
	if r.Of != "" {
		text += " (" + markdown.Code(r.Of) + ")"
	}
	if len(r.Tests) > 0 {
		parts = nil
		for _, f := range r.Tests[:min(len(r.Tests), most)] {
			parts = append(parts, markdown.Code(f))
		}
		text += "; tests " + strings.Join(parts, ", ")
	}
	return text
}

// purpose says what a capability is for, in the words of its modules' documentation, else by what they provide.
func purpose(outlines []*spec.Outline, project string) string {
	var parts, modules []string
	for _, o := range outlines {
		modules = append(modules, moduleWords(o))
		if o.Purpose != "" && len(parts) < mostPurposes {
			parts = append(parts, row(o.Purpose))
		}
	}
	if len(parts) == 0 && project != "" {
		parts = append(parts, row(project))
	}
	if len(parts) == 0 {
		for _, o := range outlines[:min(len(outlines), mostPurposes)] {
			parts = append(parts, provides(o))
			for _, part := range o.Parts[:min(len(o.Parts), mostPurposes/len(outlines))] {
				parts = append(parts, "- "+row(part))
			}
		}
	}
	lang := outlines[0].Lang
	text := strings.TrimLeft(strings.Join(slices.DeleteFunc(parts, func(p string) bool { return p == "" }), "\n"), "#> ")
	text = strings.TrimSpace(text + "\n\n" + fmt.Sprintf(wording.In(lang, "The code is in %s.", "代码位于 %s。"), listing(modules, lang)))
	for _, more := range []string{
		wording.In(lang, " What it does for those who use it is said below.", "它为使用者所做的事见下文各项要求。"),
		wording.In(lang, " It was written from the code.", "本规格根据现有代码写成，说明代码现在所做的事，不说明其缘由。"),
	} {
		if utf8.RuneCountInString(text) < leastPurpose {
			text += more
		}
	}
	return text
}

// Limits of a purpose: OpenSpec warns below the least length.
const (
	mostPurposes = 3
	leastPurpose = 55
)

// moduleWords names a module.
func moduleWords(o *spec.Outline) string {
	if o.Module == "." {
		return wording.In(o.Lang, "the root of the project", "项目根目录")
	}
	return markdown.Code(o.Module)
}

// provides says what users of a module meet.
func provides(o *spec.Outline) string {
	if len(o.Provides) == 0 {
		return ""
	}
	var names []string
	for _, n := range o.Provides {
		names = append(names, markdown.Code(markdown.Clip(n, nameBytes)))
	}
	format := wording.In(o.Lang, "Provides %s.", "提供 %s。")
	switch o.Serves {
	case spec.Routes:
		format = wording.In(o.Lang, "Serves %s.", "提供路由 %s。")
	case spec.Commands:
		format = wording.In(o.Lang, "A program with the commands %s.", "命令行程序，命令为 %s。")
	case spec.Names:
	}
	return fmt.Sprintf(format, listing(names, o.Lang))
}

// Limits of lists in a sentence.
const (
	nameBytes  = 60
	mostListed = 4
)

// listing joins names, the first few.
func listing(names []string, lang string) string {
	const others = mostListed + 1
	switch {
	case len(names) > others:
		return strings.Join(names[:mostListed], wording.In(lang, ", ", "、")) + wording.In(lang, " and others", " 等")
	case len(names) > 1:
		return strings.Join(names[:len(names)-1], wording.In(lang, ", ", "、")) + wording.In(lang, " and ", " 和 ") + names[len(names)-1]
	}
	return strings.Join(names, "")
}
