package federate_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/reverse-spec/reverse-spec/federate"
	"github.com/reverse-spec/reverse-spec/store"
	"github.com/reverse-spec/reverse-spec/store/sqlite"
)

// openStore opens a store of its own for a test.
func openStore(t *testing.T) store.Store {
	t.Helper()
	s, err := sqlite.Open(sqlite.Options{Home: t.TempDir()})
	check(t, err)
	t.Cleanup(func() { check(t, s.Close()) })
	return s
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// run federates what a configuration says.
func run(t *testing.T, s store.Store, path string) *federate.Report {
	t.Helper()
	c, err := federate.ReadConfig(path)
	check(t, err)
	r, err := federate.Run(t.Context(), c, s, federate.Options{Now: func() time.Time { return time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC) }})
	check(t, err)
	return r
}

// moduleDir returns the folder of a module in the module cache.
func moduleDir(t *testing.T, module string) string {
	t.Helper()
	cmd := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", module)
	cmd.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "GOPROXY=off")
	out, err := cmd.Output()
	dir := strings.TrimSpace(string(out))
	if err != nil || dir == "" {
		t.Skipf("%s is not in the module cache: %v", module, err)
	}
	return dir
}

func TestReal(t *testing.T) {
	config := filepath.Join(t.TempDir(), "federation.yaml")
	check(t, os.WriteFile(config, []byte("schema_version: 1\nfederation:\n  repositories:\n    - {name: pflag, path: "+
		moduleDir(t, "github.com/spf13/pflag")+"}\n    - {name: cobra, path: "+moduleDir(t, "github.com/spf13/cobra")+"}\n"), 0o600))
	begin := time.Now()
	r := run(t, openStore(t), config)
	t.Log(time.Since(begin))
	t.Log("\n" + r.String())
	for _, e := range r.Edges {
		if e.SignatureSimilarity < 1 {
			t.Log(federate.Explain(e), e.Signature)
		}
	}
}
