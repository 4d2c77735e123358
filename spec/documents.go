package spec

import (
	"context"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/contracttest/runner"
)

// The limits of the texts that one contract test runs.
const (
	maxDocuments     = 100
	maxDocumentBytes = 1 << 20
)

// documents adds to the contract tests the texts of manuals with examples that use the module, where the tool of the project
// runs these beside its tests.
func (m *material) documents(ctx context.Context, list []behavior) {
	uses := m.usedInExamples()
	for i := range list {
		b := &list[i]
		d := runner.DocumentsOf(m.project.ReadFile, b.tool)
		if d == nil || uses == nil {
			continue
		}
		for _, file := range m.documentsOf(ctx, d, uses) {
			tool, test := d.Run(b.tool, file)
			filter := tool.Filter(test)
			b.all[file] = []string{filter}
			b.runs = append(b.runs, run{tool: tool, filter: filter, name: test.Name, file: file, place: file + ":1"})
		}
	}
}

// documentsOf returns the texts whose examples use the module.
func (m *material) documentsOf(ctx context.Context, d *runner.Documents, uses *regexp.Regexp) []string {
	var out []string
	for _, folder := range d.Folders {
		l, err := m.project.List(ctx, folder)
		if err != nil { // there is no such folder
			continue
		}
		for _, f := range l.Files {
			if len(out) >= maxDocuments || f.Size > maxDocumentBytes || !d.Has(f.Path) || slices.Contains(out, f.Path) {
				continue
			}
			if text, err := m.project.ReadFile(f.Path); err == nil && uses.MatchString(runner.Inputs(text)) {
				out = append(out, f.Path)
			}
		}
	}
	slices.Sort(out)
	return out
}

// usedInExamples matches code that uses an export of the module, or imports the module; nil for a module without exports.
func (m *material) usedInExamples() *regexp.Regexp {
	var names []string
	for _, s := range m.public {
		name, _, _ := strings.Cut(s.name, ".")
		if !slices.Contains(names, name) && name != "" {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return nil
	}
	slices.Sort(names)
	for i, n := range names {
		names[i] = regexp.QuoteMeta(n)
	}
	of := strings.Join(names, "|")
	module := regexp.QuoteMeta(strings.TrimSuffix(path.Base(m.target), ".py"))
	return regexp.MustCompile(`\b(?:` + of + `)\s*[.(\[]|\bimport\b.*\b(?:` + of + `|` + module + `)\b|\bfrom\b.*\b` + module + `\s+import\b`)
}
