package swift

import (
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/core"
	"github.com/reverse-spec/reverse-spec/internal/lang/srctext"
	"github.com/reverse-spec/reverse-spec/internal/lang/swift/repair"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

func callOf(n syntax.Node) (code.Call, bool) {
	switch n.Kind() {
	case "call_expression":
		suffix := n.Child("call_suffix")
		if suffix.Child("value_arguments").Has("[") && !suffix.Has("lambda_literal") {
			return code.Call{}, false // a subscript
		}
		return targetOf(n.First())
	case "constructor_expression":
		return newCall(n.Field("constructed_type"))
	}
	return code.Call{}, false
}

// targetOf splits a called expression into receiver and name.
func targetOf(f syntax.Node) (code.Call, bool) {
	call := code.Call{Line: f.EndLine()}
	switch f.Kind() {
	case "simple_identifier":
		call.Name = strings.Trim(f.Text(), "`")
	case "prefix_expression":
		target := f.Field("target")
		if !f.Field("operation").TextIs(".") {
			return targetOf(target)
		}
		if !target.Is("simple_identifier") {
			return call, false
		}
		call.Name, call.Receiver = strings.Trim(target.Text(), "`"), "."
	case "navigation_expression":
		target, name := f.Field("target"), f.Field("suffix").Field("suffix")
		call.Name, call.Receiver = strings.Trim(name.Text(), "`"), receiver(f, target)
		call.Line = name.Line()
	default:
		return call, false
	}
	if call.Name == "init" && call.Receiver != "self" && call.Receiver != "super" {
		call.New = true
		if last := call.Receiver[strings.LastIndexByte(call.Receiver, '.')+1:]; last != "" && !strings.ContainsAny(last, "()[]<>?!") {
			call.Receiver = strings.TrimSuffix(strings.TrimSuffix(call.Receiver, last), ".")
			call.Name = last
		}
		return call, true
	}
	call.New = repair.Upper(call.Name) && call.Receiver != "." && !strings.HasPrefix(call.Name, "XCT")
	return call, call.Name != ""
}

// receiver returns the text before the called name, without keywords and operators
// that apply to the whole expression.
func receiver(f, target syntax.Node) string {
	text := target.Tail(srctext.LongReceiver + 1)
	if f.Has("?") {
		text += "?"
	}
	if cut := len(text) - srctext.LongReceiver; cut > 0 { // the begin of a long chain is not rewritten
		return srctext.ClipReceiver(srctext.OneLine(strings.ToValidUTF8(text[cut:], "")))
	}
	text = srctext.OneLine(text)
	for {
		rest := text
		for _, word := range []string{"try? ", "try! ", "try ", "await ", "consume ", "copy ", "unsafe "} {
			rest = strings.TrimPrefix(rest, word)
		}
		rest = strings.TrimLeft(rest, "!-~&+")
		if rest == text {
			return srctext.ClipReceiver(rest)
		}
		text = rest
	}
}

// newCall returns the call of a type's initialiser.
func newCall(t syntax.Node) (code.Call, bool) {
	if !t.Is("user_type") {
		return code.Call{}, false // [Int](), a type of the standard library
	}
	var names []syntax.Node
	for c := range t.Children() {
		if c.Is("type_identifier") {
			names = append(names, c)
		}
	}
	if len(names) == 0 {
		return code.Call{}, false
	}
	last := names[len(names)-1]
	call := code.Call{Name: last.Text(), New: true, Line: last.Line()}
	if len(names) > 1 {
		before := t.Text()[:last.Start()-t.Start()]
		call.Receiver = srctext.ClipReceiver(srctext.OneLine(strings.TrimSuffix(before, ".")))
	}
	return call, true
}

// tests finds the methods that XCTest runs by their names, and the functions
// marked for Swift Testing, which may have display names.
func tests(r *core.Reader) { testsIn(r, r.File.Symbols, "", false) }

func testsIn(r *core.Reader, list []code.Symbol, around string, xctest bool) {
	for i := range list {
		sym := &list[i]
		title, marked := testTitle(sym.Decorators, "Test")
		switch {
		case sym.Kind != code.Method && sym.Kind != code.Function:
		case marked, xctest && !sym.Static && strings.HasPrefix(sym.Name, "test") && len(sym.Params) == 0:
			name := sym.Name
			if title != "" {
				name = title
			}
			r.File.Tests = append(r.File.Tests, code.Test{Name: around + name, Line: sym.StartLine, EndLine: sym.EndLine, Runner: "swift test"})
		}
		if len(sym.Members) == 0 {
			continue
		}
		name := sym.Name
		if title, ok := testTitle(sym.Decorators, "Suite"); ok && title != "" {
			name = title
		}
		testsIn(r, sym.Members, around+name+" > ", runsTests(r, sym))
	}
}

// runsTests reports whether sym is an XCTest class: by its bases and, in test files, by
// its name, because it may inherit from another test class.
func runsTests(r *core.Reader, sym *code.Symbol) bool {
	if sym.Kind != code.Class && sym.Kind != code.Extension {
		return false
	}
	for _, base := range sym.Bases {
		if strings.HasSuffix(base, "TestCase") || r.File.Test && strings.HasSuffix(base, "Tests") {
			return true
		}
	}
	return r.File.Test && sym.Kind == code.Extension && strings.HasSuffix(sym.Name, "Tests") ||
		r.File.Test && len(sym.Bases) > 0 && strings.HasSuffix(sym.Name, "Tests")
}

// testTitle finds the attribute of a test or suite and the title in it.
func testTitle(attributes []string, name string) (title string, ok bool) {
	for _, a := range attributes {
		a = strings.TrimPrefix(strings.TrimPrefix(a, "@"), "Testing.")
		rest, found := strings.CutPrefix(a, name)
		if !found || rest != "" && rest[0] != '(' && rest[0] != ' ' {
			continue
		}
		rest = strings.TrimLeft(rest, "( ")
		if strings.HasPrefix(rest, `"`) {
			if end := repair.StringEnd([]byte(rest), 0); end > 2 {
				title = rest[1 : end-1]
			}
		}
		return title, true
	}
	return "", false
}
