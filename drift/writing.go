package drift

import (
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/evidence"
	"github.com/reverse-spec/reverse-spec/internal/x/lazyregexp"
)

// rewritten returns code in one of several ways to write the same: Python's assignment in an expression is the name, the
// last element is at(-1), Go's functions for atomic values are the methods of their types.
func rewritten(words []string) []string {
	out := make([]string, 0, len(words))
	for i := 0; i < len(words); {
		with, n := rewrite(words[i:])
		if n == 0 {
			with, n = words[i:i+1], 1
		}
		out, i = append(out, with...), i+n
	}
	return out
}

// rewrite returns what stands for the first n words; n is 0 if they stand for themselves.
func rewrite(words []string) (with []string, n int) {
	if with, n = walrus(words); n > 0 {
		return with, n
	}
	if with, n = lastElement(words); n > 0 {
		return with, n
	}
	return atomically(words)
}

// walrus replaces (name := value) by the name.
func walrus(words []string) (with []string, n int) {
	if len(words) < 5 || words[0] != "(" || words[2] != ":" || words[3] != "=" {
		return nil, 0
	}
	end := bracketed(words)
	return words[1:2], end
}

// bracketed returns how many words there are to the bracket that closes the first one; 0 if none does.
func bracketed(words []string) int {
	depth := 0
	for i, w := range words {
		switch w {
		case "(", "[", "{":
			depth++
		case ")", "]", "}":
			depth--
		}
		if depth == 0 {
			return i + 1
		}
	}
	return 0
}

// lastElement replaces path[path.length - 1] by path.at(-1). Both are undefined if there is none.
func lastElement(words []string) (with []string, n int) {
	path := pathAt(words)
	rest := words[path:]
	tail := []string{".", "length", "-", "1", "]"}
	if path == 0 || len(rest) < 1+path+len(tail) || rest[0] != "[" ||
		!slices.Equal(rest[1:1+path], words[:path]) || !slices.Equal(rest[1+path:1+path+len(tail)], tail) {
		return nil, 0
	}
	return slices.Concat(words[:path], []string{".", "at", "(", "-", "1", ")"}), 1 + 2*path + len(tail)
}

// pathAt returns how many words a name with members has.
func pathAt(words []string) int {
	n := 0
	for n < len(words) && wordRune([]rune(words[n])[0]) {
		n++
		if n+1 >= len(words) || words[n] != "." || words[n+1] == "length" && n+2 < len(words) && words[n+2] == "-" {
			break
		}
		n++
	}
	return n
}

var atomicFunction = lazyregexp.New(`^(Add|And|CompareAndSwap|Load|Or|Store|Swap)(Int32|Int64|Uint32|Uint64|Uintptr|Pointer)$`)

// atomically replaces atomic.AddUint64(&n, by n.Add(.
func atomically(words []string) (with []string, n int) {
	if len(words) < 6 || words[0] != "atomic" || words[1] != "." || words[3] != "(" || words[4] != "&" {
		return nil, 0
	}
	m, path := atomicFunction.FindStringSubmatch(words[2]), pathAt(words[5:])
	if m == nil || path == 0 || len(words) <= 5+path {
		return nil, 0
	}
	n = 5 + path
	with = slices.Concat(words[5:n], []string{".", m[1], "("})
	if words[n] == "," {
		n++
	}
	return with, n
}

// oneOf marks, in a text of [comparable], that a value is one of constants: a switch may name them without their type.
const oneOf = "≡"

// comparable returns the terms of a condition so that those that compare one value with constants are the same whether a switch, a chain
// of conditions or a method does it. In a language with === two values may be == that a switch tells apart: it is loose.
func comparable(w evidence.Condition, loose bool) string {
	var out []string
	at := map[string]int{} // the place in out of those that exclude constants, by value
	excluded := map[int][]string{}
	for _, t := range w.All {
		e, ok := readEquality(t.Text, loose)
		switch {
		case !ok:
			out = append(out, t.Text)
			continue
		case !e.not:
			out = append(out, e.value+" "+oneOf+" "+strings.Join(sorted(e.constants), " "))
			continue
		}
		i, known := at[e.value]
		if !known {
			i = len(out)
			at[e.value], out = i, append(out, "")
		}
		excluded[i] = append(excluded[i], e.constants...)
		out[i] = "not " + e.value + " " + oneOf + " " + strings.Join(sorted(slices.Clone(excluded[i])), " ")
	}
	return strings.Join(out, " && ")
}

