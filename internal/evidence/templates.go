package evidence

import (
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/evidence/paths"
)

// fillIn sets the message of an error that a function of the module makes: its text with what the exit gives it. "a string"
// given to a function that makes "Expected … but was …" of it is "Expected a string but was …".
func (m *Module) fillIn(out *Outcome, f *code.File, x *paths.Exit) {
	if x.Call == nil || x.Value == nil || out.Message == "" {
		return
	}
	params := m.paramsOf(f.Path, x.In, lastName(x.Call.Text))
	text := template(x.Value, params)
	if text == nil || len(params) == 0 {
		return
	}
	filled, given := fill(text, params, x.Call.Args)
	if filled == "" {
		return
	}
	out.Message, out.By = filled, ""
	out.Details = slices.DeleteFunc(slices.Clone(out.Details), func(d string) bool { return slices.Contains(given, d) || d == text.Text })
}

// paramsOf returns the parameters of the one function with a name that a function of a file can call; nil if there is none or
// more.
func (m *Module) paramsOf(file, in, name string) []string {
	owner, _ := cutLast(in)
	for _, full := range []string{strings.TrimPrefix(owner+"."+name, "."), name} {
		list := m.namedSymbols(full)
		if len(list) != 1 || full == name && list[0].File != file {
			continue
		}
		var out []string
		for _, p := range list[0].Params {
			if p.Name = strings.TrimLeft(p.Name, "$*&"); p.Name != "self" && p.Name != "cls" {
				out = append(out, p.Name)
			}
		}
		return out
	}
	return nil
}

// template returns the one text in an error that has parts that vary; nil if there is none or more.
func template(v *code.Value, params []string) *code.Value {
	var out *code.Value
	count := 0
	v.All(func(part *code.Value) bool {
		if part.Kind == code.ValueString && (strings.Contains(part.Text, "…") || slices.ContainsFunc(params, func(p string) bool { return placeholder(part.Text, p) != "" })) {
			out = part
			count++
		}
		return true
	})
	if count != 1 {
		return nil
	}
	return out
}

// placeholder returns how a text names a variable: "${name}"; "" if it does not.
func placeholder(text, name string) string {
	for _, mark := range []string{"${" + name + "}", "#{" + name + "}", "\\(" + name + ")", "{$" + name + "}", "{" + name + "}"} {
		if strings.Contains(text, mark) {
			return mark
		}
	}
	return ""
}

// fill returns a text with the literals that are given for parameters, and these literals; "" if none is in it.
func fill(text *code.Value, params []string, args []code.Value) (filled string, given []string) {
	filled = text.Text
	hole := 0
	holes := strings.Split(filled, "…")
	for i := range text.Args {
		part := &text.Args[i]
		if part.Part == "…" { // it shares the hole of the part before
			if hole > 0 {
				holes[hole-1] = strings.TrimSuffix(holes[hole-1], "…") + "…"
			}
			continue
		}
		if hole++; hole >= len(holes) {
			return "", nil
		}
		value := "…"
		if literal := literalFor(part.Text, params, args); literal != "" && part.Kind == code.ValueName {
			value = literal
			given = append(given, literal)
		}
		holes[hole-1] += value
	}
	if len(text.Args) > 0 {
		if hole != len(holes)-1 {
			return "", nil
		}
		filled = strings.Join(holes, "")
	}
	for i, p := range params {
		if mark := placeholder(filled, p); mark != "" && i < len(args) {
			if literal := literalFor(p, params, args); literal != "" {
				filled = strings.ReplaceAll(filled, mark, literal)
				given = append(given, literal)
			}
		}
	}
	if len(given) == 0 {
		return "", nil
	}
	return filled, given
}

// literalFor returns the text that is given for a parameter; "" if it is not a literal.
func literalFor(name string, params []string, args []code.Value) string {
	at := slices.Index(params, strings.TrimLeft(name, "$"))
	for i := range args {
		if args[i].Kind == code.ValueString && (args[i].Name != "" && args[i].Name == name || args[i].Name == "" && i == at) && !strings.Contains(args[i].Text, "…") {
			return args[i].Text
		}
	}
	return ""
}
