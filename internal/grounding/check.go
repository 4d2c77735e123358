package grounding

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"
)

// Removed is a part of an answer that was removed.
type Removed struct {
	Part string // "intent", "requirements", …
	Text string // the statement, or the citation
	Why  string
}

func (r Removed) String() string { return fmt.Sprintf("%s: %s (%s)", r.Part, r.Text, r.Why) }

// Check removes from an answer what the code does not support and marks inferences. It returns
// what it removed.
func (s *Source) Check(a *Answer) []Removed {
	var out []Removed
	for _, p := range a.parts() {
		var kept []Statement
		for _, st := range *p.list {
			removed, ok := s.statement(p.name, &st)
			out = append(out, removed...)
			if ok {
				kept = append(kept, st)
			}
		}
		*p.list = kept
	}
	var kept []About
	for _, about := range a.Requirements {
		if !s.ids[about.ID] {
			out = append(out, Removed{"requirements", about.Text, fmt.Sprintf("the spec has no %q", about.ID)})
			continue
		}
		removed, ok := s.statement("requirements", &about.Statement)
		out = append(out, removed...)
		if ok {
			kept = append(kept, about)
		}
	}
	a.Requirements = kept
	return out
}

// statement checks a statement; ok is false if it must be removed entirely: it names what is not there, or is said to be shown by
// lines that have nothing of it.
func (s *Source) statement(part string, st *Statement) (removed []Removed, ok bool) {
	if why := s.fault(st.Text); why != "" {
		return []Removed{{part, st.Text, why}}, false
	}
	var cites []string
	shown, other, evidence := false, false, s.evidenceOf(st.Text)
	for _, cite := range st.Cites {
		file, line, known := s.place(cite)
		switch {
		case !known:
			removed = append(removed, Removed{part, cite, "there is no such line"})
		case s.isPlanted(file, line):
			removed = append(removed, Removed{part, cite, "the line speaks to models, not about the code"})
		case s.bears(file, line, lastLine(cite, line), st.Text, evidence):
			cites = append(cites, fmt.Sprintf("%s:%d", file, line))
			shown = true
		case len(evidence) > 0:
			removed = append(removed, Removed{part, cite, "the line has nothing that the statement names"})
			other = true
		default:
			cites = append(cites, fmt.Sprintf("%s:%d", file, line))
		}
	}
	if other && !shown && !st.Inferred {
		return []Removed{{part, st.Text, "no line that it cites has anything that it names"}}, false
	}
	st.Cites = cites
	st.Inferred = st.Inferred || !shown
	return removed, true
}

// fault says why a text may not be in a spec; "" if it may.
func (s *Source) fault(text string) string {
	switch {
	case strings.TrimSpace(text) == "":
		return "it says nothing"
	case strings.Contains(text, "```"):
		return "it holds a block of code"
	case addressed(text):
		return "it speaks to models, not about the code"
	case s.echoes(text):
		return "it repeats text in the source that speaks to models"
	}
	for _, claim := range claims(text) {
		if !s.knows(claim) {
			return fmt.Sprintf("the code has no %s", claim)
		}
	}
	for _, quote := range quotes(text) {
		if !strings.Contains(s.squeeze, squeezed(quote)) {
			return fmt.Sprintf("the code has no %q", quote)
		}
	}
	for _, number := range numbers(text) {
		if !s.numbers[number] {
			return fmt.Sprintf("the code has no %s", number)
		}
	}
	return ""
}

// evidenceOf returns what a line must have some of to show a text: the names, quoted texts and numbers in it.
func (s *Source) evidenceOf(text string) []string {
	var out []string
	for _, claim := range claims(text) {
		if _, _, place := s.place(claim); place || s.isFile(claim) {
			continue
		}
		name := strings.TrimSuffix(claim, "()")
		if chain, ok := chainOf(name); ok { // a method is declared without its type
			name = chain[len(chain)-1]
		}
		out = append(out, squeezed(name))
	}
	for _, quote := range quotes(text) {
		out = append(out, squeezed(quote))
	}
	return append(out, numbers(text)...)
}

// Texts between quotation marks, and numbers, of prose and of code.
var (
	quoted = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile("\"([^\"`]{2,})\"|“([^”`]{2,})”|「([^」`]{2,})」")
	})
	digits = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile("`[^`]*`|[\\p{L}\\p{N}_./\\\\-]+\\.[A-Za-z]{1,5}:L?\\d+(?:-\\d+)?|[\\p{L}_$][\\p{L}\\p{N}_$]*|(\\d[\\d_,]*(?:\\.\\d+)?)")
	})
)

// quotes returns the quoted texts in a statement.
func quotes(text string) []string {
	var out []string
	for _, m := range quoted().FindAllStringSubmatch(text, -1) {
		out = append(out, m[1]+m[2]+m[3])
	}
	return out
}

// numbers returns the numbers in a text, other than those in code, in names and in places, without separators.
func numbers(text string) []string {
	var out []string
	for _, m := range digits().FindAllStringSubmatch(text, -1) {
		if n := strings.Trim(strings.NewReplacer("_", "", ",", "").Replace(m[1]), "."); n != "" {
			out = append(out, n)
		}
	}
	return out
}

