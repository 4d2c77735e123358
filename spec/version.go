package spec

import (
	"bytes"
	"slices"
)

// keepVersion gives a spec the version of the one that it replaces if both say the same: only the time at which they were
// written, the commit and what is known of their contract tests may differ.
func (s *Spec) keepVersion(old *Spec) {
	now := s.says(old)
	if !bytes.Equal(now.Render(), old.says(old).Render()) {
		return
	}
	s.Front.Version, s.Front.LastUpdated, s.Attributes = now.Front.Version, now.Front.LastUpdated, now.Attributes
}

// says returns a copy of a spec with the version of another one, without what may differ where they say the same.
func (s *Spec) says(of *Spec) *Spec {
	out := *s
	out.Front.Version, out.Front.LastUpdated, out.Front.LastVerified = of.Front.Version, of.Front.LastUpdated, ""
	out.Front.SourceCommit, out.Front.Health = "", ""
	out.Attributes = slices.Clone(s.Attributes)
	for i, a := range out.Attributes {
		if a.Name == "Version" || a.Name == "版本" {
			out.Attributes[i].Value = of.Front.Version
		}
	}
	out.ContractTests = slices.Clone(s.ContractTests)
	for i := range out.ContractTests {
		out.ContractTests[i].Checked = ""
	}
	return &out
}
