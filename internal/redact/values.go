package redact

import (
	"math"
	"strings"
)

// minEntropy is the entropy from which a value looks random, in bits per byte, as given in the contract.
const minEntropy = 3.5

// entropy returns the Shannon entropy in bits per byte.
func entropy(v string) float64 {
	var count [256]int
	for i := range len(v) {
		count[v[i]]++
	}
	h := 0.0
	for _, n := range count {
		if n > 0 {
			p := float64(n) / float64(len(v))
			h -= p * math.Log2(p)
		}
	}
	return h
}

func distinct(v string) int {
	var seen [256]bool
	n := 0
	for i := range len(v) {
		if !seen[v[i]] {
			seen[v[i]] = true
			n++
		}
	}
	return n
}

// charStats are the character statistics of a value.
type charStats struct {
	lower, upper, digits, marks int
	shifts                      int // changes of character class between adjacent bytes; not counting "Ab"
}

func charStatsOf(v string) charStats {
	var l charStats
	last := 0
	for i := range len(v) {
		kind := 0
		switch c := v[i]; {
		case isLower(c):
			l.lower++
			kind = 1
		case isUpper(c):
			l.upper++
			kind = 2
		case isDigit(c):
			l.digits++
			kind = 3
		default:
			l.marks++
			kind = 4
		}
		if i > 0 && kind != last && (last != 2 || kind != 1) {
			l.shifts++
		}
		last = kind
	}
	return l
}

func (l charStats) letters() int { return l.lower + l.upper }

// isRandom reports whether a value looks random rather than like words, however joined: its character classes
// change more often.
func isRandom(v string) bool {
	if len(v) < 16 || entropy(v) < minEntropy {
		return false
	}
	l := charStatsOf(v)
	share := float64(l.shifts) / float64(len(v))
	switch {
	case l.letters() < 3 || isWordy(v, 2):
		return false
	case l.digits > 0:
		return share >= 0.24
	case l.upper > 0 && l.lower > 0:
		return share >= 0.3 && len(v) >= 20
	}
	return consonants(v) >= 6 && len(v) >= 20
}

// consonants returns the length of the longest run of consonants.
func consonants(v string) int {
	run, most := 0, 0
	for i := range len(v) {
		if !isLetter(v[i]) || strings.IndexByte("aeiouyAEIOUY", v[i]) >= 0 {
			run = 0
			continue
		}
		run++
		most = max(most, run)
	}
	return most
}

// isSecret reports whether a value assigned to a name of that sort is a secret.
func isSecret(s sensitivity, v string) bool {
	switch {
	case len(v) < 5 || len(v) > 4096 || isPlaceholder(v) || isReference(v):
		return false
	case s == password:
		return isPassword(v)
	case len(v) < 6 || !isPlain(v):
		return false
	}
	switch s {
	case strong:
		return isStrong(v)
	case bearer:
		return isBearing(v)
	case weak:
		return isKey(v)
	case mention:
		return isMentioned(v)
	default:
		return false
	}
}

func isMentioned(v string) bool { return isGenerated(v, 16) || isUUID(v) || isMixed(v, 12, 3) }

// isGenerated reports whether a value was generated: at least hex hexadecimal digits, base64, or otherwise random.
func isGenerated(v string, hex int) bool { return isHex(v, hex) || isEncoded(v) || isRandom(v) }

func isStrong(v string) bool {
	return isGenerated(v, 8) || isMixed(v, 8, 2.5) || isNumbered(v) || isUnpronounceable(v)
}

func isBearing(v string) bool {
	if isUUID(strings.TrimPrefix(v, "urn:uuid:")) {
		return !strings.HasPrefix(v, "urn:")
	}
	return isGenerated(v, 12) || isMixed(v, 10, 2.8) || len(v) >= 16 && isUnpronounceable(v)
}

func isKey(v string) bool {
	return len(v) >= 20 && isRandom(v) || isHex(v, 32) || isEncoded(v) && len(v) >= 24
}

// isMixed reports whether a value consists of letters and digits and is not words with a number.
func isMixed(v string, least int, bits float64) bool {
	l := charStatsOf(v)
	return len(v) >= least && l.digits > 0 && l.letters() > 2 && entropy(v) >= bits && !isWordy(v, 4)
}

// isPassword reports whether a value is a password rather than a word: with a digit or punctuation among letters,
// letters that form no word, or several words. One-word passwords cannot be recognized.
func isPassword(v string) bool {
	switch l := charStatsOf(v); {
	case !isPlain(v):
		return isPhrase(v, " ")
	case isCommon(v):
		return false
	case l.letters() == 0:
		return l.digits >= 6 && distinct(v) >= 4
	case isGenerated(v, 8), isNumbered(v), isUnpronounceable(v), isPhrase(v, "-"), isPhrase(v, "_"), isPhrase(v, "."), isPhrase(v, "+"):
		return true
	}
	return strings.ContainsAny(v, "0123456789!@#$%^&*?+~") && !isWordy(v, 2) && distinct(v) >= 4
}

