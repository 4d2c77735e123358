package settings

import (
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

// site is a value with what is around it.
type site struct {
	file   *code.File
	in     string
	value  *code.Value
	around []*code.Value // the innermost last
	// guarded says that it depends on something whether the value is read.
	guarded bool
}

// each calls see for the values of the files in some languages, see [Source.eachOf].
func (s Source) each(languages []string, see func(at site)) {
	for _, f := range s.Files {
		if slices.Contains(languages, f.Language) && !s.eachOf(f, see) {
			return
		}
	}
}

// eachCalling calls see for the values of the Go files with a call that fits: files are many, and those that call one library few.
func (s Source) eachCalling(fits func(c *code.Call) bool, see func(at site)) {
	for _, f := range s.Files {
		if f.Language == "go" && calls(f, fits) && !s.eachOf(f, see) {
			return
		}
	}
}

// calls reports whether a file has a call that fits.
func calls(f *code.File, fits func(c *code.Call) bool) bool {
	for i := range f.Calls {
		if fits(&f.Calls[i]) {
			return true
		}
	}
	return false
}

// eachOf calls see for the values of a file and for their parts: those of variables first, then those of statements, and then all
// calls. A value may be seen several times. It returns false if nobody waits for the answer any more.
func (s Source) eachOf(f *code.File, see func(at site)) bool {
	b := s.Bodies(f)
	if b == nil {
		return true
	}
	for i := range b.Bindings {
		in := strings.TrimPrefix(b.Bindings[i].In, ".")
		walk(site{file: f, in: in, value: &b.Bindings[i].Value, guarded: b.Bindings[i].Guarded}, see)
	}
	for i := range b.Functions {
		if s.stopped() {
			return false
		}
		eachStmt(f, &b.Functions[i], see)
	}
	for i := range b.Calls {
		if s.stopped() {
			return false
		}
		if !b.Calls[i].Test {
			walk(site{file: f, in: b.Calls[i].In, value: &b.Calls[i].Value, guarded: true}, see)
		}
	}
	return true
}

// eachStmt calls see for the values in the statements of a function.
func eachStmt(f *code.File, body *code.Body, see func(at site)) {
	eachIn(site{file: f, in: body.In}, body.Stmts, see)
}

// eachIn calls see for the values in a list of statements; the site says where these are.
func eachIn(at site, list []code.Stmt, see func(at site)) {
	for i := range list {
		st := &list[i]
		if at.value = st.Value; at.value != nil {
			walk(at, see)
		}
		if st.Exit != nil {
			at.value = &st.Exit.Value
			walk(at, see)
		}
		inner := at
		inner.guarded = at.guarded || st.Op != code.StmtBlock && st.Op != code.StmtTry
		eachIn(inner, st.Body, see)
		eachIn(inner, st.Else, see)
		for j := range st.Arms {
			eachIn(inner, st.Arms[j].Body, see)
		}
	}
}

// walk calls see for a value and its parts.
func walk(at site, see func(at site)) {
	see(at)
	if len(at.value.Args) == 0 {
		return
	}
	around := append(slices.Clip(at.around), at.value)
	for i := range at.value.Args {
		chosen := at.value.Kind == code.ValueOther && (at.value.Text == code.CondFirst && i > 0 || at.value.Text == code.CondSecond && i != 1)
		walk(site{at.file, at.in, &at.value.Args[i], around, at.guarded || chosen}, see)
	}
}

// place returns where a value is, with a text on its line.
func (at site) place(text string) Place { return Place{at.file.Path, at.value.Line, text} }

// literal returns the text of a string literal; false for other values.
func literal(v *code.Value) (string, bool) {
	if v == nil {
		return "", false
	}
	if v.Kind == code.ValueOther && len(v.Args) == 1 && v.Text == "" { // what is between the brackets of an index
		return literal(&v.Args[0])
	}
	return strings.TrimSuffix(v.Text, "…"), v.Kind == code.ValueString && len(v.Args) == 0
}

// absent are the values that stand for none.
var absent = []string{"nil", "None", "null", "undefined", "NULL"}

// maxWritten limits the length of a default.
const maxWritten = 60

// Written returns a value as a default is shown: a literal or a name, a short call or list of these; "" for others. A text has no quotes.
func Written(v *code.Value) string {
	if v == nil {
		return ""
	}
	switch text, ok := literal(v); {
	case ok && text == "":
		return `""`
	case ok && len(text) <= maxWritten:
		return text
	case v.Kind == code.ValueNumber, v.Kind == code.ValueName && !slices.Contains(absent, v.Text):
		return strings.TrimPrefix(v.Text, ":")
	case v.Kind == code.ValueCall:
		return call(v)
	case v.Kind == code.ValueOther && v.Text != "" && len(v.Text) <= maxWritten && !strings.ContainsAny(v.Text, "?\n…") && v.Text != code.CondSecond:
		return v.Text
	}
	return ""
}

// call writes a call with its arguments; "" if one of these cannot be written.
func call(v *code.Value) string {
	var args []string
	chained := strings.Contains(v.Text, "(") // on the result of a call, which is the first of its parts
	for i := range v.Args {
		text := Written(&v.Args[i])
		if text == "" || v.Args[i].Kind == code.ValueCall && chained && i > 0 {
			return ""
		}
		if v.Args[i].Name != "" {
			text = v.Args[i].Name + "=" + text
		}
		args = append(args, text)
	}
	switch {
	case len(args) == 0 && strings.TrimLeft(v.Text, "0123456789") != v.Text: // 12.hours
		return v.Text
	case chained && len(args) == 0:
		return ""
	case chained: // now().addMinutes(5)
		args = args[1:]
	}
	text := v.Text + "(" + strings.Join(args, ", ") + ")"
	if len(text) > maxWritten {
		return ""
	}
	return text
}

// split returns what is before the last part of a name as written, and that part.
func split(text string) (before, last string) {
	i := strings.LastIndexAny(text, ".>:\\")
	return strings.TrimRight(text[:i+1], ".>:\\-?"), text[i+1:]
}

// dotted returns a name as written with "." for all separators.
func dotted(text string) string {
	text = strings.TrimPrefix(text, "\\")
	if !strings.Contains(text, "::") && !strings.Contains(text, "->") && !strings.Contains(text, "?.") {
		return text
	}
	return dots.Replace(text)
}

var dots = strings.NewReplacer("::", ".", "->", ".", "?.", ".")
