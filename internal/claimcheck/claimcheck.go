// Package claimcheck checks a statement about code, in plain words, against the code: "nobody calls X", "Y throws on empty
// input". A statement is confirmed or refuted with the lines that show it, or it is unverifiable; nothing is guessed.
package claimcheck

import (
	"context"
	"errors"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/reverse-spec/reverse-spec/drift"
	"github.com/reverse-spec/reverse-spec/internal/codegraph"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/explore"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/graphs"
	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/project"
	"github.com/reverse-spec/reverse-spec/internal/project/source"
)

// Verdict is what the code says of a statement.
type Verdict string

// Verdicts.
const (
	Confirmed    Verdict = "confirmed"
	Refuted      Verdict = "refuted"
	Unverifiable Verdict = "unverifiable" // the code does not decide it, or the statement is of no form that is understood
)

// Text returns the verdict for people.
func (v Verdict) Text() message.Text {
	switch v {
	case Confirmed:
		return message.New("confirmed")
	case Refuted:
		return message.New("refuted")
	case Unverifiable:
	}
	return message.New("unverifiable")
}

// Answer is the result of a check.
type Answer struct {
	Statement string  `json:"statement"`
	Verdict   Verdict `json:"verdict"`
	Because   string  `json:"because"` // in a sentence
	// Evidence are the places that show it; never nil.
	Evidence []Evidence `json:"evidence"`
	More     int        `json:"more,omitempty"` // places that were left out
}

// Evidence is a place in the code.
type Evidence struct {
	Place string `json:"place"` // file:line
	Text  string `json:"text,omitempty"`
}

// maxEvidence limits the places of an answer.
const maxEvidence = 10

// form is a kind of statement that is understood.
type form struct {
	pattern *regexp.Regexp
	check   func(c *check, m []string) error
}

// name matches the name of a symbol, in backticks or not, with a mark as Ruby's save! and valid? have.
const name = "`?([\\pL_$][\\pL\\pN_$.:#]*[!?]?)`?(?:\\(\\))?"

// forms returns the forms of statements, in the order in which they are tried.
func forms() []form {
	end := `[.!]?$`
	of := func(pattern string, check func(c *check, m []string) error) form {
		return form{regexp.MustCompile(`(?i)^` + strings.NewReplacer("NAME", name, " ", `\s+`).Replace(pattern) + end), check}
	}
	return []form{
		of(`(?:nobody|no one|nothing|no code|no function)(?: else)? (?:calls|uses|references) NAME`, unused),
		of(`NAME (?:is|has) (?:not called|not used|unused|never called|never used|no callers|no users)(?: anywhere| by anyone)?`, unused),
		of(`(?:somebody|someone|something) (?:calls|uses) NAME`, used),
		of(`NAME is (?:called|used)(?: somewhere)?`, used),
		of(`(?:only|nobody but|no one but|nothing but|nobody except|nothing except|no one other than) NAME (?:calls|uses) NAME`, onlyUser),
		of(`NAME is (?:called|used) (?:only|solely) by NAME`, func(c *check, m []string) error { return onlyUser(c, []string{m[1], m[0]}) }),
		of(`NAME is (?:not|never) (?:called|used) by NAME`, func(c *check, m []string) error { return notCalls(c, []string{m[1], m[0]}) }),
		of(`NAME is (?:called|used) by NAME`, func(c *check, m []string) error { return calls(c, []string{m[1], m[0]}) }),
		of(`NAME (?:does not call|doesn't call|never calls) NAME(?: directly| itself)?`, notCalls),
		of(`NAME (?:directly )?calls NAME(?: directly| itself)?`, calls),
		of(`NAME is (?:not exported|unexported|not public|private|internal)`, notExported),
		of(`NAME is (?:exported|public)`, exported),
		of(`(?:no test (?:reaches|covers|calls)|nothing tests) NAME`, untested),
		of(`NAME is (?:not tested|untested)`, untested),
		of(`NAME is (?:tested|covered by a test)`, tested),
		of(`NAME (?:extends|inherits from|implements|is a subclass of) NAME`, extends),
		of(`NAME (?:never (?:throws|raises|panics|fails)|(?:does not|doesn't|cannot) (?:throw|raise|panic|fail))`, neverFails),
		of(`NAME (?:throws|raises|panics|fails|returns an error|refuses|rejects)(?: with)?(?: (?:an? )?`+"`?([\\pL_$][\\pL\\pN_$.:]*)`?"+`)??(?: (?:on|when|if|for|given|with) (.+?))?`, fails),
		of(`NAME returns (.+?) (?:on|when|if|for|given) (.+?)`, returns),
		of(`NAME exists`, exists),
		of(`NAME (?:does not|doesn't) exist`, missing),
		of(`(?:the value of )?NAME (?:is|equals|=|==) (.+?)`, value),
	}
}

// Examples are statements of the forms that are understood.
func Examples() []string {
	return []string{
		"nobody calls Cache.flush", "Server.run calls loadConfig", "parse does not call eval", "Token is exported", "no test reaches Cache.flush", "Dog extends Animal",
		"parse throws ValueError on empty input", "parse never throws", "kind returns \"none\" when s is empty", "MaxSize is 10", "Cache.flush exists",
	}
}

// maxStatement limits a statement, in bytes.
const maxStatement = 1000

