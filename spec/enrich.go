package spec

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/wording"
	"github.com/reverse-spec/reverse-spec/spec/markdown"
	"github.com/reverse-spec/reverse-spec/spec/model"
)

// awaiting comes first in a spec whose writer failed, in the contract's words.
const awaiting = "[LLM UNAVAILABLE — pending enrichment]"

// AwaitsWriter reports whether a writer was asked for this spec and failed.
func (s *Spec) AwaitsWriter() bool { return strings.HasPrefix(s.Intent, awaiting) }

// enrich asks the writer of the options for prose and adds it to the spec. A writer that
// fails is reported in the result; the error is ctx's, or that of reading the code.
func (m *material) enrich(ctx context.Context, s *Spec, o GenerateOptions) (*model.Explanation, error) {
	ask := model.ExplainOptions{Lang: m.lang}
	for _, r := range s.Requirements {
		ask.Requirements = append(ask.Requirements, model.Requirement{ID: r.ID, Title: r.Title})
	}
	out, err := m.forModel().Explain(ctx, o.Writer, ask)
	if err != nil {
		return nil, err
	}
	for _, p := range out.Prose {
		m.put(s, p, o.Writer.Name())
	}
	if out.Failed != nil {
		s.Intent = above(awaiting, s.Intent)
	}
	return out, nil
}

// put adds prose to the sections of a spec, each below a line that names its author.
func (m *material) put(s *Spec, p model.Prose, by string) {
	for _, section := range []struct {
		to   *string
		list []string
	}{{&s.Intent, p.Intent}, {&s.Logic, p.Logic}, {&s.Constraints, p.Constraints}, {&s.EdgeCases, p.EdgeCases}, {&s.Debt, p.Debt}} {
		if len(section.list) == 0 {
			continue
		}
		var rows []string
		for _, text := range section.list {
			rows = append(rows, "- "+markdown.QuotedRow(text))
		}
		*section.to = above(*section.to, m.byline(by)+"\n\n"+strings.Join(rows, "\n"))
	}
	for _, id := range slices.Sorted(maps.Keys(p.Requirements)) {
		var texts []string
		for _, text := range p.Requirements[id] {
			texts = append(texts, markdown.Quoted(text))
		}
		i := slices.IndexFunc(s.Requirements, func(r Requirement) bool { return r.ID == id })
		r := &s.Requirements[i]
		r.Text = above(r.Text, m.byline(by)+" "+strings.Join(texts, " "))
	}
}

// byline names the author of the text after it, and says that the text was checked.
func (m *material) byline(by string) string {
	return fmt.Sprintf(wording.In(m.lang, "_Explained by %s; its names and citations were checked against the code:_",
		"_由 %s 撰写；其中的名称与引用已对照代码核实：_"), by)
}
