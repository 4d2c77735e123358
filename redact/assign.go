package redact

import (
	"path"
	"strings"
)

// isSettings tells files in which values stand without quotes.
func isSettings(file string) bool {
	base := strings.ToLower(path.Base(file))
	switch path.Ext(base) {
	case ".env", ".ini", ".cfg", ".conf", ".properties", ".toml", ".yaml", ".yml", ".tfvars", ".npmrc", ".pypirc", ".netrc":
		return true
	}
	return strings.HasPrefix(base, ".env")
}

// isFixture tells files in which keys are made up.
func isFixture(file string) bool {
	lower := "/" + strings.ToLower(file)
	for _, part := range []string{"/testdata/", "/test/", "/tests/", "/__tests__/", "/fixtures/", "_test.", ".test.", ".spec.", "/test_"} {
		if strings.Contains(lower, part) {
			return true
		}
	}
	return false
}

// isSecret is whether a value given to a name is one to hide, in this file: where tests
// stand, what only may be a secret is none, and the numbers that cryptography is tested
// with are none either.
func (f *finder) isSecret(s sort, name, v string) bool {
	if f.fixture && (s == weak || isHex(v, 32) && (name == "SECRET" || strings.HasSuffix(name, "_KEY") && name != "API_KEY")) {
		return false
	}
	return isSecret(s, v)
}

// assignment looks whether the word from i to end names a secret that is given right
// there, and returns where to go on; 0 when it is not.
func (f *finder) assignment(i, end int) int {
	s := f.text
	if end >= len(s) {
		return 0
	}
	kind, name := noSecret, ""
	switch word := s[i:end]; {
	case isDefault(word) && s[end] != '"' && s[end] != '\'' && s[end] != ',':
		kind, name = f.named(i)
	case hasStem(word):
		kind, name = sortOf(s[f.nameStart(i):end])
	}
	if kind == noSecret {
		return 0
	}
	if open, ok := f.opening(end); ok {
		return f.literal(open, kind, name)
	}
	return f.bare(i, end, kind, name)
}

// nameStart returns where a name with dashes or dots begins whose last word begins at i.
func (f *finder) nameStart(i int) int {
	for i > 1 && (f.text[i-1] == '-' || f.text[i-1] == '.') && isWord(f.text[i-2]) {
		for i--; i > 0 && isWord(f.text[i-1]); i-- {
		}
	}
	return i
}

// isDefault tells words that give a value to what was named before: default:"…" in a
// struct tag, default= of an option, value: below a name.
func isDefault(word string) bool {
	switch word {
	case "default", "Default", "value", "envDefault", "defaultValue", "default_value", "fallback":
		return true
	}
	return false
}

