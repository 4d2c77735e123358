package forms

import (
	"context"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/adopt"
	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/project"
)

// LinkConfidence is how sure a link must be to be accepted unseen.
const LinkConfidence = adopt.DefaultConfidence

// Adopted is what adopt found and kept.
type Adopted = adopt.Result

// Links is a call of adopt. Accept and Reject are ids, separated by commas.
type Links struct {
	Path, Accept, Reject string
	Yes                  bool
	MinConfidence        float64
}

// Adopt links the specs at a path, and keeps what is accepted or rejected.
func Adopt(ctx context.Context, p *project.Project, l Links) (*Adopted, error) {
	if l.MinConfidence <= 0 || l.MinConfidence > 1 {
		return nil, message.Errorf("minConfidence takes a number above 0, up to 1")
	}
	ids := func(text string) []string {
		return strings.FieldsFunc(text, func(c rune) bool { return c == ',' || c == ' ' || c == '，' })
	}
	return adopt.Run(ctx, p, []string{l.Path}, adopt.Options{Yes: l.Yes, MinConfidence: l.MinConfidence, Accept: ids(l.Accept), Reject: ids(l.Reject)})
}
