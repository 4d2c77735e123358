package service

import (
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/evidence/paths"
)

// classOf returns the class of the error that a statement throws; named is what it calls or names. A function of the project
// makes an error of the class that it constructs.
func (r *reader) classOf(site Site, named string) string {
	n := r.Node(site.File.Path, site.Exit.Value)
	for range maxSteps {
		if n == nil || !IsFunction(n) || site.Exit.Value.Kind != code.ValueCall {
			break
		}
		made := r.result(bodyStmts(r.Body(n)), nil)
		if made == nil || made.Kind != code.ValueCall {
			break
		}
		if named = Last(made.Text); named == "cls" || named == "self" {
			return Last(n.Owner())
		}
		if next := r.Node(n.File, made); next != n {
			n = next
		} else {
			break
		}
	}
	return named
}

// caught reports whether a try statement catches an error of a class.
func (r *reader) caught(class string, around []paths.Guard) bool {
	for _, guard := range slices.Backward(around) {
		for i := range guard.Arms {
			arm := &guard.Arms[i]
			if rethrows(arm) {
				continue
			}
			if arm.Default {
				return true
			}
			for _, name := range caughtNames(arm) {
				if r.IsA(class, name) {
					return true
				}
			}
		}
	}
	return false
}

// rethrows reports whether a handler throws again what it caught, without conditions.
func rethrows(arm *code.Arm) bool {
	n := len(arm.Body)
	if n == 0 {
		return false
	}
	last := &arm.Body[n-1]
	if last.Op == code.StmtReturn && n > 1 && arm.Body[n-2].Op == code.StmtAnswer { // return next(err)
		last = &arm.Body[n-2]
	}
	switch last.Op {
	case code.StmtReturn:
		return last.Text == code.Rethrow
	case code.StmtAnswer:
		return last.Answer.Passes && namesCaught(&last.Answer.Value, arm)
	case code.StmtError:
		return last.Exit.Kind == code.Throws && namesCaught(&last.Exit.Value, arm)
	default:
		return false
	}
}

// namesCaught reports whether a value is, or is called with, what a handler caught, by its name in the handler's head.
func namesCaught(v *code.Value, arm *code.Arm) bool {
	if v.Kind == code.ValueCall && len(v.Args) > 0 {
		v = &v.Args[len(v.Args)-1]
	}
	return v.Kind == code.ValueName && slices.Contains(arm.Labels, v.Text)
}

// caughtNames returns the last names of the classes that a handler catches.
func caughtNames(arm *code.Arm) []string {
	var out []string
	for _, label := range arm.Labels {
		label, _, _ = strings.Cut(label, " as ")
		for name := range strings.FieldsFuncSeq(label, func(c rune) bool { return strings.ContainsRune(" (),|&*", c) }) {
			out = append(out, Last(name))
		}
	}
	return out
}

// IsA reports whether a class is another one or derived from it, by name: as the project declares them, and the languages.
func (p *Project) IsA(class, base string) bool {
	seen := map[string]bool{}
	open := []string{class}
	for len(open) > 0 {
		at := open[0]
		open = open[1:]
		if at == base {
			return true
		}
		if seen[at] {
			continue
		}
		seen[at] = true
		for _, up := range []string{builtinBases[at], rubyBases[at]} {
			if up != "" {
				open = append(open, up)
			}
		}
		for _, c := range p.classes[at] {
			for _, b := range c.Symbol.Bases {
				name, _, _ := strings.Cut(b, "(")
				name, _, _ = strings.Cut(name, "<")
				open = append(open, Last(strings.TrimSpace(name)))
			}
			if len(c.Symbol.Bases) == 0 && errorLike(at) {
				open = append(open, "Exception")
			}
		}
		if len(p.classes[at]) == 0 && builtinBases[at] == "" && errorLike(at) {
			open = append(open, "Exception", "StandardError")
		}
	}
	return false
}

// isKnown reports whether all bases of a class are known: declared in the project, or the language's own. What becomes of
// others is up to the library that declares them.
func (p *Project) isKnown(class string) bool { return p.isKnownBelow(class, 0) }

func (p *Project) isKnownBelow(class string, depth int) bool {
	if depth > maxSteps {
		return false
	}
	if class == "BaseException" || builtinBases[class] != "" || rubyBases[class] != "" {
		return true
	}
	for _, c := range p.classes[class] {
		for _, b := range c.Symbol.Bases {
			name, _, _ := strings.Cut(b, "(")
			name, _, _ = strings.Cut(name, "<")
			if !p.isKnownBelow(Last(strings.TrimSpace(name)), depth+1) {
				return false
			}
		}
	}
	return len(p.classes[class]) > 0
}

func errorLike(name string) bool {
	return strings.HasSuffix(name, "Error") || strings.HasSuffix(name, "Exception") || name == "HTTPException"
}

// builtinBases are the bases of the languages' own exceptions.
var builtinBases = map[string]string{
	"Exception": "BaseException", "KeyError": "LookupError", "IndexError": "LookupError", "LookupError": "Exception",
	"ValueError": "Exception", "TypeError": "Exception", "UnicodeDecodeError": "ValueError", "JSONDecodeError": "ValueError",
	"RuntimeException": "Exception", "IllegalArgumentException": "RuntimeException", "IllegalStateException": "RuntimeException",
	"NoSuchElementException": "RuntimeException", "ZeroDivisionError": "ArithmeticError", "ArithmeticError": "Exception",
	"NotImplementedError": "RuntimeError", "RuntimeError": "Exception", "FileNotFoundError": "OSError", "OSError": "Exception",
}

// rubyBases are those of Ruby's exceptions, where they differ from the ones above, and of Rails.
var rubyBases = map[string]string{
	"StandardError": "Exception", "ArgumentError": "StandardError", "RuntimeError": "StandardError", "NameError": "StandardError", "IndexError": "StandardError",
	"KeyError": "IndexError", "TypeError": "StandardError", "IOError": "StandardError", "ZeroDivisionError": "StandardError", "NoMethodError": "NameError",
	"ActiveRecordError": "StandardError", "RecordNotFound": "ActiveRecordError", "RecordInvalid": "ActiveRecordError", "RecordNotSaved": "ActiveRecordError",
	"RecordNotDestroyed": "ActiveRecordError", "RecordNotUnique": "ActiveRecordError", "StaleObjectError": "ActiveRecordError",
	"ActionControllerError": "StandardError", "ParameterMissing": "KeyError", "BadRequest": "ActionControllerError", "RoutingError": "ActionControllerError",
	"UnknownFormat": "ActionControllerError", "InvalidAuthenticityToken": "ActionControllerError", "NotAuthorizedError": "StandardError", "AccessDenied": "StandardError",
}
