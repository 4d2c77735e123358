package proposal

import (
	"slices"
	"strings"
)

// apart returns the cases that are called with arguments, and those that a model wrote.
func apart(list []Case) (called, written []Case) {
	for _, c := range list {
		if c.Body == "" {
			called = append(called, c)
		} else {
			written = append(written, c)
		}
	}
	return called, written
}

// importsOf returns the lines of imports of what a model wrote, each once.
func importsOf(written []Case) []string {
	var out []string
	for _, c := range written {
		for _, line := range c.Imports {
			if line = strings.TrimSuffix(strings.TrimSpace(line), ";"); line != "" && !slices.Contains(out, line) {
				out = append(out, line)
			}
		}
	}
	slices.Sort(out)
	return out
}

// indented returns lines with an indentation before each that is not blank.
func indented(text, by string) string {
	lines := strings.Split(strings.Trim(text, "\n"), "\n")
	for i, line := range lines {
		if strings.TrimSpace(line) != "" {
			lines[i] = by + strings.ReplaceAll(line, "\t", "    ")
		}
	}
	return strings.Join(lines, "\n")
}

// condition returns the condition on one line.
func (c *Case) condition() string { return strings.Join(strings.Fields(c.When), " ") }
