package code

import "strings"

// ShortName returns the part of a symbol's name that appears in its declaration: "F" for "T.F", "ns::F" and "F[]".
// "operator -" is returned whole.
func ShortName(name string) string {
	name = strings.TrimSuffix(name, "[]")
	if i := strings.LastIndexAny(name, ".:"); i >= 0 && i < len(name)-1 {
		name = name[i+1:]
	}
	return name
}

// LocateNames sets the NameLine of each symbol of a text, given as its lines. If no line of the declaration
// contains the name, as for a constructor, NameLine is its first line.
func LocateNames(list []Symbol, lines []string) {
	for i := range list {
		s := &list[i]
		s.NameLine = s.StartLine
		name := ShortName(s.Name)
		for line := max(s.StartLine, 1); line <= min(s.EndLine, len(lines)); line++ {
			if strings.Contains(lines[line-1], name) {
				s.NameLine = line
				break
			}
		}
		LocateNames(s.Members, lines)
	}
}