// spelled matches code in a text: text between backticks, calls, paths with a line, and names
// in a style that only code has.
var spelled = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile("``? ?([^`]+?) ?``?" +
		`|([\p{L}\p{N}_./\\-]+\.[A-Za-z]{1,5}:L?\d+(?:-\d+)?)` +
		`|([\p{L}_$][\p{L}\p{N}_$.]*\(\))` +
		`|(\b[a-z\d]+_[a-z\d_]+\b)` +
		`|(\b[a-z]{2,}[A-Z][a-z]+[A-Za-z\d]*\b)`)
})

// claims returns the code names in a text.
func claims(text string) []string {
	var out []string
	for _, m := range spelled().FindAllStringSubmatch(text, -1) {
		for _, group := range m[1:] {
			if group != "" {
				out = append(out, group)
			}
		}
	}
	return out
}

// literals are words of programming languages that need not appear in the code.
const literals = " nil null None true false True False undefined NaN error string int bool void self this "

// knows reports whether the code contains a name.
func (s *Source) knows(claim string) bool {
	claim = strings.TrimSpace(claim)
	if strings.Contains(literals, " "+claim+" ") || s.isFile(claim) {
		return true
	}
	if _, _, ok := s.place(claim); ok {
		return true
	}
	bare := strings.TrimSuffix(strings.TrimSuffix(strings.TrimSuffix(claim, "(...)"), "(…)"), "()")
	if chain, ok := chainOf(bare); ok {
		return s.knowsChain(chain)
	}
	return strings.Contains(s.squeeze, squeezed(claim))
}

func (s *Source) isFile(claim string) bool {
	claim = strings.TrimSuffix(strings.TrimPrefix(claim, "./"), "/")
	if _, ok := s.files[claim]; ok || s.bases[claim] != "" {
		return true
	}
	for file := range s.files {
		if strings.HasPrefix(file, claim+"/") || path.Dir(file) == claim {
			return true
		}
	}
	return false
}

// chainOf splits "a.b", "A::b" or "A#b"; ok is false for anything but a chain of names.
func chainOf(text string) ([]string, bool) {
	chain := strings.Split(strings.NewReplacer("::", ".", "#", ".", "->", ".", "?.", ".").Replace(strings.TrimLeft(text, "*&@")), ".")
	for _, name := range chain {
		if name == "" || identifier().FindString(name) != name {
			return nil, false
		}
	}
	return chain, true
}

// knowsChain reports whether the code has a qualified name. If all members of a type are
// known, a member must be one of them.
func (s *Source) knowsChain(chain []string) bool {
	if len(chain) > 1 && chain[0] == s.module {
		chain = chain[1:]
	}
	for _, name := range chain {
		if !s.names[name] {
			return false
		}
	}
	if len(chain) == 2 && s.types[chain[0]] {
		return s.members[chain[0]+"."+chain[1]] || strings.Contains(s.squeeze, chain[0]+"."+chain[1])
	}
	return true
}

// lastLine returns the last line of a citation, "path:3-9".
func lastLine(cite string, line int) int {
	_, number, _ := cutLast(cite, "-")
	if last, err := strconv.Atoi(strings.Trim(number, "`()[] ")); err == nil && last > line {
		return last
	}
	return line
}

// bears reports whether the lines around a citation support a text: they have some of its names, quoted texts and numbers or,
// if it has none, an uncommon word of it.
func (s *Source) bears(file string, line, last int, text string, evidence []string) bool {
	const near, most = 3, 60
	around := s.around(file, line-near, min(last, line+most)+near)
	if len(evidence) > 0 {
		code := squeezed(around)
		return slices.ContainsFunc(evidence, func(e string) bool { return strings.Contains(code, e) })
	}
	said := contentWords(text)
	for word := range contentWords(around) {
		if said[word] {
			return true
		}
	}
	return false
}

// echoes reports whether most of a text's words come from text that addresses models.
func (s *Source) echoes(text string) bool {
	said := contentWords(text)
	for file, spans := range s.planted {
		for _, p := range spans {
			planted := contentWords(strings.Join(s.files[file][p.from-1:p.to], " "))
			shared := 0
			for word := range said {
				if planted[word] {
					shared++
				}
			}
			if shared > 0 && 2*shared >= len(said) {
				return true
			}
		}
	}
	return false
}

// common are words that are no evidence of a relation.
const common = " this that with from when then they their there which where have been must will shall should would could each also only into such than " +
	"what some more most other these those your does code function method class module returns return value values "

// contentWords returns the words of at least four letters in a text, or pairs of Chinese
// characters, in lower case. Names are split at capitals.
func contentWords(text string) map[string]bool {
	out := map[string]bool{}
	var word []rune
	flush := func() {
		w := strings.ToLower(string(word))
		word = word[:0]
		if len(w) > 4 {
			w = strings.TrimSuffix(w, "s")
		}
		if len(w) >= 4 && !strings.Contains(common, " "+w+" ") {
			out[w] = true
		}
	}
	last := rune(0)
	for _, c := range text {
		switch {
		case unicode.Is(unicode.Han, c):
			flush()
			if unicode.Is(unicode.Han, last) {
				out[string([]rune{last, c})] = true
			}
		case !unicode.IsLetter(c), unicode.IsUpper(c) && unicode.IsLower(last):
			flush()
		}
		if unicode.IsLetter(c) && !unicode.Is(unicode.Han, c) {
			word = append(word, c)
		}
		last = c
	}
	flush()
	return out
}
