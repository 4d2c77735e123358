package guards_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"
)

// leaves finds lines that may hold an exit, in any of the languages.
var leaves = regexp.MustCompile(`^\s*(?:fail ["(]|(?:require|check)[ (])|(?:^|[^\w,.'"\s]|\b(?:or|else))\s*(?:throw|raise)\b|\bpanic\(|` +
	`\b(?:bail|ensure)!|\breturn\b.*(?:errors\.New|fmt\.Errorf)|(?:return|=>) Err\(|^\s*Err\(.*\)$`)

// joined finds what lies between string literals that make one.
var joined = regexp.MustCompile(`["'](?:\s*[+.]\s*|\s*\\?\n\s*)[fr]*["']|\\\n\s*`)

// TestLabelsQuoteTheSource holds each label to the code: atoms, messages and errors stand in
// it, and no line that looks like an exit is without a label.
func TestLabelsQuoteTheSource(t *testing.T) {
	eachSource(t, func(_ *repository, f *file, src string) {
		lines := strings.Split(src, "\n")
		flat := joined.ReplaceAllString(src, "") + "\n" + src
		flat = strings.Join(strings.Fields(flat), "")
		for _, fn := range f.functions {
			if fn.lines.to > len(lines) {
				t.Fatalf("%s has %d lines", f.path, len(lines))
			}
			for _, e := range fn.exits {
				quotes(t, f.path, flat, e)
			}
			unlabelledLines(t, f, fn, lines)
		}
	})
}

func quotes(t *testing.T, path, flat string, e *exit) {
	t.Helper()
	stands := func(text string) {
		if !strings.Contains(flat, strings.Join(strings.Fields(text), "")) {
			t.Errorf("%s:%d: %q does not stand in the code", path, e.lines.from, text)
		}
	}
	for part := range strings.SplitSeq(e.message, "…") {
		stands(part)
	}
	stands(e.error)
	for _, text := range slices.Concat(e.when, e.optional) {
		for _, quote := range quotesOf(text) {
			stands(quote)
		}
	}
}

// quotesOf returns the parts of a term that are written as in the source.
func quotesOf(text string) []string {
	text = strings.TrimPrefix(text, "not ")
	for _, prefix := range []string{"for ", "catch "} {
		if rest, ok := strings.CutPrefix(text, prefix); ok {
			return strings.Fields(strings.NewReplacer("|", " ", "(", " ", ")", " ").Replace(rest))
		}
	}
	if rest, ok := strings.CutPrefix(text, "no "); ok {
		header, condition, _ := strings.Cut(rest, ": ")
		return append(strings.Fields(strings.NewReplacer("|", " ").Replace(header)), quotesOf(condition)...)
	}
	for _, by := range []string{" || ", " && "} {
		if parts := split(text, by); len(parts) > 1 {
			var out []string
			for _, part := range parts {
				out = append(out, quotesOf(part)...)
			}
			return out
		}
	}
	for _, by := range []string{" is not ", " is "} {
		if subject, labels, ok := cutLast(text, by); ok {
			return append(split(labels, ", "), subject)
		}
	}
	return []string{strings.TrimSuffix(strings.TrimSuffix(text, " == null"), " == nil")}
}

func unlabelledLines(t *testing.T, f *file, fn *function, lines []string) {
	t.Helper()
	if fn.name == "tests" {
		return
	}
	for at := fn.lines.from; at <= fn.lines.to; at++ {
		line := lines[at-1]
		trimmed := strings.TrimSpace(line)
		if !leaves.MatchString(line) || strings.HasPrefix(trimmed, "//") || strings.HasPrefix(trimmed, "#") || strings.HasPrefix(trimmed, "*") {
			continue
		}
		has := func(s span) bool { return s.has(at) }
		if !slices.ContainsFunc(slices.Concat(fn.passed, fn.caught), has) && !slices.ContainsFunc(fn.exits, func(e *exit) bool { return e.lines.has(at) }) {
			t.Errorf("%s:%d: no label: %s", f.path, at, trimmed)
		}
	}
}
