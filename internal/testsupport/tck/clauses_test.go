package tck_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/reverse-spec/reverse-spec/internal/testsupport/tck"
)

func TestClauses(t *testing.T) {
	for _, test := range []struct {
		statement string
		want      []tck.Clause
	}{
		{"CREATE (a)\n", []tck.Clause{{"CREATE", "CREATE (a)"}}},
		{
			"MATCH (a) WHERE a.set STARTS WITH 'x' UNWIND [1] AS i create (:SET {merge: ')'}) // DELETE\nWITH a SET a.x = 1;",
			[]tck.Clause{
				{"MATCH", "MATCH (a) WHERE a.set STARTS WITH 'x' UNWIND [1] AS i "},
				{"CREATE", "create (:SET {merge: ')'}) // DELETE\n"},
				{"WITH", "WITH a "},
				{"SET", "SET a.x = 1"},
			},
		},
		{
			"/* CREATE */ MATCH (n:CREATE) WHERE EXISTS { MATCH (n) SET n.x = 1 } RETURN n.set, 'DELETE', $set, `remove`",
			[]tck.Clause{{"MATCH", "MATCH (n:CREATE) WHERE EXISTS { MATCH (n) SET n.x = 1 } RETURN n.set, 'DELETE', $set, `remove`"}},
		},
	} {
		if diff := cmp.Diff(test.want, tck.Clauses(test.statement)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.statement, diff)
		}
	}
}

func TestWrites(t *testing.T) {
	got := tck.Writes("MATCH (n) DETACH DELETE n MERGE (m) ON CREATE SET m.x = 1 CREATE () RETURN m")
	if diff := cmp.Diff([]string{"DETACH", "DELETE", "MERGE", "CREATE", "SET"}, got); diff != "" {
		t.Errorf("keywords (-want +got):\n%s", diff)
	}
}
