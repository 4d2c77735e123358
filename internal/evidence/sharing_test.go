package evidence_test

import (
	"strings"
	"testing"
	"time"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/evidence"
	"github.com/reverse-spec/reverse-spec/internal/project"
	"github.com/reverse-spec/reverse-spec/internal/project/source"
	"github.com/reverse-spec/reverse-spec/internal/testsupport/golden"
)

// TestSettingsThatModulesShare compares the settings of each folder of projects whose modules read, bind and declare them for each other.
func TestSettingsThatModulesShare(t *testing.T) {
	golden.Archives(t, "sharing", func(t *testing.T, files map[string][]byte) string {
		dir := unpack(t, files)
		p, err := project.Open(dir)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { p.Close() })
		var b strings.Builder
		for _, target := range []string{"a", "b"} {
			tree, err := source.Read(t.Context(), p, target, source.Options{Parts: source.ForSpec})
			if err != nil {
				t.Fatal(err)
			}
			if err := tree.ReadImported(t.Context(), p); err != nil {
				t.Fatal(err)
			}
			b.WriteString(target + ":\n")
			list := evidence.Find(t.Context(), tree.Files, code.Merge(target, tree.Files, time.Unix(0, 0)), tree.Links, evidence.Known{Settings: tree.Settings, Sharing: tree.Sharing})
			for i := range list {
				if c := &list[i]; c.Kind == evidence.Setting || c.Kind == evidence.Environment {
					write(&b, c)
				}
			}
		}
		return b.String()
	})
}
