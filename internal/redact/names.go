package redact

import (
	"slices"
	"strings"
	"sync"
)

// sensitivity says how strongly a name indicates a secret.
type sensitivity int

const (
	noSecret sensitivity = iota
	mention              // "tokenForTests": it may be a secret, or about one
	weak                 // "key": also of a map
	bearer               // "token": also of a parser
	strong               // "client_secret", "apiKey"
	password
)

// stem is a set of meanings that three letters of a name may indicate.
type stem uint8

const (
	secretStem stem = 1 << iota // of a secret
	signInStem                  // of a function that takes a user and password
)

// stemTable maps three letters, by the low five bits of each, to stems.
var stemTable = sync.OnceValue(func() *[1 << 15]stem {
	var table [1 << 15]stem
	for kind, words := range map[stem]string{
		secretStem: "key sec tok pas pwd psw cre aut jwt ses bea",
		signInStem: "log sig aut cre use bas con pro net",
	} {
		for w := range strings.FieldsSeq(words) {
			if len(w) == 3 {
				table[int(w[0]&31)<<10|int(w[1]&31)<<5|int(w[2]&31)] |= kind
			}
		}
	}
	return &table
})

// stemsOf returns the possible meanings of a name. It is a fast prefilter.
func stemsOf(table *[1 << 15]stem, name string) (found stem) {
	at := 0
	for i := range len(name) {
		at = (at<<5 | int(name[i]&31)) & (1<<15 - 1)
		found |= table[at]
	}
	return found
}

// hasStem reports whether a name may be that of a secret.
func hasStem(name string) bool { return stemsOf(stemTable(), name)&secretStem != 0 }

// lastWord returns the sort indicated by the last word of a name, ignoring a trailing number.
func lastWord(w string) sensitivity {
	w = singular(w)
	switch w {
	case "password", "passwd", "pwd", "passphrase", "passcode", "pswd", "psw", "userpass", "dbpass", "passwort", "passw":
		return password
	case "secret", "secrets", "credential", "credentials", "cred", "creds", "apikey", "secretkey", "accesskey", "privatekey", "authkey":
		return strong
	case "token", "authtoken", "jwt", "sessionid", "sessid", "phpsessid", "jsessionid", "sessiontoken", "bearer":
		return bearer
	case "key", "auth", "authorization", "pass":
		return weak
	}
	for _, end := range []string{"password", "passwd", "passphrase", "passcode"} {
		if strings.HasSuffix(w, end) {
			return password
		}
	}
	for _, end := range []string{"secret", "credential", "apikey", "secretkey", "accesskey", "privatekey"} {
		if strings.HasSuffix(w, end) {
			return strong
		}
	}
	if strings.HasSuffix(w, "token") {
		return bearer
	}
	return noSecret
}

// singular returns a word in lower case, without a trailing number or version and without a plural "s".
func singular(w string) string {
	if bare := strings.TrimRight(w, "0123456789"); len(bare) < len(w) {
		w = strings.TrimSuffix(bare, "v")
	}
	for _, end := range []string{"passwords", "tokens", "keys", "passphrases", "secrets", "credentials"} {
		if strings.HasSuffix(w, end) {
			return w[:len(w)-1]
		}
	}
	return w
}

// isKeyOf reports whether a word before "key" makes it a secret.
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

// isPublic reports whether a word shows that a name is not that of a secret.
func isPublic(w string) bool {
	switch w {
	case "public", "pub", "verifier", "verification", "publishable", "hash", "hashed", "digest", "checksum", "fingerprint", "sha", "md5",
		"primary", "foreign", "sort", "partition", "row", "routing", "idempotency", "translation", "i18n", "locale", "keyboard",
		"csrf", "xsrf", "page", "cursor", "continuation", "lock":
		return true
	}
	return false
}

// isAbout reports whether a word after the significant one shows that the name may be something else: tokenType,
// passwordField.
func isAbout(w string) bool {
	switch w {
	case "name", "names", "type", "types", "field", "fields", "id", "ids", "label", "message", "msg", "error", "regex", "regexp", "pattern", "format",
		"prefix", "suffix", "length", "len", "size", "url", "uri", "path", "file", "header", "column", "selector", "class", "policy", "re", "rx",
		"hint", "title", "placeholder", "algorithm", "alg", "encoding", "version", "index", "count", "scope", "kind", "param", "parameter",
		"endpoint", "service", "provider", "store", "storage", "manager", "factory", "generator", "handler", "reader", "writer", "parser",
		"info", "state", "status", "event", "action", "map", "list", "set", "table", "test", "arn", "ref", "reference", "time", "expiry", "issuer",
		"audience", "mode", "method", "key", "keys", "spec", "schema", "rule", "rules", "sep", "separator", "iter", "iterator", "stream", "node":
		return true
	}
	return false
}

// isNeutral reports whether a word after the significant one changes nothing: tokenValue, STRIPE_KEY_LIVE,
// SECRET_KEY_BASE, CLIENT_SECRET_V2, apiKey_for_tests.
func isNeutral(w string) bool {
	w = strings.TrimRight(w, "0123456789")
	switch w {
	case "", "v", "value", "val", "str", "string", "text", "default", "prod", "production", "dev", "development", "test", "tests", "testing",
		"live", "staging", "stage", "old", "new", "current", "previous", "prev", "next", "secondary", "backup", "base", "raw", "b", "base64", "hex",
		"env", "local", "plain", "plaintext", "literal", "for", "main", "master", "const", "constant", "var", "arg", "opt", "option", "input",
		"data", "content", "cleartext", "clear", "override", "fallback", "confirm", "confirmation", "again", "repeat", "retype", "alt", "temp",
		"tmp", "one", "two", "first", "second", "a", "c", "x", "qa", "uat", "sandbox", "config", "setting", "property", "prop":
		return true
	}
	return false
}

// sortOf returns the sort of a name, and the type of the secret.
func sortOf(name string) (sensitivity, string) {
	if !hasStem(name) {
		return noSecret, ""
	}
	all := split(name)
	words := all
	for len(words) > 1 && isNeutral(words[len(words)-1]) {
		words = words[:len(words)-1]
	}
	if len(words) == 0 || slices.ContainsFunc(words, isPublic) {
		return noSecret, ""
	}
	if s, kind := sortOfLast(words); s != noSecret {
		return s, kind
	}
	for n := len(words) - 1; n > 0; n-- { // passwordForAdmin, tokenType
		if s, kind := sortOfLast(words[:n]); s > weak {
			if slices.ContainsFunc(words[n:], isAbout) {
				s = mention
			}
			return s, kind
		}
	}
	return noSecret, ""
}

// sortOfLast returns the sort of the last word, together with the word before it.
func sortOfLast(words []string) (sensitivity, string) {
	last := singular(words[len(words)-1])
	s := lastWord(last)
	before := ""
	if len(words) > 1 {
		before = strings.TrimRight(words[len(words)-2], "0123456789")
	}
	switch {
	case s == weak && last == "key" && isKeyOf(before):
		s = strong
	case s == weak && last == "pass" && before != "":
		s = password
	case last == "id" && before == "session":
		s = bearer
	}
	return s, kindOf(s, last, before)
}

func kindOf(s sensitivity, last, before string) string {
	switch s {
	case password:
		return "PASSWORD"
	case bearer:
		return "TOKEN"
	case noSecret:
		return ""
	case mention, weak, strong:
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

// split splits a name into lower-case words: apiKey, API_KEY, api-key, db.password.
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
