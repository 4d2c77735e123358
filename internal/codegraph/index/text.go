package index

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/reverse-spec/reverse-spec/internal/message"
)

// String returns the summary in English, see [Summary.In].
func (s *Summary) String() string { return s.In(message.English) }

// In returns the summary as a few aligned lines.
func (s *Summary) In(lang message.Lang) string {
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 4, 2, ' ', 0)
	line := func(label message.Text, text string) { fmt.Fprintf(w, "%s\t%s\n", label.In(lang), text) }
	line(message.New("project"), s.Project+"  "+s.Root)
	line(message.New("run"), s.done().In(lang))
	line(message.New("files"), fmt.Sprint(s.Files)+s.left(lang))
	if s.Scip != nil {
		line(message.New("SCIP"), s.Scip.text().In(lang))
	}
	line(message.New("nodes"), fmt.Sprintf("%d  %s", total(s.Nodes), ranked(s.Nodes)))
	line(message.New("edges"), fmt.Sprintf("%d  %s", total(s.Edges), ranked(s.Edges)))
	line(message.New("calls without an edge"), fmt.Sprintf("%d  %s", total(s.Unresolved), ranked(s.Unresolved)))
	if s.ParseErrors > 0 {
		line(message.New("parse errors"), fmt.Sprint(s.ParseErrors))
	}
	line(message.New("size"), fmt.Sprintf("%.1f MB", float64(s.Size)/1e6))
	_ = w.Flush() // to a buffer
	return b.String()
}

// modes describes the modes.
func modes() map[Mode]message.Text {
	return map[Mode]message.Text{Full: message.New("full"), Incremental: message.New("incremental"), Unchanged: message.New("unchanged")}
}

// done describes what the run did.
func (s *Summary) done() message.Text {
	text := modes()[s.Mode]
	if s.Why != "" {
		text = message.New("%s (%s)", text, s.Why)
	}
	if s.Mode != Unchanged {
		text = message.New("%s: %d parsed, %d linked, %d removed", text, s.Parsed, s.Linked, s.Removed)
	}
	return message.New("%s, %s", text, s.Duration.Round(time.Millisecond).String())
}

// text describes the use of SCIP indexes.
func (s *ScipUse) text() message.Text {
	files := strings.Join(s.Files, ", ")
	told := message.Count(s.Documents, "%d file", "%d files")
	switch {
	case s.Documents+s.Written == 0:
		return message.New("%s", files)
	case s.Written == 0:
		return message.New("%s  (%s)", files, told)
	}
	return message.New("%s  (%s, %s)", files, told, message.Count(s.Written, "%d more was written since", "%d more were written since"))
}

// left describes what was left out.
func (s *Summary) left(lang message.Lang) string {
	var parts []string
	if n := s.Skipped.Total(); n > 0 {
		parts = append(parts, message.New("skipped: %s", s.Skipped).In(lang))
	}
	if s.Vendored > 0 {
		parts = append(parts, message.New("%d third-party", s.Vendored).In(lang))
	}
	if len(parts) == 0 {
		return ""
	}
	return "  (" + strings.Join(parts, message.New(", ").In(lang)) + ")"
}

func total[K ~string](m map[K]int) int {
	n := 0
	for _, k := range m {
		n += k
	}
	return n
}

// ranked lists counts, largest first.
func ranked[K ~string](m map[K]int) string {
	names := slices.SortedFunc(maps.Keys(m), func(a, b K) int { return cmp.Or(cmp.Compare(m[b], m[a]), cmp.Compare(a, b)) })
	parts := make([]string, len(names))
	for i, name := range names {
		parts[i] = fmt.Sprintf("%s %d", name, m[name])
	}
	return strings.Join(parts, ", ")
}
