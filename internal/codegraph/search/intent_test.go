package search

import (
	"testing"

	"github.com/reverse-spec/reverse-spec/internal/codegraph"
)

func TestTasksAndFaultsAskForFiles(t *testing.T) {
	for query, task := range map[string]bool{
		"Fix the order of middleware":                  true,
		"add support for trailing slashes":             true,
		"requests hang after a redirect":               true,
		"panic: index out of range":                    true,
		"router: keep the order of middleware":         true,
		"Accept empty paths (#12)":                     true,
		"adds a handler for a path":                    false,
		"Create and send a request":                    false,
		"Returns the pattern of the route":             false,
		"how is a request matched to a route":          false,
		"RouteContext":                                 false,
		"the function that removes the trailing slash": false,
	} {
		if got := IsTask(query); got != task {
			t.Errorf("%s: %v", query, got)
		}
	}
}

func TestPlacesOfAQuery(t *testing.T) {
	n := &codegraph.Node{Path: "src/app/tree.go", StartLine: 10, EndLine: 20}
	for query, want := range map[string]float64{
		"what does app/tree.go do":                   0.5,
		"panic at /home/me/src/app/tree.go:15 +0x3d": 1.5,
		`File "src/app/tree.go", line 12, in insert`: 1.5,
		"at insert (src/app/tree.go:20:7)":           1.5,
		"tree.go:9":                                  0.5,
		"tree.go":                                    0, // may be a name with a dot
		"other/tree.py:12":                           0,
		"subtree.go:12":                              0,
		"insert a node":                              0,
	} {
		if got := placesIn(query).share(n); got != want {
			t.Errorf("%s: %v, want %v", query, got, want)
		}
	}
}
