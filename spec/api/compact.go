package api

import (
	"regexp"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

// mostCompact is the length in bytes up to which a signature is written on one line.
const mostCompact = 200

// compact returns a symbol with the signatures of its functions on one line, if the page is to be short.
func (m *Module) compact(s *code.Symbol) *code.Symbol {
	if !m.Compact {
		return s
	}
	out := *s
	if s.Kind == code.Function || s.Kind == code.Method || s.Kind == code.Constructor {
		out.Signature = oneLine(s.Signature)
	}
	out.Members = slices.Clone(s.Members)
	for i := range out.Members {
		out.Members[i] = *m.compact(&s.Members[i])
	}
	return &out
}

// lineComment matches a comment at the end of a line without texts.
var lineComment = regexp.MustCompile("^([^\"'`]*?)\\s+(#|//)\\s.*$")

// oneLine writes a signature on one line; one that would be long, or has a line that is not one of parameters, is returned as it is.
func oneLine(signature string) string {
	rows := strings.Split(signature, "\n")
	last := strings.TrimSpace(rows[len(rows)-1])
	first := lineComment.ReplaceAllString(strings.TrimRight(rows[0], " \t"), "$1")
	if len(rows) < 3 || !strings.HasSuffix(first, "(") || !strings.HasPrefix(last, ")") {
		return signature
	}
	out := first
	for i, row := range rows[1 : len(rows)-1] {
		if i > 0 {
			out += " "
		}
		out += lineComment.ReplaceAllString(strings.TrimSpace(row), "$1")
	}
	if out = strings.TrimSuffix(out, ",") + last; len(out) > mostCompact {
		return signature
	}
	return out
}
