package service

import (
	"cmp"
	"iter"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/resolve"
)

// Node returns what a value in a file names or calls: a function, a type, a variable; nil if it is not of the project.
func (p *Project) Node(file string, v *code.Value) *resolve.Node {
	if v == nil || v.Kind != code.ValueName && v.Kind != code.ValueCall {
		return nil
	}
	return p.NodeOf(file, v.Text, v.Line)
}

// NodeOf returns what a name as written, "articles.router", means on a line of a file; nil if it is not of the project.
func (p *Project) NodeOf(file, text string, line int) *resolve.Node {
	before, name := CutLast(text)
	var list []*resolve.Node
	for _, u := range p.Links.Within(file, line, line) {
		if u.Name == name && u.To != nil && u.Selected == (before != "") && !slices.Contains(list, u.To) {
			list = append(list, u.To)
		}
	}
	for _, n := range list { // of several, that of the module or type before the name
		if owner := Last(before); owner != "" && (owner == stem(n.File) || owner == Last(n.Owner())) {
			return n
		}
	}
	if len(list) > 0 {
		return list[0]
	}
	if before == "" {
		return p.imported(file, name)
	}
	return nil
}

// imported returns what a name means that an import inside a function of a file binds; nil for none.
func (p *Project) imported(file, name string) *resolve.Node {
	f := p.files[file]
	if f == nil || p.imports == nil {
		return nil
	}
	for i := range f.Imports {
		imp := &f.Imports[i]
		for j, named := range imp.Named {
			local := named
			if j < len(imp.Aliases) && imp.Aliases[j] != "" {
				local = imp.Aliases[j]
			}
			if local != name {
				continue
			}
			for _, target := range p.imports.Target(file, i).Files {
				if n := p.Links.Find(target, named, 0); n != nil {
					return n
				}
			}
		}
	}
	return nil
}

// stem returns the base name of a file without its extension.
func stem(file string) string {
	base := file[strings.LastIndexByte(file, '/')+1:]
	name, _, _ := strings.Cut(base, ".")
	return name
}

// Named returns what a name means in some lines of a file; nil if it is not of the project.
func (p *Project) Named(file string, first, last int, name string) *resolve.Node {
	for _, u := range p.Links.Within(file, first, last) {
		if u.Name == name && u.To != nil {
			return u.To
		}
	}
	return nil
}

// Bound returns what a variable of a file or a field of a type is bound to; ok is false if it is not known, or bound more
// than once.
func (p *Project) Bound(file, in, name string) (Bound, bool) {
	var out []Bound
	for _, b := range p.bindings[name] {
		if b.File.Path == file && (b.In == in || in == "" && (b.In == name || b.In == "default" && name == "module.exports")) {
			out = append(out, b)
		}
	}
	if len(out) != 1 {
		return Bound{}, false
	}
	return out[0], true
}

// maxSteps limits how many names are followed to a value.
const maxSteps = 6

// Constant returns the literal that a value in a file stands for: itself, a constant of any file, or the field of the only
// type that gives a field of that name a literal. It returns nil if there is none.
func (p *Project) Constant(file string, v *code.Value) *code.Value {
	for range maxSteps {
		if v == nil || v.Kind != code.ValueName {
			break
		}
		b, ok := p.bound(file, v)
		if !ok {
			return nil
		}
		file, v = b.File.Path, &b.Value
	}
	if v == nil || v.Kind != code.ValueString && v.Kind != code.ValueNumber {
		return nil
	}
	return v
}

// bound returns the binding that a name refers to.
func (p *Project) bound(file string, v *code.Value) (Bound, bool) {
	before, name := CutLast(v.Text)
	if n := p.Node(file, v); n != nil && !n.IsType() && !IsFunction(n) {
		return p.Bound(n.File, "", n.Name)
	}
	if before == "" {
		return p.Bound(file, "", name)
	}
	var out []Bound // fields
	for _, b := range p.bindings[name] {
		if b.In != "" && b.In != name && (b.Value.Kind == code.ValueString || b.Value.Kind == code.ValueNumber) {
			out = append(out, b)
		}
	}
	if owner := p.Named(file, v.Line, v.Line, Last(before)); owner != nil && owner.IsType() {
		out = slices.DeleteFunc(out, func(b Bound) bool { return Last(b.In) != owner.Name })
	}
	if len(out) == 0 || slices.ContainsFunc(out, func(b Bound) bool { return b.Value.Text != out[0].Value.Text }) {
		return Bound{}, false
	}
	return out[0], true
}

// Text returns the string that a value stands for; false if it is not a constant.
func (p *Project) Text(file string, v *code.Value) (string, bool) {
	c := p.Constant(file, v)
	if c == nil || c.Kind != code.ValueString {
		return "", false
	}
	return c.Text, true
}

