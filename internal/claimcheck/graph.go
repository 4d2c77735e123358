package claimcheck

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/codegraph"
	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/x/lazyregexp"
)

// leastSure is the confidence from which an edge of the graph is evidence.
const leastSure = 0.9

// usingTypes are the edges from what uses a symbol to it.
var usingTypes = []codegraph.Relationship{codegraph.Calls, codegraph.References, codegraph.Inherits, codegraph.Implements, codegraph.Imports}

// users adds the places that use a symbol as evidence: the number of those that are sure, and that of others.
func (c *check) users(n codegraph.Node, tests bool) (sure, maybe int, err error) {
	x, nodes, err := c.usersOf(n)
	if err != nil {
		return 0, 0, err
	}
	for i, e := range x.Edges {
		if from := nodes[i]; e.From != n.ID && e.Line > 0 && (!tests || from.Test) {
			if e.Confidence < leastSure {
				maybe++
				continue
			}
			sure++
			c.answer.add(from.Path+":"+strconv.Itoa(e.Line), c.lineOf(from.Path, e.Line))
		}
	}
	return sure, maybe, nil
}

// usersOf returns the edges to a symbol from what uses it, and what these are from.
func (c *check) usersOf(n codegraph.Node) (codegraph.Expansion, []codegraph.Node, error) {
	reader := c.graph.Reader()
	x, err := reader.Expand(c.ctx, []codegraph.ID{n.ID}, codegraph.In, usingTypes...)
	if err != nil {
		return x, nil, err
	}
	var ids []codegraph.ID
	for _, e := range x.Edges {
		ids = append(ids, e.From)
	}
	nodes, err := reader.Nodes(c.ctx, ids)
	return x, nodes, err
}

func unused(c *check, m []string) error {
	n, err := c.symbol(m[0])
	if err != nil {
		return err
	}
	sure, maybe, err := c.users(n, false)
	if err != nil {
		return err
	}
	if sure > 0 {
		c.say(Refuted, message.Count(sure, "%d place uses it", "%d places use it"))
		return nil
	}
	places, err := c.mentions(n)
	if err != nil {
		return err
	}
	switch {
	case maybe > 0:
		c.say(Unverifiable, message.New("calls may lead to it, but the code does not decide whether they do"))
	case places > 0:
		c.say(Unverifiable, message.New("no resolved call or use leads to it, but its name is in the code, where it may be meant"))
	default:
		c.addNode(n)
		text := message.New("nothing in this repository uses or names it besides its declaration")
		if n.Exported {
			text = message.New("nothing in this repository uses or names it besides its declaration; it is exported, so that others may")
		}
		c.say(Confirmed, text)
	}
	return nil
}

// onlyUser checks that nothing outside one symbol uses another one.
func onlyUser(c *check, m []string) error {
	by, err := c.symbol(m[0])
	if err != nil {
		return err
	}
	n, err := c.symbol(m[1])
	if err != nil {
		return err
	}
	x, nodes, err := c.usersOf(n)
	if err != nil {
		return err
	}
	own, others, maybe := 0, 0, 0
	for i, e := range x.Edges {
		from := nodes[i]
		switch inside := from.ID == by.ID || strings.HasPrefix(from.QualifiedName, by.QualifiedName+"."); {
		case e.From == n.ID || e.Line == 0:
		case e.Confidence < leastSure:
			maybe++
		case inside:
			own++
		default:
			others++
			c.answer.add(from.Path+":"+strconv.Itoa(e.Line), c.lineOf(from.Path, e.Line))
		}
	}
	switch {
	case others > 0:
		c.say(Refuted, message.Count(others, "%d place outside it uses it", "%d places outside it use it"))
	case own == 0:
		c.addNode(n)
		c.say(Unverifiable, message.New("no resolved call or use leads there from it"))
	case maybe > 0:
		c.say(Unverifiable, message.New("calls may lead to it, but the code does not decide whether they do"))
	default:
		return c.nothingElse(n, by)
	}
	return nil
}