// named returns what the names before i on its line say, or on the line above where
// there is none: the last that speaks of a secret.
func (f *finder) named(i int) (kind sort, name string) {
	from := strings.LastIndexByte(f.text[:i], '\n') + 1
	before := f.text[from:i]
	if strings.Trim(before, " \t-{,\"'") == "" && from > 0 { // YAML: name above value
		up := strings.LastIndexByte(f.text[:from-1], '\n') + 1
		before = f.text[up : from-1]
		if !strings.Contains(before, "name") {
			return noSecret, ""
		}
	}
	if len(before) > 400 {
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

// literal looks at the string whose quote is at open, given to a name; it returns
// where to go on, 0 when it is not a secret.
func (f *finder) literal(open int, s sort, name string) int {
	from, to := f.inside(open)
	if _, end := f.token(from); end == to || to <= from || !f.isSecret(s, name, f.text[from:to]) {
		return 0 // a token has a closer name
	}
	f.add(from, to, typeOf(name, f.text[from:to]), Medium)
	for { // "first" + "second"
		open := f.continued(to)
		if open == 0 {
			return to
		}
		from, end := f.inside(open)
		if v := f.text[from:end]; len(v) < 8 || !isPlain(v) || isReference(v) || isPlaceholder(v) || isWordy(v, 4) {
			return to
		}
		f.addMore(from, end, name)
		to = end
	}
}

// continued returns the quote of the string that is joined to the one that ends at i: by
// an operator, a backslash, or the end of a line alone; 0 when none is.
func (f *finder) continued(i int) (open int) {
	glue := f.text[i:min(len(f.text), i+40)]
	glue = glue[:run(glue, func(c byte) bool { return isQuote(c) || strings.IndexByte("+.\\ \t\r\n", c) >= 0 })]
	if len(glue) < 3 || !isQuote(glue[len(glue)-1]) || !strings.ContainsAny(glue, "+.\\\n") || strings.Count(glue, "\n") > 1 {
		return 0
	}
	return i + len(glue) - 1
}

// inside returns what is in the string whose quote is at open: up to the same quote on
// the line, or the only line of text in a string of several.
func (f *finder) inside(open int) (from, to int) {
	s, quote := f.text, f.text[open]
	from = open + 1
	if strings.HasPrefix(s[from:], string([]byte{quote, quote})) {
		from += 2
	}
	for from < len(s) && (s[from] == '\n' || s[from] == '\r' || isBlank(s[from])) && from-open < 60 {
		from++
	}
	to = from
	for to < len(s) && s[to] != quote && s[to] != '\n' && s[to] != '\\' {
		to++
	}
	for to > from && (s[to-1] == '\r' || isBlank(s[to-1])) {
		to--
	}
	return from, to
}

// bare looks at a value without quotes behind the name from i to end: KEY=value in a
// file of settings, ;Password=value; in a string, <password>value</password>.
func (f *finder) bare(i, end int, s sort, name string) int {
	from, loose := f.bareStart(i, end)
	if from == 0 {
		return 0
	}
	to := from + run(f.text[from:], func(c byte) bool { return strings.IndexByte(" \t\r\n\"'`;,&<>()[]{}|\\", c) < 0 })
	v, after := f.text[from:to], byte('\n')
	if to < len(f.text) {
		after = f.text[to]
	}
	if isQuote(after) && f.text[max(i-1, 0)] == after {
		loose = true // "Password: value"
	}
	if !loose {
		v = strings.TrimRight(v, "!?") // of TypeScript and Swift
	}
	if strings.IndexByte("([{", after) >= 0 || !f.isSecret(s, name, v) || !loose && !isSure(s, v) {
		return 0
	}
	f.add(from, from+len(v), typeOf(name, v), Medium)
	return from + len(v)
}

// isSure tells values that are secrets although nothing marks them as values: they are
// no names, whose words stand apart.
func isSure(s sort, v string) bool {
	return isHex(v, 32) || s != weak && len(v) >= 20 && strings.Count(v, "_")+strings.Count(v, ".") < 2 && isRandom(v)
}

// bareStart returns where a value without quotes begins, 0 when none does, and whether
// this is a place where values have none.
func (f *finder) bareStart(i, end int) (from int, loose bool) {
	s := f.text
	at := end + run(s[end:], isBlank)
	if at >= len(s) || strings.IndexByte("=:>", s[at]) < 0 {
		return 0, false
	}
	value := at + 1 + run(s[at+1:], isBlank)
	spaced := value > end+1
	start := f.nameStart(i)
	before := s[max(start-1, 0)]
	switch {
	case s[at] == '>':
		return value, before == '<' && !spaced
	case f.settings:
		return value, true
	case s[at] == '=' && !spaced:
		return value, strings.IndexByte(";?&", before) >= 0 || f.alone(start, end, value)
	}
	return value, false
}

// alone tells whether an assignment fills its line: "export key=value", "KEY=value".
func (f *finder) alone(start, end, value int) bool {
	s := f.text
	head := strings.TrimSpace(s[strings.LastIndexByte(s[:start], '\n')+1 : start])
	tail, _, _ := strings.Cut(s[value:min(len(s), value+300)], "\n")
	if strings.ContainsAny(strings.TrimSpace(tail), " \t") {
		return false
	}
	switch strings.Trim(head, "-*/# \t$>") {
	case "export", "ENV", "ARG", "set", "declare -x":
		return true
	case "":
		return strings.ToUpper(s[start:end]) == s[start:end] // as names in the environment are
	}
	return false
}

// typeOf names the secret more closely by what it is.
func typeOf(name, v string) string {
	switch {
	case len(v) == 40 && name == "SECRET_KEY", len(v) == 40 && name == "API_KEY" && strings.ContainsAny(v, "/+"):
		return awsSecret
	case len(v) == 88 && name == "ACCOUNT_KEY" && strings.HasSuffix(v, "=="):
		return "AZURE_STORAGE_KEY"
	}
	return name
}
