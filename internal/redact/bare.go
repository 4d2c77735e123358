package redact

import (
	"path"
	"strings"
)

// bare checks an unquoted value after the name text[i:end]: KEY=value in a settings file, ;Password=value; in a
// string, --password value in a command, <password>value</password>, "password: value" in a comment.
func (f *finder) bare(i, end int, s sensitivity, name string) int {
	from, loose := f.bareStart(i, end)
	if from == 0 {
		return 0
	}
	to := f.bareEnd(i, from)
	v := f.text[from:to]
	if strings.Contains(v, mark) {
		return 0
	}
	if f.text[from-1] == '>' && to < len(f.text) && f.text[to] != '<' {
		return f.element(from, s, name)
	}
	if !loose {
		if strings.ContainsAny(v, "([{") { // a call
			return 0
		}
		v = strings.TrimRight(v, "!?") // operators of TypeScript and Swift
	} else if !f.settings {
		v = strings.TrimRight(v, ".:?") // punctuation of a sentence
	}
	if to < len(f.text) && strings.IndexByte("([{", f.text[to]) >= 0 || !f.isSecret(s, name, v) || !loose && !isSure(s, v) {
		return 0
	}
	if _, token := f.token(from); token == from+len(v) {
		return 0 // reported under a more specific type
	}
	f.add(from, from+len(v), typeOf(name, v), Medium)
	return from + len(v)
}

// element checks the words in the XML element that begins at from: <secret>{id AQAA x}</secret>.
func (f *finder) element(from int, s sensitivity, name string) (end int) {
	text, _, closed := strings.Cut(f.text[from:min(len(f.text), from+1000)], "</")
	if !closed || strings.ContainsAny(text, "<;\n") {
		return 0
	}
	for at := 0; at < len(text); {
		n := run(text[at:], func(c byte) bool { return c > ' ' && c != '{' && c != '}' })
		if v := text[at : at+n]; s > weak && len(v) >= 12 && f.isSecret(s, name, v) && !strings.Contains(v, mark) {
			if _, token := f.token(from + at); token == 0 {
				f.add(from+at, from+at+n, typeOf(name, v), Medium)
				end = from + at + n
			}
		}
		at += max(n, 1)
	}
	return end
}

// bareEnd returns the end of the unquoted value that begins at from, for the name at i.
func (f *finder) bareEnd(i, from int) int {
	s := f.text
	start := f.nameStart(i)
	stops, longest := "\"'`;<>\\", 512
	switch {
	case f.settings && f.alone(start):
		longest = 4096
		stops = "\"'`\\"
	case start > 0 && strings.IndexByte("?&", s[start-1]) >= 0: // of a URL
		stops += "&"
	}
	to := from
	for ; to < len(s) && s[to] > ' ' && to-from < longest; to++ {
		if strings.IndexByte(stops, s[to]) >= 0 {
			break
		}
		if strings.IndexByte(",)]}|", s[to]) >= 0 && (to+1 == len(s) || s[to+1] <= ' ' || strings.IndexByte("\"'`,;)]}", s[to+1]) >= 0) {
			break
		}
	}
	return to
}

// isSure reports whether values of this sort are secrets even in a place that does not mark them as values: the
// words of a name would be separate.
func isSure(s sensitivity, v string) bool {
	return isHex(v, 32) || s >= weak && len(v) >= 20 && strings.Count(v, "_")+strings.Count(v, ".") < 2 && isRandom(v)
}

// bareStart returns where an unquoted value begins, 0 if there is none, and whether values are unquoted in this
// place.
func (f *finder) bareStart(i, end int) (from int, loose bool) {
	s, start := f.text, f.nameStart(i)
	before := s[max(start-1, 0)]
	if start == 0 {
		before = '\n'
	}
	if isQuote(before) && end < len(s) && s[end] == before { // in quotes, as in JSON
		if rest := s[end+1:]; strings.HasPrefix(rest, ">") { // <string name="password">
			return end + 2, true
		}
	}
	if strings.HasPrefix(s[end:], "</key>") { // of an Apple property list
		at := end + len("</key>") + run(s[end+len("</key>"):], func(c byte) bool { return c <= ' ' })
		if strings.HasPrefix(s[at:], "<string>") {
			return at + len("<string>"), true
		}
	}
	at := end + run(s[end:], isBlank)
	switch {
	case at >= len(s):
		return 0, false
	case strings.IndexByte("=:>", s[at]) < 0:
		if at == end || !f.isArgument(start, before, end, at) {
			return 0, false
		}
		return at, true
	}
	return f.behindOperator(start, end, at, before)
}

