package spec

import (
	"cmp"
	"context"
	"io"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/project"
	"github.com/reverse-spec/reverse-spec/internal/project/source"
	"github.com/reverse-spec/reverse-spec/internal/x/lazyregexp"
)

// Outdated is a claim that the code no longer shows, and the claim that is there instead; nil for none.
type Outdated struct{ Old, Now *RecordedClaim }

// Restating is what of a page became untrue.
type Restating struct {
	IDs    []string // requirements and scenarios
	Rows   []int    // lines of tables elsewhere, from 1
	Gone   []string // words that only the old values have: rows of other tables that quote them are rewritten, too
	Claims []Outdated
}

// Restate rewrites the statements of a page that became untrue as [Generate] would write them for the code as it is now. Every
// other byte of the page stays. In the lock it replaces the claims of these statements, and the hashes of the bodies that they
// are about. It returns the ids of the statements and the lines of the rows that it rewrote, sorted.
func Restate(ctx context.Context, p *project.Project, file string, what Restating) ([]string, error) {
	old, err := Load(p, file)
	if err != nil {
		return nil, err
	}
	if err := old.ReadLock(p, file); err != nil {
		return nil, err
	}
	text, err := p.ReadUpTo(file, MaxSize)
	if err != nil {
		return nil, err
	}
	now, err := regenerated(ctx, p, old)
	if err != nil {
		return nil, err
	}
	r := &restater{Restating: what, old: old, now: now, fresh: parts(string(now.Render()))}
	out := r.page(string(text))
	if len(r.done) == 0 {
		return nil, nil
	}
	r.lock()
	lockFile := LockPath(file, old.Front.SourceTarget)
	if err := p.WriteFile(lockFile, old.Lock()); err != nil {
		return nil, err
	}
	return r.done, p.WriteFile(file, []byte(out))
}

// regenerated returns the spec as it would be written now. Nothing is written.
func regenerated(ctx context.Context, p *project.Project, old *Spec) (*Spec, error) {
	opts := GenerateOptions{Lang: old.Lang, Scope: source.Scope(old.Front.Scope), To: io.Discard}
	if err := opts.defaults(); err != nil {
		return nil, err
	}
	tree, err := source.Read(ctx, p, old.Front.SourceTarget, source.Options{Scope: opts.Scope, Parts: source.ForSpec})
	if err != nil {
		return nil, err
	}
	if err := tree.ReadRelated(ctx, p); err != nil {
		return nil, err
	}
	s, _, err := newMaterial(p, tree, old.Lang, opts.Now()).build(ctx, old, opts)
	return s, err
}

// restater rewrites the statements of one page.
type restater struct {
	Restating
	old, now *Spec
	fresh    []pagePart
	done     []string
	ids      map[string]string // requirements that the code now has under another id, by the id of the page
}

// pagePart is a part of a page: a heading with what is below it, up to the next heading.
type pagePart struct {
	id    string // of a requirement or scenario; else the text of the heading
	lines []string
	first int // line, from 1
}

// statementHeading matches the heading of a requirement or scenario.
var statementHeading = lazyregexp.New(`^#{2,4} ((?:REQ|SC)-[^\s:：]+)[:：]`)

// parts divides a page at its headings. Headings in code blocks divide nothing.
func parts(text string) []pagePart {
	out := []pagePart{{first: 1}}
	fence := ""
	n := 0
	for l := range strings.SplitAfterSeq(text, "\n") {
		n++
		if mark := strings.TrimSpace(l); strings.HasPrefix(mark, "```") {
			run := mark[:len(mark)-len(strings.TrimLeft(mark, "`"))]
			switch {
			case fence == "":
				fence = run
			case strings.HasPrefix(mark, fence):
				fence = ""
			}
		}
		if title := strings.TrimLeft(l, "#"); fence == "" && title != l && strings.HasPrefix(title, " ") {
			id := strings.TrimSpace(title)
			if m := statementHeading.FindStringSubmatch(l); m != nil {
				id = m[1]
			}
			out = append(out, pagePart{id: id, first: n})
		}
		last := &out[len(out)-1]
		last.lines = append(last.lines, l)
	}
	return out
}

