package spec

import "github.com/reverse-spec/reverse-spec/internal/fence"

// instructions open every context; they are the same for all, so that a provider can keep
// what it made of them.
const instructions = `What follows was read from a project by a parser: names, signatures and places are exact.
` + fence.Rules

// fenceOf returns the id of the blocks of a context.
func fenceOf(list []*parcel) string {
	var texts []string
	for _, p := range list {
		for _, it := range p.items {
			texts = append(texts, it.full)
		}
	}
	return fence.ID(texts...)
}
