package evidence

import (
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/evidence/paths"
	"github.com/reverse-spec/reverse-spec/internal/resolve"
)

// Limits of results: the rows of one function, and an expression among them, in bytes.
const (
	maxResults = 6
	maxResult  = 80
)

// results finds what exported functions return where they do not fail: literals, constants, parameters, fields that a
// constructor sets, formulas, and expressions that differ by a condition. What says nothing to readers is left out.
var results = Rule{
	Kind: Result,
	find: func(m *Module, found func(Claim)) {
		for _, f := range m.Files {
			if f.Whole == nil || m.stopped() {
				continue
			}
			m.resultsOf(f, found)
		}
	},
}

// resultsOf finds the results of the functions of a file. Those of functions with one name are claimed only if they are the
// same: no reader could tell them apart.
func (m *Module) resultsOf(f *code.File, found func(Claim)) {
	var list []Claim
	count := map[string]int{}
	for i := range f.Whole.Functions {
		body := &f.Whole.Functions[i]
		if isNested(f, body) {
			continue
		}
		count[body.In]++
		of := m.function(f.Path, body.In, body.Line)
		if of == nil || m.exported[of] == "" || isConstructor(body.In) || m.decided(body.In) {
			continue
		}
		r := &resulter{Module: m, file: f, body: body, of: of}
		if c := r.claim(); c != nil {
			list = append(list, *c)
		}
	}
	for _, c := range list {
		if count[c.Subject] == 1 {
			found(c)
		}
	}
}

// decided reports whether a claim of another kind has the results of a function.
func (m *Module) decided(subject string) bool {
	return slices.ContainsFunc(m.claimed, func(c Claim) bool {
		return c.Subject == subject && (c.Kind == Choice && c.Role == Picked && c.Name == "" || c.Kind == Lookup && c.Role == Switch)
	})
}

// resulter finds the results of one body.
type resulter struct {
	*Module
	file *code.File
	body *code.Body
	of   *resolve.Node
}

// result is one value that a function returns.
type result struct {
	text  string
	when  Condition
	line  int
	says  bool // a reader learns something from it alone
	knows bool // all that it names is known
}

// claim returns the claim about the results of the function; nil if they say nothing.
func (r *resulter) claim() *Claim {
	if r.returnsNothing() {
		return nil
	}
	list, complete := r.list()
	if len(list) == 0 || len(list) > maxResults {
		return nil
	}
	c := &Claim{Subject: r.body.In}
	if len(list) == 1 && complete && len(list[0].when.All) == 0 {
		if name, by, given := r.given(list[0].text); given {
			c.Role, c.Name, c.Of = Given, name, by
		} else if !list[0].says || r.isField(list[0].text) {
			return nil
		}
	} else if !worthSaying(list, complete) {
		return nil
	}
	for _, one := range list {
		c.Values, c.When = append(c.Values, one.text), append(c.When, one.when)
		c.At = append(c.At, Place{r.file.Path, one.line, ""})
	}
	if distinctValues(c.Values) == 1 && len(c.Values) > 1 {
		return nil
	}
	return c
}

// worthSaying reports whether a reader learns something: from one of the results, or from how all of them differ.
func worthSaying(list []result, complete bool) bool {
	return complete && len(list) > 1 || slices.ContainsFunc(list, func(o result) bool { return o.says })
}

// list returns the results that are known, and whether they are all.
func (r *resulter) list() (list []result, complete bool) {
	complete = true
	for _, p := range r.reader.Statements(r.file.Whole.Functions, r.body, r.isResult) {
		if p.Use.Kind == code.UseArgument {
			continue
		}
		one := r.result(&p)
		if slices.ContainsFunc(list, func(o result) bool { return o.line == one.line && o.text == one.text }) {
			continue // a return that is the last expression, too
		}
		if slices.ContainsFunc(list, func(o result) bool { return o.when.String() == one.when.String() }) {
			one.knows = false // what tells them apart is not known: a handler in a handler
		}
		complete = complete && one.knows
		if one.knows {
			list = append(list, one)
		}
	}
	return list, complete
}

