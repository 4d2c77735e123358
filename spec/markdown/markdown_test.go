package markdown_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/reverse-spec/reverse-spec/spec/markdown"
)

func TestWhatIsWrittenIsReadBack(t *testing.T) {
	for _, text := range []string{"", "plain", "a|b", "`a` b", "a ` b | c"} {
		if got := markdown.Uncell(markdown.Cell(text)); got != text {
			t.Errorf("cell %q: %q", text, got)
		}
		if got := markdown.Uncode(markdown.Code(text)); got != text && !strings.HasPrefix(text, "`") {
			t.Errorf("code %q: %q", text, got)
		}
	}
	list := []string{"a", "b, c", "d`e", "f(g)"}
	if diff := cmp.Diff(list, markdown.Uncodes(markdown.Codes(list))); diff != "" {
		t.Errorf("codes (-want +got):\n%s", diff)
	}
}

func TestNamesWithoutCodeSpansAreReadToo(t *testing.T) {
	if diff := cmp.Diff([]string{"a", "b", "c d"}, markdown.Uncodes("a, `b`、 c d")); diff != "" {
		t.Errorf("codes (-want +got):\n%s", diff)
	}
}

func TestCodeOfEmptyTextIsEmpty(t *testing.T) {
	if got := markdown.Code("") + markdown.Codes(nil); got != "" {
		t.Errorf("%q", got)
	}
}

func TestFenceIsLongerThanThoseInside(t *testing.T) {
	if got, want := markdown.Fenced("md", "````\nx\n````\n"), "`````md\n````\nx\n````\n`````"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestFenceIsOpenUntilOneAsLongEndsIt(t *testing.T) {
	var states []string
	fence := ""
	for line := range strings.SplitSeq("a\n~~~~ go\n~~~\n    ~~~~\n~~~~\n\t```", "\n") {
		fence = markdown.FenceAfter(fence, line)
		states = append(states, fence)
	}
	if diff := cmp.Diff([]string{"", "~~~~", "~~~~", "~~~~", "", ""}, states); diff != "" {
		t.Errorf("open fences (-want +got):\n%s", diff)
	}
	if got := markdown.CloseFences("a\n```\nb"); got != "a\n```\nb\n```" {
		t.Errorf("closed: %q", got)
	}
}

// TestQuotedProseAddsNoMarkup: no headings, fields, comments or rules, and all code blocks are
// closed.
func TestQuotedProseAddsNoMarkup(t *testing.T) {
	for text, want := range map[string]string{
		"# Title #":                       "__Title__",
		"#hashtag":                        `\#hashtag`,
		"**Symbol**: x":                   `\**Symbol**: x`,
		"**Verified by:** x":              `\**Verified by:** x`,
		"**unclosed":                      `\**unclosed`,
		"**Koel** (also **koel**) plays":  "**Koel** (also **koel**) plays",
		"a <!-- keep -->":                 "a &lt;!-- keep -->",
		"a\n---":                          "a\n\\---",
		"| a |":                           `\| a |`,
		"a\r\n\r\n\r\n\r\nb ":             "a\n\nb",
		"```\n# in code":                  "```\n# in code\n```",
		"\tindented\n\t# as code":         "indented\n\t# as code",
		"a" + markdown.Mark + "b":         "ab",
		"<div>":                           `\<div>`,
		"a line of words stays as it is.": "a line of words stays as it is.",
	} {
		if got := markdown.Quoted(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestTitleIsOneLineWithoutMarkup(t *testing.T) {
	for text, want := range map[string]string{
		"## a\n b ##": "a b", "- item": "item", "": "-", "**": "-", "x <!-- y": "x &lt;!-- y",
	} {
		if got := markdown.Title(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestSentenceEndsAtItsDot(t *testing.T) {
	for text, want := range map[string][2]string{
		"One. Two.":             {"One.", "Two."},
		"Such, e.g. this. Two.": {"Such, e.g. this.", "Two."},
		"v1.2 is out\nnow. x":   {"v1.2 is out now.", "x"},
		"No dot\n\nNext.":       {"No dot", "Next."},
		"一句。二句":                 {"一句。", "二句"},
		"far too long a text to be one of twenty bytes.": {"far too long a text…", "far too long a text to be one of twenty bytes."},
	} {
		if first, rest := markdown.Sentence(text, 20); first != want[0] || rest != want[1] {
			t.Errorf("%q: %q and %q", text, first, rest)
		}
	}
}

func TestClipCutsAtAWord(t *testing.T) {
	for text, want := range map[string]string{
		"short": "short", "some words that are many": "some words…", "abcdefghijklmnop": "abcdefghijkl…", "一二三四五": "一二三四…",
	} {
		if got := markdown.Clip(text, 12); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
