// Package suggest finds the name that a mistyped name was probably meant to be.
package suggest

import "strings"

// maxLength is the longest name, in bytes, that is searched for.
const maxLength = 100

// Nearest returns the element of names that name was probably meant to be, or "". It prefers equal letters, then
// the only element that contains name or is contained in it, then the first with the smallest edit distance, at
// most three and half of the letters.
func Nearest(name string, names []string) string {
	if len(name) > maxLength {
		return ""
	}
	given := normalize(name)
	var akin []string
	best, fewest := "", 0
	for _, n := range names {
		known := normalize(n)
		if known == given {
			return n
		}
		const least = 3 // fewer letters match by chance
		if min(len(given), len(known)) >= least && (strings.Contains(known, given) || strings.Contains(given, known)) {
			akin = append(akin, n)
		}
		limit := min(len(known)/2, len(given)/2, 3)
		slips := Distance([]rune(given), []rune(known), limit)
		if slips <= limit && (best == "" || slips < fewest) {
			best, fewest = n, slips
		}
	}
	if len(akin) == 1 {
		return akin[0]
	}
	return best
}

// normalize returns a name without case and separators: targetPath, target_path and target-path are equal.
func normalize(name string) string {
	return strings.ToLower(strings.NewReplacer("_", "", "-", "").Replace(name))
}

// Distance returns the number of insertions, deletions, replacements and swaps of neighbours that turn a into b;
// some number above limit if there are more than limit.
func Distance(a, b []rune, limit int) int {
	if max(len(a)-len(b), len(b)-len(a)) > limit {
		return limit + 1
	}
	before, last, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		before, last, row = last, row, before
		row[0] = i
		least := i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
			least = min(least, row[j])
		}
		if least > limit {
			return limit + 1
		}
	}
	return row[len(b)]
}