// page returns the page with the statements as they are now.
func (r *restater) page(text string) string {
	r.ids = r.successors()
	old := parts(text)
	for _, id := range r.IDs { // what the page leaves out is in the lock alone
		if !slices.ContainsFunc(old, func(part pagePart) bool { return part.id == id }) {
			r.done = append(r.done, id)
		}
	}
	var b strings.Builder
	inSummary := r.inSummary(old)
	for _, part := range old {
		if len(inSummary) > 0 && isGlance(part.id) {
			b.WriteString(r.glance(part, inSummary))
			continue
		}
		if slices.Contains(r.IDs, part.id) {
			b.WriteString(r.statement(part))
			continue
		}
		numbered := statementHeading.MatchString(part.lines[0])
		for i, l := range part.lines {
			if !numbered && strings.HasPrefix(l, "| ") {
				l = r.row(part, i)
			}
			b.WriteString(l)
		}
	}
	slices.Sort(r.done)
	r.done = slices.Compact(r.done)
	return b.String()
}

// inSummary returns the requirements that became untrue whose cases are in the summary of the page.
func (r *restater) inSummary(page []pagePart) []string {
	var out []string
	for _, part := range page {
		text := strings.Join(part.lines, "")
		if slices.Contains(r.IDs, part.id) && (strings.Contains(text, inGlance.en) || strings.Contains(text, inGlance.zh)) {
			out = append(out, part.id)
		}
	}
	return out
}

// isGlance reports whether a part of a page is its summary.
func isGlance(heading string) bool {
	section, ok := sectionOf(heading)
	return ok && section == SecGlance
}

// glance returns the summary as it is now, which has the cases of some requirements; "" if the page has none any more.
func (r *restater) glance(old pagePart, of []string) string {
	was, text := strings.Join(old.lines, ""), ""
	if fresh := r.part(old.id); fresh != nil {
		text = strings.Join(fresh.lines, "")
	}
	if text != was {
		r.done = append(append(r.done, old.id), of...)
	}
	return text
}

// successors returns, for requirements whose ids the code no longer has, those that state what their claims became.
func (r *restater) successors() map[string]string {
	out := map[string]string{}
	for _, c := range r.Claims {
		if c.Now == nil || c.Old.Requirement == "" || r.part(c.Old.Requirement) != nil {
			continue
		}
		for i := range r.now.Claims {
			if n := &r.now.Claims[i]; n.ID() == c.Now.ID() && n.Requirement != "" {
				out[c.Old.Requirement] = n.Requirement
			}
		}
	}
	return out
}

// part returns the part of the new page with an id; nil for none.
func (r *restater) part(id string) *pagePart {
	for i := range r.fresh {
		if r.fresh[i].id == id {
			return &r.fresh[i]
		}
	}
	return nil
}

// statement returns a requirement or scenario as it is now; "" if there is none.
func (r *restater) statement(old pagePart) string {
	fresh, id := r.part(old.id), old.id
	if fresh == nil && r.ids[old.id] != "" {
		id = r.ids[old.id]
		fresh = r.part(id)
	}
	if fresh == nil {
		r.done = append(r.done, old.id)
		return ""
	}
	text := strings.Join(fresh.lines, "")
	if id != old.id {
		text = strings.Replace(text, id, old.id, 1)
	}
	body, end := strings.TrimRight(strings.Join(old.lines, ""), "\n"), ""
	if all := strings.Join(old.lines, ""); len(all) > len(body) {
		end = all[len(body):]
	}
	if text = strings.TrimRight(text, "\n"); text != body {
		r.done = append(r.done, old.id)
	}
	return text + end
}

// placePattern matches what a row cites: `a.go:12`.
var placePattern = lazyregexp.New("`[^`]*:\\d+`")

