package syntax_test

import (
	"testing"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/cypher/syntax"
	"github.com/reverse-spec/reverse-spec/internal/testsupport/oracle"
	"github.com/reverse-spec/reverse-spec/internal/testsupport/tck"
)

// Every query of the TCK that only reads and has no fault at compile time is parsed,
// also those that the engine does not run.
func TestParseTCK(t *testing.T) {
	scenarios, err := tck.Read(oracle.TCK(t))
	if err != nil {
		t.Fatal(err)
	}
	parsed := 0
	for i := range scenarios {
		c, err := scenarios[i].Case()
		switch {
		case err != nil:
			t.Error(err)
			continue
		case len(tck.Writes(c.Query)) > 0, c.Want.Fault != nil && c.Want.Fault.Phase != tck.Runtime:
			continue
		}
		parsed++
		if _, err := syntax.Parse(c.Query); err != nil {
			t.Errorf("%s: %v\n%s", scenarios[i].ID(), err, c.Query)
		}
	}
	t.Logf("%d queries parsed", parsed)
}
