package index_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"zombiezen.com/go/sqlite"
	"zombiezen.com/go/sqlite/sqlitex"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/index"
	graphs "github.com/reverse-spec/reverse-spec/internal/codegraph/sqlite"
	"github.com/reverse-spec/reverse-spec/internal/project"
)

// The environment of a child process that indexes until it is killed.
const (
	victimProject = "REVERSE_SPEC_VICTIM_PROJECT"
	victimHome    = "REVERSE_SPEC_VICTIM_HOME"
)

// version writes the n-th version of the one file that changes, at once: the files
// of a project are not what is tested.
func version(dir string, n int) error {
	temp := filepath.Join(filepath.Dir(dir), "version")
	if err := os.WriteFile(temp, fmt.Appendf(nil, "package p\n\nfunc V%d() { F%d() }\n", n, n%50), 0o644); err != nil {
		return err
	}
	return os.Rename(temp, filepath.Join(dir, "version.go"))
}

// indexForever changes a project and indexes it, each fourth time from nothing.
func indexForever(ctx context.Context, dir, home string) error {
	s, err := graphs.Open(graphs.Options{Home: home})
	if err != nil {
		return err
	}
	p, err := project.Open(dir)
	if err != nil {
		return err
	}
	for n := int(time.Now().UnixNano() % 1e6); ; n++ {
		if err := version(dir, n); err != nil {
			return err
		}
		if _, err := index.Run(ctx, p, s, index.Options{Force: n%4 == 0, Version: "test"}); err != nil {
			return err
		}
	}
}

// kills is how many processes are killed; the environment can ask for more.
func kills() int {
	if n, err := strconv.Atoi(os.Getenv("REVERSE_SPEC_KILLS")); err == nil {
		return n
	}
	return 40
}

// TestKilledWhileIndexing kills processes that index, at random moments: what is
// stored is then the graph of one version of the files, whole.
func TestKilledWhileIndexing(t *testing.T) {
	if dir := os.Getenv(victimProject); dir != "" {
		t.Fatal(indexForever(t.Context(), dir, os.Getenv(victimHome)))
	}
	dir, home := filepath.Join(t.TempDir(), "p"), t.TempDir()
	many := make([]string, 0, 60)
	for f := range 50 {
		many = append(many, fmt.Sprintf("func F%d() { F%d() }\n", f, (f+1)%50))
	}
	write(t, dir, "go.mod", "module p\n")
	write(t, dir, "many.go", "package p\n\n"+strings.Join(many, "\n"))
	if err := version(dir, 0); err != nil {
		t.Fatal(err)
	}
	want := graphNow(t, dir, home)
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	for range kills() {
		child := exec.Command(os.Args[0], "-test.run=^TestKilledWhileIndexing$")
		child.Env = append(os.Environ(), victimProject+"="+dir, victimHome+"="+home)
		child.Stderr = os.Stderr
		if err := child.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Duration(30+random.IntN(150)) * time.Millisecond)
		if err := child.Process.Signal(syscall.SIGKILL); err != nil {
			t.Fatal(err)
		}
		_ = child.Wait() // killed
		integrity(t, home)
		if got := graphStored(t, dir, home); got != want {
			t.Fatalf("what is stored is no version (-want +got):\n%s", cmp.Diff(strings.Split(want, "\n"), strings.Split(got, "\n")))
		}
		if got := graphNow(t, dir, home); got != want { // the lock is released, and indexing continues
			t.Fatalf("indexed again (-want +got):\n%s", cmp.Diff(strings.Split(want, "\n"), strings.Split(got, "\n")))
		}
	}
}

// graphNow indexes and returns the graph as if the version were 0.
func graphNow(t *testing.T, dir, home string) string {
	t.Helper()
	s, p := openBoth(t, dir, home)
	defer s.Close()
	defer p.Close()
	if _, err := index.Run(t.Context(), p, s, index.Options{Version: "test"}); err != nil {
		t.Fatal(err)
	}
	return ofVersion0(dump(t, s, dir))
}

// graphStored returns the stored graph as if the version were 0.
func graphStored(t *testing.T, dir, home string) string {
	t.Helper()
	s, p := openBoth(t, dir, home)
	defer s.Close()
	defer p.Close()
	return ofVersion0(dump(t, s, dir))
}

func openBoth(t *testing.T, dir, home string) (*graphs.Store, *project.Project) {
	t.Helper()
	s, err := graphs.Open(graphs.Options{Home: home})
	if err != nil {
		t.Fatal(err)
	}
	p, err := project.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	return s, p
}

var (
	versionName = regexp.MustCompile(`\bV\d+\b`)
	calledName  = regexp.MustCompile(`(version\.V0 -> Function p\.many\.F)\d+`)
	hashes      = regexp.MustCompile(`(file|words) version.go [0-9a-f]+`)
)

func ofVersion0(lines []string) string {
	text := versionName.ReplaceAllString(strings.Join(lines, "\n"), "V0")
	text = calledName.ReplaceAllString(text, "${1}0")
	return hashes.ReplaceAllString(text, "$1 version.go")
}

// integrity asks SQLite whether the stored database is whole.
func integrity(t *testing.T, home string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(home, "projects", "p-*.db"))
	if err != nil || len(files) != 1 {
		t.Fatalf("databases: %v %v", files, err)
	}
	conn, err := sqlite.OpenConn(files[0], sqlite.OpenReadWrite)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	answer, err := sqlitex.ResultText(conn.Prep("PRAGMA integrity_check"))
	if err != nil || answer != "ok" {
		t.Fatalf("integrity_check: %s %v", answer, err)
	}
}
