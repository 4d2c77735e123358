package wording

import (
	"strconv"
	"strings"
)

// Count returns a number with its English noun: "1 module", "2 modules", "0 entries", "3 classes".
func Count(n int, noun string) string {
	switch {
	case n == 1:
	case strings.HasSuffix(noun, "s"):
		noun += "es"
	case strings.HasSuffix(noun, "ry"), strings.HasSuffix(noun, "ty"):
		noun = strings.TrimSuffix(noun, "y") + "ies"
	default:
		noun += "s"
	}
	return strconv.Itoa(n) + " " + noun
}
