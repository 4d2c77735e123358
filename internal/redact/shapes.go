package redact

import "strings"

// shape checks whether the word text[i:end] begins a secret that is recognized by the lengths of its parts, not by
// a prefix. It returns where to continue; 0 if not.
func (f *finder) shape(i, end int) int {
	s := f.text
	if end >= len(s) {
		return 0
	}
	kind, to := "", 0
	switch s[end] {
	case '.':
		kind, to = "DISCORD_TOKEN", discord(s, i, end)
	case '-':
		if kind, to = mail(s, i, end); to == 0 {
			kind, to = "DISCORD_TOKEN", discord(s, i, end)
		}
	case ':':
		kind, to = "TELEGRAM_TOKEN", telegram(s, i, end)
	}
	if to == 0 || to < len(s) && isWord(s[to]) || isPlaceholder(s[i:to]) || distinct(s[i:to]) < 8 {
		return 0
	}
	f.add(i, to, kind, High)
	return to
}

// telegram returns the end of a Telegram bot token whose number is s[i:end].
func telegram(s string, i, end int) int {
	if n := end - i; n < 8 || n > 10 || !strings.HasPrefix(s[end:], ":AA") || run(s[i:end], isDigit) < n {
		return 0
	}
	if n := run(s[end+1:min(len(s), end+64)], base64url); n == 35 {
		return end + 1 + n
	}
	return 0
}

// discord returns the end of a Discord bot token whose first part is s[i:end]. Its parts are a user, a time and a
// signature.
func discord(s string, i, end int) int {
	s = s[:min(len(s), end+100)]
	end += run(s[end:], base64url)
	if n := end - i; n < 23 || n > 28 || end >= len(s) || s[end] != '.' {
		return 0
	}
	at := end + 1
	n := run(s[at:], base64url)
	if n < 5 || n > 7 || at+n >= len(s) || s[at+n] != '.' {
		return 0
	}
	at += n + 1
	if n = run(s[at:], base64url); n < 27 || n > 38 || !hasDigit(s[i:at+n]) {
		return 0
	}
	return at + n
}

// mail returns the end of a Mailchimp or Mailgun key whose first word is s[i:end]: 32 hex digits and a data center,
// or two short parts; "key" and 32 hex digits.
func mail(s string, i, end int) (kind string, to int) {
	rest := s[min(len(s), end+1):min(len(s), end+64)]
	if s[i:end] == "key" {
		if b := run(rest, alnum); b == 32 && hasDigit(rest[:b]) {
			return "MAILGUN_KEY", end + 1 + b
		}
	}
	if end-i != 32 || run(s[i:end], hexDigit) != 32 {
		return "", 0
	}
	if center, ok := strings.CutPrefix(rest, "us"); ok {
		if d := run(center, isDigit); d == 1 || d == 2 {
			return "MAILCHIMP_API_KEY", end + 3 + d
		}
	}
	if first, last, ok := strings.Cut(rest, "-"); ok && len(first) == 8 && run(first, hexDigit) == 8 && run(last, hexDigit) == 8 {
		return "MAILGUN_KEY", end + 1 + 17
	}
	return "", 0
}
