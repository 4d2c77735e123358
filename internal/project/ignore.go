package project

import "strings"

// ignore is the patterns of one file on top of those that give way to them.
type ignore struct {
	up       *ignore
	patterns []Pattern
}

// with returns the rules with those of one more file, which stands in folder
// base, over them.
func (g *ignore) with(base string, text []byte) *ignore {
	patterns := parsePatterns(base, text)
	if len(patterns) == 0 {
		return g
	}
	return &ignore{up: g, patterns: patterns}
}

// parsePatterns reads a whole ignore file.
func parsePatterns(base string, text []byte) []Pattern {
	var patterns []Pattern
	for line := range strings.Lines(strings.TrimPrefix(string(text), "\ufeff")) {
		line = strings.TrimSuffix(line, "\n")
		line = strings.TrimSuffix(line, "\r")
		if p, ok := ParsePattern(base, line); ok {
			patterns = append(patterns, p)
		}
	}
	return patterns
}

// excludes reports whether the rules ignore a path whose folder they do not:
// the last pattern that matches decides, in the deepest file that has one.
func (g *ignore) excludes(path string, dir bool) bool {
	for ; g != nil; g = g.up {
		for i := len(g.patterns) - 1; i >= 0; i-- {
			if p := &g.patterns[i]; p.Match(path, dir) {
				return !p.negated
			}
		}
	}
	return false
}
