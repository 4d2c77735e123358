package swift

import (
	"bytes"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/lang/srctext"
	"github.com/reverse-spec/reverse-spec/internal/lang/swift/repair"
)

// doc returns the documentation before the declaration that begins with token first:
// the last group of /// lines or /** */ comment before it. A comment at the end of the
// previous line belongs to that line.
func (s *symbolReader) doc(first int) string {
	from, to := 0, s.text.Tokens[first].Start()
	if first > 0 {
		from = s.text.Tokens[first-1].End()
		from += max(0, bytes.IndexByte(s.Source[from:to], '\n'))
	}
	return docIn(s.Source[from:to])
}

// docIn reads the comments in a text without code.
func docIn(text []byte) string {
	var lines []string
	block := ""
	for at := 0; at < len(text); {
		rest := text[at:]
		switch {
		case bytes.HasPrefix(rest, []byte("/*")):
			end := repair.CommentEnd(text, at)
			if comment := string(text[at:end]); strings.HasPrefix(comment, "/**") && comment != "/**/" {
				block, lines = srctext.BlockComment(comment), nil
			}
			at = end
		case bytes.HasPrefix(rest, []byte("//")):
			end := repair.Within(text, at, "\n")
			if line, ok := strings.CutPrefix(string(text[at:end]), "///"); ok {
				lines = append(lines, strings.TrimRight(strings.TrimPrefix(line, " "), " \t\r"))
				block = ""
			}
			at = end
		case bytes.HasPrefix(rest, []byte("\n")):
			if at++; blankLine(text[at:]) {
				lines, block = nil, "" // documents nothing
			}
		default:
			at++
		}
	}
	if block != "" {
		return block
	}
	return strings.TrimSpace(strings.Join(lines, "\n"))
}

// blankLine reports whether the first line of text is blank and not the last.
func blankLine(text []byte) bool {
	line, _, more := bytes.Cut(text, []byte("\n"))
	return more && len(bytes.TrimSpace(line)) == 0
}
