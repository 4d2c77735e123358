package spec

import (
	"context"
	"fmt"
	"time"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/evidence"
	"github.com/reverse-spec/reverse-spec/internal/project"
	"github.com/reverse-spec/reverse-spec/internal/project/source"
	"github.com/reverse-spec/reverse-spec/spec/model"
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

// Current is the code of a spec as it is now, and the claims that it shows.
type Current struct {
	Files  []*code.File // without tests
	Tests  []*code.File // those of the target itself first
	Target string       // relative to the project
	Whole  bool         // the target is a folder
	Claims []CurrentClaim
	Module *model.Module // for a model
}

// CurrentClaim is a claim with the requirement that states it, by the lock, and the places of the tests that show it.
type CurrentClaim struct {
	evidence.Claim
	Requirement string   // its id; "" for none
	Tests       []string // file:line; of an error those that assert on it
}

// ReadCurrent reads the code and the tests of a target; s is its spec, or nil. The scope is that of [Front]. Errors are those
// of reading.
func ReadCurrent(ctx context.Context, p *project.Project, target, scope string, s *Spec) (*Current, error) {
	tree, err := source.Read(ctx, p, target, source.Options{Scope: source.Scope(scope)})
	if err != nil {
		return nil, err
	}
	if err := tree.ReadRelated(ctx, p); err != nil {
		return nil, err
	}
	m := newMaterial(p, tree, "en", time.Time{})
	m.claims = evidence.Find(ctx, tree.Files, m.merged, tree.Links, evidence.Known{Endpoints: tree.Endpoints, Commands: tree.Commands, Settings: tree.Settings, Sharing: tree.Sharing})
	m.readTests()
	of := map[string]string{}
	if s != nil {
		for i := range s.Claims {
			of[s.Claims[i].ID()] = s.Claims[i].Requirement
		}
	}
	out := &Current{Target: tree.Target, Whole: tree.Scope != source.File}
	for i := range m.claims {
		c := CurrentClaim{Claim: m.claims[i], Requirement: of[m.claims[i].ID()]}
		c.Tests, _ = m.testsOf(&c.Claim)
		out.Claims = append(out.Claims, c)
	}
	for _, f := range tree.Files {
		if f.Test {
			out.Tests = append(out.Tests, f)
			continue
		}
		out.Files = append(out.Files, f)
	}
	out.Tests = append(out.Tests, tree.Tests...)
	out.Module = m.forModel()
	return out, ctx.Err()
}

// TestedClaims reads the code and the tests of a spec as they are now, and returns what tests show for each of its error
// exits, and the paths of the module's files. Errors are those of reading.
func TestedClaims(ctx context.Context, p *project.Project, s *Spec) (list []ClaimTests, files []string, err error) {
	now, err := ReadCurrent(ctx, p, s.Front.SourceTarget, s.Front.Scope, s)
	if err != nil {
		return nil, nil, err
	}
	for i := range now.Claims {
		c := &now.Claims[i]
		if c.Kind != evidence.Exit || len(c.At) == 0 {
			continue
		}
		list = append(list, ClaimTests{c.ID(), c.Requirement, c.Subject, c.At[0].File, c.At[0].Line, c.Tests})
	}
	for _, f := range now.Files {
		files = append(files, f.Path)
	}
	return list, files, nil
}

// Place returns file:line.
func (c *ClaimTests) Place() string { return fmt.Sprintf("%s:%d", c.File, c.Line) }