// behindOperator is bareStart for the operator at index at.
func (f *finder) behindOperator(start, end, at int, before byte) (from int, loose bool) {
	s := f.text
	value := at + 1
	if s[at] == ':' && value < len(s) && (s[value] == '-' || s[value] == '=') { // ${PASSWORD:-value}
		return value + 1, before == '{'
	}
	value += run(s[value:], isBlank)
	spaced := value > end+1
	switch {
	case s[at] == '>':
		return value, before == '<' && !spaced
	case f.settings, f.prose, f.isText(start):
		return value, true
	case spaced:
		return value, s[at] == ':' && f.alone(start) && f.endsLine(value)
	}
	return value, s[at] == '=' && f.isSetting(start, end, value, before)
}

// isSetting reports whether the name text[start:end] is assigned the unquoted value as in an environment, a URL or
// a command.
func (f *finder) isSetting(start, end, value int, before byte) bool {
	name := f.text[start:end]
	return strings.IndexByte(";?&-", before) >= 0 || f.alone(start) && f.endsLine(value) || before <= ' ' && strings.ToUpper(name) == name
}

// isArgument reports whether the next word is the value of the name text[start:end]: --password value, "password
// value" in a .netrc, ENV PASSWORD value.
func (f *finder) isArgument(start int, before byte, end, at int) bool {
	s := f.text
	if start > 1 && before == '-' && (s[start-2] == '-' || s[start-2] <= ' ') && at == end+1 {
		return s[at] != '-'
	}
	switch path.Base(f.path) {
	case ".netrc", "_netrc":
		return true
	}
	switch f.head(start) {
	case "ENV", "setenv", "setx", "SET":
		return f.endsLine(at)
	}
	return false
}

// head returns the text before start on its line, without blanks and comment marks, and shortened if long.
func (f *finder) head(start int) string {
	from := max(0, start-200)
	return strings.Trim(f.text[from+strings.LastIndexByte(f.text[from:start], '\n')+1:start], "-*/# \t$>")
}

// alone reports whether only qualifying words precede an assignment on its line.
func (f *finder) alone(start int) bool {
	switch f.head(start) {
	case "", "export", "ENV", "ARG", "set", "SET", "declare -x", "readonly", "local", "env":
		return true
	}
	return false
}

// endsLine reports whether the word at i is the last of its line, other than in code that continues.
func (f *finder) endsLine(i int) bool {
	tail, _, _ := strings.Cut(f.text[i:min(len(f.text), i+300)], "\n")
	tail = strings.TrimRight(tail, " \t\r")
	return !strings.ContainsAny(tail, " \t") && !strings.HasSuffix(tail, ",") && !strings.HasSuffix(tail, ";")
}

// isText reports whether position i is in a comment or string.
func (f *finder) isText(i int) bool {
	from := max(0, i-300)
	row := f.text[from+strings.LastIndexByte(f.text[from:i], '\n')+1 : i]
	trimmed := strings.TrimLeft(row, " \t")
	for _, mark := range []string{"//", "#", "*", "--", "<!--", "/*", ";", "%"} {
		if strings.HasPrefix(trimmed, mark) && !strings.HasPrefix(trimmed, "#[") && !strings.HasPrefix(trimmed, "#define") {
			return true
		}
	}
	if strings.Contains(row, " // ") || strings.Contains(row, " # ") || strings.Contains(row, " /* ") {
		return true
	}
	for _, quote := range []string{`"`, "`", "'"} {
		n := strings.Count(row, quote) - strings.Count(row, `\`+quote)
		if n%2 == 1 && (quote != "'" || !strings.Contains(row, "n't ") && !strings.Contains(row, "'s ")) {
			return true
		}
	}
	return false
}

// compared checks a string that is compared with, or passed to, the name text[i:end]: strcmp(password, "value"),
// password.equals("value").
func (f *finder) compared(i, end int, s sensitivity, name string) int {
	text := f.text[end:min(len(f.text), end+gapLimit)]
	start := f.nameStart(i)
	if strings.HasPrefix(text, ",") && start > 0 && f.text[start-1] == '(' || strings.HasPrefix(text, ".") || strings.HasPrefix(text, ")") {
		open := strings.IndexAny(text, "\"'`\n;")
		if open < 0 || !isQuote(text[open]) || s == weak {
			return 0
		}
		switch between := strings.Trim(text[:open], " ,.("); between {
		case "", "equals", "compareTo", "Equals", "equalsIgnoreCase", ").toBe", ").toEqual", ").toStrictEqual", ").to.equal", ").isEqualTo", "isEqualTo", "eql?":
			return f.literal(end+open, s, name)
		}
	}
	return 0
}
