package contracttest

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"path/filepath"
	"time"

	"github.com/reverse-spec/reverse-spec/internal/project"
	"github.com/reverse-spec/reverse-spec/internal/x/ownfiles"
)

// trials are what came of the mistakes that earlier runs put into the code of a spec, as long as the files of the project
// are the same. Nil has none, and keeps none.
type trials struct {
	file string
	Key  string           `json:"key"`
	Done map[string]trial `json:"done"` // by the id of the mistake
}

type trial struct {
	Verdict   verdict `json:"verdict"`
	By        string  `json:"by,omitempty"`
	Reason    string  `json:"reason,omitempty"`
	Elsewhere bool    `json:"elsewhere,omitempty"`
	// Within is the time that whole suites were given, if one did not end in it.
	Within time.Duration `json:"within,omitempty"`
}

// trialsVersion changes when other tests are run with mistakes than before.
const trialsVersion = "2"

// openTrials reads what is known of the mistakes in the code of a spec.
func openTrials(ctx context.Context, p *project.Project, s *suite, folder, scratch string) *trials {
	if folder == "" {
		return nil
	}
	files, err := hashOfFiles(ctx, p, []string{filepath.Dir(folder), scratch})
	if err != nil {
		return nil
	}
	sum := sha256.New()
	part(sum, []byte(trialsVersion))
	part(sum, []byte(files))
	for i := range s.Tests {
		part(sum, []byte(s.Tests[i].Script))
	}
	t := &trials{file: filepath.Join(folder, "mutate", ownfiles.Name(p.Root(), s.Path)+".json")}
	ownfiles.Read(t.file, t)
	if key := hex.EncodeToString(sum.Sum(nil)); t.Key != key || t.Done == nil {
		t.Key, t.Done = key, map[string]trial{}
	}
	return t
}

// find fills in what is known of a mistake. If it was not noticed, and whole suites may take longer now, nothing is.
func (t *trials) find(c *candidate, limit time.Duration) bool {
	if t == nil {
		return false
	}
	known, ok := t.Done[c.id()]
	if !ok || known.Within > 0 && known.Within < limit {
		return false
	}
	c.judgement = judgement{known.Verdict, known.By, known.Reason, known.Elsewhere, known.Within == 0}
	return true
}

// keep records what came of a mistake, with the time that whole suites are given. A file that cannot be written is lost.
func (t *trials) keep(c *candidate, limit time.Duration) {
	if t == nil {
		return
	}
	j := &c.judgement
	done := trial{Verdict: j.verdict, By: j.by, Reason: j.reason, Elsewhere: j.elsewhere}
	if j.verdict == Unnoticed && !j.widely {
		done.Within = limit
	}
	t.Done[c.id()] = done
	ownfiles.Write(t.file, t)
}
