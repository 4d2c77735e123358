package project

import (
	"slices"
	"strings"
	"unicode"
)

// fold returns the canonical form of a name for the most tolerant file systems: any case; without trailing dots,
// spaces and stream names (Windows); with ligatures as letters (APFS); without ignorable characters (HFS+).
func fold(name string) string {
	name, _, _ = strings.Cut(name, ":")
	name = strings.Map(func(r rune) rune {
		switch {
		case r >= 0x200c && r <= 0x200f, r >= 0x202a && r <= 0x202e, r >= 0x206a && r <= 0x206f, r == 0xfeff:
			return -1
		}
		return r
	}, name)
	name = strings.NewReplacer("ﬀ", "ff", "ﬁ", "fi", "ﬂ", "fl", "ﬃ", "ffi", "ﬄ", "ffl", "ﬅ", "st", "ﬆ", "st").Replace(name)
	name = strings.Map(firstOfCase, strings.TrimRight(name, ". "))
	return name
}

// firstOfCase returns the lowest of the characters that differ from r only by case: K for k and the Kelvin sign, S
// for the long s.
func firstOfCase(r rune) rune {
	least := r
	for other := unicode.SimpleFold(r); other != r; other = unicode.SimpleFold(other) {
		least = min(least, other)
	}
	return least
}

// sameName reports whether some file system considers a path element equal to a name of the table, including by its
// Windows short name.
func sameName(element, pattern string) bool {
	element = fold(element)
	if isShortOf(element, fold(strings.Trim(pattern, "*"))) && !strings.HasPrefix(pattern, "*") {
		return true
	}
	if start, ok := strings.CutSuffix(pattern, "*"); ok {
		return strings.HasPrefix(element, fold(start + "x")[:len(start)])
	}
	if end, ok := strings.CutPrefix(pattern, "*"); ok {
		return strings.HasSuffix(element, fold(end))
	}
	return element == fold(pattern)
}

// isShortOf reports whether a folded element may be the Windows short name (8.3) of a folded name: GITHUB~1 for
// .github, or GI7F8A~1 after several collisions. Only names longer than 8.3 or beginning with a dot have one.
func isShortOf(element, name string) bool {
	stem, extension, _ := strings.Cut(element, ".")
	start, number, ok := strings.Cut(stem, "~")
	if !ok || number == "" || strings.Trim(number, "0123456789") != "" || len(stem) > 8 || len(extension) > 3 {
		return false
	}
	bare := strings.Map(func(r rune) rune {
		if r == ' ' {
			return -1
		}
		return r
	}, strings.TrimLeft(name, "."))
	bare, _, _ = strings.Cut(bare, ".")
	const hashed = 2 // letters before four digits of a hash
	switch {
	case start == "" || bare == "":
		return false
	case strings.HasPrefix(bare, start):
		return len(start) == len(bare) || len(start) >= 8-1-len(number)
	case len(start) == hashed+4 && strings.Trim(start[hashed:], "0123456789ABCDEF") == "":
		return strings.HasPrefix(bare, start[:hashed])
	}
	return false
}

// gitName reports whether some file system considers a name equal to .git.
func gitName(name string) bool { return sameName(name, ".git") }

// within reports whether the elements of place are consecutive elements of path.
func within(path, place []string) bool {
	for at := range path {
		if at+len(place) > len(path) {
			return false
		}
		if slices.EqualFunc(path[at:at+len(place)], place, sameName) {
			return true
		}
	}
	return false
}
