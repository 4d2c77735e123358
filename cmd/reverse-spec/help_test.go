package main

import (
	"bytes"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/reverse-spec/reverse-spec/internal/message"
)

var (
	chinese = regexp.MustCompile(`\p{Han}`)
	// english matches four consecutive words.
	english = regexp.MustCompile(`(^|[\s("“:：，。；（])[A-Za-z]?[a-z']+([;:,]? [a-z']+){3,}`)
)

// TestHelpIsTranslated: all help texts are in the catalogue, and translations name a flag's
// value like the English text.
func TestHelpIsTranslated(t *testing.T) {
	root := newRoot(streams{}, message.Chinese)
	localizeHelp(root, message.Chinese)
	eachCommand(root, func(c *cobra.Command) {
		for _, text := range helpTexts(c) {
			if *text != "" && !chinese.MatchString(*text) {
				t.Errorf("not in the catalogue (internal/message/zh_help.go): %s: %q", c.CommandPath(), *text)
			}
		}
		c.LocalFlags().VisitAll(func(f *pflag.Flag) {
			if n := strings.Count(f.Usage, "`"); n != 0 && n != 2 {
				t.Errorf("%s --%s names its value %d times: %q", c.CommandPath(), f.Name, n/2, f.Usage)
			}
		})
	})
}

// TestHelpIsOfOneLanguage for every command.
func TestHelpIsOfOneLanguage(t *testing.T) {
	for lang, foreign := range map[string]*regexp.Regexp{"en": chinese, "zh": english} {
		eachCommand(newRoot(streams{}, "en"), func(c *cobra.Command) {
			args := append(strings.Fields(c.CommandPath())[1:], "--help", "--lang", lang)
			var out, err bytes.Buffer
			if code := run(t.Context(), args, streams{out: &out, err: &err}); code != exitDone {
				t.Fatalf("%v: %d %s", args, code, err.String())
			}
			for line := range strings.Lines(out.String()) {
				if at := foreign.FindString(line); at != "" && !strings.Contains(line, "reverse-spec ") {
					t.Errorf("%v: %q in %q", args, at, line)
				}
			}
		})
	}
}
