// Package redact removes secrets from texts: keys, tokens, passwords, private keys. The name of a secret stays, its
// value is replaced:
//
//	const apiKey = "[REDACTED_API_KEY]"
//
// A secret is recognized by its form (an issuer's prefix, a private key block, a password in a URL) or by its name:
// a value that looks random, assigned to a name that indicates a secret. Placeholders, hashes, identifiers and
// references to stored secrets are kept. [Text] redacts a text; a [Cleaner] redacts data derived from one.
//
// Line numbers do not change, and redacting a redacted text changes nothing.
package redact

import (
	"cmp"
	"iter"
	"slices"
	"strings"
)

// Hints are context about a text.
type Hints struct {
	// Path is the file of the text, or "". In settings files (.env, .yaml, .ini, ...) values may be unquoted; in
	// test files fewer values count as secrets.
	Path string

	prose bool // comments without their code
}

// Confidence is the certainty of a detection.
type Confidence string

// The confidences.
const (
	High   Confidence = "high"   // by its form
	Medium Confidence = "medium" // by its name and appearance
)

// Detection is a detected secret.
type Detection struct {
	Type        string     `json:"type"`           // AWS_ACCESS_KEY_ID, PASSWORD, ...
	File        string     `json:"file,omitempty"` // [Hints.Path]
	Line        int        `json:"line"`           // where it begins, 1-based
	Confidence  Confidence `json:"confidence"`
	Placeholder string     `json:"placeholder"` // its replacement: [REDACTED_PASSWORD]
}

// Text returns the text with each secret replaced by a placeholder, and the detections sorted by line. A text
// without secrets is returned unchanged, with nil.
func Text(text string, h Hints) (clean string, found []Detection) {
	for f := range passes(text, h) {
		found = append(found, f.detections(h.Path)...)
		text = f.replaced()
	}
	return text, byLine(found)
}

// passes runs passes over a text until one finds nothing: a secret may be detectable only after another one was
// replaced.
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

// mark begins every placeholder.
const mark = "[REDACTED_"

// span is a range of the text to replace.
type span struct {
	from, to   int
	kind       string
	confidence Confidence
	more       bool // part of the previous span's detection
}

// finder scans a text once, word by word.
type finder struct {
	text     string
	path     string
	settings bool // values may be unquoted
	prose    bool // documentation
	fixture  bool // test data
	tokens   *[256][]prefixed
	stems    *[1 << 15]stem
	spans    []span // sorted, without overlaps, at the end
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
			i = max(i+1, f.splitToken(i))
		case c == '[' && strings.HasPrefix(s[i:], mark):
			i = pastMark(s, i)
		default:
			i++
		}
	}
}

// maxRepeated bounds the number of secrets whose further occurrences are searched for.
const maxRepeated = 256

// repeat adds the other occurrences of detected secrets, such as in a comment.
func (f *finder) repeat() {
	seen := map[string]bool{}
	for _, s := range slices.Clip(f.spans) {
		value := f.text[s.from:s.to]
		if len(value) < minAnywhere || seen[value] || len(seen) == maxRepeated {
			continue
		}
		seen[value] = true
		for at := 0; ; at += len(value) {
			n := strings.Index(f.text[at:], value)
			if n < 0 {
				break
			}
			if at += n; at != s.from && isWholeWord(f.text, at, at+len(value)) {
				f.add(at, at+len(value), s.kind, s.confidence)
			}
		}
	}
	f.apart()
}

// apart sorts the spans. Of overlapping ones the first found is kept: the scan takes precedence over gitleaks'
// rules.
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

// word checks the word that begins at i, and returns where to continue.
func (f *finder) word(i int) int {
	s := f.text
	end := i + run(s[i:], isWord)
	if i > 0 && s[i-1] == '\\' && end-i > 1 && strings.IndexByte("nrt", s[i]) >= 0 {
		i++ // of an escape sequence in a string
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

// name checks what follows the word text[i:end], which may be a name, and returns where to continue.
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

// addMore adds a continuation of the previous span.
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

// Placeholder returns the replacement of a secret of a type.
func Placeholder(kind string) string { return mark + kind + "]" }

// pastMark returns the end of the placeholder at i.
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
