package commands_test

import (
	"regexp"
	"slices"
	"strings"
)

// row is a flag as a help text describes it.
type row struct {
	names []string // with dashes
	value bool     // it takes a value
	help  string   // on one line
	more  []string // other texts that describe it: the long help
}

var (
	// aFlag is the start of a line that describes a flag.
	aFlag = regexp.MustCompile(`^ *(-[-A-Za-z0-9?#]\S*)`)
	// aForm is one name with its value: -p, --port=NUM, --depth <n>, -o string.
	aForm = regexp.MustCompile(`^(--?[A-Za-z0-9?#][-A-Za-z0-9_.\[\]]*)(.*)$`)
	gap   = regexp.MustCompile(`\t| {2,}`)
)

// maxIndent is the indent of flags at most, in spaces; what is further right is help.
const maxIndent = 8

// aliases are other names in the help of clap.
var aliases = regexp.MustCompile(`\[aliases: ([^\]]*)\]`)

// parseHelp returns the flags that a help text describes. Lines of usage are left out.
func parseHelp(text string) []row {
	var out []row
	usage := false
	last, indent := -1, 0
	for line := range strings.Lines(text) {
		line = strings.TrimRight(strings.ReplaceAll(line, "\x1b[0m", ""), " \r\n")
		low := strings.ToLower(strings.TrimSpace(line))
		if strings.HasPrefix(low, "usage") || strings.HasPrefix(low, "example") {
			usage, last = true, -1
			continue
		}
		switch {
		case line == "" || strings.HasSuffix(line, ":") && !strings.HasPrefix(line, "  "):
			usage = false
			if line != "" || last >= 0 && out[last].help != "" {
				last = -1
			}
		case usage && !strings.HasPrefix(strings.TrimSpace(line), "-") || usage && strings.Contains(line, "[-"):
		case aFlag.MatchString(line) && (last < 0 || len(line)-len(strings.TrimLeft(line, " ")) <= maxIndent):
			if r, ok := parseRow(line); ok {
				out, indent, usage = append(out, r), len(line)-len(strings.TrimLeft(line, " ")), false
				last = len(out) - 1
			}
		case last >= 0 && len(line)-len(strings.TrimLeft(line, " \t")) > min(indent, 2):
			out[last].help = strings.TrimSpace(out[last].help + " " + strings.TrimSpace(line))
		default:
			last = -1
		}
	}
	for i := range out {
		if m := aliases.FindStringSubmatch(out[i].help); m != nil {
			out[i].names = append(out[i].names, strings.Split(m[1], ", ")...)
		}
	}
	return merged(out)
}

// merged joins the rows of the same flag.
func merged(list []row) []row {
	var out []row
	for _, r := range list {
		i := slices.IndexFunc(out, func(o row) bool { return slices.Equal(o.names, r.names) })
		if i < 0 {
			out = append(out, r)
			continue
		}
		out[i].more = append(out[i].more, r.help)
	}
	return out
}

// parseRow reads the line of a flag: its forms, and behind a gap its help.
func parseRow(line string) (row, bool) {
	rest := strings.TrimLeft(line, " ")
	forms, help := rest, ""
	for _, at := range gap.FindAllStringIndex(rest, -1) { // after the last form
		if after := rest[at[1]:]; !strings.HasPrefix(after, "-") {
			forms, help = rest[:at[0]], after
			break
		}
	}
	r := row{help: strings.TrimSpace(help)}
	for part := range strings.FieldsFuncSeq(strings.ReplaceAll(forms, " / ", ", "), func(c rune) bool { return c == ',' || c == '|' }) {
		part = strings.TrimSpace(part)
		m := aForm.FindStringSubmatch(part)
		if m == nil {
			continue
		}
		name := strings.TrimRight(m[1], ".")
		if i := strings.IndexAny(name, "["); i > 0 {
			if name[i:] != "[no-]" {
				m[2], name = name[i:]+m[2], name[:i]
			}
		}
		if on, ok := strings.CutPrefix(name, "--[no-]"); ok {
			r.names = append(r.names, "--no-"+on)
			name = "--" + on
		}
		r.names = append(r.names, name)
		r.value = r.value || strings.Trim(m[2], " =.") != ""
	}
	return r, len(r.names) > 0
}

// sameHelp reports whether a help text is that of a flag, apart from what libraries add: defaults, choices, the environment.
func sameHelp(ours, shown string) bool {
	a, b := plain(ours), plain(shown)
	return a == b || a != "" && strings.HasPrefix(b, a) || b != "" && strings.HasPrefix(a, b)
}

var added = regexp.MustCompile(`(?i) *[\[(](default|required|possible values|env|env var|aliases?|choices|x>=|boolean|string|number|array|count)[^\])]*[\])]`)

func plain(text string) string {
	text = added.ReplaceAllString(text, "")
	text = strings.NewReplacer("`", "", "'", "", "\"", "", "- ", "-", "**", "", "\u00a0", " ").Replace(text)
	return strings.ToLower(strings.TrimRight(strings.Join(strings.Fields(text), " "), ". "))
}

// defaultIn is a default that a help text shows.
var defaultIn = regexp.MustCompile(`(?i)[\[(]default:? ?=?([^\])]*)[\])]`)

// sharesName reports whether two lists have an element in common.
func sharesName(a, b []string) bool {
	return slices.ContainsFunc(a, func(s string) bool { return slices.Contains(b, s) })
}

// plainest returns the letters and digits of a text.
func plainest(text string) string {
	return strings.ToLower(strings.Map(func(c rune) rune {
		if strings.ContainsRune(" '\"`[](){}:", c) {
			return -1
		}
		return c
	}, text))
}
