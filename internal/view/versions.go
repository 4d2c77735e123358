package view

import (
	"bytes"
	"context"
	"fmt"
	"path"
	"strings"

	"github.com/reverse-spec/reverse-spec/drift"
	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/project"
	"github.com/reverse-spec/reverse-spec/internal/redact"
	"github.com/reverse-spec/reverse-spec/internal/x/lazyregexp"
	"github.com/reverse-spec/reverse-spec/spec"
)

// Limits of the work for a page of history.
const (
	mostVersions     = 40       // versions of a spec that are read
	mostVersionBytes = 24 << 20 // of them in all
	mostCited        = 60       // places whose code is compared
	mostPerChange    = 2        // of them in one change
	citedContext     = 4        // lines around a cited one
)

// version is a spec at a commit; the commit of the files as they are is zero.
type version struct {
	by           project.Revised
	spec         *spec.Spec
	requirements map[string]*spec.Requirement
}

// reading makes the history of a spec.
type reading struct {
	site  *Site
	past  *project.Past
	files map[[2]string][]string // lines by commit and file
	says  map[*spec.Requirement]string
	left  int // places that may be compared yet
}

// readHistory reads the versions of a spec at commits, latest first, and tells what became of each requirement.
func (s *Site) readHistory(ctx context.Context, d *document, past *project.Past, list []project.Revised, complete bool) (*historyPage, error) {
	r := &reading{site: s, past: past, files: map[[2]string][]string{}, says: map[*spec.Requirement]string{}, left: mostCited}
	versions, whole := r.versions(d, list) //nolint:contextcheck // answers of git have a watch of their own
	if len(versions) == 0 {
		return untold(d, message.New("The spec is too large for a history.")), nil
	}
	page := &historyPage{Versions: len(versions), Complete: complete && whole, Since: versions[len(versions)-1].by.When.Format("2006-01-02")}
	now := version{spec: d.spec, requirements: byID(d.spec)}
	versions = append([]version{now}, versions...)
	seen := map[string]bool{}
	for _, v := range versions {
		for i := range v.spec.Requirements {
			q := &v.spec.Requirements[i]
			if seen[q.ID] {
				continue
			}
			seen[q.ID] = true
			h := history{ID: q.ID, Title: unmarked(q.Title), Events: r.events(versions, q.ID, page.Complete)} //nolint:contextcheck // the same
			if now.requirements[q.ID] == nil {
				page.Gone = append(page.Gone, h)
			} else {
				page.Items = append(page.Items, h)
			}
		}
	}
	return page, ctx.Err()
}

// addressOf returns the address of an item on the pages of the spec; "" if there is none.
func (d *document) addressOf(id string) string {
	item := d.items[id]
	if item == nil {
		return ""
	}
	return fmt.Sprintf("%s?part=%d#%s", at("spec", d.path), item.Part+1, id)
}

// versions reads a spec at commits, latest first. Whole says that none was left out.
func (r *reading) versions(d *document, list []project.Revised) (out []version, whole bool) {
	size := 0
	for _, by := range list {
		text, err := r.past.Text(by.Commit, d.path, spec.MaxSize)
		if size += len(text); size > mostVersionBytes {
			return out, false
		}
		v := version{by: by, spec: &spec.Spec{}}
		if err == nil { // else the commit removed it
			if s, err := spec.Parse(bytes.ReplaceAll(spec.WithoutBaseline(text), []byte("\r\n"), []byte("\n"))); err == nil {
				v.spec = s
			}
		}
		v.requirements = byID(v.spec)
		out = append(out, v)
	}
	return out, true
}

func byID(s *spec.Spec) map[string]*spec.Requirement {
	out := make(map[string]*spec.Requirement, len(s.Requirements))
	for i := range s.Requirements {
		out[s.Requirements[i].ID] = &s.Requirements[i]
	}
	return out
}

// events returns what became of a requirement, latest first.
func (r *reading) events(versions []version, id string, complete bool) []event {
	var out []event
	for i, v := range versions {
		now := v.requirements[id]
		if i == len(versions)-1 {
			if now != nil {
				e := event{By: v.by, What: "came", Is: prose(now.Title, now.Text)}
				if !complete {
					e.What = "known"
				}
				out = append(out, e)
			}
			break
		}
		before := versions[i+1]
		was := before.requirements[id]
		e := event{By: v.by}
		switch {
		case now == nil && was == nil:
			continue
		case now == nil:
			e.What = "gone"
		case was == nil:
			e.What, e.Is = "came", prose(now.Title, now.Text)
			if anyHas(versions[i+2:], id) {
				e.What = "back"
			}
		case r.stated(now) == r.stated(was):
			continue
		default:
			e.What = "changed"
			e.Was, e.Is = differing(was, now)
			e.Code = r.cited(&before, &versions[i], &e, id)
		}
		out = append(out, e)
	}
	return out
}