// isEncoded reports whether a value is padded base64.
func isEncoded(v string) bool {
	return len(v) >= 16 && len(v)%4 == 0 && v[len(v)-1] == '=' && run(v, base64std) == len(v) && charStatsOf(v).upper > 1
}

// isUnpronounceable reports whether a value consists of letters that form no word.
func isUnpronounceable(v string) bool {
	l := charStatsOf(v)
	return len(v) >= 8 && l.letters() == len(v) && (consonants(v) >= 5 || l.upper > 1 && l.lower > 1 && 5*l.shifts >= 2*len(v)) && !hasStem(v) && distinct(v) >= 5
}

// isNumbered reports whether a value is a word followed by a number, such as hunter2, that is neither a word for
// passwords nor the name of a numbered thing.
func isNumbered(v string) bool {
	word := strings.TrimRight(v, "0123456789")
	if len(word) == len(v) || len(word) < 4 || run(word[1:], isLower) != len(word)-1 || !isLetter(word[0]) {
		return false
	}
	switch word := strings.ToLower(word); word {
	case "test", "user", "field", "name", "value", "param", "item", "line", "file", "path", "node", "type", "string", "line1", "text", "input", "column",
		"identifier", "auth", "version", "argon", "bcrypt", "base", "utf", "uint", "float", "char", "byte", "bytes", "sha", "varchar", "label", "group",
		"option", "level", "step", "case", "example", "account", "client", "server", "service", "host", "vault", "prod", "stage", "data":
		return false
	default:
		return lastWord(word) == noSecret && !strings.HasPrefix(word, "pass") && !strings.HasPrefix(word, "secret") && !strings.HasPrefix(word, "token")
	}
}

// isPhrase reports whether a value is a passphrase of four or more words, not a sentence or words for passwords.
func isPhrase(v, between string) bool {
	words := strings.Split(v, between)
	if len(words) < 4 || len(words) > 12 {
		return false
	}
	for _, w := range words {
		if len(w) < 3 || len(w) > 12 || run(w[1:], isLower) != len(w)-1 || !isLetter(w[0]) || lastWord(strings.ToLower(w)) != noSecret || isFunctionWord(w) {
			return false
		}
	}
	return true
}

// isFunctionWord reports whether a word is a function word, as in sentences.
func isFunctionWord(w string) bool {
	switch strings.ToLower(w) {
	case "the", "and", "for", "not", "are", "was", "has", "have", "with", "from", "must", "your", "you", "can", "this", "that", "will", "should",
		"enter", "please", "invalid", "required", "wrong", "reset", "user", "new", "old", "use", "one", "when", "than", "least", "into", "does",
		"did", "cannot", "may", "its", "set", "get", "using", "login", "input", "form", "field", "test", "default", "confirm", "text", "type",
		"value", "name", "error", "message", "label", "change", "update", "auth", "account", "settings", "file", "config", "read", "write":
		return true
	}
	return false
}

// isPlain reports whether a value is one ASCII word.
func isPlain(v string) bool {
	for i := range len(v) {
		if v[i] <= ' ' || v[i] >= 0x7f {
			return false
		}
	}
	return true
}

func isHex(v string, least int) bool {
	if len(v) < least {
		return false
	}
	for i := range len(v) {
		if !hexDigit(v[i]) {
			return false
		}
	}
	l := charStatsOf(v)
	return l.digits > 0 && l.letters() > 0 && distinct(v) >= 6
}

func isUUID(v string) bool {
	if len(v) != 36 {
		return false
	}
	for i := range len(v) {
		if dash := i == 8 || i == 13 || i == 18 || i == 23; dash != (v[i] == '-') || !dash && !hexDigit(v[i]) {
			return false
		}
	}
	return true
}

// isCommon reports whether a word is a common placeholder for a password.
func isCommon(v string) bool {
	switch strings.ToLower(v) {
	case "password", "passwd", "passphrase", "secret", "changeit", "testing", "foobar", "123456", "1234567", "12345678", "123456789",
		"1234567890", "qwerty", "letmein", "topsecret", "mypassword", "user:pass", "username", "p@ssword", "pass:word", "password1":
		return true
	}
	return false
}

