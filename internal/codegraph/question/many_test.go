package question_test

import (
	"testing"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/question"
)

// TestRowsOfManyProjectsNameTheirs where each row is of one project, and the query does not say it.
func TestRowsOfManyProjectsNameTheirs(t *testing.T) {
	for query, want := range map[string]string{
		"MATCH (f:Function) RETURN f.name":                                                    "MATCH (f:Function) RETURN f.project AS project, f.name",
		"match (a)-[r]->(`b c`)\nreturn // a comment\n  type(r) order by type(r) limit 3":     "match (a)-[r]->(`b c`)\nreturn // a comment\n  a.project AS project, type(r) order by type(r) limit 3",
		"MATCH ()-->(`b c`) RETURN 1":                                                         "MATCH ()-->(`b c`) RETURN `b c`.project AS project, 1",
		"MATCH (p:Project)-->(f) WITH p AS q, count(f) AS n RETURN q.name, n ORDER BY n DESC": "MATCH (p:Project)-->(f) WITH p AS q, count(f) AS n RETURN q.project AS project, q.name, n ORDER BY n DESC",
		"MATCH (f) WITH * RETURN f.name, f.path":                                              "MATCH (f) WITH * RETURN f.project AS project, f.name, f.path",
		"OPTIONAL MATCH (a) MATCH (b) RETURN a.name":                                          "OPTIONAL MATCH (a) MATCH (b) RETURN b.project AS project, a.name",
		"MATCH (f) RETURN f":                                                                  "",
		"MATCH (f) RETURN *":                                                                  "",
		"MATCH (f) RETURN count(*)":                                                           "",
		"MATCH (f) RETURN f.name, size(collect(f.path)) AS n":                                 "",
		"MATCH (f) RETURN DISTINCT f.name":                                                    "",
		"MATCH (f) RETURN f.name AS project":                                                  "",
		"MATCH (f) RETURN f.name UNION MATCH (f) RETURN f.name":                               "",
		"MATCH (f) WITH f.name AS name RETURN name":                                           "",
		"OPTIONAL MATCH (f) RETURN f.name":                                                    "",
		"UNWIND [1, 2] AS x RETURN x":                                                         "",
		"MATCH ()-[r]->() RETURN r":                                                           "",
		"MATCH (f RETURN f":                                                                   "",
		"CALL db.labels()":                                                                    "",
	} {
		if want == "" {
			want = query
		}
		if got := question.WithProject(query); got != want {
			t.Errorf("got %s\nwant %s", got, want)
		}
	}
}