// Of checks a statement. The code graph of the project is brought up to date first, or made. Errors are those of that, and
// one for a statement of more than 1,000 bytes; a name that no symbol has, or several, makes a statement unverifiable.
func Of(ctx context.Context, p *project.Project, g *graphs.Graphs, statement string) (*Answer, error) {
	if len(statement) > maxStatement {
		return nil, message.Errorf("a statement has at most %d bytes, this one has %d", maxStatement, len(statement))
	}
	statement = strings.Join(strings.Fields(statement), " ")
	a := &Answer{Statement: statement, Verdict: Unverifiable, Evidence: []Evidence{}}
	for _, f := range forms() {
		m := f.pattern.FindStringSubmatch(statement)
		if m == nil {
			continue
		}
		err := g.With(ctx, p, graphs.OpenOptions{}, func(graph *graphs.Graph) error {
			return f.check(&check{ctx: ctx, project: p, graph: graph, answer: a, lang: message.From(ctx)}, m[1:])
		})
		return a, unknown(a, err, message.From(ctx))
	}
	a.Because = message.New("the statement is of no form that is understood; these are: %s", strings.Join(Examples(), "; ")).In(message.From(ctx))
	return a, nil
}

// unknown makes an answer of the error of a name that no symbol has, or several.
func unknown(a *Answer, err error, lang message.Lang) error {
	if absent := (*explore.NotFoundError)(nil); errors.As(err, &absent) {
		a.Verdict, a.Because = Unverifiable, absent.In(lang)
		return nil
	}
	if many := (*explore.AmbiguousError)(nil); errors.As(err, &many) {
		a.Verdict, a.Because = Unverifiable, many.In(lang)
		for _, n := range many.Candidates {
			a.add(n.Path+":"+strconv.Itoa(n.StartLine), n.QualifiedName)
		}
		return nil
	}
	return err
}

// add adds a place.
func (a *Answer) add(place, text string) {
	if len(a.Evidence) == maxEvidence {
		a.More++
		return
	}
	a.Evidence = append(a.Evidence, Evidence{place, text})
}

// check is one check.
type check struct {
	ctx     context.Context //nolint:containedctx // a check is one call
	project *project.Project
	graph   *graphs.Graph
	answer  *Answer
	lang    message.Lang
	falsy   bool // a value that is empty or nothing is false in the language of the symbol
}

// say sets the verdict.
func (c *check) say(v Verdict, t message.Text) {
	c.answer.Verdict, c.answer.Because = v, t.In(c.lang)
}

// symbol returns the symbol with a name as people write it. Of a module and what is declared in it under the same name, and of
// a function and one in it, people mean the declaration outside.
func (c *check) symbol(name string) (codegraph.Node, error) {
	n, err := c.graph.Symbol(c.ctx, strings.TrimRight(strings.NewReplacer("::", ".", "#", ".").Replace(name), "."))
	if absent := (*explore.NotFoundError)(nil); errors.As(err, &absent) && strings.HasSuffix(name, "!") { // it ended the sentence
		return c.symbol(strings.TrimSuffix(name, "!"))
	}
	many := (*explore.AmbiguousError)(nil)
	if !errors.As(err, &many) {
		return n, err
	}
	meant := free(name, many.Candidates)
	if meant == nil {
		meant = outermost(many.Candidates)
	}
	if meant == nil {
		return codegraph.Node{}, err
	}
	return *meant, nil
}

// outermost returns the declaration that the other candidates are in, besides modules and files; nil if there is none.
func outermost(candidates []codegraph.Node) *codegraph.Node {
	holds := func(n *codegraph.Node) bool {
		return n.Label == codegraph.LabelModule || n.Label == codegraph.LabelFile
	}
	var outer *codegraph.Node
	for i := range candidates {
		if n := &candidates[i]; !holds(n) && (outer == nil || len(n.QualifiedName) < len(outer.QualifiedName)) {
			outer = n
		}
	}
	if outer == nil || slices.ContainsFunc(candidates, func(n codegraph.Node) bool {
		return !holds(&n) && n.QualifiedName != outer.QualifiedName && !strings.HasPrefix(n.QualifiedName, outer.QualifiedName+".")
	}) {
		return nil
	}
	return outer
}

// free returns the only candidate for a name without a dot that another one does not contain, as a plain name means it; nil if there
// are several, or none.
func free(name string, candidates []codegraph.Node) *codegraph.Node {
	if strings.ContainsAny(name, ".:#") {
		return nil
	}
	var out *codegraph.Node
	for i := range candidates {
		switch n := &candidates[i]; n.Label { //nolint:exhaustive // what else has a name is a member or holds others
		case codegraph.LabelFunction, codegraph.LabelClass, codegraph.LabelInterface, codegraph.LabelEnum, codegraph.LabelType, codegraph.LabelVariable:
			if out != nil {
				return nil
			}
			out = n
		}
	}
	return out
}

// lineOf returns a line of a file.
func (c *check) lineOf(file string, line int) string {
	text, err := c.project.ReadFile(file)
	if err != nil {
		return ""
	}
	lines := strings.Split(string(text), "\n")
	if line < 1 || line > len(lines) {
		return ""
	}
	return strings.TrimSpace(lines[line-1])
}

// addNode adds where a symbol is declared.
func (c *check) addNode(n codegraph.Node) {
	c.answer.add(n.Path+":"+strconv.Itoa(n.StartLine), c.lineOf(n.Path, n.StartLine))
}

// surface reads the module of a symbol.
func (c *check) surface(n codegraph.Node) (drift.Surface, error) {
	return drift.Read(c.ctx, c.project, path.Clean(n.Path), source.Auto, time.Now)
}

// localName returns the name of a symbol within its file: Type.method.
func localName(n codegraph.Node, names map[string]bool) string {
	parts := strings.Split(n.QualifiedName, ".")
	for i := range parts {
		if s := strings.Join(parts[i:], "."); names[s] {
			return s
		}
	}
	return n.Name
}