// nothingElse confirms that only one symbol uses another one, unless other places name it.
func (c *check) nothingElse(n, by codegraph.Node) error {
	if _, err := c.mentions(n); err != nil {
		return err
	}
	var own, other []Evidence
	for _, e := range c.answer.Evidence {
		file, text, _ := strings.Cut(e.Place, ":")
		line, _ := strconv.Atoi(text) // it is one that was written
		if file == by.Path && by.StartLine <= line && line <= by.EndLine {
			own = append(own, e)
		} else if !imports.MatchString(e.Text) {
			other = append(other, e)
		}
	}
	c.answer.Evidence = append(own, other...)
	if len(other) > 0 || c.answer.More > 0 {
		c.say(Unverifiable, message.New("no resolved call or use leads to it from elsewhere, but its name is in the code, where it may be meant"))
		return nil
	}
	c.say(Confirmed, message.New("nothing else in this repository uses or names it"))
	return nil
}

// imports matches a line that imports.
var imports = lazyregexp.New(`^\s*(import|from|use|require|export\s.*\sfrom)\b`)

func used(c *check, m []string) error {
	return c.negated(unused(c, m))
}

// negated turns the verdict of a check into that of the opposite statement; err is that of the check.
func (c *check) negated(err error) error {
	switch c.answer.Verdict {
	case Refuted:
		c.answer.Verdict = Confirmed
	case Confirmed:
		c.answer.Verdict = Refuted
	case Unverifiable:
	}
	return err
}

// mentions adds the lines outside a symbol that have its name as a word, in code, texts and configuration, as evidence and counts them.
func (c *check) mentions(n codegraph.Node) (int, error) {
	l, err := c.project.List(c.ctx, ".")
	if err != nil {
		return 0, err
	}
	word := regexp.MustCompile(`(^|[^\pL\pN_$])` + regexp.QuoteMeta(n.Name) + `($|[^\pL\pN_$])`)
	count := 0
	for _, f := range l.Files {
		if strings.HasSuffix(f.Path, ".md") || f.Size > maxSearched {
			continue
		}
		text, err := c.project.ReadFile(f.Path)
		if err != nil || !strings.Contains(string(text), n.Name) {
			continue
		}
		line := 0
		for row := range strings.Lines(string(text)) {
			line++
			own := f.Path == n.Path && n.StartLine <= line && line <= n.EndLine
			if own || comment.MatchString(row) || !word.MatchString(row) {
				continue
			}
			count++
			c.answer.add(f.Path+":"+strconv.Itoa(line), strings.TrimSpace(row))
		}
	}
	return count, c.ctx.Err()
}

// maxSearched is the size of files up to which they are searched for a name, in bytes.
const maxSearched = 1 << 20

// comment matches a line that is a comment.
var comment = lazyregexp.New(`^\s*(//|#|/\*|\*|--|;)`)

func calls(c *check, m []string) error { return c.edge(m, codegraph.Calls) }

func notCalls(c *check, m []string) error {
	return c.negated(calls(c, m))
}

// edge checks that one symbol calls another by itself.
func (c *check) edge(m []string, kind codegraph.Relationship) error {
	from, err := c.symbol(m[0])
	if err != nil {
		return err
	}
	to, err := c.symbol(m[1])
	if err != nil {
		return err
	}
	x, err := c.graph.Reader().Expand(c.ctx, []codegraph.ID{from.ID}, codegraph.Out, kind)
	if err != nil {
		return err
	}
	for _, e := range x.Edges {
		if e.To != to.ID {
			continue
		}
		c.answer.add(from.Path+":"+strconv.Itoa(e.Line), c.lineOf(from.Path, e.Line))
		if e.Confidence < leastSure {
			c.say(Unverifiable, message.New("a call may lead there, but the code does not decide whether it does"))
			return nil
		}
		c.say(Confirmed, message.Count(max(e.Count, 1), "%d call is there", "%d calls are there"))
		return nil
	}
	word := regexp.MustCompile(`(^|[^\pL\pN_$])` + regexp.QuoteMeta(to.Name) + `($|[^\pL\pN_$])`)
	for line := from.StartLine; line <= from.EndLine; line++ {
		if text := c.lineOf(from.Path, line); word.MatchString(text) && !comment.MatchString(text) && line != from.StartLine {
			c.answer.add(from.Path+":"+strconv.Itoa(line), text)
		}
	}
	if len(c.answer.Evidence) > 0 {
		c.say(Unverifiable, message.New("it names it, but no call that is resolved leads there"))
		return nil
	}
	c.addNode(from)
	unknown, err := c.unresolved(from, x)
	if err != nil {
		return err
	}
	if unknown != "" {
		c.say(Unverifiable, message.New("nothing in it names it, but what `%s` calls is not known", unknown))
		return nil
	}
	c.say(Refuted, message.New("nothing in it names `%s`; what it calls may", to.Name))
	return nil
}

