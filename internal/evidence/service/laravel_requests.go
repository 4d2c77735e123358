package service

import (
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/resolve"
)

// requests adds the form requests among the parameters of a handler: who may send them, and their rules.
func (x *laravelReader) requests(e *Endpoint, params []code.Param) {
	for _, param := range params {
		name := Last(strings.TrimPrefix(param.Type, "?"))
		c := x.laravelClass(e.Handler.At.File, name, "")
		switch {
		case c == nil:
		case x.isPHP(name, "FormRequest"):
			e.Chain = append(e.Chain, x.allowed(c)...)
			if rules := x.method(c, "rules"); rules != nil {
				x.ruled(e, c, rules)
			}
		case x.isPHP(name, "Data") && slices.ContainsFunc(c.File.Imports, func(i code.Import) bool { return i.Module == `Spatie\LaravelData\Data` }):
			e.Chain = append(e.Chain, x.allowed(c)...)
			x.data(e, c)
		}
	}
}

// data adds the fields of a class of laravel-data: those of its rules, and the parameters of its constructor.
func (x *laravelReader) data(e *Endpoint, c *Class) {
	if rules := x.method(c, "rules"); rules != nil {
		x.ruled(e, c, rules)
	}
	at := Place{c.File.Path, c.Symbol.StartLine}
	if n := x.method(c, "__construct"); n != nil && x.Symbol(n) != nil {
		for _, param := range x.Symbol(n).Params {
			in := Input{In: "body", Name: param.Name, Type: strings.TrimPrefix(param.Type, "?"), Required: !param.Optional && !strings.HasPrefix(param.Type, "?"), Default: param.Default, At: at}
			if !slices.ContainsFunc(e.Inputs, func(o Input) bool { return o.Name == in.Name && o.In == in.In }) {
				e.Inputs = append(e.Inputs, in)
			}
		}
	}
	e.Chain = append(e.Chain, Step{Kind: Validation, Name: c.Path, At: at, Refusals: []Refusal{{Answer: Answer{Status: 422, Error: "ValidationException", At: at}}}})
}

// allowed returns the step that asks who may send a form request.
func (x *laravelReader) allowed(c *Class) []Step {
	n := x.method(c, "authorize")
	if n == nil {
		return nil
	}
	step := Step{Kind: Validation, Name: c.Path, Node: n, At: Place{n.File, n.Line}}
	if made := x.result(bodyStmts(x.Body(n)), nil); made != nil && made.Kind == code.ValueName && strings.EqualFold(made.Text, "true") {
		return nil
	}
	if own := x.method(c, "failedAuthorization"); own != nil {
		return append([]Step{step}, Step{Kind: Validation, Name: own.Path(), Node: own, At: Place{own.File, own.Line}})
	}
	step.Refusals = []Refusal{{Answer: Answer{Status: 403, Error: "AuthorizationException", Message: "This action is unauthorized.", At: step.At}}}
	return []Step{step}
}

// ruled adds the rules of a form request.
func (x *laravelReader) ruled(e *Endpoint, c *Class, rules *resolve.Node) {
	var arrays []*code.Value
	code.AllStmts(bodyStmts(x.Body(rules)), func(s *code.Stmt) {
		if s.Value != nil && (s.Op == code.StmtReturn || s.Op == code.StmtAssign) {
			s.Value.All(func(v *code.Value) bool {
				if v.Kind == code.ValueObject && len(v.Args) > 0 && v.Args[0].Name != "" {
					arrays = append(arrays, v)
					return false
				}
				return true
			})
		}
	})
	if len(arrays) == 0 {
		return
	}
	prefix := ""
	for _, name := range []string{"validationData", "validationdata"} {
		if n := x.method(c, name); n != nil {
			prefix = x.section(n)
		}
	}
	for _, array := range arrays {
		laravelFields(e, rules.File, prefix, array)
	}
	if own := x.method(c, "failedValidation"); own != nil {
		e.Chain = append(e.Chain, Step{Kind: Validation, Name: own.Path(), Node: own, At: Place{own.File, own.Line}})
		return
	}
	at := Place{rules.File, rules.Line}
	step := Step{Kind: Validation, Name: c.Path, At: at}
	step.Refusals = []Refusal{{Answer: Answer{Status: 422, Error: "ValidationException", At: at}}}
	e.Chain = append(e.Chain, step)
}

