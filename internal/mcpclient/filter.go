package mcpclient

import "strings"

// Filter selects the tools that are exposed. In a pattern "*" matches any text, also the
// empty one. A pattern with a colon is matched against "server:tool", one without against
// the tool's own name; "*" is all tools.
type Filter struct {
	Allow []string // nil for all
	Deny  []string // wins over Allow
}

// Allows reports whether a tool is exposed.
func (f Filter) Allows(t Tool) bool {
	return (f.Allow == nil || anyMatches(f.Allow, t)) && !anyMatches(f.Deny, t)
}

func anyMatches(patterns []string, t Tool) bool {
	for _, p := range patterns {
		name := t.Name
		if strings.Contains(p, ":") {
			name = t.FullName()
		}
		if matches(p, name) {
			return true
		}
	}
	return false
}

// matches reports whether a text matches a pattern. Each part between stars is matched
// at its first occurrence, which leaves the most text for the parts after it.
func matches(pattern, text string) bool {
	parts := strings.Split(pattern, "*")
	if len(parts) == 1 {
		return pattern == text
	}
	text, ok := strings.CutPrefix(text, parts[0])
	if !ok {
		return false
	}
	last := len(parts) - 1
	for _, part := range parts[1:last] {
		_, after, found := strings.Cut(text, part)
		if !found {
			return false
		}
		text = after
	}
	return strings.HasSuffix(text, parts[last])
}
