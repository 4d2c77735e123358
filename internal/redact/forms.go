package redact

import (
	"encoding/base64"
	"strings"
)

// url checks the password in the URL whose "://" is at i, and returns where to continue.
func (f *finder) url(i int) int {
	s := f.text
	from := i + len("://")
	if to := f.webhook(from); to > 0 {
		return to
	}
	end := from + run(s[from:min(len(s), from+400)], func(c byte) bool { return strings.IndexByte("/ \t\r\n\"'`<>\\|)", c) < 0 })
	at := from + strings.LastIndexByte(s[from:end], '@')
	colon := from + strings.IndexAny(s[from:end], ":?#,;")
	if at < from || colon < from || at < colon || s[colon] != ':' {
		return from
	}
	v := s[colon+1 : at]
	if port := run(v, isDigit); port > 0 && port < len(v) && strings.IndexByte("?#", v[port]) >= 0 { // http://host:80?to=a@b
		return from
	}
	if len(v) < 4 || !isPlain(v) || isPlaceholder(v) || isReference(v) || isURLPlaceholder(v) {
		return from
	}
	f.add(colon+1, at, "URL_PASSWORD", High)
	return at
}

// isURLPlaceholder reports whether a password is a placeholder, as in documentation of URLs.
func isURLPlaceholder(v string) bool {
	switch strings.ToLower(v) {
	case "pass", "pwd", "pw", "word", "test", "passw", "user", "admin", "root", "guest", "postgres", "foo", "bar", "baz", "abc", "tok", "token", "port", "world":
		return true
	}
	return isCommon(v)
}

// webhook checks for URLs that are secrets as a whole: whoever knows one can post.
func (f *finder) webhook(from int) int {
	for _, w := range []struct{ kind, prefix string }{
		{"SLACK_WEBHOOK", "hooks.slack.com/services/"},
		{"SLACK_WEBHOOK", "hooks.slack.com/workflows/"},
		{"DISCORD_WEBHOOK", "discord.com/api/webhooks/"},
		{"DISCORD_WEBHOOK", "discordapp.com/api/webhooks/"},
	} {
		body, ok := strings.CutPrefix(f.text[from:], w.prefix)
		if !ok {
			continue
		}
		n := run(body, func(c byte) bool { return base64url(c) || c == '/' })
		if v := body[:n]; n >= 20 && !isPlaceholder(v) && hasDigit(v) {
			start := from + len(w.prefix)
			f.add(start, start+n, w.kind, High)
			return start + n
		}
	}
	return 0
}

// scheme checks the credentials after "Bearer" and "Basic", a word that ends at end. It returns where to continue,
// or 0.
func (f *finder) scheme(word string, end int) int {
	kind := ""
	switch word {
	case "Bearer", "bearer", "BEARER":
		kind = "BEARER_TOKEN"
	case "Basic", "basic":
		kind = "BASIC_AUTH"
	default:
		return 0
	}
	s := f.text
	if end >= len(s) || s[end] != ' ' {
		return 0
	}
	from := end + 1
	if _, to := f.token(from); to > 0 {
		return 0 // reported under a more specific type
	}
	n := run(s[from:], func(c byte) bool { return base64std(c) || dotted(c) || c == '~' })
	v := strings.TrimRight(s[from:from+n], ".-")
	if isPlaceholder(v) || kind == "BEARER_TOKEN" && !isBearer(v) || kind == "BASIC_AUTH" && !isBasic(v) {
		return 0
	}
	f.add(from, from+len(v), kind, High)
	return from + len(v)
}

func isBearer(v string) bool {
	l := charStatsOf(v)
	return len(v) >= 16 && (l.digits > 0 || l.upper > 1) && entropy(v) >= 3 && !isWordy(v, 2)
}

// isBasic reports whether a text is a user and password in base64. A password that is a plain word is from
// documentation: "Aladdin:open sesame".
func isBasic(v string) bool {
	if len(v) < 12 {
		return false
	}
	plain, err := base64.StdEncoding.DecodeString(v)
	if err != nil {
		return false
	}
	_, pass, ok := strings.Cut(string(plain), ":")
	return ok && isPlain(pass) && len(pass) >= 6 && isPassword(pass)
}

// block checks for the private key after "-----BEGIN … PRIVATE KEY-----" at i, and returns where to continue. Its
// lines are words of the text or of strings in it; a header ("Proc-Type: 4,ENCRYPTED") may precede them, and
// anything else ends it. A text that merely mentions such a line is unchanged.
func (f *finder) block(i int) int {
	s := f.text
	head := i + len("-----BEGIN ")
	n := strings.Index(s[head:min(len(s), head+80)], "-----")
	if n < 0 || !strings.Contains(s[head:head+n], "PRIVATE KEY") {
		return head
	}
	from, to := firstRow(s, head+n+len("-----"))
	if to == 0 {
		return head
	}
	f.add(from, to, "PRIVATE_KEY", High)
	for {
		at := to
		from, to = keyWord(s, at)
		switch word := s[from:to]; {
		case strings.HasPrefix(word, mark):
		case isKeyRow(word):
			f.addMore(from, to, "PRIVATE_KEY")
		case word != "" && run(word, base64std) == len(word): // the last line
			f.addMore(from, to, "PRIVATE_KEY")
			return to
		default:
			return at
		}
	}
}

// firstRow returns the first line of a key after its header; 0 if there is none.
func firstRow(s string, at int) (from, to int) {
	const header = 16
	for range header {
		from, to = keyWord(s, at)
		switch word := s[from:to]; {
		case isKeyRow(word):
			return from, to
		case word == "" || strings.HasPrefix(word, "-----") || strings.ContainsAny(word, "<>={};"):
			return 0, 0
		}
		at = to
	}
	return 0, 0
}

// keyRow is the minimum length of a line of a key, except the last.
const keyRow = 16

func isKeyRow(word string) bool {
	return len(word) >= keyRow && run(word, base64std) == len(word) && !isWordy(word, 4)
}

// keyWord returns the next word that contains a letter and no blank, quote or escape.
func keyWord(s string, at int) (from, to int) {
	for at < len(s) {
		switch {
		case s[at] == '\\' && at+1 < len(s) && strings.IndexByte("nr", s[at+1]) >= 0: // an escaped newline in a string
			at += 2
			continue
		case isBetween(s[at]):
			at++
			continue
		}
		n := run(s[at:], func(c byte) bool { return !isBetween(c) && c != '\\' })
		if strings.Trim(s[at:at+n], "+/*#;.|-") != "" { // more than a comment mark
			return at, at + n
		}
		at += max(n, 1)
	}
	return len(s), len(s)
}

func isBetween(c byte) bool { return strings.IndexByte(" \t\r\n\"'`,\\()", c) >= 0 }