// section returns the part of a request that is validated: "article." for $this->get("article").
func (x *laravelReader) section(n *resolve.Node) string {
	for c := range x.CallsIn(n.File, n.StartLine, n.EndLine) {
		switch receiver, name := c.Of(); {
		case receiver != "$this":
		case name == "get" || name == "input" || name == "json":
			if v := c.Value.Arg(0); v != nil && v.Kind == code.ValueString {
				return v.Text + "."
			}
		}
	}
	return ""
}

// laravelTypes are the rules that say what a value is.
var laravelTypes = []string{"string", "integer", "numeric", "boolean", "array", "date", "email", "url", "file", "image", "uuid", "json", "decimal", "ip", "timezone"}

// laravelFields adds the fields of an array of rules: "title" => "required|string|max:255" or a list.
func laravelFields(e *Endpoint, file, prefix string, array *code.Value) {
	for i := range array.Args {
		a := &array.Args[i]
		if a.Name == "" {
			continue
		}
		in := Input{In: "body", Name: prefix + a.Name, At: Place{file, a.Line}}
		if e.Method == "GET" || e.Method == "DELETE" {
			in.In = "query"
		}
		for _, rule := range laravelRules(a) {
			switch {
			case rule == "required":
				in.Required = true
			case slices.Contains(laravelTypes, rule) && in.Type == "":
				in.Type = rule
			case rule != "sometimes" && rule != "bail":
				in.Limits = append(in.Limits, rule)
			}
		}
		if !slices.ContainsFunc(e.Inputs, func(o Input) bool { return o.Name == in.Name && o.In == in.In }) {
			e.Inputs = append(e.Inputs, in)
		}
	}
}

// laravelRules returns the rules of a field as text.
func laravelRules(v *code.Value) []string {
	switch v.Kind {
	case code.ValueString:
		return strings.FieldsFunc(strings.TrimRight(v.Text, "…,"), func(c rune) bool { return c == '|' })
	case code.ValueCall:
		return []string{v.Text}
	default:
	}
	var out []string
	for i := range v.Args {
		out = append(out, laravelRules(&v.Args[i])...)
	}
	return out
}

// laravelValidates returns the array of rules that a call checks a request with; nil for other calls.
func laravelValidates(call *code.Value) *code.Value {
	_, name := CutLast(call.Text)
	if name != "validate" && name != "validateWithBag" && (name != "make" || !strings.HasPrefix(call.Text, "Validator")) {
		return nil
	}
	for i := range call.Args {
		if a := &call.Args[i]; a.Kind == code.ValueObject && len(a.Args) > 0 && a.Args[0].Name != "" {
			return a
		}
	}
	return nil
}

// validated adds the fields that a handler itself validates or reads.
func (x *laravelReader) validated(e *Endpoint) {
	file, first, last := e.Handler.At.File, 0, 0
	switch {
	case e.Handler.Node != nil:
		first, last = e.Handler.Node.StartLine, e.Handler.Node.EndLine
	case e.Handler.Body != nil:
		first, last = e.Handler.Body.Line, e.Handler.Body.End
	}
	for c := range x.CallsIn(file, first, last) {
		if array := laravelValidates(&c.Value); array != nil {
			laravelFields(e, file, "", array)
			continue
		}
		receiver, name := c.Of()
		if v := c.Value.Arg(0); v != nil && v.Kind == code.ValueString && receiver == "$request" && slices.Contains(laravelReads, name) {
			laravelFields(e, file, "", &code.Value{Args: []code.Value{{Kind: code.ValueOther, Name: v.Text, Line: v.Line}}})
		}
	}
}

// laravelReads are the methods of a request that read a field.
var laravelReads = []string{"input", "get", "query", "post", "boolean", "string", "integer", "date", "file"}
