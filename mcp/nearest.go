package mcp

import "strings"

// nearest returns the name that name was probably meant to be, or "": the one
// with the same letters, else the only one that holds it or lies in it, else the
// one the fewest slips of the keyboard away, up to half of its letters.
func nearest(name string, names []string) string {
	const longest = 100 // bytes; what is longer was no slip
	if len(name) > longest {
		return ""
	}
	given := letters(name)
	var akin []string
	best, fewest := "", 0
	for _, n := range names {
		known := letters(n)
		if known == given {
			return n
		}
		const least = 3 // letters that say something
		if len(given) >= least && (strings.Contains(known, given) || strings.Contains(given, known)) {
			akin = append(akin, n)
		}
		slips := distance(given, known)
		if slips <= min(len(known)/2, 3) && (best == "" || slips < fewest) {
			best, fewest = n, slips
		}
	}
	if len(akin) == 1 {
		return akin[0]
	}
	return best
}

// letters is a name without what its spelling may vary in: targetPath,
// target_path and target-path are one.
func letters(name string) string {
	return strings.ToLower(strings.NewReplacer("_", "", "-", "").Replace(name))
}

// distance is the Levenshtein distance of two texts, in bytes.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j]+1, diagonal+1)
		}
	}
	return row[len(b)]
}
