package mcp

import (
	"context"

	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/project"
	"github.com/reverse-spec/reverse-spec/mcp/forms"
)

// adoptTool is adopt of the command line.
func adoptTool() Tool {
	return Tool{
		Name: "adopt",
		Description: message.New("Link requirements that people wrote (OpenSpec, Spec Kit, Kiro) to code and tests; not for specs of generate. " +
			"Read the code before you accept a link: diff, review and verify rely on it. Without accept, reject or yes nothing is written."),
		Params: []Param{
			{Name: "path", Type: String, Path: true, Description: message.New("A spec or folder: openspec/specs"), Required: true},
			{Name: "accept", Type: String, Description: message.New("Link ids, comma-separated")},
			{Name: "reject", Type: String, Description: message.New("Link ids, not to propose again")},
			{Name: "yes", Type: Boolean, Description: message.New("Accept all of minConfidence"), Default: false},
			{Name: "minConfidence", Type: Number, Default: forms.LinkConfidence},
			offsetParam(),
		},
		Effects: Effects{Idempotent: true},
		Meta:    whole(),
		Run:     adopt,
		RunReadOnly: func(ctx context.Context, p *project.Project, a Arguments) (any, error) {
			if a.Bool("yes") || a.String("accept")+a.String("reject") != "" {
				return nil, errMayNotAdopt
			}
			return adopt(ctx, p, a)
		},
	}
}

// errMayNotAdopt refuses to keep links.
var errMayNotAdopt = message.Errorf("this server proposes links and keeps none: it was started with --read-only")

func adopt(ctx context.Context, p *project.Project, a Arguments) (any, error) {
	r, err := forms.Adopt(ctx, p, forms.Links{
		Path: a.String("path"), Accept: a.String("accept"), Reject: a.String("reject"), Yes: a.Bool("yes"), MinConfidence: a.Float("minConfidence"),
	})
	if err != nil {
		return nil, err
	}
	return cutAdopted(r, a), nil
}

// adoptedPage is what was found of some specs, as many entries as fit: each requirement is one, and each thing that is unspecified.
type adoptedPage struct {
	*forms.Adopted
	Next *Next `json:"next,omitempty"`
}

// cutAdopted leaves the first entries from an offset on. The summary counts all.
func cutAdopted(r *forms.Adopted, a Arguments) adoptedPage {
	f := fitting{room: pageBytes}
	skip := a.Int("offset")
	specs := r.Specs
	r.Specs = r.Specs[:0:0]
	for _, s := range specs {
		s.Requirements = fit(&f, dropEntries(s.Requirements, &skip))
		if len(s.Requirements) > 0 {
			r.Specs = append(r.Specs, s)
		}
	}
	r.Unspecified = fit(&f, dropEntries(r.Unspecified, &skip))
	if f.left == 0 {
		return adoptedPage{Adopted: r}
	}
	return adoptedPage{r, further("adopt", a, f.left, unitEntries, a.Int("offset")+f.taken)}
}

// dropEntries returns a list without its first entries, and decreases the number of those that are to be dropped.
func dropEntries[T any](list []T, entries *int) []T {
	n := min(*entries, len(list))
	*entries -= n
	return list[n:]
}
