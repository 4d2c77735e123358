package spec

import (
	"strings"
	"unicode/utf8"

	"github.com/reverse-spec/reverse-spec/spec/markdown"
)

// splitItem splits an item's heading "REQ-X-001: title" at its first colon, ASCII or
// full width. A heading of another form is all id, and so is one that begins with "#":
// a heading of such marks alone would be empty.
func splitItem(title string) (id, rest string) {
	at := strings.IndexAny(title, ":：")
	if at <= 0 || strings.ContainsAny(title[:at], " \t") || strings.Trim(title[:at], "#") == "" {
		return title, ""
	}
	_, size := utf8.DecodeRuneInString(title[at:])
	return title[:at], strings.TrimSpace(title[at+size:])
}

// fields takes an item's text apart: what stands before the first "**Label**:"
// line, and each label's value. Code blocks belong to what they stand in.
func fields(text string) (before string, values map[label]string) {
	values = map[label]string{}
	var at label
	var lines, kept []string
	flush := func() {
		value := markdown.CloseFences(strings.TrimSpace(strings.Join(lines, "\n")))
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
		for ; isField; l, value, isField = fieldLine(value) { // a value that is a field would be read as one below its label
			flush()
			at, lines = l, []string{value}
		}
		fence = markdown.FenceAfter("", strings.Join(lines, "\n"))
	}
	flush()
	return above(before, strings.Join(kept, "\n\n")), values
}

// labels are the fields that items may have.
var labels = []label{
	labelSymbol, labelEvidence, labelGiven, labelWhen, labelThen, labelCovers, labelSymbols, labelType, labelNeeds, labelChecked, labelScript,
}

// fieldLine reads "**Label**: value" in either language.
func fieldLine(line string) (l label, value string, ok bool) {
	rest, ok := strings.CutPrefix(line, "**")
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

func parseRequirement(b block) Requirement {
	id, title := splitItem(b.title)
	text, values := fields(b.text)
	return Requirement{
		ID: id, Title: title, Text: text, Symbol: markdown.Uncode(values[labelSymbol]),
		Evidence: parseEvidence(values[labelEvidence]),
	}
}

func parseScenario(b block) Scenario {
	id, title := splitItem(b.title)
	text, v := fields(b.text)
	return Scenario{
		ID: id, Title: title, Text: text, Given: v[labelGiven], When: v[labelWhen], Then: v[labelThen],
		Covers: splitList(v[labelCovers]), Symbols: markdown.Uncodes(v[labelSymbols]), Evidence: parseEvidence(v[labelEvidence]),
	}
}

func parseTest(b block) ContractTest {
	id, title := splitItem(b.title)
	text, v := fields(b.text)
	return ContractTest{
		ID: id, Title: title, Text: text, Type: v[labelType],
		Covers: splitList(v[labelCovers]), Needs: splitList(v[labelNeeds]), Checked: v[labelChecked], Script: unfence(v[labelScript]),
	}
}

// unfence returns the content of the first code block in a text.
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

// parseEvidence reads "doc `a.go:1`, guard `b.go:2`".
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
