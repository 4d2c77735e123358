package model

import (
	"github.com/reverse-spec/reverse-spec/internal/llm/prompt"
	"github.com/reverse-spec/reverse-spec/internal/message"
)

// instructions returns the start of every context. It is constant per language, so that a
// provider can cache it.
func instructions(lang message.Lang) string {
	return message.New("What follows was read from a project by a parser: names, signatures and places are exact.").In(lang) +
		"\n" + message.Translate(lang, prompt.Rules)
}

// fenceOf returns the id of the blocks of a context.
func fenceOf(list []*draft) string {
	var texts []string
	for _, p := range list {
		for _, it := range p.items {
			texts = append(texts, it.full)
		}
	}
	return prompt.ID(texts...)
}
