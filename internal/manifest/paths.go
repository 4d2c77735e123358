package manifest

import "strings"

// Within reports whether p is dir or below it. "." contains everything.
func Within(p, dir string) bool {
	return dir == "." || p == dir || strings.HasPrefix(p, dir+"/")
}

// Outside reports whether a cleaned relative path leaves the project.
func Outside(p string) bool {
	return p == ".." || strings.HasPrefix(p, "../") || strings.HasPrefix(p, "/")
}

// RelativeTo returns p relative to dir, which contains it.
func RelativeTo(p, dir string) string {
	if dir == "." {
		return p
	}
	return strings.TrimPrefix(strings.TrimPrefix(p, dir), "/")
}
