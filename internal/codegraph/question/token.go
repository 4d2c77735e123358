package question

import (
	"path"
	"slices"
	"strings"
)

// token is a part of a question, as understood. Its concept is from the vocabulary or one of
//
//	$        the name of a symbol
//	/        the path of a file or folder
//	@        a decorator
//	suffix   the extension of a file, with its dot
//	9        a number
//	kind     a kind of symbol
//	written  a language
//	unknown  none of these
type token struct {
	is        string
	text      string // as written; for names and paths, in the graph's notation
	kind      *kind
	plural    bool
	qualifier *kind // name or path: the kind that qualifies it
	middle    bool  // unknown word: capitalized inside a sentence
	module    bool  // name or path: an end of an import
	last      bool  // unknown word: the last of the question
}

func (m meaning) tokens(text string) []token {
	out := make([]token, 0, len(m.concepts))
	for _, c := range m.concepts {
		if m.value != "" {
			text = m.value
		}
		out = append(out, token{is: c, text: text, kind: m.kind, plural: m.plural})
	}
	return out
}

// nameToken returns the token for text that is quoted or has the form of a name.
func nameToken(s string) token {
	bracket := strings.IndexByte(s, '(')
	switch {
	case bracket > 0:
		s = s[:bracket]
	case extensionText().MatchString(s):
		return token{is: "suffix", text: strings.ToLower(strings.TrimPrefix(s, "*"))}
	}
	switch {
	case strings.HasPrefix(s, "@") && !strings.Contains(s, "/"): // @scope/package is a package
		return token{is: "@", text: s[1:]}
	case strings.Contains(s, "/") && !strings.Contains(s, " "):
		return token{is: "/", text: cleanPath(s)}
	case fileText().MatchString(s) && bracket < 0:
		return token{is: "/", text: s}
	}
	return token{is: "$", text: dotted.Replace(s)}
}

var (
	extensionText = lazily(`^\*?\.[A-Za-z0-9]+$`)
	fileText      = lazily(`(?i)^[\w.-]+\.(?:py|pyi|go|tsx?|jsx?|mjs|cjs|mts|java|kts?|rs|c|cc|cpp|cxx|h|hh|hpp|cs|rb|php|swift|scala|lua|dart|vue|svelte|` +
		`md|rst|txt|json|ya?ml|toml|xml|html?|s?css|sql|sh|cfg|ini|lock|ipynb|proto|gradle|mod|sum)$`)
	// dotted converts the separators of all languages to dots.
	dotted = strings.NewReplacer("::", ".", "#", ".", "->", ".", "~", "")
)

func cleanPath(s string) string {
	s = strings.Trim(strings.TrimRight(s, "*"), "/")
	return strings.TrimPrefix(path.Clean(s), "./")
}

// isFile reports whether a path is that of a file, by its extension.
func (t token) isFile() bool {
	return fileText().MatchString(path.Base(t.text)) || t.qualifier != nil && t.qualifier.labels == "File"
}

// isType reports whether a name probably is that of a type: qualified as one, or capitalized.
func (t token) isType() bool {
	if t.qualifier != nil && t.qualifier.condition != isTest {
		return t.qualifier.types
	}
	return t.is == "$" && isCapital(t.text[strings.LastIndexByte(t.text, '.')+1:])
}

// withStars adds a name, and converts one with wildcards to a condition: parse_* begins with parse_.
func (r *reading) withStars(t token) []token {
	text := strings.Trim(t.text, "*")
	if t.is != "$" || text == t.text || text == "" {
		return append(r.tokens, t)
	}
	concept := "contain"
	if !strings.HasPrefix(t.text, "*") {
		concept = "starts"
	} else if !strings.HasSuffix(t.text, "*") {
		concept = "ends"
	}
	t.text = text
	return append(slices.DeleteFunc(r.tokens, func(t token) bool { return t.is == "contain" || t.is == "named" }), token{is: concept}, t)
}
