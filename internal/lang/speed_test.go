package lang_test

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"github.com/reverse-spec/reverse-spec/internal/lang"
	"github.com/reverse-spec/reverse-spec/internal/testsupport/shapes"
)

// hardShapes matches the shapes that parsers give up or nearly give up.
var hardShapes = regexp.MustCompile(`open|errors|only|nested`)

// TestResultIndependentOfSpeed reads texts that are hard to parse, here and in a program whose
// parser takes some microseconds longer per step: the result must not depend on the speed of
// the machine.
func TestResultIndependentOfSpeed(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds a program")
	}
	here := digests(t)
	cmd := exec.CommandContext(t.Context(), "go", "test", "-tags", "slowparser", "-count=1", "-v", "-run", "^TestPrintDigests$", ".")
	text, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	_, there, _ := strings.Cut(string(text), "digests:\n")
	there, _, _ = strings.Cut(there, "end of digests")
	if here == "" || here != there {
		t.Errorf("here:\n%s\non a slow machine:\n%s", here, there)
	}
}

// TestPrintDigests prints what [TestResultIndependentOfSpeed] compares.
func TestPrintDigests(t *testing.T) {
	if _, err := os.Stdout.WriteString("digests:\n" + digests(t) + "end of digests\n"); err != nil {
		t.Fatal(err)
	}
}

// digests returns a line for each broken shape: a hash of the result, or the error.
func digests(t *testing.T) string {
	t.Helper()
	var b strings.Builder
	for _, s := range shapes.Of() {
		if !hardShapes.MatchString(s.Name) {
			continue
		}
		f, err := lang.Parse(t.Context(), s.File, []byte(s.Make(1000)), lang.All)
		text, encodeErr := json.Marshal(f)
		if encodeErr != nil {
			t.Fatal(encodeErr)
		}
		fmt.Fprintf(&b, "%s %s %x %v\n", s.File, s.Name, sha256.Sum256(text), err)
	}
	return b.String()
}
