package code

import "strings"

// ShortName is the part of a symbol's name that stands in its declaration: "F" of "T.F",
// of "ns::F" and of "F[]"; "operator -" stays whole.
func ShortName(name string) string {
	name = strings.TrimSuffix(name, "[]")
	if i := strings.LastIndexAny(name, ".:"); i >= 0 && i < len(name)-1 {
		name = name[i+1:]
	}
	return name
}

// LocateNames sets the NameLine of each symbol of a text, given as its lines. A name
// that no line of the declaration holds, such as that of a constructor, is where the
// declaration begins.
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
