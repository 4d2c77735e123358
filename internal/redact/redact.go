// Package redact takes secrets out of texts before they leave: keys, tokens,
// passwords, private keys. What a secret is called stays, what it is goes:
//
//	const apiKey = "[REDACTED_API_KEY]"
//
// A secret is known by its own form (a prefix that its issuer gives it, a block of a
// private key, a password in a URL) or by its name: what is assigned to a name that
// speaks of secrets and looks as if nobody had thought of it. Placeholders, hashes,
// identifiers and references to where a secret is kept stay as they are.
//
// Lines stay lines, so that a line of the text is the same line afterwards, and a
// text that was redacted is left alone.
package redact

import (
	"cmp"
	"iter"
	"slices"
	"strings"
)

// Hints say what is known of a text.
type Hints struct {
	// Path is the file that the text is of, or "". In files of settings (.env, .yaml,
	// .ini, ...) values need no quotes; in those of tests more is made up.
	Path string

	prose bool // comments, apart from their code
}

// Confidence is how sure it is that a text was a secret.
type Confidence string

// The confidences.
const (
	High   Confidence = "high"   // by its own form
	Medium Confidence = "medium" // by its name and its looks
)

// Detection is one secret that was found.
type Detection struct {
	Type        string     `json:"type"`           // AWS_ACCESS_KEY_ID, PASSWORD, ...
	File        string     `json:"file,omitempty"` // [Hints.Path]
	Line        int        `json:"line"`           // where it begins; 1-based
	Confidence  Confidence `json:"confidence"`
	Placeholder string     `json:"placeholder"` // what stands there now: [REDACTED_PASSWORD]
}

// Text returns the text with a placeholder in place of each secret, and what was found,
// by line. A text without secrets is returned as it is, with nil.
func Text(text string, h Hints) (clean string, found []Detection) {
	for f := range passes(text, h) {
		found = append(found, f.detections(h.Path)...)
		text = f.replaced()
	}
	return text, byLine(found)
}

// passes goes through a text until nothing more is found: a secret may be seen only when
// another beside it is gone.
func passes(text string, h Hints) iter.Seq[*finder] {
	return func(yield func(*finder) bool) {
		for {
			f := &finder{text: text, path: h.Path, settings: isSettings(h.Path), prose: h.prose || isProse(h.Path), fixture: isFixture(h.Path), tokens: tokensByFirst(), stems: stemTable()}
			f.run()
			f.issued()
			f.apart()
			f.repeat()
			if len(f.spans) == 0 || !yield(f) {
				return
			}
			text = f.replaced()
		}
	}
}

func byLine(found []Detection) []Detection {
	slices.SortStableFunc(found, func(a, b Detection) int { return a.Line - b.Line })
	return found
}

// Value is Text for a text that stands apart from its name: the default of a
// parameter, what a constant is set to. Only the first of its lines is looked at with
// the name.
func Value(name, text string, h Hints) string {
	head := name + " = "
	clean, _ := Text(head+text, h)
	return strings.TrimPrefix(clean, head)
}

// mark is how every placeholder begins.
const mark = "[REDACTED_"

// span is a part of a text that has to go.
type span struct {
	from, to   int
	kind       string
	confidence Confidence
	more       bool // goes with the span before: no detection of its own
}

// finder goes through a text once, word by word.
type finder struct {
	text     string
	path     string
	settings bool // values need no quotes
	prose    bool // text for people
	fixture  bool // of tests
	tokens   *[256][]prefixed
	stems    *[1 << 15]stem
	spans    []span // in order, apart
}

func (f *finder) run() {
	s := f.text
	for i := 0; i < len(s); {
		switch c := s[i]; {
		case isWord(c):
			i = f.word(i)
		case c == ':' && strings.HasPrefix(s[i:], "://"):
			i = f.url(i)
		case c == '-' && strings.HasPrefix(s[i:], "-----BEGIN "):
			i = f.block(i)
		case c == '-':
			i = max(i+1, f.flag(i))
		case c == '@' && i > 0 && s[i-1] > ' ':
			i = max(i+1, f.dsn(i))
		case c == '+' || c == '.':
			i = max(i+1, f.glued(i))
		case c == '[' && strings.HasPrefix(s[i:], mark):
			i = pastMark(s, i)
		default:
			i++
		}
	}
}

// repeated is how many secrets of a text are looked for in all of it.
const repeated = 256

