package contractfile_test

import (
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/reverse-spec/reverse-spec/drift/contractfile"
	"github.com/reverse-spec/reverse-spec/internal/testsupport/golden"
)

// side returns the files of an archive below old/ or new/.
func side(texts map[string][]byte, dir string) contractfile.Side {
	files := map[string][]byte{}
	for name, text := range texts {
		if rest, ok := strings.CutPrefix(name, dir+"/"); ok {
			files[rest] = text
		}
	}
	return contractfile.Side{Files: slices.Sorted(maps.Keys(files)), Read: func(name string) ([]byte, error) {
		if text, ok := files[name]; ok {
			return text, nil
		}
		return nil, fs.ErrNotExist
	}}
}

// changedFiles returns the names of the files that differ.
func changedFiles(old, now contractfile.Side) []string {
	var out []string
	all := slices.Concat(old.Files, now.Files)
	slices.Sort(all)
	for _, name := range slices.Compact(all) {
		a, errA := old.Read(name)
		b, errB := now.Read(name)
		if (errA == nil) != (errB == nil) || string(a) != string(b) {
			out = append(out, name)
		}
	}
	return out
}

// write writes changes as text, a line each.
func write(changes []contractfile.Change, failures []contractfile.Failure) string {
	var b strings.Builder
	for _, c := range changes {
		verdict := "harmless"
		switch {
		case !c.Breaks.Empty():
			verdict = "BREAKING"
		case c.Risky:
			verdict = "risky"
		}
		place := ""
		if c.Gone {
			place = " (was)"
		}
		fmt.Fprintf(&b, "%s:%d%s %s %s: %s", c.File, c.Line, place, verdict, c.Rule, c.Words)
		if !c.Breaks.Empty() {
			fmt.Fprintf(&b, ": %s", c.Breaks)
		}
		b.WriteByte('\n')
		if c.Old == "" && c.New == "" {
			b.WriteString("  without values\n")
		}
	}
	for _, f := range failures {
		fmt.Fprintf(&b, "failed %s: %v\n", f.File, f.Err)
	}
	return b.String()
}

// TestContracts compares the old and the new files of the cases.
func TestContracts(t *testing.T) {
	for _, kind := range []string{"protobuf", "graphql", "openapi", "jsonschema", "database"} {
		t.Run(kind, func(t *testing.T) {
			golden.Archives(t, kind, func(t *testing.T, texts map[string][]byte) string {
				old, now := side(texts, "old"), side(texts, "new")
				return write(contractfile.Compare(t.Context(), old, now, changedFiles(old, now)))
			})
		})
	}
}