// anyHas reports whether a version has a requirement.
func anyHas(versions []version, id string) bool {
	for _, v := range versions {
		if v.requirements[id] != nil {
			return true
		}
	}
	return false
}

// linesOf matches the lines of places, which move when other code changes.
var linesOf = lazyregexp.New("(:\\d+(?:-\\d+)?)+`")

// stated returns what a requirement says, without the lines that it cites.
func (r *reading) stated(q *spec.Requirement) string {
	text, known := r.says[q]
	if !known {
		text = linesOf.ReplaceAllString(strings.Join(prose(q.Title, q.Text), "\n"), "`")
		r.says[q] = text
	}
	return text
}

// differing returns the lines of two statements between those that they have in common at both ends.
func differing(was, now *spec.Requirement) (old, current []string) {
	pair := paired(drift.Body{Lines: prose(was.Title, was.Text)}, drift.Body{Lines: prose(now.Title, now.Text)}, func(line string) string {
		return linesOf.ReplaceAllString(line, "`")
	})
	a, b := pair[0], pair[1]
	return a.Lines[a.Same[0] : len(a.Lines)-a.Same[1]], b.Lines[b.Same[0] : len(b.Lines)-b.Same[1]]
}

// paired returns two texts with the number of lines that they have in common at both ends.
func paired(a, b drift.Body, plain func(string) string) *[2]drift.Body {
	first, last := 0, 0
	most := min(len(a.Lines), len(b.Lines))
	for first < most && plain(a.Lines[first]) == plain(b.Lines[first]) {
		first++
	}
	for last < most-first && plain(a.Lines[len(a.Lines)-1-last]) == plain(b.Lines[len(b.Lines)-1-last]) {
		last++
	}
	a.Same, b.Same = [2]int{first, last}, [2]int{first, last}
	return &[2]drift.Body{a, b}
}

// cited returns the code that a change of a statement cites, where it changed between two versions, too: at the places in its lines, or
// else at those that the requirement names.
func (r *reading) cited(before, after *version, e *event, id string) []citedCode {
	olds, places := placesIn(e.Was, before.spec), placesIn(e.Is, after.spec)
	if len(olds) == 0 || len(places) == 0 {
		olds, places = evidenceOf(before.requirements[id]), evidenceOf(after.requirements[id])
	}
	var out []citedCode
	for i := range min(len(olds), len(places)) {
		if len(out) == mostPerChange || r.left == 0 {
			break
		}
		r.left--
		a, b := r.window(before.by.Commit, olds[i]), r.window(after.by.Commit, places[i])
		if a == nil || b == nil {
			continue
		}
		pair := paired(*a, *b, strings.TrimSpace)
		if pair[0].Same[0] < max(len(a.Lines), len(b.Lines)) {
			out = append(out, citedCode{Place: places[i], Sides: sides(pair)})
		}
	}
	return out
}

// citations matches places in code spans.
var citations = lazyregexp.New("`([^`\\s]+:\\d+)(?:-\\d+)?`")

// placesIn returns the places that lines of a spec cite, with their paths in the project.
func placesIn(lines []string, s *spec.Spec) []string {
	var out []string
	for _, line := range lines {
		for _, m := range citations.FindAllStringSubmatch(line, -1) {
			out = append(out, s.LongPlace(m[1]))
		}
	}
	return out
}

func evidenceOf(q *spec.Requirement) []string {
	var out []string
	for _, e := range q.Evidence {
		out = append(out, e.Place)
	}
	return out
}

// window returns the lines around a place at a commit, or in the file as it is for ""; nil if there are none.
func (r *reading) window(commit, place string) *drift.Body {
	file, line, ok := cutPlace(place)
	if !ok {
		return nil
	}
	lines := r.lines(commit, file)
	if line < 1 || line > len(lines) {
		return nil
	}
	from, to := max(0, line-1-citedContext), min(len(lines), line+citedContext)
	return &drift.Body{File: file, First: from + 1, Lines: lines[from:to]}
}

// lines returns the lines of a file without secrets; nil if it cannot be read.
func (r *reading) lines(commit, file string) []string {
	key := [2]string{commit, file}
	if lines, known := r.files[key]; known {
		return lines
	}
	var text []byte
	var err error
	if commit == "" {
		text, err = r.site.project.ReadFile(file)
	} else {
		text, err = r.past.Text(commit, file, project.MaxFileSize)
	}
	if err != nil || project.IsBinary(text) {
		r.files[key] = nil
		return nil
	}
	clean, _ := redact.Text(strings.ToValidUTF8(string(text), "\ufffd"), redact.Hints{Path: path.Clean(file)})
	r.files[key] = strings.Split(strings.ReplaceAll(clean, "\r\n", "\n"), "\n")
	return r.files[key]
}
