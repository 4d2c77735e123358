package redact

import "strings"

// shape looks whether the word from i to end begins a secret that no prefix tells, but the
// lengths of its parts. It returns where to go on, 0 when it is none.
func (f *finder) shape(i, end int) int {
	s, n := f.text, end-i
	if end >= len(s) {
		return 0
	}
	kind, to := "", 0
	switch {
	case s[end] == '.' && n >= 23 && n <= 28:
		kind, to = "DISCORD_TOKEN", discord(s, end)
	case s[end] == '-' && n >= 23 && n < 28: // of which a part has a dash
		at := end + run(s[end:], base64url)
		if at-i >= 23 && at-i <= 28 && at < len(s) && s[at] == '.' {
			kind, to = "DISCORD_TOKEN", discord(s, at)
		}
	case s[end] == ':' && n >= 8 && n <= 10 && strings.HasPrefix(s[end:], ":AA"):
		if b := run(s[end+1:], base64url); b == 35 && run(s[i:end], isDigit) == n {
			kind, to = "TELEGRAM_TOKEN", end+1+b
		}
	case s[end] == '-' && n == 32 && run(s[i:end], hexDigit) == n:
		kind, to = mail(s, end)
	case s[end] == '-' && n == 3 && s[i:end] == "key":
		if b := run(s[end+1:], alnum); b == 32 && hasDigit(s[end+1:end+1+b]) {
			kind, to = "MAILGUN_KEY", end+1+b
		}
	}
	if to == 0 || to < len(s) && isWord(s[to]) || isPlaceholder(s[i:to]) || distinct(s[i:to]) < 8 {
		return 0
	}
	f.add(i, to, kind, High)
	return to
}

// discord returns where the token of a bot ends whose first dot is at i: three parts, of
// a user, a time and a sign.
func discord(s string, i int) int {
	at := i + 1
	n := run(s[at:], base64url)
	if n < 5 || n > 7 || at+n >= len(s) || s[at+n] != '.' {
		return 0
	}
	at += n + 1
	if n = run(s[at:], base64url); n < 27 || n > 38 || !hasDigit(s[i-20:at+n]) {
		return 0
	}
	return at + n
}

// mail returns what ends in the data center of Mailchimp or the parts of Mailgun behind
// the 32 digits before i.
func mail(s string, i int) (kind string, to int) {
	if rest := s[i+1:]; strings.HasPrefix(rest, "us") {
		if n := run(rest[2:], isDigit); n > 0 && n < 3 {
			return "MAILCHIMP_API_KEY", i + 3 + n
		}
	}
	const part = 8
	if at := i + 1; run(s[at:], hexDigit) == part && at+part < len(s) && s[at+part] == '-' && run(s[at+part+1:], hexDigit) == part {
		return "MAILGUN_KEY", at + part + 1 + part
	}
	return "", 0
}
