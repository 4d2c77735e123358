package spec

import (
	"context"
	"fmt"
	"time"

	"github.com/reverse-spec/reverse-spec/internal/evidence"
	"github.com/reverse-spec/reverse-spec/internal/project"
	"github.com/reverse-spec/reverse-spec/internal/project/source"
)

// ClaimTests are the tests that the code shows for a claim about an error exit.
type ClaimTests struct {
	ID          string   // of the claim
	Requirement string   // that states it, by the lock; "" for none
	Subject     string   // the symbol
	File        string   // where the exit is
	Line        int      // where the exit is
	Tests       []string // places of the tests that assert on it: file:line
}

// TestedClaims reads the code and the tests of a spec as they are now, and returns what tests show for each of its error
// exits, and the paths of the module's files. Errors are those of reading.
func TestedClaims(ctx context.Context, p *project.Project, s *Spec) (list []ClaimTests, files []string, err error) {
	tree, err := source.Read(ctx, p, s.Front.SourceTarget, source.Options{Scope: source.Scope(s.Front.Scope)})
	if err != nil {
		return nil, nil, err
	}
	if err := tree.ReadRelated(ctx, p); err != nil {
		return nil, nil, err
	}
	m := newMaterial(p, tree, s.Lang, time.Time{})
	m.claims = evidence.Find(ctx, tree.Files, m.merged, tree.Links, evidence.Known{Endpoints: tree.Endpoints, Commands: tree.Commands, Settings: tree.Settings})
	m.readTests()
	of := map[string]string{}
	for i := range s.Claims {
		of[s.Claims[i].ID()] = s.Claims[i].Requirement
	}
	for i := range m.claims {
		c := &m.claims[i]
		if c.Kind != evidence.Exit || len(c.At) == 0 {
			continue
		}
		tests, _ := m.testsOf(c)
		list = append(list, ClaimTests{c.ID(), of[c.ID()], c.Subject, c.At[0].File, c.At[0].Line, tests})
	}
	for _, f := range tree.Files {
		if !f.Test {
			files = append(files, f.Path)
		}
	}
	return list, files, ctx.Err()
}

// Place returns file:line.
func (c *ClaimTests) Place() string { return fmt.Sprintf("%s:%d", c.File, c.Line) }
