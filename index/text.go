package index

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"
	"time"
)

// String words the summary for a reader, in a few aligned lines.
func (s *Summary) String() string {
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 4, 2, ' ', 0)
	line := func(label, text string) {
		if text != "" {
			fmt.Fprintf(w, "%s\t%s\n", label, text)
		}
	}
	line("project", s.Project+"  "+s.Root)
	line("run", s.done())
	line("files", fmt.Sprint(s.Files)+s.left())
	line("SCIP", s.Scip.text())
	line("nodes", fmt.Sprintf("%d  %s", total(s.Nodes), ranked(s.Nodes)))
	line("edges", fmt.Sprintf("%d  %s", total(s.Edges), ranked(s.Edges)))
	line("calls without an edge", fmt.Sprintf("%d  %s", total(s.Unresolved), ranked(s.Unresolved)))
	if s.ParseErrors > 0 {
		line("parse errors", fmt.Sprint(s.ParseErrors))
	}
	line("size", fmt.Sprintf("%.1f MB", float64(s.Size)/1e6))
	_ = w.Flush() // into memory
	return b.String()
}

// done words what the run did.
func (s *Summary) done() string {
	text := string(s.Mode)
	if s.Why != "" {
		text += " (" + s.Why + ")"
	}
	if s.Mode != Unchanged {
		text += fmt.Sprintf(": %d parsed, %d linked, %d removed", s.Parsed, s.Linked, s.Removed)
	}
	return text + ", " + s.Duration.Round(time.Millisecond).String()
}

// text words what SCIP indexes brought; "" without any.
func (s *ScipUse) text() string {
	if s == nil {
		return ""
	}
	text := strings.Join(s.Files, ", ")
	if s.Documents+s.Written == 0 {
		return text
	}
	text += fmt.Sprintf("  (%d files", s.Documents)
	if s.Written > 0 {
		text += fmt.Sprintf(", %d more were written since", s.Written)
	}
	return text + ")"
}

// left words what was left out.
func (s *Summary) left() string {
	var parts []string
	if n := s.Skipped.Total(); n > 0 {
		parts = append(parts, "skipped: "+s.Skipped.String())
	}
	if s.Vendored > 0 {
		parts = append(parts, fmt.Sprintf("%d third-party", s.Vendored))
	}
	if len(parts) == 0 {
		return ""
	}
	return "  (" + strings.Join(parts, ", ") + ")"
}

func total[K ~string](m map[K]int) int {
	n := 0
	for _, k := range m {
		n += k
	}
	return n
}

// ranked lists counts, the largest first.
func ranked[K ~string](m map[K]int) string {
	names := slices.SortedFunc(maps.Keys(m), func(a, b K) int { return cmp.Or(cmp.Compare(m[b], m[a]), cmp.Compare(a, b)) })
	parts := make([]string, len(names))
	for i, name := range names {
		parts[i] = fmt.Sprintf("%s %d", name, m[name])
	}
	return strings.Join(parts, ", ")
}