// repeat adds the other places where what was found stands: in the comment above it, say.
func (f *finder) repeat() {
	seen := map[string]bool{}
	for _, s := range slices.Clip(f.spans) {
		value := f.text[s.from:s.to]
		if len(value) < surely || seen[value] || len(seen) == repeated {
			continue
		}
		seen[value] = true
		for at := 0; ; at += len(value) {
			n := strings.Index(f.text[at:], value)
			if n < 0 {
				break
			}
			if at += n; at != s.from && isApart(f.text, at, at+len(value)) {
				f.add(at, at+len(value), s.kind, s.confidence)
			}
		}
	}
	f.apart()
}

// apart puts the spans in order. Of two that overlap the first found stays: what the
// walk sees goes before what the rules of others say of the same place.
func (f *finder) apart() {
	type ranked struct {
		span
		rank int
	}
	all := make([]ranked, len(f.spans))
	for i, s := range f.spans {
		all[i] = ranked{s, i}
	}
	slices.SortFunc(all, func(a, b ranked) int { return cmp.Or(a.from-b.from, a.rank-b.rank) })
	out := all[:0]
	for _, s := range all {
		n := len(out)
		for n > 0 && s.from < out[n-1].to && s.rank < out[n-1].rank {
			n--
		}
		if n == 0 || s.from >= out[n-1].to {
			out = append(out[:n], s)
		}
	}
	f.spans = f.spans[:0]
	for _, s := range out {
		f.spans = append(f.spans, s.span)
	}
}

// word looks at the word that begins at i and returns where to go on.
func (f *finder) word(i int) int {
	s := f.text
	end := i + run(s[i:], isWord)
	if i > 0 && s[i-1] == '\\' && end-i > 1 && strings.IndexByte("nrt", s[i]) >= 0 {
		i++ // of an escape in a string
	}
	if kind, to := f.token(i); to > 0 {
		f.add(i, to, kind, High)
		if kind == awsID {
			return f.awsSecret(to)
		}
		return to
	}
	if to := f.shape(i, end); to > 0 {
		return to
	}
	return f.name(i, end)
}

// name looks at what follows the word from i to end, which may be a name, and returns
// where to go on.
func (f *finder) name(i, end int) int {
	word := f.text[i:end]
	switch word {
	case "Bearer", "bearer", "BEARER", "Basic", "basic":
		if to := f.scheme(word, end); to > 0 {
			return to
		}
	case "Cookie", "cookie":
		if to := f.cookie(end); to > 0 {
			return to
		}
	case "IDENTIFIED", "identified":
		return max(end, f.identifiedBy(i, end))
	}
	stems := stemsOf(f.stems, word)
	if stems&secretStem != 0 || isDefault(word) {
		if to := f.assignment(i, end); to > 0 {
			return to
		}
	}
	if stems&signInStem != 0 {
		if to := f.call(i, end); to > 0 {
			return to
		}
	}
	return end
}

func (f *finder) add(from, to int, kind string, c Confidence) {
	f.spans = append(f.spans, span{from: from, to: to, kind: kind, confidence: c})
}

// addMore adds what belongs to the span before.
func (f *finder) addMore(from, to int, kind string) {
	f.spans = append(f.spans, span{from: from, to: to, kind: kind, more: true})
}

func (f *finder) detections(path string) []Detection {
	var out []Detection
	line, at := 1, 0
	for _, s := range f.spans {
		line += strings.Count(f.text[at:s.from], "\n")
		at = s.from
		if !s.more {
			out = append(out, Detection{s.kind, path, line, s.confidence, Placeholder(s.kind)})
		}
	}
	return out
}

func (f *finder) replaced() string {
	var b strings.Builder
	b.Grow(len(f.text))
	at := 0
	for _, s := range f.spans {
		b.WriteString(f.text[at:s.from])
		b.WriteString(Placeholder(s.kind))
		at = s.to
	}
	b.WriteString(f.text[at:])
	return b.String()
}

// Placeholder is what stands in place of a secret of a type.
func Placeholder(kind string) string { return mark + kind + "]" }

// pastMark returns where the placeholder at i ends.
func pastMark(s string, i int) int {
	i += len(mark)
	for i < len(s) && (isUpper(s[i]) || s[i] == '_') {
		i++
	}
	return i
}

func isWord(c byte) bool { return isLetter(c) || isDigit(c) || c == '_' }

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func isBlank(c byte) bool { return c == ' ' || c == '\t' }
