package graph

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// errTOML is what is wrong with a text that is no TOML.
var errTOML = errors.New("not valid TOML")

// maxNesting bounds arrays in arrays.
const maxNesting = 64

// tomlReader reads the TOML of manifests: tables, arrays of tables, dotted and
// quoted keys, all strings, arrays and inline tables. Numbers, dates and
// booleans are kept as written, which is all that a manifest needs of them.
type tomlReader struct {
	text string
	at   int
	line int
}

// decodeTOML returns a text's tables as map[string]any, []any and string.
func decodeTOML(data []byte) (map[string]any, error) {
	if !utf8.Valid(data) {
		return nil, fmt.Errorf("%w: no UTF-8", errTOML)
	}
	r := &tomlReader{text: strings.TrimPrefix(string(data), "\ufeff"), line: 1}
	root := map[string]any{}
	table := root
	for {
		r.skip(true)
		var err error
		switch {
		case r.at >= len(r.text):
			return root, nil
		case r.peek("[["):
			table, err = r.header(root, "[[", "]]")
		case r.peek("["):
			table, err = r.header(root, "[", "]")
		default:
			err = r.pair(table, 0)
		}
		if err == nil {
			err = r.endOfLine()
		}
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", r.line, err)
		}
	}
}

func (r *tomlReader) peek(s string) bool { return strings.HasPrefix(r.text[r.at:], s) }

// accept passes over s, if it is next.
func (r *tomlReader) accept(s string) bool {
	if !r.peek(s) {
		return false
	}
	r.at += len(s)
	r.line += strings.Count(s, "\n")
	return true
}

// skip passes over blanks and, when lines is set, line ends and comments.
func (r *tomlReader) skip(lines bool) {
	for r.at < len(r.text) {
		switch c := r.text[r.at]; {
		case c == ' ' || c == '\t':
			r.at++
		case lines && (c == '\n' || c == '\r'):
			if c == '\n' {
				r.line++
			}
			r.at++
		case lines && c == '#':
			r.comment()
		default:
			return
		}
	}
}

func (r *tomlReader) comment() {
	if n := strings.IndexByte(r.text[r.at:], '\n'); n >= 0 {
		r.at += n
	} else {
		r.at = len(r.text)
	}
}

func (r *tomlReader) endOfLine() error {
	r.skip(false)
	if r.peek("#") {
		r.comment()
	}
	if r.at >= len(r.text) || r.accept("\r\n") || r.accept("\n") {
		return nil
	}
	return fmt.Errorf("%w: end of line expected", errTOML)
}

// header reads [a.b] or [[a.b]] and returns the table that it opens.
func (r *tomlReader) header(root map[string]any, open, end string) (map[string]any, error) {
	r.accept(open)
	keys, err := r.key()
	if err != nil {
		return nil, err
	}
	if !r.accept(end) {
		return nil, fmt.Errorf("%w: %s expected", errTOML, end)
	}
	last := len(keys) - 1
	parent, err := descend(root, keys[:last])
	if err != nil {
		return nil, err
	}
	if open == "[" {
		return descend(parent, keys[last:])
	}
	list, ok := parent[keys[last]].([]any)
	if !ok && parent[keys[last]] != nil {
		return nil, fmt.Errorf("%w: %s is no array of tables", errTOML, keys[last])
	}
	table := map[string]any{}
	parent[keys[last]] = append(list, table)
	return table, nil
}

// descend returns the table at keys, made where there is none. Of an array of
// tables it is the last.
func descend(table map[string]any, keys []string) (map[string]any, error) {
	for _, k := range keys {
		next := table[k]
		if list, ok := next.([]any); ok && len(list) > 0 {
			next = list[len(list)-1]
		}
		switch t := next.(type) {
		case nil:
			made := map[string]any{}
			table[k] = made
			table = made
		case map[string]any:
			table = t
		default:
			return nil, fmt.Errorf("%w: %s is no table", errTOML, k)
		}
	}
	return table, nil
}

// key reads a.b."c d".
func (r *tomlReader) key() ([]string, error) {
	var keys []string
	for {
		r.skip(false)
		k, err := r.simpleKey()
		if err != nil {
			return nil, err
		}
		keys = append(keys, k)
		r.skip(false)
		if !r.accept(".") {
			return keys, nil
		}
	}
}

func (r *tomlReader) simpleKey() (string, error) {
	if r.peek(`"`) || r.peek("'") {
		return r.str()
	}
	n := strings.IndexFunc(r.text[r.at:], func(c rune) bool {
		return c != '_' && c != '-' && (c < '0' || c > '9') && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z')
	})
	if n < 0 {
		n = len(r.text) - r.at
	}
	if n == 0 {
		return "", fmt.Errorf("%w: key expected", errTOML)
	}
	r.at += n
	return r.text[r.at-n : r.at], nil
}

