package srctext

// ShortCalls returns a text of code on one line, with the arguments of as few calls as possible replaced by "…", the longest first, so
// that it has at most a number of bytes: "v, err := s.Run(…).Result()". It returns "" if that is not enough.
func ShortCalls(text string, most int) string {
	text = OneLine(text)
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
	depth, open := 0, 0
	quote := byte(0)
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case quote != 0:
			if c == '\\' && quote != '`' {
				i++
			} else if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'' || c == '`':
			quote = c
		case c == '(' || c == '[' || c == '{':
			if depth++; depth == 1 {
				open = i
			}
		case c == ')' || c == ']' || c == '}':
			if depth--; depth == 0 && c == ')' && text[open] == '(' && open > 0 && called(text[open-1]) && i-open-1 > to-from {
				from, to = open+1, i
			}
		}
	}
	return from, to
}

// called reports whether what ends with a byte is called by the bracket after it.
func called(b byte) bool {
	return b == '_' || b == ']' || b == ')' || b == '>' || b == '!' || b == '?' || b >= '0' && b <= '9' || b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z'
}