// isPlaceholder reports whether a value is a placeholder or already redacted.
func isPlaceholder(v string) bool {
	lower := strings.ToLower(v)
	for _, mark := range []string{"example", "changeme", "changeit", "change-me", "change_me", "placeholder", "redacted", "notreal", "...", "***", "…", "•••"} {
		if strings.Contains(lower, mark) {
			return true
		}
	}
	return distinct(v) < 3 || strings.Contains(v, "xxxx") || strings.Contains(v, "XXXX") || strings.HasPrefix(lower, "xxx") || strings.HasSuffix(lower, "xxx") || isToBeReplaced(v)
}

// isToBeReplaced reports whether a word of a value says that it is to be replaced: your_key, insert-token-here. Inside a
// word such letters may be coincidence.
func isToBeReplaced(v string) bool {
	for _, w := range split(v) {
		for _, mark := range []string{"your", "my_", "dummy", "fake", "sample", "replace", "insert", "todo", "fixme"} {
			if strings.HasPrefix(w, mark) && (len(w) < len(mark)+2 || isPronounceable(w)) {
				return true
			}
		}
	}
	return false
}

// isReference reports whether a value is a reference to a secret, or code.
func isReference(v string) bool {
	if v == "" || strings.HasPrefix(v, "@{") || isEnclosed(v) {
		return true
	}
	for _, mark := range []string{"${", "{{", "#{", "%(", "%{", "$(", "()", "://", "<%", "/$", "\\n", "\\x", "\\u", "[a-z", "[A-Z", "[0-9"} { // a pattern, too
		if strings.Contains(v, mark) {
			return true
		}
	}
	if strings.ContainsAny(v, "([{|\\\"<>") && isCode(v) {
		return true
	}
	return isFormat(v) || strings.HasPrefix(v, "./") || strings.HasPrefix(v, "../") || strings.HasPrefix(v, "~/")
}

// isFormat reports whether a value is words with formatting verbs.
func isFormat(v string) bool {
	for _, verb := range []string{"%s", "%v", "%d", "%q"} {
		if rest := strings.ReplaceAll(v, verb, ""); len(rest) < len(v) && (len(rest) < 6 || isWordy(rest, 2)) {
			return true
		}
	}
	return false
}

// isEnclosed reports whether a value is a template variable: <a>, {a}, %a%, or a variable or hash after "$".
func isEnclosed(v string) bool {
	switch string([]byte{v[0], v[len(v)-1]}) {
	case "<>", "{}", "[]", "%%":
		return true
	}
	if v[0] != '$' {
		return false
	}
	return len(v) == 1 || isWordy(v[1:], 4) || strings.HasPrefix(v, "$argon") || strings.HasPrefix(v, "$2") || strings.HasPrefix(v, "$1$")
}

// isCode reports whether a value is an expression of names and operators.
func isCode(v string) bool {
	for _, part := range strings.FieldsFunc(v, func(c rune) bool { return strings.ContainsRune("([{}])|<>=,;:&!?+*-^\\\"'$@#", c) }) {
		if len(part) > 3 && !isWordy(part, 4) {
			return false
		}
	}
	for _, mark := range []string{"(?", "[^", "\\d", "\\w", "\\s", "[a-z", "[A-Z", "[0-9"} { // a regular expression
		if strings.Contains(v, mark) {
			return true
		}
	}
	return !strings.ContainsAny(v, "0123456789") || strings.ContainsAny(v, "()[]{}")
}

// isWordy reports whether a value consists of words with at most so many digits after each: "user-token-v2",
// "sha256", "x-api-key", "/usr/lib/libm.so.6".
func isWordy(v string, digits int) bool {
	if strings.ContainsAny(v, "!@#$%^*?+~=") {
		return false
	}
	words, spoken, counted := split(v), 0, 0
	for part := range strings.FieldsFuncSeq(v, func(c rune) bool { return strings.ContainsRune("-_./:, ", c) }) {
		if len(part) >= 10 && len(part) < 4*len(split(part)) && strings.ToUpper(part) != part {
			return false // camel case has longer parts
		}
	}
	for _, w := range words {
		letters := strings.TrimRight(w, "0123456789")
		if len(letters) < len(w) {
			counted++
		}
		switch {
		case letters == "" && len(w) <= digits, len(w) <= 2:
		case len(w)-len(letters) > digits || !isPronounceable(letters):
			return false
		default:
			spoken += len(w)
		}
	}
	return counted <= 2 && 3*spoken >= 2*(len(v)-len(words))
}

// isPronounceable reports whether a lower-case word could be a real one: only letters, with vowels, and not too long.
func isPronounceable(w string) bool {
	switch {
	case len(w) > 24 || strings.ContainsAny(w, "0123456789"):
		return false
	case len(w) <= 4:
		return true
	}
	return strings.ContainsAny(w, "aeiouy") && consonants(w) < 5
}