// Status returns the HTTP status that a value stands for: a number, or a constant named after a status; 0 if it is not
// known.
func (p *Project) Status(file string, v *code.Value) int {
	if v == nil {
		return 0
	}
	if c := p.Constant(file, v); c != nil {
		return statusNumber(c.Text)
	}
	if v.Kind == code.ValueName || v.Kind == code.ValueCall && len(v.Args) <= 1 {
		return StatusNamed(Last(v.Text))
	}
	return 0
}

func statusNumber(text string) int {
	n, err := strconv.Atoi(text)
	if err != nil || n < 100 || n > 599 {
		return 0
	}
	return n
}

// StatusNamed returns the HTTP status that a constant is named after: "HTTP_404_NOT_FOUND", "NOT_FOUND", "StatusNotFound",
// "NotFound"; 0 for other names.
func StatusNamed(name string) int {
	for part := range strings.SplitSeq(name, "_") {
		if n := statusNumber(part); n > 0 && strings.Contains(strings.ToUpper(name), "HTTP") {
			return n
		}
	}
	name = strings.TrimPrefix(strings.TrimPrefix(name, "HTTP_"), "SC_")
	if rest, ok := strings.CutPrefix(name, "Status"); ok && rest != "" {
		if n := statusNumber(strings.TrimRightFunc(rest, unicode.IsLetter)); n > 0 {
			return n // ASP.NET: Status404NotFound
		}
		name = rest
		if len(rest) > 3 && statusNumber(rest[:3]) > 0 {
			return statusNumber(rest[:3])
		}
	}
	return statuses[strings.ReplaceAll(strings.ToLower(name), "_", "")]
}

// statuses are the names of HTTP statuses, in lower case without separators (RFC 9110, and the names that libraries use).
var statuses = map[string]int{
	"ok": 200, "created": 201, "accepted": 202, "nocontent": 204, "resetcontent": 205, "partialcontent": 206,
	"movedpermanently": 301, "found": 302, "seeother": 303, "notmodified": 304, "temporaryredirect": 307, "permanentredirect": 308,
	"badrequest": 400, "unauthorized": 401, "paymentrequired": 402, "forbidden": 403, "notfound": 404, "methodnotallowed": 405,
	"notacceptable": 406, "requesttimeout": 408, "conflict": 409, "gone": 410, "lengthrequired": 411, "preconditionfailed": 412,
	"payloadtoolarge": 413, "requestentitytoolarge": 413, "requesturitoolong": 414, "unsupportedmediatype": 415, "imateapot": 418, "teapot": 418,
	"unprocessableentity": 422, "unprocessablecontent": 422, "locked": 423, "faileddependency": 424, "toomanyrequests": 429,
	"contenttoolarge": 413, "uritoolong": 414, "rangenotsatisfiable": 416, "requestedrangenotsatisfiable": 416, "expectationfailed": 417,
	"misdirectedrequest": 421, "tooearly": 425, "upgraderequired": 426, "preconditionrequired": 428, "requestheaderfieldstoolarge": 431,
	"httpversionnotsupported": 505, "insufficientstorage": 507, "loopdetected": 508, "networkauthenticationrequired": 511, "unavailableforlegalreasons": 451, "proxyauthenticationrequired": 407, "multistatus": 207, "multiplechoices": 300,
	"internalservererror": 500, "notimplemented": 501, "badgateway": 502, "serviceunavailable": 503, "gatewaytimeout": 504,
}

// Object returns the identity of the object that a name holds at a line of a file, within the function in. The name may be
// that of a local variable, of a variable of this file or of another one.
func (p *Project) Object(f *code.File, in, name string, line int) Object {
	return p.object(f, in, name, line, 0)
}

func (p *Project) object(f *code.File, in, name string, line, depth int) Object {
	if n := p.NodeOf(f.Path, name, line); n != nil && !IsFunction(n) && !n.IsType() {
		return objectOf(n.File, "", n.Name)
	}
	if in != "" {
		for i := range f.Bodies.Calls {
			if c := &f.Bodies.Calls[i]; c.To == name && c.In == in {
				return objectOf(f.Path, in, name)
			}
		}
		if o := p.argumentObject(f, in, name, depth); o != "" {
			return o
		}
	}
	return objectOf(f.Path, "", name)
}

