// Package wording chooses between the English and the Chinese text of a spec, and counts nouns in English.
package wording

// In returns zh if lang is "zh", and en for any other language.
func In(lang, en, zh string) string {
	if lang == "zh" {
		return zh
	}
	return en
}
