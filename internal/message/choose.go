package message

import (
	"cmp"
	"strings"

	"golang.org/x/text/language"
)

// Variable is the environment variable that sets the language.
const Variable = "REVERSE_SPEC_LANG"

// Choice is the language of a run.
type Choice struct {
	Lang Lang
	// Explicit is the language set by a flag, the environment or the configuration; "" if it comes from the locale.
	// Files are written in this language; if it is "", they keep the language that they have.
	Explicit Lang
}

// Choose returns the language set by the flag, by REVERSE_SPEC_LANG, by the configuration or by the locale (LC_ALL,
// LC_MESSAGES, LANG), in this order, else English. The error names a setting that is not a known language; the
// choice then ignores that setting.
func Choose(flag string, getenv func(string) string, configured string) (Choice, error) {
	var fault error
	for _, s := range []struct{ name, value string }{
		{"--lang", flag}, {Variable, getenv(Variable)}, {"lang", configured},
	} {
		if s.value == "" {
			continue
		}
		lang, ok := Parse(s.value)
		if ok {
			return Choice{lang, lang}, fault
		}
		fault = cmp.Or(fault, Errorf("%s: no such language: %s (en or zh)", s.name, s.value))
	}
	lang, _ := Parse(cmp.Or(getenv("LC_ALL"), getenv("LC_MESSAGES"), getenv("LANG")))
	return Choice{Lang: cmp.Or(lang, English)}, fault
}

// Parse parses the name of a language or locale: "zh", "zh_CN.UTF-8", "en-US". It returns false if there are no
// messages in it.
func Parse(name string) (Lang, bool) {
	name, _, _ = strings.Cut(name, ".")
	name, _, _ = strings.Cut(name, "@")
	tag, err := language.Parse(name)
	if err != nil {
		return "", false
	}
	base, _ := tag.Base()
	for _, lang := range Langs() {
		if base.String() == string(lang) {
			return lang, true
		}
	}
	return "", false
}
