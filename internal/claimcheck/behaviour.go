package claimcheck

import (
	"errors"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/codegraph"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/explore"
	"github.com/reverse-spec/reverse-spec/internal/evidence"
	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/x/lazyregexp"
	"github.com/reverse-spec/reverse-spec/spec"
)

// claims returns what is known of the behaviour of a symbol.
func (c *check) claims(n codegraph.Node, kinds ...evidence.Kind) ([]spec.RecordedClaim, error) {
	s, err := c.surface(n)
	if err != nil {
		return nil, err
	}
	names := map[string]bool{}
	for _, claim := range s.Claims {
		names[claim.Subject] = true
	}
	own := localName(n, names)
	return slices.DeleteFunc(s.Claims, func(claim spec.RecordedClaim) bool {
		return claim.Subject != own || !slices.Contains(kinds, claim.Kind)
	}), nil
}

// addClaim adds the places of a claim.
func (c *check) addClaim(claim *spec.RecordedClaim, i int) {
	if i >= 0 && i < len(claim.At) {
		c.answer.add(claim.At[i].File+":"+strconv.Itoa(claim.At[i].Line), c.lineOf(claim.At[i].File, claim.At[i].Line))
		return
	}
	for _, at := range claim.At {
		c.answer.add(at.File+":"+strconv.Itoa(at.Line), c.lineOf(at.File, at.Line))
	}
}

// fails checks that a function ends with an error, which one, and when.
func fails(c *check, m []string) error {
	n, err := c.symbol(m[0])
	if err != nil {
		return err
	}
	c.falsy = strings.HasSuffix(n.Path, ".py")
	if known, err := c.givesNoError(n, m[1]); err != nil || known {
		return err
	}
	list, err := c.claims(n, evidence.Exit)
	if err != nil {
		return err
	}
	which, when := m[1], m[2]
	var fitting, named []*spec.RecordedClaim
	for i := range list {
		e := &list[i]
		if which != "" && !isError(e, which) {
			continue
		}
		named = append(named, e)
		if when == "" || slices.ContainsFunc(e.When, func(w evidence.Condition) bool { return c.holds(w, when, list, which == "") }) {
			fitting = append(fitting, e)
		}
	}
	switch {
	case len(fitting) > 0:
		for _, e := range fitting {
			c.addClaim(e, -1)
		}
		c.say(Confirmed, message.New("the code does so there"))
	case len(named) > 0:
		for _, e := range named {
			c.addClaim(e, -1)
		}
		c.say(Unverifiable, message.New("it fails there, but the code does not decide whether it does so in that case"))
	default:
		return c.nothingFails(n, which, len(list))
	}
	return nil
}

// givesNoError refutes that a function of Go returns an error, whichever, if none is among its results.
func (c *check) givesNoError(n codegraph.Node, which string) (bool, error) {
	if which != "" || !strings.Contains(strings.ToLower(c.answer.Statement), " returns an error") {
		return false, nil
	}
	if !strings.HasSuffix(n.Path, ".go") || n.Label != codegraph.LabelFunction && n.Label != codegraph.LabelMethod {
		return false, nil
	}
	s, err := c.surface(n)
	if err != nil {
		return false, err
	}
	f := symbolAt(&s.Skeleton, n)
	if f == nil || errorResult.MatchString(f.Returns) {
		return false, nil
	}
	c.addNode(n)
	c.say(Refuted, message.New("no error is among its results"))
	return true, nil
}

// errorResult matches results of Go that may be errors: error, types that are called so, and interfaces.
var errorResult = lazyregexp.New(`(?i)err|\bany\b|interface|\b[A-Z]\b`)

