package adopt

import (
	"fmt"
	"io"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/spec/markdown"
)

// mostUnspecified limits the behaviour without a requirement that is listed for people; JSON has all.
const mostUnspecified = 20

// Text writes the result for people.
func (r *Result) Text(w io.Writer) error {
	p := &printer{lang: r.Lang}
	for i := range r.Specs {
		s := &r.Specs[i]
		p.line("%s (%s)", s.Path, s.Form)
		for j := range s.Requirements {
			p.requirement(&s.Requirements[j], r.MinConfidence)
		}
		for _, id := range s.Gone {
			p.say("  ", message.New("%s: the spec has no such requirement any more; its links are kept", id))
		}
		p.line("")
	}
	p.unspecified(r.Unspecified)
	p.summary(r)
	_, err := io.WriteString(w, p.String())
	return err
}

type printer struct {
	strings.Builder
	lang message.Lang
}

func (p *printer) line(format string, args ...any) { fmt.Fprintf(p, format+"\n", args...) }

func (p *printer) say(indent string, t message.Text) { p.WriteString(indent + t.In(p.lang) + "\n") }

func (p *printer) requirement(q *Requirement, least float64) {
	p.line("  :%d %s [%s]", q.Line, markdown.Clip(q.Title, markdown.TitleBytes), p.state(q.State))
	if q.Changed {
		p.say("      ", message.New("its text changed since its links were accepted"))
	}
	for i := range q.Links {
		l := &q.Links[i]
		if l.State == Proposed && l.Confidence < least || l.State == Rejected {
			continue
		}
		p.line("    %s", l.Line(p.lang))
	}
}

// Line tells a link in one line: its state, id, confidence, what it links and why.
func (l *Link) Line(lang message.Lang) string {
	mark := map[State]string{Proposed: "?", Accepted: "+", Rejected: "-", Gone: "!"}[l.State]
	out := fmt.Sprintf("%s %s %.2f %s", mark, l.ID, l.Confidence, l.Place)
	if l.Symbol != "" {
		out += " " + l.Symbol
	}
	if l.State == Gone {
		out += " " + message.New("(it is gone)").In(lang)
	}
	if len(l.Reasons) > 0 {
		out += " — " + strings.Join(l.Reasons, "; ")
	}
	return out
}

// state names the state of a requirement.
func (p *printer) state(s string) string {
	switch s {
	case Linked:
		return message.New("linked").In(p.lang)
	case Open:
		return message.New("to be accepted").In(p.lang)
	}
	return message.New("not implemented or not found").In(p.lang)
}

func (p *printer) unspecified(list []Unspecified) {
	if len(list) == 0 {
		return
	}
	p.say("", message.Count(len(list), "unspecified: %d thing that linked code does and no requirement is linked to", "unspecified: %d things that linked code does and no requirement is linked to"))
	for _, u := range list[:min(len(list), mostUnspecified)] {
		p.line("  %s %s", u.Place, u.Says)
	}
	if more := len(list) - mostUnspecified; more > 0 {
		p.say("  ", message.New("… and %d more: --json has them", more))
	}
	p.line("")
}

func (p *printer) summary(r *Result) {
	c := r.Summary
	p.say("", message.New("%v, %v and %v: %d linked, %d to be accepted, %d not implemented or not found",
		message.Count(c.Specs, "%d spec", "%d specs"), message.Count(c.Requirements, "%d requirement", "%d requirements"),
		message.Count(c.Scenarios, "%d scenario", "%d scenarios"), c.Linked, c.Proposed, c.NotFound))
	for _, file := range r.Written {
		p.line("%s", file)
	}
	if len(r.Written) == 0 && c.Proposed > 0 {
		p.say("", message.New("nothing was written; accept the links above with --yes, one after the other with --interactive, or by their ids with --accept and --reject"))
	}
}
