package drift

// Rules returns the rule table.
func Rules() []Rule { return append([]Rule(nil), rules...) }

// WithText returns a surface whose only file has a text.
func WithText(s Surface, text string) Surface {
	s.text = func(string) []byte { return []byte(text) }
	return s
}
