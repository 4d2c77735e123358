package adopted

import (
	"context"

	"github.com/reverse-spec/reverse-spec/internal/project"
)

// Standing tells how the adopted specs of a project stand.
type Standing struct {
	Specs        int `json:"specs"`
	Requirements int `json:"requirements"`
	Linked       int `json:"linked"`            // requirements with code or a test that was accepted
	Missing      int `json:"missing,omitempty"` // specs whose file is gone, or has no requirement any more
}

// StandingOf counts the adopted specs of a project and their requirements; nil if there are none. Locks that cannot be read are
// left out: diff and adopt tell them.
func StandingOf(ctx context.Context, p *project.Project) (*Standing, error) {
	list, _, err := All(ctx, p)
	if err != nil || len(list) == 0 {
		return nil, err
	}
	out := &Standing{Specs: len(list)}
	for _, s := range list {
		if s.Written == nil {
			out.Missing++
			continue
		}
		linked := map[string]bool{}
		for i := range s.Lock.Links {
			if l := &s.Lock.Links[i]; !l.Rejected {
				linked[l.Requirement] = true
			}
		}
		for i := range s.Written.Requirements {
			out.Requirements++
			if linked[s.Written.Requirements[i].ID] {
				out.Linked++
			}
		}
	}
	return out, nil
}
