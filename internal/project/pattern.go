package project

import (
	"math/bits"
	"strings"
)

// Pattern is a line of a .gitignore or .gitattributes file, as defined by gitignore(5). Matching is by bytes and
// case-sensitive.
type Pattern struct {
	base    string // folder of the file, with "/"; "" for the top
	negated bool
	dirOnly bool
	anyDir  bool // contains no slash: matches a name in any folder
	never   bool // malformed; like git, it matches nothing

	head string // literal text before the first wildcard
	glob []step // the rest; nil if there is none
}

// ParsePattern parses a line of a pattern file in folder base (relative to the top, with "/"; "" or "." for the
// top). It returns false for comments and empty lines.
func ParsePattern(base, line string) (Pattern, bool) {
	line, _, _ = strings.Cut(line, "\x00") // git reads lines as C strings
	if line == "" || line[0] == '#' {
		return Pattern{}, false
	}
	line = trimSpaces(line)
	var p Pattern
	if base != "" && base != "." {
		p.base = base + "/"
	}
	line, p.negated = strings.CutPrefix(line, "!")
	line, p.dirOnly = strings.CutSuffix(line, "/")
	p.anyDir = !strings.Contains(line, "/")
	line = strings.TrimPrefix(line, "/")
	wild := strings.IndexAny(line, `*?[\`)
	if wild < 0 {
		p.head = line
		return p, line != ""
	}
	p.head = line[:wild]
	var ok bool
	p.glob, ok = compile(line[wild:])
	p.never = !ok
	return p, true
}

// trimSpaces removes trailing spaces that are not escaped.
func trimSpaces(line string) string {
	end := 0 // end of the text to keep
	for i := 0; i < len(line); i++ {
		switch line[i] {
		case ' ':
			continue
		case '\\':
			if i++; i == len(line) {
				return line
			}
		}
		end = i + 1
	}
	return line[:end]
}

// Negated reports whether the line begins with "!", so that matching paths are not ignored.
func (p *Pattern) Negated() bool { return p.negated }

// Match reports whether the pattern matches a path, which is relative to the top, with "/"; dir says whether it is
// a folder. Paths inside a matching folder do not match by that.
func (p *Pattern) Match(path string, dir bool) bool {
	if p.never || p.dirOnly && !dir || !strings.HasPrefix(path, p.base) {
		return false
	}
	name := path[len(p.base):]
	if p.anyDir {
		name = name[strings.LastIndexByte(name, '/')+1:]
	}
	rest, ok := strings.CutPrefix(name, p.head)
	if !ok {
		return false
	}
	if p.glob == nil {
		return rest == ""
	}
	return run(p.glob, rest)
}

// step is one instruction of a compiled pattern.
type step struct {
	op  op
	lit byte
	set *[4]uint64 // bytes of a class
}

type op uint8

const (
	one   op = iota // the byte lit
	any1            // any byte but "/"
	class           // any byte of set but "/"
	star            // any number of bytes but "/"
	deep            // any number of bytes
	dirs            // any number of folders with "/"; precedes a dirsIn
	dirsIn
)

// compile compiles the text after a pattern's literal head. "**" at its start is a path element even if the head
// does not end with "/": git compares the head separately.
func compile(glob string) ([]step, bool) {
	var steps []step
	for i := 0; i < len(glob); i++ {
		switch glob[i] {
		case '*':
			n := len(glob[i:]) - len(strings.TrimLeft(glob[i:], "*"))
			after := glob[i+n:]
			alone := n > 1 && (i == 0 || glob[i-1] == '/')
			i += n - 1
			switch {
			case alone && strings.HasPrefix(after, "/"):
				steps = append(steps, step{op: dirs}, step{op: dirsIn})
				i++
			case alone && (after == "" || strings.HasPrefix(after, `\/`)):
				steps = append(steps, step{op: deep})
			default:
				steps = append(steps, step{op: star})
			}
		case '?':
			steps = append(steps, step{op: any1})
		case '[':
			set, n, ok := compileClass(glob[i:])
			if !ok {
				return nil, false
			}
			steps = append(steps, step{op: class, set: set})
			i += n - 1
		case '\\':
			if i++; i == len(glob) {
				return nil, false
			}
			steps = append(steps, step{op: one, lit: glob[i]})
		default:
			steps = append(steps, step{op: one, lit: glob[i]})
		}
	}
	return steps, true
}

// run matches the whole text. It simulates all alternatives at once, so that its time is bounded by the product of
// the lengths.
func run(steps []step, text string) bool {
	words := len(steps)/64 + 1
	var short [2]uint64 // enough for nearly all patterns, and on the stack
	buf := short[:]
	if words > 1 {
		buf = make([]uint64, 2*words)
	}
	now, next := ways(buf[:words]), ways(buf[words:])
	now.reach(steps, 0)
	for i := range len(text) {
		b := text[i]
		clear(next)
		alive := false
		for w, set := range now {
			for ; set != 0; set &= set - 1 {
				at := w*64 + bits.TrailingZeros64(set)
				if at < len(steps) && next.take(steps, at, b) {
					alive = true
				}
			}
		}
		if !alive {
			return false
		}
		now, next = next, now
	}
	return now.has(len(steps))
}

// ways is a set of indexes into steps: the possible states.
type ways []uint64

func (w ways) has(at int) bool { return w[at/64]>>(at%64)&1 == 1 }

// reach adds a state, and those reachable from it without consuming a byte.
func (w ways) reach(steps []step, at int) {
	for !w.has(at) {
		w[at/64] |= 1 << (at % 64)
		if at == len(steps) {
			return
		}
		switch steps[at].op {
		case star, deep:
			at++
		case dirs:
			w[(at+1)/64] |= 1 << ((at + 1) % 64)
			at += 2
		default:
			return
		}
	}
}

// take adds the states reached from a state by a byte; false if there are none.
func (w ways) take(steps []step, at int, b byte) bool {
	s := steps[at]
	switch s.op {
	case one:
		if b != s.lit {
			return false
		}
	case any1:
		if b == '/' {
			return false
		}
	case class:
		if b == '/' || s.set[b/64]>>(b%64)&1 == 0 {
			return false
		}
	case star, deep:
		if b == '/' && s.op == star {
			return false
		}
		w.reach(steps, at)
		return true
	case dirsIn:
		w[at/64] |= 1 << (at % 64)
		if b != '/' {
			return true
		}
	case dirs: // continues at dirsIn and after it
		return false
	}
	w.reach(steps, at+1)
	return true
}
