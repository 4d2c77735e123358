package spec

import (
	"bytes"
	"encoding/json"
	"strings"
)

// jqString formats text as a jq string inside a single-quoted shell word. JSON doubles each
// backslash, so that jq interpolates nothing.
func jqString(text string) string {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(text) // encoding a string cannot fail
	return strings.ReplaceAll(strings.TrimSpace(b.String()), "'", `'\''`)
}

// shellWord quotes a path for bash if needed.
func shellWord(path string) string {
	plain := strings.IndexFunc(path, func(c rune) bool {
		return c != '/' && c != '.' && c != '-' && c != '_' && (c < '0' || c > '9') && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z')
	}) < 0
	if plain && !strings.HasPrefix(path, "-") {
		return path
	}
	if strings.HasPrefix(path, "-") {
		path = "./" + path
	}
	return "'" + strings.ReplaceAll(path, "'", `'\''`) + "'"
}
