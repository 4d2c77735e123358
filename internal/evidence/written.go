package evidence

import (
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

// maxWritten limits an expression in a claim, in bytes.
const maxWritten = 110

// written returns an expression as it is written, on one line, with "…" for the parts that are not known; "" if nothing of
// it is.
func written(v *code.Value, language string) string {
	if v == nil {
		return ""
	}
	text := expression(v, language)
	if len(text) > maxWritten && v.Kind == code.ValueCall {
		return calledAs(v, language) + "(…)"
	}
	if len(text) > maxWritten || text == "…" {
		return ""
	}
	return text
}

// unbroken removes what a formatter adds where it breaks a call over lines.
var unbroken = strings.NewReplacer(", )", ")", "( ", "(", " )", ")", ", ]", "]", "[ ", "[", " ]", "]")

// callee returns what a call calls.
func callee(v *code.Value) string { return strings.Join(strings.Fields(v.Text), " ") }

// calledAs returns what a call calls, as its language writes it: a value of PHP names a method of a variable with a dot.
func calledAs(v *code.Value, language string) string {
	if name := callee(v); language != "php" || !strings.HasPrefix(name, "$") {
		return name
	}
	return strings.ReplaceAll(callee(v), ".", "->")
}

func expression(v *code.Value, language string) string {
	switch v.Kind {
	case code.ValueString:
		return quoted(v.Text, language)
	case code.ValueNumber, code.ValueName:
		return v.Text
	case code.ValueCall:
		args := v.Args
		if language != "go" && strings.Contains(v.Text, "(") && len(args) > 0 { // the first is what the method is called on
			args = args[1:]
		}
		return calledAs(v, language) + "(" + expressions(args, language) + ")"
	case code.ValueObject:
		if language == "go" {
			return strings.TrimSuffix(v.Text, "{}") + "{" + expressions(v.Args, language) + "}"
		}
		return "{" + expressions(v.Args, language) + "}"
	case code.ValueOther:
		if v.Text != "" && v.Text != code.CondFirst && v.Text != code.CondSecond {
			return v.Text
		}
	default:
	}
	return "…"
}

func expressions(list []code.Value, language string) string {
	mark := ": "
	if language == "python" {
		mark = "="
	}
	var out []string
	for i := range list {
		text := expression(&list[i], language)
		if list[i].Name != "" {
			text = list[i].Name + mark + text
		}
		out = append(out, text)
	}
	return strings.Join(out, ", ")
}

// singleQuoted are the languages in which most texts are between single quotes.
var singleQuoted = map[string]bool{"javascript": true, "typescript": true, "jsx": true, "tsx": true, "python": true, "ruby": true, "php": true}

// quoted returns a literal between quotes.
func quoted(text, language string) string {
	switch {
	case strings.Contains(text, "${") && singleQuoted[language], strings.Contains(text, "'") && language != "go" && strings.Contains(text, `"`):
		return "`" + text + "`"
	case language == "go" && strings.ContainsAny(text, `"\`) && !strings.Contains(text, "`"):
		return "`" + text + "`"
	case singleQuoted[language] && !strings.Contains(text, "'"):
		return "'" + text + "'"
	}
	return `"` + text + `"`
}
