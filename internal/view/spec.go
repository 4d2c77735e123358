package view

import (
	"fmt"
	"html/template"
	"maps"
	"net/http"
	"strconv"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/spec"
)

// mostFiles limits the listed source files of a spec.
const mostFiles = 200

// specPage is the data of a spec's page.
type specPage struct {
	Path      string
	Title     string
	Lang      string
	Front     spec.Front
	Facts     []spec.Attribute
	Target    string // the spec's source if that is a file; else ""
	Files     []string
	MoreFiles int // number of files that are not listed
	Counts    []message.Text
	State     lastState
	Contents  []entry
	Body      template.HTML
	Past      bool // there is a page of its history
	Part      int  // from 1
	Parts     int
	Before    *partLink // nil for none
	After     *partLink
}

// entry is a row of the table of contents.
type entry struct {
	Title   string
	Address string
	Here    bool // it is in the displayed part
	Items   []entry
	Folded  int // number of items that are not listed
}

// partLink links to another part of a spec.
type partLink struct {
	Address string
	Title   string // of the first heading in it
}

// spec returns the page of a spec. The parameter part selects a part of a large spec, id the
// part with an item or heading.
func (s *Site) spec(r *http.Request) (answer, error) {
	d, err := s.library.document(r.Context(), r.PathValue("path"))
	if err != nil {
		return answer{}, err
	}
	part, err := d.asked(r)
	if err != nil {
		return answer{}, err
	}
	files, err := filesOf(r.Context(), s.project)
	if err != nil {
		return answer{}, err
	}
	if s.options.Specs { // the files of the project are elsewhere
		maps.DeleteFunc(files, func(name string, _ bool) bool { return !strings.HasSuffix(name, spec.Suffix) })
	}
	past := s.hasHistory(d.path)
	body, err := d.html(part, writer{files: files, lang: s.lang, past: past})
	if err != nil {
		return answer{}, err
	}
	front := d.spec.Front
	page := specPage{
		Path: d.path, Title: d.spec.Title, Lang: d.spec.Lang, Front: front, Facts: d.facts(), State: lastRun(d),
		Counts: []message.Text{
			message.Count(len(d.spec.Requirements), "%d requirement", "%d requirements"),
			message.Count(len(d.spec.Scenarios), "%d scenario", "%d scenarios"),
			message.Count(len(d.spec.ContractTests), "%d contract test", "%d contract tests"),
		},
		Contents: d.contents(part), Body: body, Past: past, Part: part + 1, Parts: len(d.parts),
		Before: d.link(part-1, s.lang), After: d.link(part+1, s.lang),
	}
	if page.Title == "" {
		page.Title = d.path
	}
	if files[front.SourceTarget] {
		page.Target = front.SourceTarget
	}
	page.Files = front.RelatedFiles[:min(len(front.RelatedFiles), mostFiles)]
	page.MoreFiles = len(front.RelatedFiles) - len(page.Files)
	return answer{template: "spec.html", title: page.Title, data: page}, nil
}

// asked returns the requested part.
func (d *document) asked(r *http.Request) (int, error) {
	if id := r.FormValue("id"); id != "" {
		for _, h := range d.headings {
			if h.ID == id {
				return h.Part, nil
			}
		}
		return 0, &notFoundError{message.New("The spec %s has no %q.", d.path, id)}
	}
	text := r.FormValue("part")
	if text == "" {
		return 0, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 || n > len(d.parts) {
		return 0, &notFoundError{message.New("The spec %s has no part %q; it has %d.", d.path, text, len(d.parts))}
	}
	return n - 1, nil
}

// facts returns the rows of the attribute table that the front matter does not have.
func (d *document) facts() []spec.Attribute {
	if d.spec.Front.Type != "" {
		return nil // a generated table repeats it
	}
	return d.spec.Attributes
}

// link returns a link to a part; nil if there is none.
func (d *document) link(part int, lang message.Lang) *partLink {
	if part < 0 || part >= len(d.parts) {
		return nil
	}
	l := &partLink{Address: fmt.Sprintf("%s?part=%d", at("spec", d.path), part+1), Title: message.New("Part %d", part+1).In(lang)}
	for _, h := range d.headings {
		if h.Part == part {
			l.Title = h.Title
			if h.Kind != "" {
				l.Title = h.ID
			}
			break
		}
	}
	return l
}

// mostEntries limits the entries of a section in the table of contents.
const mostEntries = 60

// contents returns the table of contents: sections, and their items unless there are too many.
func (d *document) contents(part int) []entry {
	var out []entry
	for _, h := range d.headings {
		switch {
		case h.Level == 2:
			out = append(out, entry{Title: h.Title, Address: d.address(h, part), Here: h.Part == part})
		case h.Level == 3 && len(out) > 0:
			section := &out[len(out)-1]
			section.Here = section.Here || h.Part == part
			if h.Part != part && len(d.parts) > 1 || len(section.Items) == mostEntries {
				section.Folded++
				continue
			}
			title := h.Title
			if h.Kind != "" {
				title = h.ID + " " + title
			}
			section.Items = append(section.Items, entry{Title: title, Address: d.address(h, part)})
		}
	}
	return out
}

// lastState is the result of the last run of a spec's contract tests.
type lastState struct {
	Class string // style: good, bad, warn, none
	Words message.Text
}

// lastRun returns the last result in the front matter, which is one for all tests of the spec.
func lastRun(d *document) lastState {
	when := day(d.spec.Front.LastVerified)
	on := func(t message.Text) message.Text {
		if when == "" {
			return t
		}
		return message.New("%v on %s", t, when)
	}
	switch d.spec.Front.Health {
	case "active":
		return lastState{"good", on(message.New("none failed"))}
	case "drifted":
		return lastState{"warn", message.New("%v; the code has drifted since", on(message.New("none failed")))}
	case "failing":
		if len(d.spec.ContractTests) == 1 {
			return lastState{"bad", on(message.New("failed"))}
		}
		return lastState{"bad", on(message.New("one or more of the spec's tests failed"))}
	}
	return lastState{"none", message.New("not run yet")}
}
