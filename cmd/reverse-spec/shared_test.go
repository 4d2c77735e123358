package main

import (
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/reverse-spec/reverse-spec/internal/testsupport/pgserver"
)

// TestSharedStore runs the manual of the graph that an organisation shares.
func TestSharedStore(t *testing.T) {
	server := pgserver.Start(t)
	testscript.Run(t, testscript.Params{
		Dir: "testdata/shared",
		Setup: func(e *testscript.Env) error {
			e.Setenv("REVERSE_SPEC_STORE", server.Database())
			e.Setenv("WRONG_STORE", server.URLOf("postgres", pgserver.User, "wr0ng/pass"))
			e.Setenv("REVERSE_SPEC_HOME", filepath.Join(e.WorkDir, ".ci"))
			e.Setenv("GRAPH_DB_PATH", "")
			e.Setenv("GIT_CONFIG_GLOBAL", "/dev/null")
			for _, who := range []string{"AUTHOR", "COMMITTER"} {
				e.Setenv("GIT_"+who+"_NAME", "a")
				e.Setenv("GIT_"+who+"_EMAIL", "a@example.com")
			}
			return nil
		},
	})
}
