package settings

import (
	"slices"
	"strconv"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

func itoa(n int) string { return strconv.Itoa(n) }

// findHelpers finds the functions that read the variable whose name is one of their parameters: getEnv(name, fallback), also
// by another one that does.
func (u *uses) findHelpers() {
	for range 2 {
		found := map[[2]string][]helper{}
		for _, f := range slices.Concat(u.Files, u.Shared) {
			if !u.mayRead(f) {
				continue
			}
			b := u.Bodies(f)
			if b == nil {
				continue
			}
			called := u.calledWith(f, b)
			for i := range b.Functions {
				body := &b.Functions[i]
				owner, name := split(body.In)
				if body.Name != "" {
					owner, name = "", body.Name
				}
				if h, ok := u.helper(f, body, called[body.In]); ok && name != "" && body.Use.Kind == "" {
					h.file, h.owner = f, last(owner)
					key := [2]string{f.Language, name}
					found[key] = append(found[key], h)
				}
			}
		}
		u.helpers = found
	}
}

// helperOf returns the only function called by a name in a file that reads a variable: of the module, or of a file that the
// file imports; nil for none.
func (u *uses) helperOf(f *code.File, of string) *helper {
	var out *helper
	on, name := split(of)
	list := u.helpers[[2]string{f.Language, name}]
	for i := range list {
		h := &list[i]
		if h.file != f && !u.own(h.file.Path) && (!u.imported(f, h.file) || h.owner != "" && !called(last(on), h.owner)) {
			continue
		}
		if out != nil {
			return nil
		}
		out = h
	}
	return out
}

// imported reports whether a file imports another one, also by one that may re-export it.
func (u *uses) imported(f, other *code.File) bool {
	list := u.Links.Imports(f.Path)
	return slices.Contains(list, other.Path) || slices.ContainsFunc(list, func(file string) bool { return slices.Contains(u.Links.Imports(file), other.Path) })
}

// called reports whether a variable is named after a type: env and config after AppConfig, not cache after it.
func called(variable, typ string) bool {
	variable, typ = strings.Trim(strings.ToLower(variable), "_$@"), strings.ToLower(typ)
	return len(variable) > 2 && strings.HasSuffix(typ, variable)
}

// inCall is a place in the arguments of a call at which a setting is read whose name is a variable.
type inCall struct {
	line int // of the call
	at   site
	use  use
}

// calledWith returns the places in the calls of a file at which a setting is read whose name is a variable, by what they are in:
// the calls in the conditions of statements, too. A file that a tool has made may have thousands of functions and calls on one line.
func (u *uses) calledWith(f *code.File, b *code.Bodies) map[string][]inCall {
	out := map[string][]inCall{}
	for i := range b.Calls {
		if u.stopped() {
			return nil
		}
		c := &b.Calls[i]
		walk(site{file: f, in: c.In, value: &c.Value}, func(at site) {
			if r, ok := u.direct(at); ok && r.param == 0 {
				out[c.In] = append(out[c.In], inCall{c.Line, at, r})
			}
		})
	}
	return out
}

// helper returns what a function reads by one of its parameters; called are the places of calledWith in what has its name.
func (u *uses) helper(f *code.File, body *code.Body, called []inCall) (helper, bool) {
	h := helper{name: -1, value: -1}
	if len(body.Params) == 0 {
		return h, false
	}
	see := func(at site, r use) {
		if i := slices.Index(body.Params, r.Help); i >= 0 && h.name < 0 {
			u.context(at, &r)
			h.name, h.use = i, r
			h.value = slices.Index(body.Params, r.Default)
		}
	}
	eachStmt(f, body, func(at site) {
		if r, ok := u.direct(at); ok && r.param == 0 {
			see(at, r)
		}
	})
	for _, c := range called {
		if c.line >= body.Line && c.line <= body.End {
			see(c.at, c.use)
		}
	}
	if h.name < 0 {
		return h, false
	}
	h.concludes(body)
	h.use.Type = or(u.result(f, body), h.use.Type)
	return h, true
}

// concludes reads the default that a helper returns, and whether it fails.
func (h *helper) concludes(body *code.Body) {
	code.AllStmts(body.Stmts, func(st *code.Stmt) {
		switch {
		case st.Op == code.StmtReturn && st.Value != nil && st.Value.Kind == code.ValueName:
			if i := slices.Index(body.Params, st.Value.Text); i >= 0 && i != h.name && h.value < 0 {
				h.value = i
			}
		case ends(st):
			h.use.Required = true
		}
	})
}

// result returns the type of what a function returns, if it is declared and not a text.
func (u *uses) result(f *code.File, body *code.Body) string {
	kind, _, _ := strings.Cut(strings.Trim(declaredResult(f.Symbols, body.In), "()"), ",")
	switch strings.ToLower(strings.TrimSuffix(kind, "?")) {
	case "string", "str", "any", "", "t", "error", "object", "mixed", "unknown":
		return ""
	}
	if strings.Contains(kind, "<") { // it depends on the call
		return ""
	}
	return kind
}

// declaredResult returns the type that the function with a qualified name returns, as written.
func declaredResult(list []code.Symbol, name string) string {
	for i := range list {
		s := &list[i]
		if s.Name == name {
			return s.Returns
		}
		if rest, ok := strings.CutPrefix(name, s.Name+"."); ok {
			if out := declaredResult(s.Members, rest); out != "" {
				return out
			}
		}
	}
	return ""
}

// helped returns what a call of a helper reads.
func (u *uses) helped(at site, h *helper) (use, bool) {
	v := at.value
	r := h.use
	r.file, r.In, r.param, r.from = at.file, at.in, -1, -1
	r.Default, r.Help = "", ""
	if h.value >= 0 {
		r.Required = r.Required && v.Arg(h.value) == nil
		if given := v.Arg(h.value); given != nil {
			r.value(given)
		}
	}
	name := v.Arg(h.name)
	if text, ok := literal(name); ok && !isName(text) {
		return use{}, false
	}
	return r.named(at, name, true)
}

// given finds the variables that statements check after they read them, or set if they are missing:
//
//	port := os.Getenv("PORT")
//	if port == "" { port = "80" }
func (u *uses) given() {
	for _, f := range u.Files {
		if !u.mayRead(f) {
			continue
		}
		b := u.Bodies(f)
		if b == nil {
			continue
		}
		for i := range b.Functions {
			u.checked(f, &b.Functions[i], b.Functions[i].Stmts, false)
		}
	}
}

// checked reads a list of statements and those in them.
func (u *uses) checked(f *code.File, body *code.Body, list []code.Stmt, guarded bool) {
	for i := range list {
		st := &list[i]
		if st.Op == code.StmtIf && i > 0 && list[i-1].Op == code.StmtAssign && list[i-1].Value != nil {
			u.check(f, body, &list[i-1], st, guarded)
		}
		inner := guarded || st.Op != code.StmtBlock && st.Op != code.StmtTry
		u.checked(f, body, st.Body, inner)
		u.checked(f, body, st.Else, inner)
		for j := range st.Arms {
			u.checked(f, body, st.Arms[j].Body, inner)
		}
	}
}

// check reads a variable and the condition right after it.
func (u *uses) check(f *code.File, body *code.Body, assigned, st *code.Stmt, guarded bool) {
	r, ok := u.read(site{file: f, in: body.In, value: assigned.Value, guarded: guarded})
	names := strings.Split(strings.ReplaceAll(assigned.Text, " ", ""), ",")
	if !ok || r.Default != "" || !missing(st.Cond, names) {
		return
	}
	for i := range st.Body {
		inner := &st.Body[i]
		switch {
		case inner.Op == code.StmtAssign && slices.Contains(names, inner.Text) && inner.Value != nil && len(st.Body) <= 2:
			r.value(inner.Value)
		case ends(inner):
			r.Required = !guarded
		}
	}
	u.add(r)
}

// missing reports whether a condition says that one of some variables is empty or not set.
func missing(c *code.Cond, names []string) bool {
	if c == nil {
		return false
	}
	switch c.Op {
	case code.CondNot:
		return len(c.Args) == 1 && c.Args[0].Op == code.CondAtom && slices.Contains(names, c.Args[0].Text)
	case code.CondIs:
		return slices.Contains(names, c.Of) && (slices.Contains(absent, c.Text) || c.Text == `""`)
	case code.CondAtom:
		for _, end := range []string{` == ""`, ` == ''`, ` === ""`, ` === ''`, ` == nil`, ` == null`, `.empty?`, `.nil?`, `.isEmpty()`} {
			if name, ok := strings.CutSuffix(c.Text, end); ok && slices.Contains(names, name) {
				return true
			}
		}
		name, ok := strings.CutPrefix(c.Text, "len(")
		name, zero := strings.CutSuffix(name, ") == 0")
		return ok && zero && slices.Contains(names, name)
	default:
		return false
	}
}

// enders are the calls that end the process.
var enders = []string{"os.Exit", "log.Fatal", "log.Fatalf", "log.Fatalln", "process.exit", "sys.exit", "panic", "exit", "abort"}

// ends reports whether a statement reports an error, or ends the process.
func ends(st *code.Stmt) bool {
	return st.Op == code.StmtError || st.Op == code.StmtCall && st.Value != nil && slices.Contains(enders, dotted(st.Value.Text))
}
