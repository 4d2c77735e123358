package orient

import (
	"fmt"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/rag"
	"github.com/reverse-spec/reverse-spec/internal/message"
)

// Text returns the orientation as Markdown of at most the tokens that were asked for: first all of its lists, then the code of
// the first places, as much as there is room for.
func (o *Orientation) Text() string {
	var b strings.Builder
	head := func(t message.Text) { fmt.Fprintf(&b, "\n## %s\n", t.In(o.lang)) }
	if len(o.Places) == 0 {
		b.WriteString(message.New("nothing in the code was found for it").In(o.lang) + "\n")
	}
	if o.Warning != "" {
		fmt.Fprintf(&b, "%s\n", message.New("warning: %s", o.Warning).In(o.lang))
	}
	if len(o.Places) > 0 {
		head(message.New("Places"))
	}
	for i := range o.Places {
		b.WriteString(o.Places[i].line(o.lang))
	}
	if o.Left > 0 {
		fmt.Fprintf(&b, "%s\n", message.New("%d more: offset %d", o.Left, o.Offset).In(o.lang))
	}
	if len(o.Files) > 0 && o.Files[0].Places > 1 {
		head(message.New("New code belongs beside"))
		for _, f := range o.Files {
			fmt.Fprintf(&b, "- %s\n", f.File)
		}
	}
	if len(o.Rules) > 0 {
		head(message.New("Requirements that apply"))
		for _, r := range o.Rules {
			fmt.Fprintf(&b, "- %s (%s): %s\n", r.ID, r.Spec, r.Text)
		}
	}
	if len(o.Tests) > 0 {
		head(message.New("Tests to run"))
		for _, t := range o.Tests {
			b.WriteString(t.line(o.lang))
		}
	}
	o.code(&b)
	return strings.TrimLeft(b.String(), "\n")
}

// line is a place in the list.
func (p *Place) line(lang message.Lang) string {
	text := fmt.Sprintf("- %s:%d %s", p.File, p.Line, short(p.Symbol, p.File))
	if p.Signature != "" {
		text += " `" + p.Signature + "`"
	}
	if len(p.CalledBy) > 0 {
		text += " " + message.New("called by %s", strings.Join(p.CalledBy, ", ")).In(lang)
	}
	return text + "\n"
}

// line is a file with tests in the list.
func (t *Test) line(lang message.Lang) string {
	const most = 3
	names := strings.Join(t.Names[:min(len(t.Names), most)], ", ")
	if n := len(t.Names) - most; n > 0 {
		return fmt.Sprintf("- %s: %s\n", t.File, message.New("%s, … and %d more", names, n).In(lang))
	}
	return fmt.Sprintf("- %s: %s\n", t.File, names)
}

// code adds the code of the first places that there is room for.
func (o *Orientation) code(b *strings.Builder) {
	for i := range o.Places {
		p := &o.Places[i]
		if p.Code == "" {
			continue
		}
		block := fmt.Sprintf("\n### %s:%d\n```\n%s\n```\n", p.File, p.Line, p.Code)
		if rag.Tokens(b.String()+block) <= o.tokens {
			b.WriteString(block)
		}
	}
}