// typed are the languages in which the last expression of a body is no result unless the function declares one.
var typed = []string{"rust", "swift"}

// returnsNothing reports whether nobody gets what the body's last expression is: the function declares no result, or is a
// setter.
func (r *resulter) returnsNothing() bool {
	if r.file.Language == "ruby" {
		return strings.HasSuffix(r.body.In, "=") && !strings.HasSuffix(r.body.In, "==")
	}
	if !slices.Contains(typed, r.file.Language) {
		return false
	}
	sym := r.symbol(r.file.Path, r.body.In, r.body.Line)
	return sym == nil || sym.Returns == ""
}

// outputs are the last names of calls whose result says nothing: they write.
var outputs = []string{"puts", "print", "printf", "write", "warn", "p", "pp"}

// isResult reports whether a statement says what the function returns.
func (r *resulter) isResult(s *code.Stmt) bool {
	return (s.Op == code.StmtReturn && s.Value != nil || s.Op == code.StmtResult && s.Text == "") && (s.Source != "" || s.Op == code.StmtResult)
}

// result reads what a statement returns.
func (r *resulter) result(p *paths.Place) result {
	s := p.Stmt
	out := result{text: r.withoutError(s.Source), line: s.Line}
	if out.text == "" || len(out.text) > maxResult || p.Partial || p.Exit != nil || isSelf(out.text) || s.Value.Kind == code.ValueCall && slices.Contains(outputs, lastName(callee(s.Value))) || code.IsErrorName(lastResult(s.Source)) && isName(plainName(lastResult(s.Source))) {
		return out
	}
	terms := r.withValues(r.of, p.When)
	names := r.names()
	for i := range terms {
		t := &terms[i]
		defined, ok := names.definitions(t.Text, s, terms)
		if !ok {
			return out
		}
		t.Origin = strings.Join(defined, "; ")
	}
	defined, ok := names.definitions(out.text, s, terms)
	if !ok {
		return out
	}
	out.says = r.says(s, out.text, len(terms) > 0)
	if len(defined) > 0 {
		out.text += ResultWhere + strings.Join(defined, "; ")
	}
	out.when, out.knows = Condition{All: terms}, true
	return out
}

// ResultWhere separates what is returned from the values of the variables in it.
const ResultWhere = " where "

// Given is the role of a [Result] that is the parameter Name of the constructor Of.
const Given = "given"

// lastResult returns the last of several results.
func lastResult(text string) string {
	return strings.TrimSpace(text[strings.LastIndexByte(text, ',')+1:])
}

// withoutError removes the nil that is returned as error from the results of a function of Go; it returns "" if nothing else
// is returned.
func (r *resulter) withoutError(text string) string {
	if text == "Ok(())" {
		return ""
	}
	if r.file.Language != "go" {
		return text
	}
	rest, ok := strings.CutSuffix(text, ", nil")
	if ok {
		return rest
	}
	if sym := r.symbol(r.file.Path, r.body.In, r.body.Line); text == "nil" && sym != nil && strings.HasSuffix(strings.Trim(sym.Returns, "() "), "error") {
		return ""
	}
	return text
}

func isSelf(text string) bool { return slices.Contains(selves, text) }

// says reports whether a reader learns something from a result: a literal, a constant, a parameter or a field under a
// condition, a formula, or a call with a literal or a constant.
func (r *resulter) says(s *code.Stmt, text string, conditional bool) bool {
	switch v := s.Value; {
	case isLiteralText(text):
		return true
	case v.Kind == code.ValueName && r.isConstantName(v.Text):
		return true
	case v.Kind == code.ValueName:
		return conditional && (slices.Contains(r.body.Params, v.Text) || r.isField(text))
	case v.Kind == code.ValueString:
		return true
	default:
		return r.isFormula(v, text) || !r.isInner(v) && r.namesConstant(v)
	}
}

// isField reports whether a result is a field of the object itself.
func (r *resulter) isField(text string) bool {
	name := strings.TrimPrefix(text, "@")
	if name != text {
		return isName(name)
	}
	owner, rest, ok := strings.Cut(strings.ReplaceAll(text, "->", "."), ".")
	return ok && isName(rest) && (slices.Contains(selves, owner) || owner == r.receiver())
}