// argumentObject returns the object that the parameter of a function is given: that of the first call that gives one; "" if
// the name is no parameter or nothing calls the function.
func (p *Project) argumentObject(f *code.File, in, name string, depth int) Object {
	s := p.symbols[f.Path][in]
	if s == nil || depth > maxSteps {
		return ""
	}
	place, at := -1, 0
	for _, param := range s.Params {
		switch param.Name {
		case "self", "cls", "this":
			continue
		case name:
			place = at
		}
		at++
	}
	if place < 0 {
		return ""
	}
	for _, c := range p.called(s.Name) {
		if n := p.NodeOf(c.File.Path, c.Value.Text, c.Value.Line); n == nil || n.File != f.Path || n.Path() != in {
			continue
		}
		v := c.Value.Named(name)
		if v == nil {
			v = c.Value.Arg(place)
		}
		if v != nil && v.Kind == code.ValueName {
			return p.object(c.File, c.In, v.Text, v.Line, depth+1)
		}
	}
	return ""
}

// called returns the calls of functions with a name.
func (p *Project) called(name string) []Call {
	if p.callsOf == nil {
		p.callsOf = map[string][]Call{}
		for _, f := range p.Files {
			for i := range f.Bodies.Calls {
				c := &f.Bodies.Calls[i]
				p.callsOf[Last(c.Value.Text)] = append(p.callsOf[Last(c.Value.Text)], Call{f, c})
			}
		}
	}
	return p.callsOf[name]
}

func objectOf(file, in, name string) Object { return Object(file + "\x00" + in + "\x00" + name) }

// Assigned returns the identity of the object that a call makes and gives to a variable.
func (c Call) Assigned() Object {
	if c.In == c.To {
		return objectOf(c.File.Path, "", c.To)
	}
	return objectOf(c.File.Path, c.In, c.To)
}

// Given is a value in a file.
type Given struct {
	File string
	*code.Value
}

// Result returns what a call of a function of the project returns, given constant arguments: a name, a call or a literal
// of the function's file. It returns false if that is not determined.
func (p *Project) Result(n *resolve.Node, call *code.Value) (Given, bool) {
	body := p.Body(n)
	if body == nil {
		return Given{}, false
	}
	v := p.result(body.Stmts, p.arguments(n, call))
	if v == nil {
		return Given{}, false
	}
	return Given{n.File, v}, true
}

// arguments returns the constant arguments of a call, and the constant defaults of the others, by parameter.
func (p *Project) arguments(n *resolve.Node, call *code.Value) map[string]string {
	out := map[string]string{}
	s := p.Symbol(n)
	if s == nil {
		return out
	}
	at := 0
	for _, param := range s.Params {
		out[param.Name] = param.Default
		v := call.Named(param.Name)
		if v == nil && param.Mode != "keyword" && param.Name != "self" && param.Name != "cls" {
			v = call.Arg(at)
			at++
		}
		if v != nil {
			out[param.Name] = v.Text
		}
	}
	return out
}

// result returns the value that a list of statements returns; nil if it depends on more than the arguments.
func (p *Project) result(list []code.Stmt, args map[string]string) *code.Value {
	for i := range list {
		s := &list[i]
		switch s.Op {
		case code.StmtReturn:
			return chosen(s.Value, args)
		case code.StmtIf:
			holds, known := truth(s.Cond, args)
			branch := s.Body
			if !holds {
				branch = s.Else
			}
			if v := p.result(branch, args); v != nil && known {
				return v
			} else if v != nil {
				return nil
			}
		case code.StmtAssign, code.StmtCall:
		default:
			return nil
		}
	}
	return nil
}

// chosen returns the part of a conditional value that the arguments choose; nil if they do not.
func chosen(v *code.Value, args map[string]string) *code.Value {
	if v == nil || v.Kind != code.ValueOther || len(v.Args) != 3 {
		return v
	}
	on, then := &v.Args[0], &v.Args[1]
	if v.Text == code.CondSecond {
		on, then = then, on
	} else if v.Text != code.CondFirst {
		return v
	}
	holds, known := truth(&code.Cond{Op: code.CondAtom, Text: on.Text}, args)
	switch {
	case !known || on.Kind != code.ValueName:
		return nil
	case holds:
		return chosen(then, args)
	}
	return chosen(&v.Args[2], args)
}

// truth evaluates a condition on constant arguments.
func truth(c *code.Cond, args map[string]string) (holds, known bool) {
	switch c.Op {
	case code.CondAtom:
		switch args[c.Text] {
		case "True", "true":
			return true, true
		case "False", "false", "None", "null", "nil":
			return false, true
		}
	case code.CondNot:
		if len(c.Args) == 1 {
			holds, known = truth(&c.Args[0], args)
			return !holds, known
		}
	default:
	}
	return false, false
}

// inOrder yields the entries of a map by key, so that two runs find the same first one.
func inOrder[K cmp.Ordered, V any](m map[K]V) iter.Seq2[K, V] {
	return func(yield func(K, V) bool) {
		for _, k := range slices.Sorted(maps.Keys(m)) {
			if !yield(k, m[k]) {
				return
			}
		}
	}
}