// callee matches what is called by a name alone.
var callee = lazyregexp.New(`(^|[^\pL\pN_$.>:])([\pL_$][\pL\pN_$]*)\s*\(`)

// notCallees are words before a parenthesis that call nothing of a project.
var notCallees = []string{
	"if", "for", "while", "switch", "catch", "return", "func", "function", "def", "fn", "and", "or", "not", "in", "is", "elif", "await", "typeof", "new", "match", "case", "with", "assert", "synchronized", "super", "this", "lambda", "print", "constructor",
	"len", "cap", "make", "append", "copy", "delete", "panic", "recover", "close", "min", "max", "string", "int", "byte", "rune", "bool", "error", "float64", "int64", "int32", "uint64", "uint32", "uint8",
	"str", "list", "dict", "set", "tuple", "isinstance", "range", "enumerate", "zip", "sorted", "float", "bytes", "type", "getattr", "hasattr", "repr", "any", "all", "sum", "abs",
	"Error", "String", "Number", "Boolean", "Array", "Object", "Symbol", "BigInt", "Date", "RegExp", "Map", "Set", "Promise", "Some", "Ok", "Err", "None", "Box", "Vec",
}

// unresolved returns what a function calls by a name of which the graph does not know what it is: a variable may hold any function.
func (c *check) unresolved(from codegraph.Node, x codegraph.Expansion) (string, error) {
	var ids []codegraph.ID
	for _, e := range x.Edges {
		ids = append(ids, e.To)
	}
	nodes, err := c.graph.Reader().Nodes(c.ctx, ids)
	if err != nil {
		return "", err
	}
	known := map[string]bool{from.Name: true}
	for _, n := range nodes {
		known[n.Name] = true
	}
	for line := from.StartLine; line <= from.EndLine; line++ {
		text := c.lineOf(from.Path, line)
		if comment.MatchString(text) {
			continue
		}
		for _, m := range callee.FindAllStringSubmatch(quoted.ReplaceAllString(text, `""`), -1) {
			if !known[m[2]] && !slices.Contains(notCallees, m[2]) {
				return m[2], nil
			}
		}
	}
	return "", nil
}

// quoted matches a text in code.
var quoted = lazyregexp.New("\"(?:[^\"\\\\]|\\\\.)*\"|'(?:[^'\\\\]|\\\\.)*'|`[^`]*`")

func exported(c *check, m []string) error {
	n, err := c.symbol(m[0])
	if err != nil {
		return err
	}
	c.addNode(n)
	if n.Exported {
		c.say(Confirmed, message.New("its declaration is exported"))
	} else {
		c.say(Refuted, message.New("its declaration is not exported"))
	}
	return nil
}

func notExported(c *check, m []string) error {
	if err := exported(c, m); err != nil {
		return err
	}
	if c.answer.Verdict == Confirmed {
		c.answer.Verdict = Refuted
	} else {
		c.answer.Verdict = Confirmed
	}
	return nil
}

func exists(c *check, m []string) error {
	n, err := c.symbol(m[0])
	if err != nil {
		return err
	}
	c.addNode(n)
	c.say(Confirmed, message.New("it is declared there"))
	return nil
}

