package repair

import (
	"bytes"

	"github.com/reverse-spec/reverse-spec/internal/lang/srctext"
)

// scalaXMLEnd returns the end of the XML that begins at an offset, including directly
// following elements, or 0 if there is none. Code in braces is skipped.
func scalaXMLEnd(text []byte, at, depth int) int {
	end := scalaXMLItem(text, at, depth)
	for end > 0 {
		next := end
		for next < len(text) && bytes.IndexByte([]byte(" \t\r\n"), text[next]) >= 0 {
			next++
		}
		if next+1 >= len(text) || text[next] != '<' || !srctext.NameByte(text[next+1]) && text[next+1] != '!' {
			break
		}
		after := scalaXMLItem(text, next, depth)
		if after == 0 {
			break
		}
		end = after
	}
	return end
}

// scalaXMLItem returns the end of one element, comment or CDATA section.
func scalaXMLItem(text []byte, at, depth int) int {
	for open, end := range map[string]string{"<!--": "-->", "<![CDATA[": "]]>", "<?": "?>"} {
		if bytes.HasPrefix(text[at:], []byte(open)) {
			return after(text, at, end)
		}
	}
	level := 0
	for at < len(text) {
		switch {
		case bytes.HasPrefix(text[at:], []byte("<!--")):
			at = after(text, at, "-->")
		case bytes.HasPrefix(text[at:], []byte("<![CDATA[")):
			at = after(text, at, "]]>")
		case bytes.HasPrefix(text[at:], []byte("</")):
			level--
			at = after(text, at, ">")
		case text[at] == '<':
			end, closed := scalaXMLTag(text, at, depth)
			if end == 0 {
				return 0
			}
			if at = end; !closed {
				level++
			}
		case text[at] == '{':
			at = scalaSpliced(text, at, depth+1)
		default:
			at++
			continue
		}
		if at == 0 || level <= 0 {
			return at
		}
	}
	return 0
}

// scalaXMLTag returns the end of a start tag, and whether it is an empty element.
func scalaXMLTag(text []byte, at, depth int) (end int, closed bool) {
	if at+1 >= len(text) || !srctext.NameByte(text[at+1]) {
		return 0, false
	}
	at++
	for at < len(text) && (srctext.NameByte(text[at]) || text[at] == '-' || text[at] == '.' || text[at] == ':') {
		at++
	}
	for at < len(text) {
		switch c := text[at]; c {
		case '>':
			return at + 1, text[at-1] == '/'
		case '"', '\'':
			if at = after(text, at+1, string(c)); at == 0 {
				return 0, false
			}
		case '{':
			at = scalaSpliced(text, at, depth+1)
		case '<', ';', '(', ')':
			return 0, false // a comparison
		default:
			at++
		}
	}
	return 0, false
}

// after returns the offset after the next mark, or 0 if there is none.
func after(text []byte, at int, mark string) int {
	i := bytes.Index(text[at:], []byte(mark))
	if i < 0 {
		return 0
	}
	return at + i + len(mark)
}
