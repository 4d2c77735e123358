package spec

import "github.com/reverse-spec/reverse-spec/internal/wording"

// tidy removes the wrong spaces of composed Chinese texts.
func (s *Spec) tidy() {
	if s.Lang != "zh" {
		return
	}
	texts := []*string{&s.Intent, &s.Glance, &s.Options, &s.Risks, &s.TraceNote}
	for i := range s.Requirements {
		texts = append(texts, &s.Requirements[i].Title, &s.Requirements[i].Text)
	}
	for i := range s.Scenarios {
		c := &s.Scenarios[i]
		texts = append(texts, &c.Text, &c.Given, &c.When, &c.Then)
	}
	for _, text := range texts {
		*text = wording.Tidy(s.Lang, *text)
	}
}