// pair reads key = value into table.
func (r *tomlReader) pair(table map[string]any, depth int) error {
	keys, err := r.key()
	if err != nil {
		return err
	}
	if !r.accept("=") {
		return fmt.Errorf("%w: = expected", errTOML)
	}
	r.skip(false)
	v, err := r.value(depth)
	if err != nil {
		return err
	}
	last := len(keys) - 1
	if table, err = descend(table, keys[:last]); err != nil {
		return err
	}
	if _, twice := table[keys[last]]; twice {
		return fmt.Errorf("%w: %s is set twice", errTOML, keys[last])
	}
	table[keys[last]] = v
	return nil
}

func (r *tomlReader) value(depth int) (any, error) {
	switch {
	case depth > maxNesting:
		return nil, fmt.Errorf("%w: nested too deep", errTOML)
	case r.peek(`"`) || r.peek("'"):
		return r.str()
	case r.accept("["):
		return r.array(depth)
	case r.accept("{"):
		return r.inlineTable(depth)
	}
	n := strings.IndexAny(r.text[r.at:], ",]}#\r\n")
	if n < 0 {
		n = len(r.text) - r.at
	}
	word := strings.TrimSpace(r.text[r.at : r.at+n])
	if word == "" {
		return nil, fmt.Errorf("%w: value expected", errTOML)
	}
	r.at += n
	return word, nil
}

func (r *tomlReader) array(depth int) (any, error) {
	out := []any{}
	for {
		r.skip(true)
		if r.accept("]") {
			return out, nil
		}
		v, err := r.value(depth + 1)
		if err != nil {
			return nil, err
		}
		out = append(out, v)
		r.skip(true)
		if !r.accept(",") && !r.peek("]") {
			return nil, fmt.Errorf("%w: , or ] expected", errTOML)
		}
	}
}

func (r *tomlReader) inlineTable(depth int) (any, error) {
	out := map[string]any{}
	for {
		r.skip(true)
		if r.accept("}") {
			return out, nil
		}
		if err := r.pair(out, depth+1); err != nil {
			return nil, err
		}
		r.skip(true)
		if !r.accept(",") && !r.peek("}") {
			return nil, fmt.Errorf("%w: , or } expected", errTOML)
		}
	}
}

// str reads a string of any of the four kinds.
func (r *tomlReader) str() (string, error) {
	for _, quote := range []string{`"""`, `'''`, `"`, `'`} {
		if r.accept(quote) {
			if len(quote) == 3 && !r.accept("\r\n") {
				r.accept("\n")
			}
			return r.quoted(quote)
		}
	}
	return "", fmt.Errorf("%w: string expected", errTOML)
}

func (r *tomlReader) quoted(quote string) (string, error) {
	var b strings.Builder
	for r.at < len(r.text) {
		c := r.text[r.at]
		switch {
		case r.accept(quote):
			for range 2 { // up to two more quotes belong to a multi-line string
				if len(quote) == 3 && r.accept(quote[:1]) {
					b.WriteString(quote[:1])
				}
			}
			return b.String(), nil
		case c == '\\' && quote[0] == '"':
			if err := r.escape(&b); err != nil {
				return "", err
			}
			continue
		case c == '\n' && len(quote) == 1:
			return "", fmt.Errorf("%w: string not closed", errTOML)
		case c == '\n':
			r.line++
		}
		b.WriteByte(c)
		r.at++
	}
	return "", fmt.Errorf("%w: string not closed", errTOML)
}

// escape reads what a backslash begins.
func (r *tomlReader) escape(b *strings.Builder) error {
	r.at++
	if r.at >= len(r.text) {
		return fmt.Errorf("%w: string not closed", errTOML)
	}
	c := r.text[r.at]
	r.at++
	if i := strings.IndexByte(`btnfre"\`, c); i >= 0 {
		b.WriteByte("\b\t\n\f\r\x1b\"\\"[i])
		return nil
	}
	if n := map[byte]int{'x': 2, 'u': 4, 'U': 8}[c]; n > 0 && r.at+n <= len(r.text) {
		code, err := strconv.ParseUint(r.text[r.at:r.at+n], 16, 31)
		if err == nil {
			r.at += n
			b.WriteRune(rune(code))
			return nil
		}
	}
	if strings.IndexByte(" \t\r\n", c) >= 0 { // a line's end, and the blanks after it, are left out
		r.at--
		r.skip(true)
		return nil
	}
	return fmt.Errorf("%w: unknown escape \\%c", errTOML, c)
}
