package message

import (
	"cmp"
	"strings"

	"golang.org/x/text/language"
)

// Variable is the variable of the environment that sets the language.
const Variable = "REVERSE_SPEC_LANG"

// Choice is which language was chosen.
type Choice struct {
	Lang Lang
	// Explicit is the language that was asked for by a flag, the environment or the
	// configuration; "" where the locale decided. It is also the language of the files
	// that are written; without it these keep the language that they are in.
	Explicit Lang
}

// Choose is the language of a run: that of the flag, of REVERSE_SPEC_LANG, of the
// configuration, of the locale (LC_ALL, LC_MESSAGES, LANG), else English. The error
// says which setting names no language; the choice is then of what is left.
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

// Parse reads the name of a language or of a locale: "zh", "zh_CN.UTF-8", "en-US". False
// where it is none that messages are in.
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
