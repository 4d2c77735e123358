package oracle_test

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/reverse-spec/reverse-spec/internal/testsupport/oracle"
)

// observed is a test that ends as an oracle wants it to.
type observed struct {
	testing.TB
	outcome string
}

func (o *observed) Helper() {}

func (o *observed) end(how, why string) {
	o.outcome = how + ": " + why
	runtime.Goexit()
}

func (o *observed) Fatal(args ...any)                 { o.end("fails", fmt.Sprint(args...)) }
func (o *observed) Fatalf(format string, args ...any) { o.end("fails", fmt.Sprintf(format, args...)) }
func (o *observed) Skip(args ...any)                  { o.end("skips", fmt.Sprint(args...)) }
func (o *observed) Skipf(format string, args ...any)  { o.end("skips", fmt.Sprintf(format, args...)) }

// outcome is how a test ends that asks for an oracle: "has" and the folder, or why not.
func outcome(find func(testing.TB) string) string {
	o := &observed{}
	done := make(chan struct{})
	go func() {
		defer close(done)
		o.outcome = "has: " + find(o)
	}()
	<-done
	return o.outcome
}

func TestOracles(t *testing.T) {
	empty, full := t.TempDir(), t.TempDir()
	pin, err := os.ReadFile("tck.txt")
	if err != nil {
		t.Fatal(err)
	}
	cached := filepath.Join(full, "reverse-spec", "oracles")
	fetched := filepath.Join(cached, "tck-"+strings.Fields(string(pin))[1])
	for _, dir := range []string{fetched, filepath.Join(cached, "contracts")} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		name            string
		ci, cache       string
		tck, contracts  string // the variables
		wantTCK, wantCo string // parts of the outcome
	}{
		{"nothing", "", empty, "", "", "skips: the openCypher TCK not found|run `make oracles`", "skips: the contract documents not found|set REVERSE_SPEC_CONTRACTS"},
		{"nothing on CI", "true", empty, "", "", "fails: the openCypher TCK not found|run `make oracles`", "fails: the contract documents not found|set REVERSE_SPEC_CONTRACTS"},
		{"in the cache", "true", full, "", "", "has: " + fetched, "has: " + filepath.Join(cached, "contracts")},
		{"by the variable", "true", full, empty, empty, "has: " + empty, "has: " + empty},
		{"stated as missing", "true", full, "none", "none", "fails: |absolute path", "skips: REVERSE_SPEC_CONTRACTS=none"},
		{"a variable that is wrong", "", full, filepath.Join(empty, "x"), "../x", "fails: REVERSE_SPEC_TCK: ", "fails: |absolute path"},
		{"a file", "", full, filepath.Join(full, "f"), filepath.Join(full, "f"), "fails: |is not a folder", "fails: |is not a folder"},
	} {
		t.Setenv("CI", c.ci)
		t.Setenv("XDG_CACHE_HOME", c.cache)
		t.Setenv("REVERSE_SPEC_TCK", c.tck)
		t.Setenv("REVERSE_SPEC_CONTRACTS", c.contracts)
		if err := os.WriteFile(filepath.Join(full, "f"), nil, 0o600); err != nil {
			t.Fatal(err)
		}
		for _, o := range []struct {
			find func(testing.TB) string
			want string
		}{{oracle.TCK, c.wantTCK}, {oracle.Contracts, c.wantCo}} {
			got := outcome(o.find)
			begin, rest, _ := strings.Cut(o.want, "|")
			if !strings.HasPrefix(got, begin) || !strings.Contains(got, rest) {
				t.Errorf("%s: %q, want %q", c.name, got, o.want)
			}
		}
	}
}