// equality is a term that compares a value with constants, of which it is one or none.
type equality struct {
	value     string
	not       bool
	constants []string
}

var (
	isOneOf     = lazyregexp.New(`^(not )?([^&|]+?) is (not )?(.+)$`)
	equalsCall  = lazyregexp.New(`^(not )?([\w$.()]+)\.equals\(([^()]+)\)$`)
	sameAs      = lazyregexp.New(`^(not )?([^&|=!<>]+?) ([!=]==?) (\S.*)$`)
	constantOne = lazyregexp.New(`^(?:"[^"]*"|'[^']*'|-?\d+|(?:\w+\.)*[A-Z]\w*)$`)
)

// readEquality reads a term.
func readEquality(text string, loose bool) (equality, bool) {
	if m := isOneOf.FindStringSubmatch(text); m != nil {
		return newEquality(m[2], (m[1] != "") != (m[3] != ""), strings.Split(m[4], ", "))
	}
	if m := equalsCall.FindStringSubmatch(text); m != nil {
		return newEquality(m[2], m[1] != "", m[3:])
	}
	if m := sameAs.FindStringSubmatch(text); m != nil && (!loose || len(m[3]) > 2) {
		return newEquality(m[2], (m[1] != "") != (m[3][0] == '!'), m[4:])
	}
	return equality{}, false
}

func newEquality(value string, not bool, constants []string) (equality, bool) {
	ok := !slices.ContainsFunc(constants, func(c string) bool { return !constantOne.MatchString(c) })
	return equality{value, not, slices.Clone(constants)}, ok
}

// qualifiers returns words in which the constants that a value is one of have no type, and whether any had one.
func qualifiers(words []string) (without []string, had bool) {
	inSet := false
	for i, w := range words {
		switch w {
		case oneOf:
			inSet = true
		case "&", "|", "→":
			inSet = false
		}
		if inSet && (w == "." || i+1 < len(words) && words[i+1] == "." && w != oneOf) {
			had = true
			continue
		}
		without = append(without, w)
	}
	return without, had
}

// sameBare reports whether two texts are the same if constants are named without their type, which only one of them names.
func sameBare(a, b []string) bool {
	x, qualified := qualifiers(a)
	y, other := qualifiers(b)
	return qualified != other && slices.Equal(x, y)
}

var destructuring = lazyregexp.New(`\b(?:const|let|var)\s*\{([^{}]*)\}\s*=\s*([\w$]+(?:\.[\w$]+)*)\s*(?:;|\n|$)`)

// destructured returns the locals of a function of JavaScript that are members of something, with the words for these.
func destructured(text string) map[string][]string {
	out := map[string][]string{}
	for _, m := range destructuring.FindAllStringSubmatch(text, -1) {
		for part := range strings.SplitSeq(m[1], ",") {
			member, local, renamed := strings.Cut(part, ":")
			member, local = strings.TrimSpace(member), strings.TrimSpace(local)
			if !renamed {
				local = member
			}
			if member != "" && !strings.ContainsAny(part, "=.[") {
				out[local] = append(split(m[2]), ".", member)
			}
		}
	}
	return out
}

// membersFor returns words with locals replaced by what they are members of.
func membersFor(words []string, locals map[string][]string) []string {
	if len(locals) == 0 {
		return words
	}
	var out []string
	for i, w := range words {
		if path := locals[w]; path != nil && (i == 0 || words[i-1] != ".") {
			out = append(out, path...)
			continue
		}
		out = append(out, w)
	}
	return out
}
