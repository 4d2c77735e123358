package redact

import (
	_ "embed"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/BurntSushi/toml"
)

// gitleaks is the rule set of gitleaks, of the version in rules/VERSION, under the licence in rules/LICENSE. `make
// rules` updates it.
//
//go:embed rules/gitleaks.toml
var gitleaks string

// isRedundant reports whether a rule of gitleaks is left out because the scan by words finds the same with fewer false
// positives: names of secrets, private key blocks, and forms whose keyword occurs in every text.
func isRedundant(id string) bool {
	switch id {
	case "generic-api-key", "private-key", "jwt", "twilio-api-key", "kubernetes-secret-yaml":
		return true
	}
	return false
}

// rule is a rule of gitleaks for the secrets of one issuer.
type rule struct {
	ID          string      `toml:"id"`
	Regex       string      `toml:"regex"`
	Path        string      `toml:"path"`
	Keywords    []string    `toml:"keywords"` // in lower case; a text without any of them does not match
	Entropy     float64     `toml:"entropy"`
	SecretGroup int         `toml:"secretGroup"` // 0 for the first group that matched
	Allowlists  []allowlist `toml:"allowlists"`

	kind         string
	secret, path *regexp.Regexp
	allowed      []allowed
}

// allowlist describes false positives of a rule.
type allowlist struct {
	Condition   string   `toml:"condition"` // "AND", or "" for OR
	Paths       []string `toml:"paths"`
	Regexes     []string `toml:"regexes"`
	RegexTarget string   `toml:"regexTarget"` // "match", "line", or "" for the secret
	Stopwords   []string `toml:"stopwords"`
}

// allowed is a compiled allowlist.
type allowed struct {
	*allowlist
	paths, regexes []*regexp.Regexp
}

// ruleSet holds the rules, indexed by keyword. A rule is parsed and compiled when one of its keywords first occurs:
// parsing all takes longer than redacting most files.
type ruleSet struct {
	rules    []func() *rule
	words    *matcher
	byWord   [][]int32 // keyword number -> rules
	allowAll func() allowed
}

var rules = sync.OnceValue(func() *ruleSet { return indexRules(gitleaks) })

// ruleHead begins a rule in the file.
const ruleHead = "[[rules]]\n"

// indexRules finds the rules and their keywords in the text of the file. A test compares the result with that of a
// TOML parser.
func indexRules(text string) *ruleSet {
	head, text, _ := strings.Cut(text, ruleHead)
	set := &ruleSet{allowAll: sync.OnceValue(func() allowed { return readGlobal(head) })}
	var words []string
	number := map[string]int{}
	for block := range strings.SplitSeq(text, ruleHead) {
		id, keywords := listed(block, "id = "), listed(block, "keywords = ")
		if len(id) != 1 || len(keywords) == 0 || isRedundant(id[0]) { // a rule for paths only
			continue
		}
		for _, w := range keywords {
			n, ok := number[w]
			if !ok {
				n = len(words)
				number[w] = n
				words = append(words, w)
				set.byWord = append(set.byWord, nil)
			}
			set.byWord[n] = append(set.byWord[n], int32(len(set.rules)))
		}
		set.rules = append(set.rules, sync.OnceValue(func() *rule { return readRule(block) }))
	}
	set.words = newMatcher(words, true)
	return set
}

// listed returns the strings of a key at the start of a line: one, or a list.
func listed(block, key string) (out []string) {
	at := strings.Index("\n"+block, "\n"+key)
	if at < 0 {
		return nil
	}
	value := block[at+len(key):]
	end := "\n"
	if strings.HasPrefix(value, "[") {
		end = "]"
	}
	value, _, _ = strings.Cut(value, end)
	for n, part := range strings.Split(value, `"`) {
		if n%2 == 1 {
			out = append(out, strings.ToLower(part))
		}
	}
	return out
}

// readRule parses and compiles a rule. A test does so for every rule.
func readRule(block string) *rule {
	var file struct {
		Rules []*rule `toml:"rules"`
	}
	if _, err := toml.Decode(ruleHead+block, &file); err != nil {
		panic(fmt.Sprintf("rules/gitleaks.toml: %v", err))
	}
	r := file.Rules[0]
	r.kind = kindOfRule(r.ID)
	r.secret = regexp.MustCompile(r.Regex)
	if r.Path != "" {
		r.path = regexp.MustCompile(r.Path)
	}
	for i := range r.Allowlists {
		r.allowed = append(r.allowed, r.Allowlists[i].compiled())
	}
	return r
}

// readGlobal parses the global allowlist, without the files that gitleaks does not read.
func readGlobal(head string) allowed {
	var file struct {
		Allowlist allowlist `toml:"allowlist"`
	}
	if _, err := toml.Decode(head, &file); err != nil {
		panic(fmt.Sprintf("rules/gitleaks.toml: %v", err))
	}
	file.Allowlist.Paths = nil
	return file.Allowlist.compiled()
}

// kindOfRule converts a rule's id to a type: HEROKU_API_KEY for heroku-api-key-v2.
func kindOfRule(id string) string {
	id = strings.TrimSuffix(strings.Replace(id, "1password", "onepassword", 1), "-v2")
	return strings.ToUpper(strings.Map(func(c rune) rune {
		switch {
		case c >= '0' && c <= '9':
			return -1
		case c >= 'a' && c <= 'z':
			return c
		}
		return '_'
	}, id))
}

