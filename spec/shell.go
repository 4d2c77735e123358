package spec

import "strings"

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