// row returns a row of a table as it is now, if it became untrue.
func (r *restater) row(part pagePart, i int) string {
	l := part.lines[i]
	wanted := slices.Contains(r.Rows, part.first+i)
	if fresh := r.part(part.id); fresh != nil {
		said := func(row string) string { return placePattern.ReplaceAllString(row, "") }
		same := func(row string) bool { return said(row) == said(l) }
		quoted := slices.ContainsFunc(r.Gone, func(w string) bool { return slices.Contains(wordOfRow.FindAllString(l, -1), w) })
		if slices.ContainsFunc(fresh.lines, same) || !wanted && !quoted {
			return l
		}
		for _, row := range fresh.lines {
			if firstCell(row) == firstCell(l) && !slices.Contains(part.lines, row) {
				r.done = append(r.done, part.id)
				return row
			}
		}
	}
	return l
}

var wordOfRow = lazyregexp.New(`[\pL\pN_$]+(?:\.\pN+)?`)

// firstCell returns the first cell of a row.
func firstCell(row string) string {
	cell, _, _ := strings.Cut(strings.TrimPrefix(row, "| "), " | ")
	return cell
}

// lock replaces the claims of the statements that were rewritten, and the hashes of the bodies that these are about.
func (r *restater) lock() {
	subjects, gone := map[string]bool{}, map[string]bool{} // gone are ids of claims
	var fresh []RecordedClaim
	for _, id := range r.IDs {
		fresh = append(fresh, r.claimsOf(id, gone)...)
	}
	for _, c := range r.Claims {
		gone[c.Old.ID()], subjects[c.Old.Subject] = true, true
		if c.Now != nil {
			n := *c.Now
			n.Requirement = c.Old.Requirement
			fresh = append(fresh, n)
		}
	}
	for i := range r.old.Claims { // what else is known of the same symbols, such as the table that a requirement was made of
		for j := range r.now.Claims {
			o, n := &r.old.Claims[i], r.now.Claims[j]
			if id := n.ID(); subjects[n.Subject] && o.Requirement == "" && n.Requirement == "" && id == o.ID() {
				gone[id] = true
				fresh = append(fresh, n)
			}
		}
	}
	r.old.Claims = replaced(r.old.Claims, gone, fresh)
	for _, list := range []*[]code.Symbol{&r.old.Baseline.Exports, &r.old.Baseline.Internals} {
		takeBodies("", *list, subjects, append(slices.Clone(r.now.Baseline.Exports), r.now.Baseline.Internals...))
	}
}

// claimsOf returns the claims that a requirement of the page states now, and notes those that it stated.
func (r *restater) claimsOf(id string, gone map[string]bool) []RecordedClaim {
	for i := range r.old.Claims {
		if c := &r.old.Claims[i]; c.Requirement == id {
			gone[c.ID()] = true
		}
	}
	now := cmp.Or(r.ids[id], id)
	var out []RecordedClaim
	for _, c := range r.now.Claims {
		if c.Requirement == now {
			c.Requirement = id
			out = append(out, c)
		}
	}
	return out
}

// replaced returns a list of claims with others instead of those that are gone, where the first of these was.
func replaced(list []RecordedClaim, gone map[string]bool, fresh []RecordedClaim) []RecordedClaim {
	var out []RecordedClaim
	have := map[string]bool{}
	for i := range list {
		have[list[i].ID()] = !gone[list[i].ID()]
	}
	for i := range list {
		if !gone[list[i].ID()] {
			out = append(out, list[i])
			continue
		}
		for _, c := range fresh {
			if id := c.ID(); !have[id] {
				have[id], c.At = true, nil
				out = append(out, c)
			}
		}
	}
	return out
}

// takeBodies takes the hashes of the bodies of symbols from others.
func takeBodies(owner string, list []code.Symbol, wanted map[string]bool, from []code.Symbol) {
	for i := range list {
		s := &list[i]
		for j := range from {
			if from[j].Name != s.Name || from[j].Kind != s.Kind || from[j].File != s.File {
				continue
			}
			if wanted[owner+s.Name] {
				s.BodyHash = from[j].BodyHash
			}
			takeBodies(owner+s.Name+".", s.Members, wanted, from[j].Members)
		}
	}
}
