package project

import "strings"

// ignore holds the patterns of one file, and those of lower precedence.
type ignore struct {
	up       *ignore
	patterns []Pattern
}

// with returns the rules with those of another file, in folder base, at higher precedence.
func (g *ignore) with(base string, text []byte) *ignore {
	patterns := parsePatterns(base, text)
	if len(patterns) == 0 {
		return g
	}
	return &ignore{up: g, patterns: patterns}
}

// parsePatterns parses an ignore file.
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

// excludes reports whether the rules ignore a path whose folder is not ignored. The last matching pattern in the
// deepest file with a match decides.
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
