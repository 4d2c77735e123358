package paths

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

// returned follows a return statement without an error of its own.
func (w *walker) returned(s *code.Stmt, p path) result {
	if s.Value == nil {
		return result{ends: never(), leaves: always()}
	}
	if s.Value.Kind == code.ValueCall {
		if e := w.module.of(s.Value).exit; e != nil {
			return w.exit(s, p, e, s.Value)
		}
	}
	if v := s.Value; v.Kind == code.ValueName && code.IsErrorName(v.Text) && sentinelOn(p, v.Text) != "" {
		return w.exit(s, p, &code.Exit{Kind: code.Fails, Error: v.Text, Value: *v}, nil)
	}
	return result{ends: never(), leaves: always(), passed: namesIn(s.Value)}
}

// called follows a call whose result is not used. One that never returns is an exit.
func (w *walker) called(s *code.Stmt, p path) result {
	if e := w.module.of(s.Value).exit; e != nil {
		return w.exit(s, p, e, s.Value)
	}
	if endsProgram[s.Text] {
		return result{ends: never(), leaves: always()}
	}
	return ending()
}

// endsProgram are library functions that do not return.
var endsProgram = map[string]bool{
	"os.Exit": true, "log.Fatal": true, "log.Fatalf": true, "log.Fatalln": true, "log.Panic": true, "log.Panicf": true,
	"runtime.Goexit": true, "syscall.Exit": true,
	"sys.exit": true, "os._exit": true, "os.abort": true, "process.exit": true, "process.abort": true, "Deno.exit": true,
	"System.exit": true, "exitProcess": true, "Environment.Exit": true, "Environment.FailFast": true,
	"exit": true, "_exit": true, "abort": true, "std.process.exit": true, "process::exit": true, "std::process::exit": true,
	"std::exit": true, "std::abort": true, "std::terminate": true, "sys.abort": true,
}

// exit records the error exit e of a statement, made by call; call is nil if the statement
// itself makes the error.
func (w *walker) exit(s *code.Stmt, p path, e *code.Exit, call *code.Value) result {
	r := result{ends: never(), leaves: always(), passed: namesIn(&e.Value)}
	if made := w.made(&e.Value); made != nil && e.Kind == code.Throws {
		e = &code.Exit{Kind: e.Kind, Error: strings.TrimLeft(made.Text, `\.`), Value: *made}
	}
	if e.Kind == code.Throws && w.caught(e.Error) {
		r.leaves = never()
		return r
	}
	x := Exit{In: w.body.In, Use: w.use, Kind: e.Kind, Error: e.Error, By: e.By, Line: s.Line, Beside: s.Beside}
	if made, by := w.raised(e, call); made != e {
		e, call, x.Error = made, by, made.Error
	}
	if call != nil {
		x.By = cmp.Or(x.By, call.Text)
		if given := givenError(call); given != "" && e.Error == "panic" {
			x.Error = given
		}
	}
	w.describe(&x, e, call)
	if x.Message == "" {
		x.Error += variantOf(x.Error, &e.Value)
	}
	x.When, x.Partial = w.terms(p)
	x.Value, x.Call = &e.Value, call
	x.PassesOn = w.passesOn(p, &x, r.passed)
	if x.Kind == code.Fails && e.Value.Kind == code.ValueName {
		x.Error = cmp.Or(sentinelOn(p, x.Error), x.Error)
	}
	w.out = append(w.out, x)
	if w.exited != nil {
		w.exited(s, &x)
	}
	return r
}

// variantOf returns the variant that the function new makes an error of, in parentheses: (ErrorKind::Empty) of
// Error::new(ErrorKind::Empty). It is "" for other functions: the errors of one constructor differ by it.
func variantOf(function string, made *code.Value) string {
	variant := ""
	made.All(func(v *code.Value) bool {
		if scoped := strings.ReplaceAll(v.Text, ".", "::"); v.Kind != code.ValueCall || scoped != function || !strings.HasSuffix(function, "::new") {
			return true
		}
		for i := range v.Args {
			a := &v.Args[i]
			scoped := strings.ReplaceAll(a.Text, ".", "::")
			if named := a.Kind == code.ValueName || a.Kind == code.ValueCall; named && variant == "" && strings.Contains(scoped, "::") && isType(scoped) {
				variant = "(" + scoped + ")"
			}
		}
		return false
	})
	return variant
}

// raised returns the error that a function of the module makes or throws for a statement that throws what it returns, and the
// call of it; else the error and call that are given.
func (w *walker) raised(e *code.Exit, call *code.Value) (*code.Exit, *code.Value) {
	if e.Kind != code.Throws || call != nil || e.Value.Kind != code.ValueCall {
		return e, call
	}
	switch h := w.module.of(&e.Value); {
	case h.makes != nil:
		return &code.Exit{Kind: e.Kind, Error: h.makes.Text, Value: *h.makes}, &e.Value
	case h.exit != nil && h.exit.Kind == code.Throws:
		return h.exit, &e.Value
	}
	return e, call
}

// sentinelOn returns the exported error that a variable is equal to on a path: io.EOF after err == io.EOF; "" if there is
// none.
func sentinelOn(p path, variable string) string {
	for _, s := range p.steps {
		if rest, ok := strings.CutPrefix(s.text, variable+" == "); ok && s.op == code.CondAtom && isType(rest) && !strings.ContainsAny(rest, " (") {
			return rest
		}
	}
	return ""
}

// givenError returns the error that a call passes on by name; "" if there is none.
func givenError(call *code.Value) string {
	for i := range call.Args {
		if a := &call.Args[i]; a.Kind == code.ValueName && code.IsErrorName(a.Text) {
			return a.Text
		}
	}
	return ""
}

