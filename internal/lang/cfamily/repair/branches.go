package repair

import (
	"slices"
	"strings"
)

// choice returns the index of the branch to show of a group that cuts through syntax; -1 for
// none.
func (p *conditions) choice(g group) int {
	for k, b := range g.branches {
		name, rest := p.split(b.directive)
		switch name {
		case "else":
			return k
		case "ifdef", "elifdef":
			rest = "defined " + rest
		case "ifndef", "elifndef":
			rest = "!defined " + rest
		}
		if p.holds(Condition(rest)) {
			return k
		}
	}
	return -1
}

// Condition returns a condition in canonical spelling: without white space, comments and the
// parentheses of defined.
func Condition(text string) string {
	var b strings.Builder
	for _, t := range Tokens([]byte(text), false) {
		if word := text[t.Start:t.End]; word != "defined" {
			b.WriteString(word)
		}
	}
	out := b.String()
	for len(out) > 1 && out[0] == '(' && strings.IndexByte(out, ')') == len(out)-1 {
		out = out[1 : len(out)-1]
	}
	if inner, ok := strings.CutPrefix(out, "!("); ok && strings.IndexByte(inner, ')') == len(inner)-1 {
		out = "!" + inner[:len(inner)-1]
	}
	return out
}

// holds reports whether a condition is assumed to hold. The assumption is recorded, so that it
// is the same throughout the file.
func (p *conditions) holds(condition string) bool {
	name, not := strings.CutPrefix(condition, "!")
	if holds, ok := p.taken[name]; ok {
		return holds != not
	}
	holds := true
	switch {
	case name == "__cplusplus" || strings.HasPrefix(name, "__cplusplus>"):
		holds = p.cpp
	case name == "0" || name == "NEVER" || unusual(name):
		holds = false
	case name == "1" || slices.Contains([]string{"__GNUC__", "__linux__", "__unix__", "__STDC__"}, name):
	default:
		holds = !not // the first branch
	}
	if name != "" {
		p.taken[name] = holds
	}
	return holds != not
}

// unusual reports whether a macro is defined only by an uncommon compiler or system.
func unusual(name string) bool {
	for _, mark := range []string{"_MSC_VER", "_WIN32", "WIN32", "_WIN64", "__CYGWIN__", "__MINGW32__", "__BORLANDC__", "__WATCOMC__", "__DMC__", "__VMS", "__OS400__", "__MSDOS__", "MSDOS", "WINDOWS", "OS2", "DOXYGEN", "__DOXYGEN__", "SWIG", "lint", "__SUNPRO_CC", "__cpp_modules"} {
		if name == mark || strings.HasPrefix(name, mark+">") || strings.HasPrefix(name, mark+"&&") {
			return true
		}
	}
	return false
}

// macroAlone reports whether a unit consists of a macro name or macro call.
func (p *conditions) macroAlone(unit, last int) bool {
	for unit < last && (p.all[unit].Kind == Directive || p.hidden[unit]) {
		unit++
	}
	if p.all[unit].Kind != Word || !p.isMacro(p.word(p.all[unit])) {
		return false
	}
	if last == unit {
		return true
	}
	if !p.is(last, ")") || !p.is(unit+1, "(") {
		return false
	}
	depth := 0
	for i := unit + 1; i < last; i++ {
		switch p.word(p.all[i]) {
		case "(":
			depth++
		case ")":
			depth--
			if depth == 0 {
				return false
			}
		}
	}
	return true
}
