package scip

import "strings"

// String is the symbol's name in the grammar: what [ParseSymbol] reads.
func (s Symbol) String() string {
	if s.Local != "" {
		return "local " + s.Local
	}
	var b strings.Builder
	b.WriteString(escapeSpaces(s.Scheme))
	for _, part := range []string{s.Package.Manager, s.Package.Name, s.Package.Version} {
		if part == "" {
			part = "."
		}
		b.WriteString(" " + escapeSpaces(part))
	}
	b.WriteByte(' ')
	for _, d := range s.Descriptors {
		b.WriteString(d.String())
	}
	return b.String()
}

func escapeSpaces(text string) string { return strings.ReplaceAll(text, " ", "  ") }

// String is the descriptor in the grammar.
func (d Descriptor) String() string {
	name := d.Name
	for i := range len(name) {
		if !identifier(name[i]) {
			name = "`" + strings.ReplaceAll(name, "`", "``") + "`"
			break
		}
	}
	switch d.Suffix {
	case Method:
		return name + "(" + d.Disambiguator + ")."
	case Parameter:
		return "(" + name + ")"
	case TypeParameter:
		return "[" + name + "]"
	default:
	}
	for i := range len(endings) {
		if endingOf(endings[i]) == d.Suffix {
			return name + endings[i:i+1]
		}
	}
	return name
}
