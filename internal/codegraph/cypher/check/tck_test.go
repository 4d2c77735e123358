package check_test

import (
	"errors"
	"testing"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/cypher/check"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/cypher/syntax"
	"github.com/reverse-spec/reverse-spec/internal/testsupport/oracle"
	"github.com/reverse-spec/reverse-spec/internal/testsupport/tck"
)

// TestTCKFaultsAreFoundBeforeTheQueryRuns reads the queries of the openCypher TCK: each
// that has a fault at compile time has that one, and none that has an answer has any. What the engine leaves out is
// refused as such and not looked at.
func TestTCKFaultsAreFoundBeforeTheQueryRuns(t *testing.T) {
	scenarios, err := tck.Read(oracle.TCK(t))
	if err != nil {
		t.Fatal(err)
	}
	found, answered, left := 0, 0, 0
	for i := range scenarios {
		s := &scenarios[i]
		c, err := s.Case()
		if err != nil {
			t.Fatal(err)
		}
		fault := faultOf(t, c)
		switch want := c.Want.Fault; {
		case fault != nil && fault.Class == syntax.Unsupported:
			left++
		case want == nil && fault != nil:
			t.Errorf("%s: %v\n%s", s.ID(), fault, c.Query)
		case want == nil:
			answered++
		case fault == nil && want.Phase == tck.CompileTime:
			t.Errorf("%s: no fault instead of %v\n%s", s.ID(), *want, c.Query)
		case fault == nil:
		case string(fault.Class) != want.Class || fault.Code != want.Code && want.Code != "*":
			t.Errorf("%s: %v (%s) instead of %v\n%s", s.ID(), fault, fault.Code, *want, c.Query)
		default:
			found++
		}
	}
	t.Logf("%d faults found, %d queries without, %d left out", found, answered, left)
}

// faultOf returns what is wrong with the query of a case; nil for nothing.
func faultOf(t *testing.T, c *tck.Case) *syntax.Error {
	t.Helper()
	q, err := syntax.Parse(c.Query)
	if err == nil {
		err = check.Check(q, c.Parameters)
	}
	var fault *syntax.Error
	if err != nil && !errors.As(err, &fault) {
		t.Fatalf("%s: %v", c.Query, err)
	}
	return fault
}
