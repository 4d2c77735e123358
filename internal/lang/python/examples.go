package python

import (
	"regexp"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/core"
)

var (
	// used matches a name that is not an attribute, with what is after it.
	used = regexp.MustCompile(`(?:^|[^\w.])([A-Za-z_]\w*)\b([ \t]*=?=?)`)
	// importing matches a statement whose dots are not those of attributes.
	importing = regexp.MustCompile(`(?m)^(?:from|import)\b.*`)
	// literal matches a string, and a comment.
	literal = regexp.MustCompile(`(?i)\b[rbfu]{0,2}"(?:[^"\\]|\\.)*"|\b[rbfu]{0,2}'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|#.*`)
)

// lacking returns the first name that the inputs of a session use and that nothing binds: not the session, not the module, not Python.
// doctest runs a session in its module, while pytest may add names to it; "" for none.
func lacking(r *core.Reader, steps []code.Step) string {
	var text strings.Builder
	for _, s := range steps {
		if !strings.HasPrefix(s.Text, "prints ") && !strings.HasPrefix(s.Text, "throws ") {
			text.WriteString(literal.ReplaceAllString(s.Text, "0") + "\n")
		}
	}
	session := text.String()
	if strings.Contains(session, "import *") || strings.ContainsAny(session, `"'`) { // a string was cut, or goes over lines
		return ""
	}
	for _, m := range used.FindAllStringSubmatch(importing.ReplaceAllString(session, ""), -1) {
		given := strings.TrimSpace(m[2]) == "=" // it is a target, or the name of an argument
		if name := m[1]; !given && !known[name] && !binds(session, name) && !moduleHas(r, name) {
			return name
		}
	}
	return ""
}

// binds reports whether a session may bind a name: as a target, an import, a parameter or a variable of a loop.
func binds(session, name string) bool {
	n := regexp.QuoteMeta(name)
	return regexp.MustCompile(`(?m)\b` + n + `\b[^=\n(]*(?:[^=!<>]=[^=]|:=)|\b(?:import|as|for|def|class|lambda|global|case)\b[^\n:]*\b` + n + `\b`).MatchString(session)
}

// assigns reports whether a statement of a file may bind a name, as far as its first line tells.
func assigns(source, name string) bool {
	n := regexp.QuoteMeta(name)
	return regexp.MustCompile(`(?m)^[ \t]*(?:(?:import|from|for|with|except|global|def|class)\b.*\b` + n + `\b|(?:[\w.*]+[ \t]*,[ \t]*)*` + n + `[ \t]*(?:,[^=\n]*)?(?::[^=\n]+)?=[^=])`).MatchString(source)
}

// moduleHas reports whether a module has a name, or may have it.
func moduleHas(r *core.Reader, name string) bool {
	for i := range r.File.Imports {
		imp := &r.File.Imports[i]
		if top, _, _ := strings.Cut(imp.Module, "."); slices.Contains(imp.Named, "*") || top == name && len(imp.Named) == 0 || slices.Contains(importedNames(imp), name) {
			return true
		}
	}
	if slices.ContainsFunc(r.File.Symbols, func(s code.Symbol) bool { return s.Name == name }) {
		return true
	}
	source := string(r.Source)
	return strings.Contains(source, "globals()") || assigns(source, name)
}

// known are the names that each module of Python has, and the words before which no name is meant.
var known = core.SetOf(strings.Fields(`False None True and as assert async await break class continue def del elif else except finally for from global
	if import in is lambda nonlocal not or pass raise return try while with yield match case print exec _ __name__ __doc__ __file__ __import__
	ArithmeticError AssertionError AttributeError BaseException BaseExceptionGroup BlockingIOError BrokenPipeError BufferError BytesWarning
	ChildProcessError ConnectionAbortedError ConnectionError ConnectionRefusedError ConnectionResetError DeprecationWarning EOFError Ellipsis
	EncodingWarning EnvironmentError Exception ExceptionGroup FileExistsError FileNotFoundError FloatingPointError FutureWarning GeneratorExit
	IOError ImportError ImportWarning IndentationError IndexError InterruptedError IsADirectoryError KeyError KeyboardInterrupt LookupError
	MemoryError ModuleNotFoundError NameError NotADirectoryError NotImplemented NotImplementedError OSError OverflowError
	PendingDeprecationWarning PermissionError ProcessLookupError RecursionError ReferenceError ResourceWarning RuntimeError RuntimeWarning
	StopAsyncIteration StopIteration SyntaxError SyntaxWarning SystemError SystemExit TabError TimeoutError TypeError UnboundLocalError
	UnicodeDecodeError UnicodeEncodeError UnicodeError UnicodeTranslateError UnicodeWarning UserWarning ValueError Warning ZeroDivisionError
	abs aiter all anext any ascii basestring bin bool breakpoint bytearray bytes callable chr classmethod cmp compile complex copyright credits
	delattr dict dir divmod enumerate eval exit file filter float format frozenset getattr globals hasattr hash help hex id input int
	isinstance issubclass iter len license list locals long map max memoryview min next object oct open ord pow property quit range raw_input
	reduce reload repr reversed round set setattr slice sorted staticmethod str sum super tuple type unichr unicode vars xrange zip`)...)
