package spec

import (
	"bytes"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/spec/markdown"
)

// ConflictError reports that git left a merge conflict in the front matter of a page, as it does
// when two branches generated the page.
type ConflictError struct {
	Target string // of the spec; "" if that is in conflict, too
	text   string
}

func (e *ConflictError) Error() string { return e.In(message.English) }

// In implements [message.Localizer].
func (e *ConflictError) In(lang message.Lang) string {
	return message.New("git left a merge conflict in the front matter").In(lang)
}

// Hint says what the user can do.
func (e *ConflictError) Hint() message.Text {
	return message.New("resolve by regenerating: reverse-spec generate %s", e.Target)
}

// Marks that git writes around the sides of a conflict. The one in the middle is only a mark
// between the others.
const (
	oursMark   = "<<<<<<< "
	baseMark   = "||||||| "
	middleMark = "======="
	theirsMark = ">>>>>>> "
)

// conflictIn returns an error if the front matter of a text has a conflict.
func conflictIn(text string) error {
	end := strings.Index(text, "\n---\n")
	if at := strings.Index(text, "\n"+oursMark); !strings.HasPrefix(text, "---\n") || at < 0 || end >= 0 && at > end {
		return nil
	}
	e := &ConflictError{text: text}
	if front, _, ok := markdown.CutFrontMatter(side(text, true)); ok {
		var f Front
		if f.parse(front) == nil {
			e.Target = f.SourceTarget
		}
	}
	return e
}

// side returns a text with one side of each conflict.
func side(text string, ours bool) string {
	var b strings.Builder
	within, keep := false, true
	for line := range strings.Lines(text) {
		mark := strings.TrimRight(line, "\r\n")
		switch {
		case strings.HasPrefix(mark, oursMark):
			within, keep = true, ours
		case within && strings.HasPrefix(mark, baseMark):
			keep = false
		case within && mark == middleMark:
			keep = !ours
		case within && strings.HasPrefix(mark, theirsMark):
			within, keep = false, true
		case keep:
			b.WriteString(line)
		}
	}
	return b.String()
}

// errKeptConflict is returned for a conflict in what generating a spec would not write anew.
var errKeptConflict = message.Errorf("git left a merge conflict in text between keep marks; resolve that by hand, then generate the spec again")

// resolve parses our side of the page, which is about to be generated again. The error is
// errKeptConflict if the sides differ in what is kept.
func (e *ConflictError) resolve() (*Spec, error) {
	ours, theirs := side(e.text, true), side(e.text, false)
	_, kept := maskKept(ours)
	_, other := maskKept(theirs)
	if !slices.Equal(kept, other) {
		return nil, errKeptConflict
	}
	return Parse([]byte(ours))
}

// parseGenerated parses a page that is about to be generated again.
func parseGenerated(text []byte) (*Spec, error) {
	s, err := Parse(text)
	if conflict, ok := err.(*ConflictError); ok && bytes.Contains(text, []byte(generatedByUs)) { //nolint:errorlint // Parse does not wrap it
		return conflict.resolve()
	}
	return s, err
}

// generatedByUs is in the front matter of every page of this program.
const generatedByUs = "generatedBy: reverse-spec"
