package ask

// Concepts is a question as it is read, for tests: what each token is, and the text
// of names.
func Concepts(question string) []string {
	var out []string
	for _, t := range read(question).tokens {
		switch t.is {
		case "$", "/", "@", "suffix", "9", "unknown", "written":
			out = append(out, t.is+":"+t.text)
		default:
			out = append(out, t.is)
		}
	}
	return out
}
