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

// Bash calls this function for a command that it does not find. It notes the name in
// a file, so that nobody has to read bash's message, which is in the user's language.
const (
	missingVariable = "REVERSE_SPEC_MISSING"
	missingSuffix   = ".missing"
	missingHandler  = "BASH_FUNC_command_not_found_handle%%=() { " +
		`printf '%s\n' "$1" >>"$REVERSE_SPEC_MISSING"; printf '%s: command not found\n' "$1" >&2; return 127; }`
)

// toolchains are the programs that come with a language or a system and not with a
// project: a test that lacks one says nothing about the code.
//
//nolint:gochecknoglobals // a table
var toolchains = []string{
	"go", "gofmt", "node", "npm", "npx", "pnpm", "yarn", "bun", "deno", "tsc",
	"python", "python3", "pip", "pip3", "pytest", "uv", "poetry", "tox",
	"cargo", "rustc", "java", "javac", "mvn", "gradle", "kotlinc", "scala", "sbt",
	"dotnet", "ruby", "bundle", "rake", "rspec", "php", "composer", "swift", "dart", "flutter", "elixir", "mix",
	"gcc", "cc", "g++", "clang", "cmake", "ctest", "make", "ninja",
	"jq", "bc", "curl", "git", "docker", "sqlite3", "psql",
}

// absentOf returns the first of the programs that is not on PATH, or, being a path in
// the project, not there; "" when all are.
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

// missingIn reads which commands bash did not find.
func missingIn(file string) []string {
	text, err := openfile.Read(file, openfile.MaxConfig)
	if err != nil {
		return nil // none: the file is made by the first
	}
	return strings.Fields(printable(string(text)))
}

// blame says of a test that failed which command it did not find. When that is a
// toolchain the test is skipped; anything else may be what the test is about.
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
