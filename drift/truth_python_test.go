package drift_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/reverse-spec/reverse-spec/drift"
	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang"
	"github.com/reverse-spec/reverse-spec/internal/message"
)

// griffeCase is a case in griffe's tests: the old and the new code, and the kinds of breakage.
var griffeCase = regexp.MustCompile(`\(\s*(?:#[^\n]*\n\s*)*"((?:[^"\\]|\\.)*)",\s*"((?:[^"\\]|\\.)*)",\s*\[([^\]]*)\]`)

// TestAgreesWithGriffe compares verdicts with those of griffe's own cases, of which REVERSE_SPEC_GRIFFE names a checkout: a case
// with breakages needs a breaking item, one without none.
func TestAgreesWithGriffe(t *testing.T) {
	root := os.Getenv("REVERSE_SPEC_GRIFFE")
	if root == "" {
		t.Skip("REVERSE_SPEC_GRIFFE names no checkout of griffe; scripts/drift-cases.sh sets it")
	}
	text, err := os.ReadFile(filepath.Join(root, "packages", "griffelib", "tests", "test_diff.py"))
	if err != nil {
		t.Fatal(err)
	}
	unescape := strings.NewReplacer(`\n`, "\n", `\t`, "\t", `\"`, `"`)
	var right, wrong, missed, quiet, silent int
	for _, m := range griffeCase.FindAllStringSubmatch(string(text), -1) {
		old, now := unescape.Replace(m[1]), unescape.Replace(m[2])
		breaking := pythonBreaking(t, old, now)
		if n := strings.Count(m[3], "BreakageKind."); n > 0 && !strings.Contains(m[3], "[]") && strings.TrimSpace(m[3]) != "" {
			if len(breaking) > 0 {
				right++
			} else {
				missed++
				t.Logf("missed: %q -> %q: %s", old, now, m[3])
			}
			continue
		}
		silent++
		if len(breaking) == 0 {
			quiet++
		} else {
			wrong++
			t.Logf("not theirs: %q -> %q: %s", old, now, breaking[0].Description)
		}
	}
	t.Logf("python: %d of %d breakages, %d of %d silent cases silent, F1 %.3f", right, right+missed, quiet, silent, 2*float64(right)/float64(2*right+missed+wrong))
	if right < 10*missed || wrong > 2 {
		t.Error("too far from griffe")
	}
}

func pythonBreaking(t *testing.T, old, now string) []drift.Item {
	t.Helper()
	read := func(text string) code.Skeleton {
		f, err := lang.Parse(t.Context(), "a.py", []byte(text), lang.All)
		if err != nil {
			t.Fatal(err)
		}
		return code.Merge("a.py", []*code.File{f}, time.Unix(0, 0))
	}
	var out []drift.Item
	for _, i := range drift.Compare(t.Context(), drift.Surface{Skeleton: read(old)}, drift.Surface{Skeleton: read(now)}, message.English).Items {
		if i.Breaking {
			out = append(out, i)
		}
	}
	return out
}