// symbolAt returns the declaration of a symbol in what was read of its file; nil if it is not there.
func symbolAt(s *code.Skeleton, n codegraph.Node) *code.Symbol {
	var find func(list []code.Symbol) *code.Symbol
	find = func(list []code.Symbol) *code.Symbol {
		for i := range list {
			if list[i].Name == n.Name && list[i].StartLine == n.StartLine {
				return &list[i]
			}
			if m := find(list[i].Members); m != nil {
				return m
			}
		}
		return nil
	}
	if f := find(s.Exports); f != nil {
		return f
	}
	return find(s.Internals)
}

// nothingFails says what follows from a function without such an error: it is refuted only if the function calls nothing
// that might fail.
func (c *check) nothingFails(n codegraph.Node, which string, others int) error {
	alone, err := c.callsNothing(n)
	if err != nil {
		return err
	}
	c.addNode(n)
	switch {
	case alone && others == 0:
		c.say(Refuted, message.New("it ends with no error, and calls nothing"))
	case alone && which != "":
		c.say(Refuted, message.New("it ends with other errors alone, and calls nothing"))
	default:
		c.say(Unverifiable, message.New("no such error is in it; what it calls may fail"))
	}
	return nil
}

// callsNothing reports whether there is no call in a function.
func (c *check) callsNothing(n codegraph.Node) (bool, error) {
	x, err := c.graph.Reader().Expand(c.ctx, []codegraph.ID{n.ID}, codegraph.Out, codegraph.Calls)
	if err != nil || len(x.Edges) > 0 {
		return false, err
	}
	var text strings.Builder
	for line := n.StartLine; line <= n.EndLine; line++ {
		text.WriteString(c.lineOf(n.Path, line) + "\n")
	}
	begin := bodyBegins.FindStringIndex(text.String())
	if begin == nil {
		return false, nil
	}
	return !mayFail.MatchString(quoted.ReplaceAllString(text.String()[begin[1]:], `""`)), nil
}

var (
	// bodyBegins matches the end of the head of a function.
	bodyBegins = lazyregexp.New(`\{|=>|:\s*\n`)
	// mayFail matches what may end with an error without saying so: calls, members and elements of what may be nothing, divisions.
	mayFail = lazyregexp.New(`[\pL\pN_$\])]\(|\bnew\s|\bawait\b|\?|\[|\.|/|%|\*[\pL_]|\byield\b`)
)

func neverFails(c *check, m []string) error {
	n, err := c.symbol(m[0])
	if err != nil {
		return err
	}
	list, err := c.claims(n, evidence.Exit)
	if err != nil {
		return err
	}
	if len(list) > 0 {
		for i := range list {
			c.addClaim(&list[i], -1)
		}
		c.say(Refuted, message.New("it fails there"))
		return nil
	}
	alone, err := c.callsNothing(n)
	if err != nil {
		return err
	}
	c.addNode(n)
	if alone {
		c.say(Confirmed, message.New("it ends with no error, and calls nothing"))
	} else {
		c.say(Unverifiable, message.New("no error is in it; what it calls may fail"))
	}
	return nil
}

// isError reports whether an exit is with an error of a name.
func isError(e *spec.RecordedClaim, name string) bool {
	last := func(s string) string { return s[strings.LastIndexAny(s, ".:")+1:] }
	return e.Outcome != nil && (strings.EqualFold(last(e.Outcome.Error), last(name)) || e.Outcome.Status == name)
}

// returns checks what a function gives in a case.
func returns(c *check, m []string) error {
	n, err := c.symbol(m[0])
	if err != nil {
		return err
	}
	list, err := c.claims(n, evidence.Choice, evidence.Result)
	if err != nil {
		return err
	}
	want := plain(m[1])
	for i := range list {
		claim := &list[i]
		if len(claim.Values) != len(claim.When) {
			continue
		}
		for j, w := range claim.When {
			if !c.holds(w, m[2], nil, false) {
				continue
			}
			c.addClaim(claim, j)
			if plain(claim.Values[j]) == want {
				c.say(Confirmed, message.New("the code does so there"))
			} else {
				c.say(Refuted, message.New("in that case it returns `%s`", claim.Values[j]))
			}
			return nil
		}
	}
	c.addNode(n)
	c.say(Unverifiable, message.New("what it returns in that case is not known"))
	return nil
}

