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
