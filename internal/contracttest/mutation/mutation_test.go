package mutation_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/reverse-spec/reverse-spec/internal/contracttest/mutation"
	"github.com/reverse-spec/reverse-spec/internal/testsupport/golden"
)

// TestFind lists the mistakes of a file in each language: its line, the lines it decides about, and what becomes of what.
func TestFind(t *testing.T) {
	golden.Archives(t, "mistakes", func(t *testing.T, files map[string][]byte) string {
		var b strings.Builder
		for name, src := range files {
			list, err := mutation.Find(name, src)
			if err != nil {
				t.Fatal(err)
			}
			for i := range list {
				m := &list[i]
				decides := ""
				if m.From > 0 {
					decides = fmt.Sprintf(" decides %d-%d", m.From, m.To)
				}
				fmt.Fprintf(&b, "%d %s%s: %q -> %q\n", m.Line, m.Kind, decides, m.Before, m.After)
				after := m.Apply(src)
				if !mutation.Reads(name, src, after) {
					t.Errorf("not %s any more: %s", name, after)
				}
			}
		}
		return b.String()
	})
}