// value checks the value of a constant.
func value(c *check, m []string) error {
	n, err := c.symbol(m[0])
	if absent := (*explore.NotFoundError)(nil); errors.As(err, &absent) {
		if owner, member, ok := cutLast(m[0]); ok {
			return c.memberValue(owner, member, m[1], err)
		}
	}
	if err != nil {
		return err
	}
	s, err := c.surface(n)
	if err != nil {
		return err
	}
	var found *code.Symbol
	for _, list := range [][]code.Symbol{s.Exports, s.Internals} {
		for i := range list {
			if list[i].Name == n.Name && list[i].Value != "" {
				found = &list[i]
			}
		}
	}
	c.addNode(n)
	c.compareValue(found, m[1])
	return nil
}

func cutLast(name string) (owner, member string, ok bool) {
	i := strings.LastIndexByte(name, '.')
	if i < 1 {
		return "", "", false
	}
	return name[:i], name[i+1:], true
}

// memberValue checks the value of an attribute or constant of a type; absent is the error for one that there is not.
func (c *check) memberValue(owner, member, want string, absent error) error {
	n, err := c.symbol(owner)
	if err != nil {
		return err
	}
	s, err := c.surface(n)
	if err != nil {
		return err
	}
	of := symbolAt(&s.Skeleton, n)
	if of == nil {
		return absent
	}
	i := slices.IndexFunc(of.Members, func(m code.Symbol) bool { return m.Name == member && m.Value != "" })
	if i < 0 {
		return absent
	}
	at := &of.Members[i]
	c.answer.add(n.Path+":"+strconv.Itoa(at.StartLine), c.lineOf(n.Path, at.StartLine))
	c.compareValue(at, want)
	return nil
}

// compareValue says whether a declaration has a value.
func (c *check) compareValue(found *code.Symbol, want string) {
	switch {
	case found == nil:
		c.say(Unverifiable, message.New("it has no value that is known"))
	case found.Kind != code.Const && found.Kind != code.EnumMember:
		c.say(Unverifiable, message.New("it begins with `%s`, and may be changed", found.Value))
	case plain(found.Value) == plain(want):
		c.say(Confirmed, message.New("its value is `%s`", found.Value))
	case literal.MatchString(found.Value) && literal.MatchString(want):
		c.say(Refuted, message.New("its value is `%s`", found.Value))
	default:
		c.say(Unverifiable, message.New("its value is `%s`", found.Value))
	}
}

// literal matches a number or a text.
var literal = lazyregexp.New(`^(-?[0-9][0-9_.]*|".*"|'.*'|true|false|True|False)$`)

// plain returns a value as it is compared: without quotes, backticks and space, and with one word for nothing.
func plain(text string) string {
	text = strings.ToLower(strings.Trim(strings.TrimSpace(text), "`\"'"))
	switch text = strings.TrimSuffix(text, "."); text {
	case "none", "null", "nil", "undefined", "nothing":
		return "null"
	case "an empty string", "empty string", "the empty string":
		return ""
	}
	return strings.Join(strings.Fields(text), " ")
}

