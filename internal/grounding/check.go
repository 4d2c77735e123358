package grounding

import (
	"fmt"
	"path"
	"regexp"
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

// statement checks a statement; ok is false if it must be removed entirely.
func (s *Source) statement(part string, st *Statement) (removed []Removed, ok bool) {
	if why := s.fault(st.Text); why != "" {
		return []Removed{{part, st.Text, why}}, false
	}
	var cites []string
	shown := false
	for _, cite := range st.Cites {
		file, line, known := s.place(cite)
		switch {
		case !known:
			removed = append(removed, Removed{part, cite, "there is no such line"})
		case s.isPlanted(file, line):
			removed = append(removed, Removed{part, cite, "the line speaks to models, not about the code"})
		default:
			cites = append(cites, fmt.Sprintf("%s:%d", file, line))
			shown = shown || s.bears(file, line, st.Text)
		}
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
	return ""
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

// bears reports whether the lines around a citation support a text: they share a name or an
// uncommon word with it.
func (s *Source) bears(file string, line int, text string) bool {
	around := s.around(file, line, 3)
	for _, claim := range claims(text) {
		if strings.Contains(squeezed(around), squeezed(strings.TrimSuffix(claim, "()"))) {
			return true
		}
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