// receiver returns the name of the receiver in Go.
func (r *resulter) receiver() string {
	sym := r.symbol(r.file.Path, r.body.In, r.body.Line)
	if sym == nil || r.file.Language != "go" {
		return ""
	}
	name, _, _ := strings.Cut(strings.Trim(sym.Receiver, "() "), " ")
	return name
}

// isConstantName reports whether a name is that of a constant: by its form, or by its declaration in the module.
func (r *resulter) isConstantName(name string) bool {
	last := strings.TrimLeft(name[strings.LastIndexAny(name, ".:>\\")+1:], "$@")
	if last == "" || isSelf(name) {
		return false
	}
	if last[0] >= 'A' && last[0] <= 'Z' && len(last) > 1 || name[0] == '.' {
		return true
	}
	return slices.ContainsFunc(r.namedSymbols(name), func(s *code.Symbol) bool { return s.Kind == code.Const })
}

// isFormula reports whether a result is computed from something by operators.
func (r *resulter) isFormula(v *code.Value, text string) bool {
	if v.Kind != code.ValueOther && v.Kind != code.ValueCall || len(v.Args) == 0 && v.Text == "" {
		return false
	}
	for _, op := range []string{" == ", " != ", " === ", " !== ", " < ", " > ", " <= ", " >= ", " + ", " - ", " * ", " / ", " % ", " ** ", " && ", " || ", " ?? ", " and ", " or ", " in ", " is "} {
		if cutOutsideQuotes(text, op) {
			return true
		}
	}
	return strings.HasPrefix(text, "!") || strings.HasPrefix(text, "not ")
}

// cutOutsideQuotes reports whether a text has another one outside quotes.
func cutOutsideQuotes(text, part string) bool {
	for i := 0; i < len(text); i++ {
		if c := text[i]; c == '"' || c == '\'' || c == '`' {
			i = code.QuoteEnd(text, i)
		} else if strings.HasPrefix(text[i:], part) {
			return true
		}
	}
	return false
}

// isInner reports whether a call is one of a function that users do not know, or an object whose values have no names.
func (r *resulter) isInner(v *code.Value) bool {
	if v.Kind == code.ValueObject {
		return !slices.ContainsFunc(v.Args, func(a code.Value) bool { return a.Name != "" })
	}
	name := strings.NewReplacer("->", ".", "::", ".", "$", "", "@", "").Replace(callee(v))
	owner, last := cutLast(name)
	if strings.HasPrefix(last, "_") {
		return true
	}
	if around, _ := cutLast(r.body.In); owner != "" && (slices.Contains(selves, owner) || owner == r.receiver()) {
		last = around + "." + last
	}
	list := r.namedSymbols(last)
	return len(list) > 0 && !list[0].Exported
}

// namesConstant reports whether a call or object is given a literal or a constant.
func (r *resulter) namesConstant(v *code.Value) bool {
	for i := range v.Args {
		a := &v.Args[i]
		if a.Kind == code.ValueString && a.Text != "" || a.Kind == code.ValueNumber || a.Kind == code.ValueName && (r.isConstantName(a.Text) || a.Text == "true" || a.Text == "false") {
			return true
		}
	}
	return false
}

// isLiteralText reports whether results are literals: texts, numbers, words such as null, empty collections.
func isLiteralText(text string) bool {
	for part := range strings.SplitSeq(text, ", ") {
		part = strings.TrimSpace(part)
		switch {
		case part == "":
			return false
		case slices.Contains(literalWords, part):
		case part[0] == '"' || part[0] == '\'' || part[0] == '`':
			if code.QuoteEnd(part, 0) != len(part)-1 {
				return false
			}
		case strings.ContainsFunc(part, func(c rune) bool { return c != '_' && isName(string(c)) && (c < '0' || c > '9') }):
			return false
		}
	}
	return true
}

// literalWords are words that stand for one value everywhere.
var literalWords = []string{"true", "false", "nil", "null", "None", "undefined", "True", "False", "TRUE", "FALSE", "NULL"}
