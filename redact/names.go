package redact

import (
	"slices"
	"strings"
)

// sort is what a name says of what it names.
type sort int

const (
	noSecret sort = iota
	weak          // "key": of a map as well as of a door
	bearer        // "token": of a parser as well as of a session
	strong        // "client_secret", "apiKey"
	password
)

// hasStem tells whether a name may speak of a secret; a quick look.
func hasStem(name string) bool {
	for i := 0; i+2 < len(name); i++ {
		first := name[i] | 0x20
		if first != 'k' && first != 's' && first != 't' && first != 'p' && first != 'c' && first != 'a' && first != 'j' {
			continue
		}
		switch [3]byte{first, name[i+1] | 0x20, name[i+2] | 0x20} {
		case [3]byte{'k', 'e', 'y'}, [3]byte{'s', 'e', 'c'}, [3]byte{'t', 'o', 'k'}, [3]byte{'p', 'a', 's'}, [3]byte{'p', 'w', 'd'},
			[3]byte{'p', 's', 'w'}, [3]byte{'c', 'r', 'e'}, [3]byte{'a', 'u', 't'}, [3]byte{'j', 'w', 't'}:
			return true
		}
	}
	return false
}

// lastWord is what the last word of a name says of it.
func lastWord(w string) sort {
	switch w {
	case "password", "passwd", "pwd", "passphrase", "passcode", "pswd", "psw", "userpass", "dbpass", "passwort":
		return password
	case "secret", "secrets", "credential", "credentials", "cred", "creds", "apikey", "secretkey", "accesskey", "privatekey", "authkey":
		return strong
	case "token", "authtoken", "jwt":
		return bearer
	case "key", "auth", "authorization", "pass":
		return weak
	}
	for _, end := range []string{"password", "passwd", "passphrase"} {
		if strings.HasSuffix(w, end) {
			return password
		}
	}
	for _, end := range []string{"secret", "apikey", "secretkey", "accesskey", "privatekey"} {
		if strings.HasSuffix(w, end) {
			return strong
		}
	}
	if strings.HasSuffix(w, "token") {
		return bearer
	}
	return noSecret
}

// isKeyOf tells the words before "key" that make a secret of it.
func isKeyOf(w string) bool {
	switch w {
	case "api", "app", "access", "secret", "private", "auth", "encryption", "encrypt", "decryption", "signing", "sign", "signature",
		"master", "account", "storage", "session", "shared", "service", "client", "license", "subscription", "consumer",
		"deploy", "webhook", "admin", "crypto", "aes", "hmac", "jwt", "cookie", "server", "stripe", "openai", "anthropic",
		"aws", "azure", "gcp", "google", "github", "gitlab", "sendgrid", "twilio", "mailgun", "datadog", "algolia", "maps",
		"ssh", "write", "root", "wallet", "tls", "ssl", "des", "rsa", "bot", "project", "team":
		return true
	}
	return false
}

// isPublic tells words that make no secret of a name whatever else is in it.
func isPublic(w string) bool {
	switch w {
	case "public", "pub", "verifier", "verification", "publishable", "hash", "hashed", "digest", "checksum", "fingerprint", "sha", "md5", "example",
		"sample", "fake", "dummy", "mock", "placeholder", "primary", "foreign", "sort", "partition", "cache", "cached", "row",
		"routing", "idempotency", "translation", "i18n", "locale", "message", "msg", "label", "title", "keyboard", "error",
		"invalid", "missing", "err", "event", "header", "prefix", "csrf", "page", "cursor", "continuation", "lock":
		return true
	}
	return false
}

// isNeutral tells words behind the one that counts: tokenValue, STRIPE_KEY_LIVE,
// SECRET_KEY_BASE.
func isNeutral(w string) bool {
	switch w {
	case "value", "val", "str", "string", "text", "default", "prod", "production", "dev", "development", "test", "live", "staging",
		"old", "new", "current", "secondary", "base", "raw", "b64", "base64", "hex", "env", "local", "plain", "plaintext", "literal":
		return true
	}
	return strings.Trim(w, "0123456789") == ""
}

// sortOf tells what a name says, and the type of the secret.
func sortOf(name string) (sort, string) {
	if !hasStem(name) {
		return noSecret, ""
	}
	words := split(name)
	for len(words) > 1 && isNeutral(words[len(words)-1]) {
		words = words[:len(words)-1]
	}
	if len(words) == 0 {
		return noSecret, ""
	}
	if slices.ContainsFunc(words, isPublic) {
		return noSecret, ""
	}
	last := words[len(words)-1]
	s := lastWord(last)
	before := ""
	if len(words) > 1 {
		before = words[len(words)-2]
	}
	switch {
	case s == weak && last == "key" && isKeyOf(before):
		s = strong
	case s == weak && last == "pass" && before != "":
		s = password
	}
	return s, kindOf(s, last, before)
}

func kindOf(s sort, last, before string) string {
	switch s {
	case password:
		return "PASSWORD"
	case bearer:
		return "TOKEN"
	case noSecret:
		return ""
	case weak, strong:
	}
	switch {
	case before == "private" || strings.HasSuffix(last, "privatekey"):
		return "PRIVATE_KEY"
	case before == "account" || before == "storage":
		return "ACCOUNT_KEY"
	case before == "secret" || strings.HasSuffix(last, "secretkey"):
		return "SECRET_KEY"
	case strings.HasSuffix(last, "key"):
		return "API_KEY"
	case strings.HasPrefix(last, "cred"):
		return "CREDENTIALS"
	case last == "auth", last == "authorization", last == "pass":
		return "CREDENTIALS"
	}
	return "SECRET"
}

// split takes a name apart into words in lower case: apiKey, API_KEY, api-key,
// db.password.
func split(name string) []string {
	words := make([]string, 0, 6)
	from := 0
	flush := func(to int) {
		if to > from {
			words = append(words, strings.ToLower(name[from:to]))
		}
	}
	for i := 0; i < len(name); i++ {
		switch {
		case !isLetter(name[i]) && !isDigit(name[i]):
			flush(i)
			from = i + 1
		case i > from && isUpper(name[i]) && (!isUpper(name[i-1]) || i+1 < len(name) && isLower(name[i+1])):
			flush(i)
			from = i
		}
	}
	flush(len(name))
	return words
}

func isUpper(c byte) bool { return c >= 'A' && c <= 'Z' }

func isLower(c byte) bool { return c >= 'a' && c <= 'z' }