func (a *allowlist) compiled() allowed {
	out := allowed{allowlist: a}
	for _, e := range a.Paths {
		out.paths = append(out.paths, regexp.MustCompile(e))
	}
	for _, e := range a.Regexes {
		out.regexes = append(out.regexes, regexp.MustCompile(e))
	}
	return out
}

// allows reports whether a match is a false positive.
func (a allowed) allows(path, secret, match, line string) bool {
	text := secret
	switch a.RegexTarget {
	case "match":
		text = match
	case "line":
		text = line
	}
	byPath := slices.ContainsFunc(a.paths, func(e *regexp.Regexp) bool { return e.MatchString(path) })
	byText := slices.ContainsFunc(a.regexes, func(e *regexp.Regexp) bool { return e.MatchString(text) }) ||
		slices.ContainsFunc(a.Stopwords, func(w string) bool { return strings.Contains(strings.ToLower(secret), w) })
	if a.Condition == "AND" {
		return (byPath || len(a.paths) == 0) && (byText || len(a.regexes)+len(a.Stopwords) == 0)
	}
	return byPath || byText
}

// Sizes of the text around a keyword that an expression is matched against.
const (
	ruleBefore = 64
	ruleBehind = 320
)

// window is a range of a text.
type window struct{ from, to int }

// windows returns for each rule the ranges around its keywords, sorted and without overlaps, so that matching takes
// linear time.
func (set *ruleSet) windows(text string) map[int32][]window {
	var out map[int32][]window
	set.words.each(text, func(word, from, to int) {
		w := around(text, from, to)
		if w.from == w.to {
			return
		}
		for _, r := range set.byWord[word] {
			if out == nil {
				out = map[int32][]window{}
			}
			parts := out[r]
			if n := len(parts); n > 0 && w.from <= parts[n-1].to {
				parts[n-1].to = max(parts[n-1].to, w.to)
				continue
			}
			out[r] = append(parts, w)
		}
	})
	return out
}

// leastIssued is the minimum length of a secret, longestRun the maximum length examined.
const (
	leastIssued = 10
	longestRun  = 1200
)

// around returns the window of a keyword; empty if nothing in it is as long as a secret.
func around(text string, from, to int) window {
	if to-from < 4 { // short keywords are part of the secret, near its start
		n := runAt(text, to)
		if strings.HasSuffix(text[from:to], "~") {
			return window{max(0, from-leastIssued), min(len(text), to+n+2)}
		}
		if n < 2*leastIssued || from > 0 && alnum(text[from-1]) {
			return window{}
		}
		return window{max(0, from-1), min(len(text), to+n+2)}
	}
	start := max(0, from-ruleBefore)
	end, longest := from, 0
	for end < len(text) && end < to+ruleBehind {
		n := runAt(text, end)
		longest = max(longest, n)
		end += max(n, 1)
	}
	if longest < leastIssued {
		return window{}
	}
	return window{start, min(end+1, len(text))}
}

// runAt returns the number of bytes at i that may be part of a secret.
func runAt(text string, i int) int { return run(text[i:min(len(text), i+longestRun)], isTokenByte) }

func isTokenByte(c byte) bool { return base64std(c) || base64url(c) || c == '.' || c == '~' }

// issued applies the rules of gitleaks.
func (f *finder) issued() {
	set := rules()
	for r, parts := range set.windows(f.text) {
		rule := set.rules[r]()
		if rule.path != nil && !rule.path.MatchString(f.path) {
			continue
		}
		for _, w := range parts {
			for _, at := range rule.secret.FindAllStringSubmatchIndex(f.text[w.from:w.to], -1) {
				f.addMatch(set, rule, w.from, at)
			}
		}
	}
}

// addMatch adds a match unless it is a false positive. At holds the group ranges, relative to base.
func (f *finder) addMatch(set *ruleSet, r *rule, base int, at []int) {
	from, to := base+at[0], base+at[1]
	match := f.text[from:to]
	for g := 1; 2*g < len(at); g++ {
		if at[2*g] >= 0 && at[2*g] < at[2*g+1] && (r.SecretGroup == 0 || r.SecretGroup == g) {
			from, to = base+at[2*g], base+at[2*g+1]
			break
		}
	}
	secret := f.text[from:to]
	if len(secret) < 6 || strings.ContainsAny(secret, "\r\n") || strings.Contains(secret, mark) || strings.Contains(match, mark) ||
		entropy(secret) <= r.Entropy || isPlaceholder(secret) || isWordy(secret, 2) {
		return
	}
	lineFrom := strings.LastIndexByte(f.text[:from], '\n') + 1
	line, _, _ := strings.Cut(f.text[max(lineFrom, from-400):min(len(f.text), to+400)], "\n")
	allows := func(a allowed) bool { return a.allows(f.path, secret, match, line) }
	if allows(set.allowAll()) || slices.ContainsFunc(r.allowed, allows) {
		return
	}
	f.add(from, to, r.kind, High)
}
