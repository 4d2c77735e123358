package main

import (
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

// TestEveryCommandIsDocumented in docs/commands.md, except hidden ones.
func TestEveryCommandIsDocumented(t *testing.T) {
	text, err := os.ReadFile("../../docs/commands.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range newRoot(streams{out: io.Discard, err: io.Discard}, "en").Commands() {
		if !c.Hidden && !strings.Contains(string(text), "`reverse-spec "+c.Name()) && !strings.Contains(string(text), "`"+c.Name()+" ") {
			t.Errorf("docs/commands.md does not have %s", c.Name())
		}
	}
}

var (
	codeSpans = regexp.MustCompile("`([^`\n]+)`")
	// endsCommand matches words after the arguments of a command.
	endsCommand = regexp.MustCompile(`^(--|\||>|>>|<|&&|\|\||;|&|#|2>&1|2>.*|\).*)$`)
)

// TestDocumentedCommandsExist checks the commands, flags and targets of make that README, docs, skills, slash commands and workflows quote.
func TestDocumentedCommandsExist(t *testing.T) {
	makefile, err := os.ReadFile("../../Makefile")
	if err != nil {
		t.Fatal(err)
	}
	checked := 0
	for _, pattern := range []string{"README.md", "CONTRIBUTING.md", "SECURITY.md", "docs/*.md", "docs/samples/README.md", "commands/*.md", "skills/*/SKILL.md", "skills/*/*.md", ".github/*.md"} {
		pages, err := filepath.Glob("../../" + pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, page := range pages {
			text, err := os.ReadFile(page)
			if err != nil {
				t.Fatal(err)
			}
			for _, line := range quotedCommands(string(text)) {
				fault := ""
				if target, ok := strings.CutPrefix(line, "make "); ok {
					fault = unknownTarget(string(makefile), target)
				} else {
					fault = unknownArguments(strings.Fields(line)[1:])
				}
				if checked++; fault != "" {
					t.Errorf("%s: %s: %s", strings.TrimPrefix(page, "../../"), line, fault)
				}
			}
		}
	}
	if checked < 200 {
		t.Errorf("only %d commands were found", checked)
	}
}

// quotedCommands returns the commands of the program and of make that a document quotes.
func quotedCommands(text string) []string {
	var out []string
	add := func(line string) {
		line = strings.TrimPrefix(strings.TrimSpace(line), "$ ")
		if strings.HasPrefix(line, "reverse-spec ") || strings.HasPrefix(line, "make ") {
			out = append(out, line)
		}
	}
	fenced := false
	for line := range strings.Lines(text) {
		if strings.HasPrefix(strings.TrimSpace(line), "```") {
			fenced = !fenced
			continue
		}
		if fenced || strings.HasPrefix(line, "    ") {
			add(line)
			continue
		}
		for _, m := range codeSpans.FindAllStringSubmatch(line, -1) {
			add(m[1])
		}
	}
	return out
}

// unknownTarget says which target of make does not exist; "" if all do.
func unknownTarget(makefile, line string) string {
	for word := range strings.FieldsSeq(line) {
		if endsCommand.MatchString(word) || strings.HasPrefix(word, "#") {
			break
		}
		if strings.ContainsAny(word, "=-/.…<*\"'$()") || strings.HasPrefix(line, "sure") {
			continue
		}
		if !strings.Contains("\n"+makefile, "\n"+word+":") {
			return "make has no target " + word
		}
	}
	return ""
}

// unknownArguments says which command or flag of the program does not exist; "" if all do.
func unknownArguments(words []string) string {
	if i := slices.IndexFunc(words, endsCommand.MatchString); i >= 0 {
		words = words[:i]
	}
	root := newRoot(streams{out: io.Discard, err: io.Discard}, "en")
	root.InitDefaultHelpFlag()
	root.InitDefaultVersionFlag()
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	cmd := root
	for _, word := range words {
		name, _, _ := strings.Cut(strings.Trim(word, "[](),."), "=")
		if strings.HasPrefix(name, "-") && len(name) > 1 && !strings.HasPrefix(name, "---") {
			if !hasFlag(cmd, name) {
				return cmd.CommandPath() + " has no flag " + name
			}
			continue
		}
		if cmd.HasSubCommands() && cmd != root || cmd == root {
			child, _, err := cmd.Find([]string{name})
			switch {
			case err == nil && child != cmd:
				cmd = child
			case cmd == root && regexp.MustCompile(`^[a-z][a-z-]+$`).MatchString(name):
				return "there is no command " + name
			case cmd == root:
				return ""
			}
		}
	}
	return ""
}

func hasFlag(cmd *cobra.Command, name string) bool {
	cmd.InitDefaultHelpFlag()
	if long, ok := strings.CutPrefix(name, "--"); ok {
		return cmd.Flag(long) != nil || cmd.InheritedFlags().Lookup(long) != nil || strings.HasSuffix(long, "…")
	}
	return cmd.Flags().ShorthandLookup(name[1:2]) != nil || cmd.InheritedFlags().ShorthandLookup(name[1:2]) != nil
}
