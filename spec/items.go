package spec

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/reverse-spec/reverse-spec/internal/x/lazyregexp"
	"github.com/reverse-spec/reverse-spec/spec/lock"
	"github.com/reverse-spec/reverse-spec/spec/markdown"
)

// splitItem splits a heading "REQ-X-001: title" at its first colon, ASCII or full width. Any
// other heading is returned whole as the id. So is one that begins with "#", because the
// heading would otherwise be empty.
func splitItem(title string) (id, rest string) {
	at := strings.IndexAny(title, ":：")
	if at <= 0 || strings.ContainsAny(title[:at], " \t") || strings.Trim(title[:at], "#") == "" {
		return title, ""
	}
	_, size := utf8.DecodeRuneInString(title[at:])
	return title[:at], headingText(title[at+size:])
}

// fields splits the text of an item into the text before the first "**Label**:" line and the
// value of each label. A code block belongs to the value it is in.
func fields(text string) (before string, values map[label]string) {
	values = map[label]string{}
	var at label
	var lines, kept []string
	flush := func() {
		value := markdown.CloseFences(trimText(strings.Join(lines, "\n")))
		if at == (label{}) {
			before = value
		} else {
			values[at] = value
		}
		lines = nil
	}
	fence := ""
	for line := range strings.SplitSeq(text, "\n") {
		trimmed := strings.TrimSpace(line)
		if isMask(line) {
			kept = append(kept, trimmed)
			continue
		}
		fence = markdown.FenceAfter(fence, line)
		l, value, isField := fieldLine(trimmed)
		if !isField || fence != "" {
			lines = append(lines, line)
			continue
		}
		for isField {
			flush()
			at = l
			first, rest := cutField(l, value)
			lines = []string{first}
			l, value, isField = fieldLine(rest)
		}
		fence = markdown.FenceAfter("", strings.Join(lines, "\n"))
	}
	flush()
	return above(before, strings.Join(kept, "\n\n")), values
}

// fieldMark separates the fields on one line.
const fieldMark = " · "

// onOneLine are the fields that are written on one line with others.
var onOneLine = []label{labelSymbol, labelEvidence, labelTests, labelCovers, labelSymbols, labelType, labelNeeds, labelChecked}

// cutField cuts the value of a field before the next field on its line. A value that is itself a field is none of the first.
func cutField(l label, value string) (first, rest string) {
	if _, _, ok := fieldLine(value); ok {
		return "", value
	}
	if !slices.Contains(onOneLine, l) {
		return value, ""
	}
	for i := 0; ; i += len(fieldMark) {
		next := strings.Index(value[i:], fieldMark+"**")
		if next < 0 {
			return value, ""
		}
		i += next
		if _, _, ok := fieldLine(value[i+len(fieldMark):]); ok {
			return value[:i], value[i+len(fieldMark):]
		}
	}
}

// labels lists the fields of items.
var labels = []label{
	labelSymbol, labelEvidence, labelTests, labelGiven, labelWhen, labelThen, labelCovers, labelSymbols, labelType, labelNeeds, labelChecked, labelScript,
}

// fieldLine parses "**Label**: value" in either language.
func fieldLine(line string) (l label, value string, ok bool) {
	rest, ok := strings.CutPrefix(strings.TrimPrefix(line, "- "), "**")
	if !ok {
		return label{}, "", false
	}
	name, rest, ok := strings.Cut(rest, "**")
	if !ok {
		return label{}, "", false
	}
	if trimmed := strings.TrimRight(name, ":："); trimmed != name { // **Label:** value
		name, rest = trimmed, ":"+rest
	}
	for _, sep := range []string{"：", ":"} {
		value, found := strings.CutPrefix(rest, sep)
		if !found {
			continue
		}
		for _, l := range labels {
			if name == l.en || name == l.zh {
				return l, strings.TrimSpace(value), true
			}
		}
	}
	return label{}, "", false
}

// leadingSymbol matches the code at the beginning of a title, if it can be the name of a symbol.
var leadingSymbol = lazyregexp.New("^`([\\p{L}_$@#~][^`\\s/=\"']*)`")

// titleSymbol returns the symbol that a title begins with; "" for none.
func titleSymbol(title string) string {
	if m := leadingSymbol.FindStringSubmatch(title); m != nil {
		return m[1]
	}
	return ""
}

func parseRequirement(b block) Requirement {
	id, title := splitItem(b.title)
	text, values := fields(b.text)
	r := Requirement{
		ID: id, Title: title, Text: text, Symbol: markdown.Uncode(values[labelSymbol]),
		Evidence: parseEvidence(values[labelEvidence]),
	}
	r.parseTests(values[labelTests])
	return r
}

// parseTests parses the output of testList.
func (r *Requirement) parseTests(text string) {
	switch text {
	case reachedOnly.en, reachedOnly.zh:
		r.Shown = lock.Reached
		return
	case noTest.en, noTest.zh:
		r.Shown = lock.Untested
		return
	}
	for _, reach := range []string{reachTests.en, reachTests.zh} {
		before, after, _ := strings.Cut(reach, "%d")
		if list, count, ok := strings.Cut(text, before); ok {
			text = list
			r.Reach, _ = strconv.Atoi(strings.TrimSuffix(count, after)) // 0 for what is no number
		}
	}
	if list, count, ok := strings.Cut(text, moreTests); ok {
		text = list
		r.More, _ = strconv.Atoi(strings.TrimSpace(count)) // 0 for what is no number
	}
	if strings.Contains(text, "`") {
		r.Tests = wholePlaces(markdown.Uncodes(text))
	}
}

func parseScenario(b block) Scenario {
	id, title := splitItem(b.title)
	text, v := fields(b.text)
	return Scenario{
		ID: id, Title: title, Text: text, Given: v[labelGiven], When: v[labelWhen], Then: v[labelThen],
		Covers: parseIDs(v[labelCovers]), Symbols: markdown.Uncodes(v[labelSymbols]), Evidence: parseEvidence(v[labelEvidence]),
	}
}

func parseTest(b block) ContractTest {
	id, title := splitItem(b.title)
	text, v := fields(b.text)
	return ContractTest{
		ID: id, Title: title, Text: text, Type: v[labelType],
		Covers: parseIDs(v[labelCovers]), Needs: splitList(v[labelNeeds]), Checked: v[labelChecked], Script: unfence(v[labelScript]),
	}
}

// unfence returns the content of the first code block in text.
func unfence(text string) string {
	var out []string
	fence := ""
	for line := range strings.SplitSeq(text, "\n") {
		switch mark := markdown.FenceMark(strings.TrimSpace(line)); {
		case fence == "":
			fence = mark
		case mark != "" && strings.HasPrefix(mark, fence) && strings.Trim(strings.TrimSpace(line), fence[:1]) == "":
			return strings.Join(out, "\n")
		default:
			out = append(out, line)
		}
	}
	return strings.Join(out, "\n")
}

// parseEvidence parses "doc `a.go:1`, guard `b.go:2`".
func parseEvidence(text string) []Evidence {
	var out []Evidence
	for text != "" {
		kind, rest, ok := strings.Cut(text, "`")
		if !ok {
			return out
		}
		place, after, ok := strings.Cut(rest, "`")
		if !ok {
			return out
		}
		out = append(out, Evidence{strings.Trim(kind, ", "), place})
		text = after
	}
	return out
}
