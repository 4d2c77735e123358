package redact

import (
	"encoding/base64"
	"strings"
)

// url looks for a password in the URL whose "://" is at i, and returns where to go on.
func (f *finder) url(i int) int {
	s := f.text
	from := i + len("://")
	if to := f.webhook(from); to > 0 {
		return to
	}
	colon, at := 0, 0
	for p := from; p < len(s) && p-from < 400 && strings.IndexByte("/?# \t\r\n\"'`<>\\,;|)", s[p]) < 0; p++ {
		switch {
		case s[p] == ':' && colon == 0:
			colon = p
		case s[p] == '@':
			at = p
		}
	}
	if colon == 0 || at < colon {
		return from
	}
	v := s[colon+1 : at]
	if len(v) < 3 || !isPlain(v) || isPlaceholder(v) || isReference(v) || isStandIn(v) {
		return from
	}
	f.add(colon+1, at, "URL_PASSWORD", High)
	return at
}

// isStandIn tells what is written for a password in the documentation of URLs.
func isStandIn(v string) bool {
	switch strings.ToLower(v) {
	case "pass", "pwd", "pw", "word", "test", "passw", "user", "admin", "root", "guest", "postgres", "foo", "bar", "baz", "abc", "tok", "token", "port", "world":
		return true
	}
	return isCommon(v)
}

// webhook looks for the addresses that are secrets as a whole: who knows one can post.
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

// scheme looks for the credentials behind "Bearer" and "Basic", a word that ends at
// end; it returns where to go on, or 0.
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
		return 0 // has a closer name
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
	l := looksOf(v)
	return len(v) >= 16 && (l.digits > 0 || l.upper > 1) && entropy(v) >= 3 && !isWordy(v, 2)
}

// isBasic tells whether a text is a user and a password in base64. One whose password
// is a mere word is of documentation: "Aladdin:open sesame".
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

// blockLimit is how long a private key may be, in bytes.
const blockLimit = 32 << 10

// block looks for the private key that a line "-----BEGIN … PRIVATE KEY-----" at i
// opens, and returns where to go on. The key is what stands between the lines, be
// they lines of the text or of strings in it.
func (f *finder) block(i int) int {
	s := f.text[:min(len(f.text), i+blockLimit)]
	head := i + len("-----BEGIN ")
	n := strings.Index(s[head:], "-----")
	if n < 0 || n > 60 || !strings.Contains(s[head:head+n], "PRIVATE KEY") {
		return head
	}
	from := head + n + len("-----")
	to := len(s)
	if n := strings.Index(s[from:], "-----END "); n >= 0 {
		to = from + n
	}
	const firstRow, anyRow = 16, 3 // words of a header, "Proc-Type: 4,ENCRYPTED", are shorter
	start, end := keyRow(s, from, to, firstRow)
	if end == 0 {
		return head
	}
	f.add(start, end, "PRIVATE_KEY", High)
	for {
		from = end
		if start, end = keyRow(s, from, to, anyRow); end == 0 {
			return from
		}
		f.addMore(start, end, "PRIVATE_KEY")
	}
}

// keyRow returns the next row of a key between from and to that has at least so many
// letters, and 0 when there is none.
func keyRow(s string, from, to, least int) (start, end int) {
	for at := from; at < to; at++ {
		switch {
		case s[at] == '\\' && at+1 < to && strings.IndexByte("nr", s[at+1]) >= 0: // a line's end in a string
			at++
			continue
		case strings.HasPrefix(s[at:to], mark):
			at = pastMark(s, at)
			continue
		case !base64std(s[at]):
			continue
		}
		n := run(s[at:to], base64std)
		if n >= least {
			return at, at + n
		}
		at += n - 1
	}
	return 0, 0
}
