package spec

import (
	"fmt"
	"strings"

	"github.com/reverse-spec/reverse-spec/spec/markdown"
)

// Text between these lines survives regeneration.
const (
	keepOpen  = "<!-- keep -->"
	keepClose = "<!-- /keep -->"
)

// maskPrefix begins the placeholder of a kept block while a spec is parsed, so that headings
// in the block are not interpreted.
const maskPrefix = markdown.Mark + "keep-block-"

func maskName(i int) string { return fmt.Sprintf("%s%d%s", maskPrefix, i, markdown.Mark) }

func isMask(line string) bool { return strings.HasPrefix(strings.TrimSpace(line), maskPrefix) }

// maskKept replaces the kept blocks of a text with placeholders. A block without an end
// extends to the end of the text, so that a missing line loses nothing. Marks inside code
// blocks are plain text.
func maskKept(body string) (masked string, kept []string) {
	body = strings.ReplaceAll(body, maskPrefix, "")
	var out, block []string
	fence, inside := "", false
	for line := range strings.SplitSeq(body, "\n") {
		trimmed := strings.TrimSpace(line)
		if !inside {
			fence = markdown.FenceAfter(fence, line)
		}
		switch {
		case !inside && fence == "" && trimmed == keepOpen:
			inside, block = true, []string{line}
		case inside:
			block = append(block, line)
			if trimmed == keepClose {
				out = append(out, maskName(len(kept)))
				kept = append(kept, strings.Join(block, "\n"))
				inside = false
			}
		default:
			out = append(out, line)
		}
	}
	if inside {
		out = append(out, maskName(len(kept)))
		kept = append(kept, strings.TrimRight(strings.Join(block, "\n"), "\n")+"\n"+keepClose)
	}
	return strings.Join(out, "\n"), kept
}

// unmask restores the kept blocks in all texts of the spec.
func (s *Spec) unmask(kept []string) {
	if len(kept) == 0 {
		return
	}
	pairs := make([]string, 0, 2*len(kept))
	for i, text := range kept {
		pairs = append(pairs, maskName(i), text)
	}
	r := strings.NewReplacer(pairs...)
	for _, h := range headings {
		if text := s.text(h.section); text != nil {
			*text = r.Replace(*text)
		}
	}
	for _, text := range s.itemTexts() {
		*text = r.Replace(*text)
	}
	for section, text := range s.Kept {
		s.Kept[section] = r.Replace(text)
	}
}

// itemTexts returns pointers to the free text of every item.
func (s *Spec) itemTexts() []*string {
	var out []*string
	for i := range s.Requirements {
		out = append(out, &s.Requirements[i].Text)
	}
	for i := range s.Scenarios {
		out = append(out, &s.Scenarios[i].Text)
	}
	for i := range s.ContractTests {
		out = append(out, &s.ContractTests[i].Text)
	}
	return out
}

// keptIn returns the kept blocks of a text, separated by empty lines.
func keptIn(text string) string {
	_, kept := maskKept(text)
	return strings.Join(kept, "\n\n")
}

// carryOver copies what a person wrote in old to s: kept blocks, by item. A block whose item
// no longer exists moves to the end of its section.
func (s *Spec) carryOver(old *Spec) {
	for _, h := range headings {
		if to := s.text(h.section); to != nil {
			*to = above(*to, keptIn(*old.text(h.section)))
		}
	}
	for section, text := range old.Kept {
		s.addKept(section, text)
	}
	for _, r := range old.Requirements {
		s.keepItem(SecRequirements, r.Text, s.requirement(r.key()))
	}
	for _, c := range old.Scenarios {
		s.keepItem(SecScenarios, c.Text, s.scenario(c.Title))
	}
	for _, t := range old.ContractTests {
		s.keepItem(SecTests, t.Text, s.test(t.key()))
	}
}

func (s *Spec) keepItem(section Section, text string, to *string) {
	kept := keptIn(text)
	switch {
	case kept == "":
	case to != nil:
		*to = above(*to, kept)
	default:
		s.addKept(section, kept)
	}
}

func (s *Spec) addKept(section Section, text string) {
	if text == "" {
		return
	}
	if s.Kept == nil {
		s.Kept = map[Section]string{}
	}
	s.Kept[section] = above(s.Kept[section], text)
}

// above joins two texts with an empty line; either may be "".
func above(a, b string) string {
	switch {
	case a == "":
		return b
	case b == "":
		return a
	}
	return a + "\n\n" + b
}

func (s *Spec) requirement(key string) *string {
	for i := range s.Requirements {
		if s.Requirements[i].key() == key {
			return &s.Requirements[i].Text
		}
	}
	return nil
}

func (s *Spec) scenario(title string) *string {
	for i := range s.Scenarios {
		if s.Scenarios[i].Title == title {
			return &s.Scenarios[i].Text
		}
	}
	return nil
}

func (s *Spec) test(key string) *string {
	for i := range s.ContractTests {
		if s.ContractTests[i].key() == key {
			return &s.ContractTests[i].Text
		}
	}
	return nil
}