// universal are the base types of every exception.
var universal = []string{"Exception", "BaseException", "Throwable", "StandardError"}

// caught reports whether a handler around catches the error called name.
func (w *walker) caught(name string) bool {
	name = name[strings.LastIndexAny(name, ".:\\")+1:]
	for _, arms := range slices.Backward(w.handlers) {
		for i := range arms {
			if rethrows(&arms[i]) {
				continue
			}
			if arms[i].Default {
				return true
			}
			kinds := strings.FieldsFunc(strings.Join(arms[i].Labels, " "), func(c rune) bool { return strings.ContainsRune(" (),.|:&*\\", c) })
			if slices.ContainsFunc(kinds, func(k string) bool { return k == name || slices.Contains(universal, k) }) {
				return true
			}
		}
	}
	return false
}

// rethrows reports whether a handler ends by throwing what it caught, and never returns before.
func rethrows(a *code.Arm) bool {
	if len(a.Body) == 0 {
		return false
	}
	last := &a.Body[len(a.Body)-1]
	if last.Op == code.StmtReturn && last.Value != nil && len(a.Body) > 1 && a.Body[len(a.Body)-2].Op == code.StmtAnswer { // return next(err)
		last = &a.Body[len(a.Body)-2]
	}
	if last.Op == code.StmtAnswer && last.Answer.Passes {
		return true
	}
	if last.Op != code.StmtError || last.Exit.Kind != code.Throws || !code.Mentions(strings.Join(a.Labels, " "), last.Exit.Error) {
		return false
	}
	back := false
	code.AllStmts(a.Body, func(s *code.Stmt) {
		back = back || s.Op == code.StmtReturn || s.Op == code.StmtBreak || s.Op == code.StmtNext
	})
	return !back
}

// passesOn reports whether an exit only returns the error of another call.
func (w *walker) passesOn(p path, x *Exit, names []string) bool {
	if x.Kind == code.Throws {
		last := x.Error[strings.LastIndexAny(x.Error, ".:")+1:]
		isVariable := last == x.Error && last != "" && unicode.IsLower([]rune(last)[0]) || code.IsErrorName(x.Error)
		return x.Message == "" && isVariable && x.By == "" && slices.Contains(names, x.Error)
	}
	if x.Kind == code.Panics || x.Message != "" {
		return false
	}
	for _, s := range p.steps {
		for _, name := range names {
			if s.op == code.CondAtom && isSet(s.text, name) && s.text != name {
				return true
			}
		}
	}
	return false
}

// namesIn returns the variables in a value.
func namesIn(v *code.Value) []string {
	var out []string
	v.All(func(v *code.Value) bool {
		if v.Kind == code.ValueName {
			out = append(out, v.Text)
		}
		return true
	})
	return out
}

// terms returns the conditions of a path. Of those on a variable that was assigned in between, the later ones are kept: all
// are about one value of it, as at the start of a branch that changes it before it ends.
func (w *walker) terms(p path) (list []Term, partial bool) {
	partial = p.partial
	for _, c := range p.steps {
		if kept := w.unchanged(c, p.steps); hasUnknown(kept) {
			partial = true
			if c = known(kept); isUnknown(c) || isAlways(c) {
				continue
			}
		}
		tree := treeOf(c)
		t := Term{Text: textOf(c), Where: whereOf(c), Cond: &tree}
		if slices.ContainsFunc(list, func(o Term) bool { return o.Text == t.Text && o.Where == t.Where }) {
			continue
		}
		opposite := textOf(not(c))
		if i := slices.IndexFunc(list, func(o Term) bool { return o.Text == opposite && o.Where == t.Where }); i >= 0 {
			list, partial = slices.Delete(list, i, i+1), true // something has changed in between
		}
		list = append(list, t)
	}
	return list, partial
}

// whereOf returns the assignments of the variables in a condition.
func whereOf(c cond) string {
	var list []string
	atoms(c, func(a cond) {
		if a.where != "" && !slices.Contains(list, a.where) {
			list = append(list, a.where)
		}
	})
	return strings.Join(list, "; ")
}

// unchanged returns a condition whose parts on variables are unknown of which another condition of the path has a later value.
func (w *walker) unchanged(c cond, path []cond) cond {
	switch c.op {
	case code.CondAnd, code.CondOr:
		list := make([]cond, len(c.args))
		for i, a := range c.args {
			list[i] = w.unchanged(a, path)
		}
		if c.op == code.CondAnd {
			return and(list...)
		}
		return or(list...)
	default:
	}
	if w.changed(c, path) {
		return cond{}
	}
	return c
}

// changed reports whether a variable in a condition was assigned after it was evaluated, and another condition of the path is on
// the new value.
func (w *walker) changed(c cond, path []cond) bool {
	found := false
	atoms(c, func(a cond) {
		for _, change := range w.changes {
			if change.at > a.at && w.names(a, change.name) && slices.ContainsFunc(path, func(later cond) bool { return w.asksAfter(later, change) }) {
				found = true
			}
		}
	})
	return found
}

// names reports whether an atom is on a variable, other than one whose assignment it gives.
func (w *walker) names(a cond, name string) bool {
	mentions := code.MentionsTarget
	if w.body.Bare {
		mentions = code.Mentions
	}
	return (mentions(a.text, name) || mentions(a.of, name)) && !mentions(a.where, name)
}

// asksAfter reports whether a condition is on the value that a change gives.
func (w *walker) asksAfter(c cond, made change) bool {
	found := false
	atoms(c, func(a cond) { found = found || a.at >= made.at && w.names(a, made.name) })
	return found
}
