// Package wording says things in one of the two languages of specs.
package wording

// In returns the text in a language: the Chinese one for "zh", else the English one.
func In(lang, en, zh string) string {
	if lang == "zh" {
		return zh
	}
	return en
}
