package contracttest

import (
	"context"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/x/openfile"
)

// Bash calls this function for a command that it does not find. The function writes the name
// to a file, so that bash's localised message need not be parsed.
const (
	missingVariable = "REVERSE_SPEC_MISSING"
	missingSuffix   = ".missing"
	missingHandler  = "BASH_FUNC_command_not_found_handle%%=() { " +
		`printf '%s\n' "$1" >>"$REVERSE_SPEC_MISSING"; printf '%s: command not found\n' "$1" >&2; return 127; }`
)

// toolchains are programs that belong to a language or a system, not to a project. A test that
// lacks one says nothing about the code.
var toolchains = []string{
	"go", "gofmt", "node", "npm", "npx", "pnpm", "yarn", "bun", "deno", "tsc",
	"python", "python3", "pip", "pip3", "pytest", "uv", "poetry", "tox",
	"cargo", "rustc", "java", "javac", "mvn", "gradle", "kotlinc", "scala", "sbt",
	"dotnet", "ruby", "bundle", "rake", "rspec", "php", "composer", "swift", "dart", "flutter", "elixir", "mix",
	"gcc", "cc", "g++", "clang", "cmake", "ctest", "make", "ninja",
	"jq", "bc", "curl", "git", "docker", "sqlite3", "psql",
}

// absentOf returns the first program that is not on PATH or, if it is a path in the project,
// does not exist; "" if all are present.
func absentOf(root string, programs []string) string {
	for _, p := range programs {
		file := p
		if strings.Contains(p, "/") && !filepath.IsAbs(p) {
			file = filepath.Join(root, filepath.FromSlash(p))
		}
		if _, err := exec.LookPath(file); err != nil {
			return printable(p)
		}
	}
	return ""
}

// missingIn returns the commands that bash did not find.
func missingIn(file string) []string {
	text, err := openfile.Read(file, openfile.MaxConfig)
	if err != nil {
		return nil // the first missing command creates the file
	}
	return strings.Fields(printable(string(text)))
}

// blame blocks a test that did not pass because a toolchain is missing. A test without another command may be about that
// command: its reason names it.
func (t *Test) blame(ctx context.Context, missing []string) {
	for _, name := range missing {
		if slices.Contains(toolchains, name) {
			t.lack(ctx, name)
			return
		}
	}
	if len(missing) > 0 && t.Outcome == Failed && !strings.Contains(t.Reason, missing[0]) {
		t.Reason = message.Sprintf(ctx, "command not found: %s", missing[0])
	}
}
