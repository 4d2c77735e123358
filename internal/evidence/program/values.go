package program

import (
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

// ctx is where a value is: in a function whose parameters may be known.
type ctx struct {
	p    *parser
	file *code.File
	in   string
	env  map[string]bound
}

// bound is an argument where it is given.
type bound struct {
	value code.Value
	at    ctx
}

// argsOf returns a call whose Args are without the receiver's value.
func argsOf(f *code.File, c *code.CallUse) *code.Value {
	v := c.Value
	if c.After != 0 && f.Language != "go" && len(v.Args) > 0 {
		v.Args = v.Args[1:]
	}
	return &v
}

// resolved returns what a name stands for: an argument of the function around, a constant or variable of the file or package; and
// where that is.
func (at ctx) resolved(v *code.Value) (*code.Value, ctx) {
	for range maxDepth {
		if v == nil || v.Kind != code.ValueName {
			break
		}
		if b, ok := at.env[v.Text]; ok {
			v, at = &b.value, b.at
			continue
		}
		next, in := at.p.value(at, v)
		if next == nil {
			break
		}
		v, at = next, in
	}
	return v, at
}

// value returns the value of a name: that of a file's binding, or of a local variable that is assigned once.
func (p *parser) value(at ctx, v *code.Value) (*code.Value, ctx) {
	name := v.Text
	var local *code.Value
	for i := range at.file.Bodies.Functions {
		b := &at.file.Bodies.Functions[i]
		if b.In != at.in || at.in == "" {
			continue
		}
		code.AllStmts(b.Stmts, func(s *code.Stmt) {
			if s.Op == code.StmtAssign && s.Text == name {
				local = s.Value
				if local != nil && local.Kind == code.ValueName && local.Text == name {
					local = nil
				}
			}
		})
	}
	if local != nil {
		return local, at
	}
	if found := bindingOf(at.file, name); found != nil {
		return found, ctx{p: p, file: at.file}
	}
	return p.declared(at, v)
}

func bindingOf(f *code.File, name string) *code.Value {
	if f.Bodies == nil {
		return nil
	}
	for i := range f.Bodies.Bindings {
		if b := &f.Bodies.Bindings[i]; b.Name == name && (b.In == "" || b.In == name) {
			return &b.Value
		}
	}
	return nil
}

// declared returns the value of a constant or variable that is declared in another file.
func (p *parser) declared(at ctx, v *code.Value) (*code.Value, ctx) {
	if p.source.Links == nil {
		return nil, at
	}
	_, name := split(v.Text)
	for _, u := range p.source.Links.Within(at.file.Path, v.Line, v.Line) {
		if u.Name != name || u.To.File == at.file.Path && u.To.Path() == at.in {
			continue
		}
		file := p.files[u.To.File]
		if file == nil && p.source.Other != nil {
			file = p.source.Other(u.To.File)
			p.files[u.To.File] = file
		}
		if file == nil || file.Bodies == nil {
			continue
		}
		if found := bindingOf(file, name); found != nil {
			return found, ctx{p: p, file: file}
		}
	}
	return nil, at
}

// formatters are functions that change only the layout of a text.
var formatters = []string{"Doc", "Docf", "dedent", "cleandoc", "String", "to_string", "into", "t", "_", "gettext", "N_", "trim", "strip"}

// text returns the string that a value is; ok is false if it is not known.
func (at ctx) text(v *code.Value) (text string, ok bool) { return at.textIn(v, 0) }

func (at ctx) textIn(v *code.Value, level int) (string, bool) {
	v, at = at.resolved(v)
	if v == nil || level > maxDepth {
		return "", false
	}
	switch v.Kind {
	case code.ValueString:
		if strings.Contains(v.Text, "…") && len(v.Args) > 0 { // interpolated
			return at.joined(v, level)
		}
		return strings.TrimSuffix(v.Text, "…"), true
	case code.ValueCall:
		if _, name := split(v.Text); slices.Contains(formatters, name) && len(v.Args) > 0 {
			return at.textIn(&v.Args[0], level+1)
		}
		return at.formatted(v, level)
	case code.ValueOther:
		return at.sum(v, level)
	default:
		return "", false
	}
}

// sum returns the concatenation of the parts.
func (at ctx) sum(v *code.Value, level int) (string, bool) {
	if len(v.Args) == 2 && at.file.Language == "python" && strings.Contains(v.Text, "%") {
		return at.substituted(v, level)
	}
	if len(v.Args) == 0 || strings.Contains(v.Text, "?") || !strings.Contains(v.Text, "+") {
		return "", false
	}
	var b strings.Builder
	for i := range v.Args {
		part, ok := at.textIn(&v.Args[i], level+1)
		if !ok {
			return "", false
		}
		b.WriteString(part)
	}
	return b.String(), true
}

// joined fills the gaps of a concatenation.
func (at ctx) joined(v *code.Value, level int) (string, bool) {
	text := v.Text
	for i := range v.Args {
		part, ok := at.textIn(&v.Args[i], level+1)
		if !ok {
			part, ok = at.shown(&v.Args[i]), true
		}
		if part == "" {
			return "", false
		}
		text = strings.Replace(text, "…", part, 1)
	}
	return text, true
}

// formatted returns the result of a call of fmt.Sprintf and the like.
func (at ctx) formatted(v *code.Value, level int) (string, bool) {
	if _, name := split(v.Text); name != "Sprintf" && name != "format!" && name != "format" || len(v.Args) == 0 {
		return "", false
	}
	return at.substituted(v, level)
}

// substituted replaces the verbs of a format, the first part, by the others.
func (at ctx) substituted(v *code.Value, level int) (string, bool) {
	format, ok := at.textIn(&v.Args[0], level+1)
	if !ok {
		return "", false
	}
	var b strings.Builder
	next := 1
	for i := 0; i < len(format); i++ {
		if format[i] != '%' || i+1 == len(format) {
			b.WriteByte(format[i])
			continue
		}
		i++
		if format[i] == '%' {
			b.WriteByte('%')
			continue
		}
		if next >= len(v.Args) {
			return "", false
		}
		part := at.shown(&v.Args[next])
		if part == "" {
			return "", false
		}
		if format[i] == 'q' {
			part = `"` + part + `"`
		}
		next++
		b.WriteString(part)
	}
	return b.String(), true
}

// shown returns a value as users would write it: the content of a string, a number, a name, a list of these; "" if it is not known.
func (at ctx) shown(v *code.Value) string {
	if text, ok := at.text(v); ok {
		return text
	}
	v, at = at.resolved(v)
	if v == nil {
		return ""
	}
	switch v.Kind {
	case code.ValueNumber:
		return v.Text
	case code.ValueName:
		switch v.Text {
		case "nil", "None", "null", "undefined", "...":
			return ""
		}
		return v.Text
	case code.ValueOther, code.ValueObject:
		if len(v.Args) == 0 || v.Text != "" && v.Kind == code.ValueOther {
			return v.Text
		}
		var out []string
		for i := range v.Args {
			out = append(out, at.shown(&v.Args[i]))
		}
		return strings.Join(out, ",")
	case code.ValueCall:
		var out []string
		for i := range v.Args {
			out = append(out, at.shown(&v.Args[i]))
		}
		return v.Text + "(" + strings.Join(out, ", ") + ")"
	default:
		return v.Text
	}
}

// texts returns the strings of a list, or the one that a value is.
func (at ctx) texts(v *code.Value) []string {
	if text, ok := at.text(v); ok && v != nil {
		return []string{text}
	}
	v, at = at.resolved(v)
	if v == nil || v.Kind == code.ValueCall && len(v.Args) == 0 {
		return nil
	}
	var out []string
	for i := range v.Args {
		if text, ok := at.text(&v.Args[i]); ok {
			out = append(out, text)
		} else {
			out = append(out, at.shown(&v.Args[i]))
		}
	}
	return out
}

// holds reports whether a value is true.
func (at ctx) holds(v *code.Value) bool {
	v, _ = at.resolved(v)
	return v != nil && (v.Text == "true" || v.Text == "True")
}

// oneLine joins a text that is laid out over several lines.
func oneLine(text string) string {
	text = strings.ReplaceAll(text, "\\\n", " ")
	return strings.Join(strings.Fields(text), " ")
}

// help returns the text of a help message on one line.
func (at ctx) help(v *code.Value) string {
	text, _ := at.text(v)
	if at.file.Language != "go" {
		text = escapes.Replace(text)
	}
	return oneLine(text)
}

// escapes are sequences in the source of string literals.
var escapes = strings.NewReplacer(`\\`, `\`, `\n`, "\n", `\t`, " ", `\"`, `"`, `\'`, "'")
