package code

// ShortCalls returns a line of code with the arguments of as few calls as possible replaced by "…", the longest first, so that it has
// at most a number of bytes: "v, err := s.Run(…).Result()". It returns "" if that is not enough.
func ShortCalls(text string, most int) string {
	for len(text) > most {
		from, to := longestArguments(text)
		if to-from <= len("…") {
			return ""
		}
		text = text[:from] + "…" + text[to:]
	}
	return text
}

// longestArguments returns where the longest arguments of a call are that is in no other one's; equal offsets for none.
func longestArguments(text string) (from, to int) {
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '"', '\'', '`':
			i = QuoteEnd(text, i)
		case '(', '[', '{':
			end := BracketEnd(text, i)
			if end < 0 {
				return from, to
			}
			if text[i] == '(' && i > 0 && isCalled(text[i-1]) && end-i-1 > to-from {
				from, to = i+1, end
			}
			i = end
		}
	}
	return from, to
}

// isCalled reports whether what ends with a byte is called by the bracket after it.
func isCalled(b byte) bool {
	switch b {
	case '_', ']', ')', '>', '!', '?':
		return true
	}
	return b >= '0' && b <= '9' || b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z'
}
