package service

import (
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/evidence/paths"
)

// verdict is what is known of a condition.
type verdict int

const (
	unknown verdict = iota
	yes
	no
)

// holds evaluates the conditions of a path, given what is known of conditions without parts.
func holds(list []paths.Term, atom func(text string) verdict) verdict {
	out := yes
	for _, term := range list {
		switch evaluate(term.Text, atom) {
		case no:
			return no
		case unknown:
			out = unknown
		}
	}
	return out
}

// evaluate evaluates the text of a condition.
func evaluate(text string, atom func(text string) verdict) verdict {
	text = strings.TrimSpace(text)
	if inner := strings.TrimSuffix(strings.TrimPrefix(text, "("), ")"); len(inner) == len(text)-2 && balanced(inner) {
		text = inner
	}
	if parts := strings.Split(text, " || "); len(parts) > 1 && balanced(parts[0]) {
		return joined(parts, yes, atom)
	}
	if parts := strings.Split(text, " && "); len(parts) > 1 && balanced(parts[0]) {
		return joined(parts, no, atom)
	}
	if rest, ok := strings.CutPrefix(text, "not "); ok {
		return not(evaluate(rest, atom))
	}
	return atom(text)
}

// joined evaluates a disjunction or conjunction; one part that is decides it.
func joined(parts []string, decides verdict, atom func(text string) verdict) verdict {
	out := not(decides)
	for _, part := range parts {
		switch evaluate(part, atom) {
		case decides:
			return decides
		case unknown:
			out = unknown
		}
	}
	return out
}

func balanced(text string) bool { return strings.Count(text, "(") == strings.Count(text, ")") }

func not(v verdict) verdict {
	switch v {
	case yes:
		return no
	case no:
		return yes
	default:
		return unknown
	}
}

func is(b bool) verdict {
	if b {
		return yes
	}
	return no
}

// methodIs evaluates a comparison of the request's method with a text, for requests of a method.
func methodIs(method string) func(text string) verdict {
	return func(text string) verdict {
		for _, operator := range []string{" !== ", " === ", " != ", " == ", " is not ", " is "} {
			left, right, ok := strings.Cut(text, operator)
			if !ok {
				continue
			}
			if !strings.HasSuffix(left, "req.method") && !strings.HasSuffix(left, "request.method") && left != "method" && left != "ctx.method" {
				return unknown
			}
			v := no
			for word := range strings.FieldsFuncSeq(right, func(c rune) bool { return strings.ContainsRune("'\"`, ", c) }) {
				if strings.EqualFold(word, method) {
					v = yes
				}
			}
			if strings.Contains(operator, "!") || strings.Contains(operator, "not") {
				v = not(v)
			}
			return v
		}
		return unknown
	}
}

// settleMethod removes the answers that an endpoint cannot give to requests of its method.
func settleMethod(e *Endpoint) {
	if e.Method == "" {
		return
	}
	atom := methodIs(e.Method)
	kept := e.Refusals[:0]
	for _, f := range e.Refusals {
		if holds(f.When, atom) != no {
			kept = append(kept, f)
		}
	}
	e.Refusals = kept
}
