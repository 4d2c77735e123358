package resolve_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/codegraph"
	"github.com/reverse-spec/reverse-spec/internal/lang"
	"github.com/reverse-spec/reverse-spec/internal/manifest"
	"github.com/reverse-spec/reverse-spec/internal/resolve"
)

// seer is an oracle for byte offsets of use.ts.
type seer map[int]resolve.Meaning

func (s seer) At(file string, pos int, _ string) []resolve.Meaning {
	if m, known := s[pos]; known && file == "use.ts" {
		return []resolve.Meaning{m}
	}
	return nil
}

const used = `import { one, Two } from './lib'

export function use(p: any, q: Two, held: any) {
  one()
  p.far()
  p.run()
  q.run()
  held()
  new Two()
  return one
}
`

// The oracle's edges replace our own; calls that it says are external have none; what it does not know is resolved
// from the facts.
func TestOracleTakesPrecedence(t *testing.T) {
	at := func(text string) int { return strings.Index(used, text) }
	whole := oracled(t, seer{
		at("one()"):       {File: "lib.ts", Name: "other", Line: 2},
		at("far()"):       {},
		at("run()"):       {File: "lib.ts", Name: "run", Line: 5},
		at("q.run()") + 2: {File: "lib.ts"}, // the position is unknown
		at("held()"):      {File: "use.ts", Name: "held", Line: 3},
		at("Two()"):       {File: "lib.ts", Name: "Two", Line: 3},
		at("one\n}"):      {File: "lib.ts", Name: "nothing", Line: 99},
	})
	r := whole.Linker().File("use.ts", nil)
	var got []string
	for _, e := range r.Edges {
		if e.Type == codegraph.Calls || e.Type == codegraph.References {
			to := whole.Symbols(e.Path)[e.To].Qualified
			got = append(got, fmt.Sprintf("%s %s %d %s %v", e.Type, to, e.Line, e.Rule, e.Weight))
		}
	}
	want := []string{
		"CALLS other 4 scip 1",
		"CALLS Two.constructor 9 scip 1",
		"CALLS Two.run 6 scip 1",
		"REFERENCES one 10 import 0.99",
		"REFERENCES Two 3 import 0.99",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(map[resolve.Reason]int{resolve.External: 1, resolve.Dynamic: 1}, r.Unresolved); diff != "" {
		t.Error(diff)
	}
}

func oracled(t *testing.T, o resolve.Oracle) *resolve.Project {
	t.Helper()
	texts := map[string]string{"use.ts": used, "lib.ts": `export function one() {}
export function other() {}
export class Two {
  constructor() {}
  run() {}
}
`}
	var files []*code.File
	for _, name := range []string{"lib.ts", "use.ts"} {
		f, err := lang.Parse(t.Context(), name, []byte(texts[name]), lang.Facts)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, f)
	}
	m, err := manifest.Read(nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	whole := resolve.New(files, codegraph.Resolve(files, m))
	whole.SetOracle(o)
	return whole
}