// idioms are words for conditions, and the terms that mean them. $1 is the name of what is meant, if the statement has one.
var idioms = []struct{ words, term *lazyregexp.Regexp }{
	{
		lazyregexp.New(`(?i)^(?:an? )?empty(?: (?:input|string|text|list|array|value|argument))?$|^(?:the )?(?:input|argument|it|[\pL_][\pL\pN_]*) is empty$`),
		lazyregexp.New(`^(\S+ ={2,3} ("")|\S+ ={2,3} ''|len\((\S+)\) == 0|(\S+)\.length ={2,3} 0|(\S+)\.(isEmpty|is_empty|empty)\(\)|(\S+)\.(size|len|length)\(\) == 0)$`),
	},
	{
		lazyregexp.New(`(?i)^(?:an? )?(?:null|nil|none|undefined)(?: (?:input|value|argument))?$|^(?:the )?(?:input|argument|it|[\pL_][\pL\pN_]*) is (?:null|nil|none|undefined)$`),
		lazyregexp.New(`^\S+ (={2,3}|is) (null|nil|None|undefined)$|^\S+\.is_none\(\)$`),
	},
	{
		lazyregexp.New(`(?i)^(?:an? )?negative(?: (?:input|number|value|argument)s?)?$|^(?:the )?(?:input|argument|it|[\pL_][\pL\pN_]*) is negative$`),
		lazyregexp.New(`^\S+ < 0$`),
	},
	{
		lazyregexp.New(`(?i)^zero$|^(?:the )?(?:input|argument|it|[\pL_][\pL\pN_]*) is (?:zero|0)$`),
		lazyregexp.New(`^\S+ ={2,3} 0$`),
	},
}

// falsy matches the condition of Python that a value is empty or nothing.
var falsy = lazyregexp.New(`^not [\pL_][\pL\pN_.]*$`)

// emptyOrNothing reports whether words mean that a value is empty or nothing.
func emptyOrNothing(words string) bool {
	return idioms[0].words.MatchString(words) || idioms[1].words.MatchString(words)
}

// negated begins what an earlier exit leaves.
const negated = "not "

// holds reports whether a condition is the one that a statement names: all that it demands is what the words mean, or the text
// of the words. That an earlier exit did not end the function is no demand if that exit is an error, too, and any will do.
func (c *check) holds(w evidence.Condition, words string, exits []spec.RecordedClaim, anyError bool) bool {
	if w.Partial {
		return false
	}
	words = strings.Trim(words, "`. ")
	var terms []string
	for _, t := range w.All {
		rest, not := strings.CutPrefix(t.Text, negated)
		if !not || !anyError || !endsWithError(exits, rest) {
			terms = append(terms, t.Text)
		}
	}
	if len(terms) != 1 {
		return squeezed(strings.Join(terms, " && ")) == squeezed(words)
	}
	for alternative := range strings.SplitSeq(terms[0], " || ") {
		if squeezed(alternative) == squeezed(words) || said(alternative, words) || c.falsy && falsy.MatchString(alternative) && emptyOrNothing(words) {
			return true
		}
	}
	return false
}

// endsWithError reports whether one of some exits is reached by a term.
func endsWithError(exits []spec.RecordedClaim, term string) bool {
	return slices.ContainsFunc(exits, func(e spec.RecordedClaim) bool {
		return slices.ContainsFunc(e.When, func(w evidence.Condition) bool {
			last := len(w.All) - 1
			return last >= 0 && slices.Contains(append(strings.Split(w.All[last].Text, " || "), w.All[last].Text), term)
		})
	})
}

// said reports whether words are an idiom for a term. A name in the words must be in the term.
func said(term, words string) bool {
	subject, _, named := strings.Cut(words, " is ")
	subject = strings.TrimPrefix(strings.Trim(subject, "`"), "the ")
	if named && subject != "input" && subject != "argument" && subject != "it" && !regexp.MustCompile(`\b`+regexp.QuoteMeta(subject)+`\b`).MatchString(term) {
		return false
	}
	if _, given, ok := strings.Cut(words, " is "); ok && strings.HasSuffix(term, " is "+strings.Trim(given, "`")) {
		return true
	}
	words = strings.ReplaceAll(words, "`", "")
	return slices.ContainsFunc(idioms, func(i struct{ words, term *lazyregexp.Regexp }) bool {
		return i.words.MatchString(words) && i.term.MatchString(term)
	})
}

// squeezed returns a condition without spaces, and without the $ that begins the names of PHP.
func squeezed(text string) string {
	return strings.ReplaceAll(strings.Join(strings.Fields(text), ""), "$", "")
}
