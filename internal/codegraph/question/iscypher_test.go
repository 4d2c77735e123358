package question_test

import (
	"testing"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/question"
)

func TestIsCypher(t *testing.T) {
	for text, want := range map[string]bool{
		"MATC (c:Class) RETURN c":                      true, // its error says what is wrong
		"FIND (all) callers, and their RETURN types":   false,
		"MATCH (n) RETURN n":                           true,
		"  match(n:Class) return n":                    true,
		"// all\nMATCH (n)\nRETURN n":                  true,
		"/* all */ MATCH p = (a)-->(b) RETURN p":       true,
		"OPTIONAL MATCH (n) RETURN n":                  true,
		"MATCH p = shortestPath((a)-[*]-(b)) RETURN p": true,
		"UNWIND [1, 2] AS x RETURN x":                  true,
		"WITH 1 AS x RETURN x":                         true,
		"RETURN 1":                                     true,
		"RETURN 'a' AS a":                              true,
		"return count(*)":                              true,
		"EXPLAIN MATCH (n) RETURN n":                   true,
		"CREATE (n:Class)":                             true,
		"MERGE (n) RETURN n":                           true,
		"DETACH DELETE n":                              true,
		"SET n.name = 1":                               true,
		"REMOVE n.name":                                true,
		"DROP INDEX names":                             true,
		"FOREACH (x IN [1] | CREATE (n))":              true,
		"LOAD CSV FROM 'file:///a' AS row RETURN row":  true,
		"CALL db.labels()":                             true,
		"CALL db.labels":                               true,
		"CALL { MATCH (n) RETURN n } RETURN n":         true,
		"CALL (n) { RETURN 1 AS x } RETURN x":          true,
		"OPTIONAL CALL () { RETURN 1 AS x } RETURN x":  true,
		"PROFILE MATCH (n) RETURN n":                   true,
		"EXPLAIN CALL db.labels()":                     true,
		"SHOW FUNCTIONS":                               true,
		"SHOW BUILT IN FUNCTIONS;":                     true,
		"show functions yield name return name":        true,
		"PROFILE SHOW INDEXES WHERE name = 'x'":        true,
		"SHOW DATABASES":                               true,

		"show functions":      false,
		"Show all classes":    false,
		"SHOW me all classes": false,
		"who calls main":      false,
		"Who calls (n)?":      false,
		"who implements Reader with x as name return": false,
		"call (main) who": false,

		"match all functions that call helper":       false,
		"Return all classes":                         false,
		"return the callers of main":                 false,
		"call graph of main":                         false,
		"calls of main":                              false,
		"create_user":                                false,
		"Create a list of classes":                   false,
		"With which classes does Base share a file?": false,
		"explain parse_config":                       false,
		"delete_user is called by whom":              false,
		"set_name callers":                           false,
		"Where is UNWIND used?":                      false,
		"":                                           false,
	} {
		if got := question.IsCypher(text); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

func TestTheNearestQuestionsAreOffered(t *testing.T) {
	for asked, want := range map[string]string{
		"which method frobnicates the callers of Foo": "Who calls UserService.create_user?",
		"哪个类的孙子最多呢":                                   "哪个类的方法最多？",
	} {
		got := question.Nearest(asked, 3)
		if len(got) != 3 {
			t.Errorf("%s: %q", asked, got)
		}
		found := false
		for _, q := range got {
			found = found || q == want
		}
		if !found {
			t.Errorf("%s: %q, without %q", asked, got, want)
		}
	}
}
