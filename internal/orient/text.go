package orient

import (
	"fmt"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/explore"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/rag"
	"github.com/reverse-spec/reverse-spec/internal/message"
)

// Text returns the orientation as Markdown of at most the tokens that were asked for, except the first place: first its lists, then
// the code of the first places, each as much as there is room for.
func (o *Orientation) Text() string {
	// Tokens are estimated: a tenth is left for what the estimate is too low by.
	b := &bounded{most: o.tokens * 9 / 10}
	if len(o.Places) == 0 {
		b.must(message.New("nothing in the code was found for it").In(o.lang) + "\n")
	}
	if o.Warning != "" {
		b.must(message.New("warning: %s", o.Warning).In(o.lang) + "\n")
	}
	if len(o.Places) > 0 {
		b.must("\n## " + message.New("Places").In(o.lang) + "\n" + o.Places[0].line(o.lang))
	}
	for i := 1; i < len(o.Places); i++ {
		b.add(o.Places[i].line(o.lang))
	}
	if o.Left > 0 {
		b.add(message.New("%d more: offset %d", o.Left, o.Offset).In(o.lang) + "\n")
	}
	if len(o.Files) > 0 && o.Files[0].Places > 1 {
		b.section(message.New("New code belongs beside").In(o.lang), len(o.Files), func(i int) string { return "- " + o.Files[i].File + "\n" })
	}
	b.section(message.New("Requirements that apply").In(o.lang), len(o.Rules), func(i int) string {
		return fmt.Sprintf("- %s (%s): %s\n", o.Rules[i].ID, o.Rules[i].Spec, o.Rules[i].Text)
	})
	b.section(message.New("Tests to run").In(o.lang), len(o.Tests), func(i int) string { return o.Tests[i].line(o.lang) })
	for i := range o.Places {
		if p := &o.Places[i]; p.Code != "" {
			b.add(fmt.Sprintf("\n### %s:%d\n```\n%s\n```\n", p.File, p.Line, p.Code))
		}
	}
	return strings.TrimLeft(b.text.String(), "\n")
}

// bounded is a text of a number of tokens.
type bounded struct {
	text strings.Builder
	most int
}

// must adds a part whatever its length.
func (b *bounded) must(part string) { b.text.WriteString(part) }

// add adds a part if there is room for it, and reports whether there was.
func (b *bounded) add(part string) bool {
	if rag.Tokens(b.text.String()+part) > b.most {
		return false
	}
	b.text.WriteString(part)
	return true
}

// section adds a heading and the lines below it that there is room for.
func (b *bounded) section(head string, n int, line func(i int) string) {
	head = "\n## " + head + "\n"
	for i := range n {
		if b.add(head + line(i)) {
			head = ""
		}
	}
}

// line is a place in the list.
func (p *Place) line(lang message.Lang) string {
	text := fmt.Sprintf("- %s:%d %s", p.File, p.Line, explore.Short(p.Symbol, p.File))
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
	if len(t.Names) == 0 {
		return fmt.Sprintf("- %s\n", t.File)
	}
	const most = 3
	names := strings.Join(t.Names[:min(len(t.Names), most)], ", ")
	if n := len(t.Names) - most; n > 0 {
		return fmt.Sprintf("- %s: %s\n", t.File, message.New("%s, … and %d more", names, n).In(lang))
	}
	return fmt.Sprintf("- %s: %s\n", t.File, names)
}
