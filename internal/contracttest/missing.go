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

// blame adds the missing command to the reason of a failed test. If it is a toolchain the test
// is skipped; otherwise the test may be about the command.
func (t *Test) blame(ctx context.Context, missing []string) {
	if t.Outcome != Failed || len(missing) == 0 {
		return
	}
	for _, name := range missing {
		if slices.Contains(toolchains, name) {
			t.skip(ctx, name)
			return
		}
	}
	t.Reason = message.Sprintf(ctx, "%s; command not found: %s", t.Reason, missing[0])
}
