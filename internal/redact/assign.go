package redact

import (
	"path"
	"strings"
)

// isSettings reports whether a file has a format with unquoted values.
func isSettings(file string) bool {
	base := strings.ToLower(path.Base(file))
	switch path.Ext(base) {
	case ".env", ".ini", ".cfg", ".conf", ".properties", ".toml", ".yaml", ".yml", ".tfvars", ".npmrc", ".pypirc", ".netrc":
		return true
	}
	return strings.HasPrefix(base, ".env")
}

// isProse reports whether a file is documentation.
func isProse(file string) bool {
	switch path.Ext(strings.ToLower(file)) {
	case ".md", ".markdown", ".mdx", ".rst", ".txt", ".adoc":
		return true
	}
	return false
}

// isFixture reports whether a file is test data, in which keys are made up.
func isFixture(file string) bool {
	lower := "/" + strings.ToLower(file)
	for _, part := range []string{"/testdata/", "/test/", "/tests/", "/__tests__/", "/fixtures/", "_test.", ".test.", ".spec.", "/test_"} {
		if strings.Contains(lower, part) {
			return true
		}
	}
	return false
}

// isSecret reports whether a value assigned to a name is a secret. In test data, names that are only possibly
// secret do not count, nor do the numbers of cryptographic test vectors.
func (f *finder) isSecret(s sensitivity, name, v string) bool {
	if f.fixture && (s == weak || isHex(v, 32) && (name == "SECRET" || strings.HasSuffix(name, "_KEY") && name != "API_KEY")) {
		return false
	}
	return isSecret(s, v)
}

// assignment checks whether the word text[i:end] is the name of a secret that is assigned there. It returns where
// to continue; 0 if not.
func (f *finder) assignment(i, end int) int {
	s := f.text
	if end >= len(s) {
		return 0
	}
	kind, name := sortOf(s[f.nameStart(i):end])
	if isDefault(s[i:end]) && s[end] != '"' && s[end] != '\'' && s[end] != ',' {
		kind, name = f.named(i)
	}
	if kind == noSecret {
		return 0
	}
	if open, ok := f.opening(end); ok {
		open = f.multipleAssignment(i, open)
		if to := f.literal(open, kind, name); to > 0 {
			return to
		}
	}
	if to := f.bare(i, end, kind, name); to > 0 {
		return to
	}
	if to := f.compared(i, end, kind, name); to > 0 {
		return to
	}
	return f.fallback(end, kind, name)
}

// multipleAssignment returns the quote of the string that belongs to the name at i in a multiple assignment, whose first
// string is at open: user, password = "a", "b".
func (f *finder) multipleAssignment(i, open int) int {
	from := max(0, i-100)
	before := strings.TrimSpace(f.text[from+strings.LastIndexByte(f.text[from:i], '\n')+1 : i])
	if !strings.HasSuffix(before, ",") || strings.ContainsAny(before, "(){}[]=:\"'`") {
		return open
	}
	at := open
	for range strings.Count(before, ",") {
		_, to := f.inside(at)
		next := to + 1 + run(f.text[min(to+1, len(f.text)):], func(c byte) bool { return c == ',' || c == ' ' })
		if next >= len(f.text) || !isQuote(f.text[next]) {
			return open
		}
		at = next
	}
	return at
}

// fallback checks a default value for a name that ends at end: process.env.X ?? "value", getenv("X", "value").
func (f *finder) fallback(end int, s sensitivity, name string) int {
	row, _, _ := strings.Cut(f.text[end:min(len(f.text), end+200)], "\n")
	if at := strings.IndexAny(row, "=:{"); at < 0 || at > 60 {
		return 0
	}
	env := strings.Contains(row, "env") || strings.Contains(row, "ENV")
	for at := 0; at < len(row); at++ {
		if !isQuote(row[at]) {
			continue
		}
		before := strings.TrimRight(row[:at], " @\"'")
		blanks := strings.TrimRight(row[:at], " ")
		for _, operator := range []string{"||", "??", "?:", " or", "lazy {", "lazy("} {
			if strings.HasSuffix(blanks, operator) {
				return f.literal(end+at, s, name)
			}
		}
		if env && strings.HasSuffix(before, ",") {
			return f.literal(end+at, s, name)
		}
		if _, to := f.inside(end + at); to-end < len(row) {
			at = to - end
		}
	}
	return 0
}

// longName bounds how far back the start of a name is searched, in bytes; longRow bounds a line.
const (
	longName = 100
	longRow  = 400
)

// nameStart returns the start of a name with dashes or dots whose last word begins at i.
func (f *finder) nameStart(i int) int {
	least := max(1, i-longName)
	for i > least && (f.text[i-1] == '-' || f.text[i-1] == '.') && isWord(f.text[i-2]) {
		for i--; i > 0 && isWord(f.text[i-1]); i-- {
		}
	}
	return i
}

// isDefault reports whether a word assigns a value to the name before it: default:"…" in a struct tag, default= of
// an option, value: below a name.
func isDefault(word string) bool {
	switch word {
	case "default", "Default", "value", "envDefault", "defaultValue", "default_value", "fallback":
		return true
	}
	return false
}

// named returns the meaning of the last secret name before i on its line, or on the line above if there is none.
func (f *finder) named(i int) (kind sensitivity, name string) {
	least := max(0, i-longRow-1)
	from := least + strings.LastIndexByte(f.text[least:i], '\n') + 1
	before := f.text[from:i]
	if strings.Trim(before, " \t-{,\"'") == "" && from > 0 { // YAML: the name is above the value
		least := max(0, from-longRow)
		up := least + strings.LastIndexByte(f.text[least:from-1], '\n') + 1
		before = f.text[up : from-1]
		if !strings.Contains(before, "name") {
			return noSecret, ""
		}
	}
	if len(before) > longRow {
		return noSecret, ""
	}
	for at := 0; at < len(before); at++ {
		if !isWord(before[at]) {
			continue
		}
		end := at
		for end < len(before) && (isWord(before[end]) || before[end] == '-' || before[end] == '.') {
			end++
		}
		if k, n := sortOf(strings.TrimRight(before[at:end], "-.")); k != noSecret {
			kind, name = k, n
		}
		at = end
	}
	return kind, name
}

// typeOf returns a more specific type of the secret, by its form.
func typeOf(name, v string) string {
	switch {
	case len(v) == 40 && name == "SECRET_KEY", len(v) == 40 && name == "API_KEY" && strings.ContainsAny(v, "/+"):
		return awsSecret
	case len(v) == 88 && name == "ACCOUNT_KEY" && strings.HasSuffix(v, "=="):
		return "AZURE_STORAGE_KEY"
	}
	return name
}