// missing confirms that there is no symbol with a name if no file has the word either.
func missing(c *check, m []string) error {
	if err := exists(c, m); err == nil {
		c.answer.Verdict = Refuted
		return nil
	} else if unknown(c.answer, err, c.lang) != nil || len(c.answer.Evidence) > 0 {
		if len(c.answer.Evidence) > 0 {
			c.answer.Verdict = Refuted
		}
		return err
	}
	places, err := c.mentions(codegraph.Node{Name: m[0][strings.LastIndexAny(m[0], ".:#")+1:]})
	if err != nil {
		return err
	}
	if places == 0 {
		c.say(Confirmed, message.New("no declaration has the name, and no file has the word"))
	} else {
		c.say(Unverifiable, message.New("no declaration that is known has the name, but it is in the code"))
	}
	return nil
}

func tested(c *check, m []string) error {
	n, err := c.symbol(m[0])
	if err != nil {
		return err
	}
	x, err := c.graph.Reader().Expand(c.ctx, []codegraph.ID{n.ID}, codegraph.In, codegraph.Tests)
	if err != nil {
		return err
	}
	sure, _, err := c.users(n, true)
	if err != nil {
		return err
	}
	if n := max(len(x.Edges), sure); n > 0 {
		c.say(Confirmed, message.Count(n, "%d test reaches it", "%d tests reach it"))
		return nil
	}
	c.addNode(n)
	c.say(Unverifiable, message.New("no test is known to reach it; whether one does through other code is not decided"))
	return nil
}

func untested(c *check, m []string) error {
	if err := tested(c, m); err != nil {
		return err
	}
	if c.answer.Verdict == Confirmed {
		c.answer.Verdict = Refuted
	}
	return nil
}

func extends(c *check, m []string) error {
	from, err := c.symbol(m[0])
	if err != nil {
		return err
	}
	to, err := c.symbol(m[1])
	if err != nil {
		return err
	}
	declared, err := c.allBasesKnown(from)
	if err != nil {
		return err
	}
	seen := map[codegraph.ID]bool{from.ID: true}
	for frontier := []codegraph.ID{from.ID}; len(frontier) > 0; {
		x, err := c.graph.Reader().Expand(c.ctx, frontier, codegraph.Out, codegraph.Inherits, codegraph.Implements)
		if err != nil {
			return err
		}
		frontier = nil
		for _, e := range x.Edges {
			if e.To == to.ID {
				c.addNode(from)
				c.say(Confirmed, message.New("it does"))
				return nil
			}
			if !seen[e.To] {
				seen[e.To] = true
				frontier = append(frontier, e.To)
			}
		}
		known, err := c.allKnown(frontier)
		if err != nil {
			return err
		}
		declared = declared && known
	}
	c.addNode(from)
	if declared {
		c.say(Refuted, message.New("all that it extends is known, and this is not of it"))
		return nil
	}
	c.say(Unverifiable, message.New("no declaration says so; whether it fits is not decided"))
	return nil
}

// allKnown reports whether all bases of types are known.
func (c *check) allKnown(ids []codegraph.ID) (bool, error) {
	nodes, err := c.graph.Reader().Nodes(c.ctx, ids)
	if err != nil {
		return false, err
	}
	for _, n := range nodes {
		if known, err := c.allBasesKnown(n); err != nil || !known {
			return false, err
		}
	}
	return true, nil
}

// declares matches the files of languages in which a class says what it extends and implements; in others it may fit without.
var declares = lazyregexp.New(`\.(py|java|kt|cs|php|rb|scala|dart)$`)

// allBasesKnown reports whether the graph has an edge for each base that a class names. A type of another project is of none of this one.
func (c *check) allBasesKnown(n codegraph.Node) (bool, error) {
	if n.Label == codegraph.LabelExternalType {
		return true, nil
	}
	if n.Label != codegraph.LabelClass || !declares.MatchString(n.Path) {
		return false, nil
	}
	s, err := c.surface(n)
	if err != nil {
		return false, err
	}
	x, err := c.graph.Reader().Expand(c.ctx, []codegraph.ID{n.ID}, codegraph.Out, codegraph.Inherits, codegraph.Implements)
	if err != nil {
		return false, err
	}
	for _, list := range [][]code.Symbol{s.Exports, s.Internals} {
		for i := range list {
			if list[i].Name == n.Name && list[i].StartLine <= n.EndLine && n.StartLine <= list[i].EndLine {
				return len(list[i].Bases) <= len(x.Edges), nil
			}
		}
	}
	return false, nil
}
