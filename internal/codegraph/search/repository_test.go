package search_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// repository is public code with its history.
type repository struct {
	name       string
	git        string   // its git folder
	extensions []string // extensions of eligible files
	use        string   // "tuned": the weights were chosen on it; "held": it was looked at afterwards
	queries    string   // a folder with questions ready made; "" for none
}

// run runs git in the repository.
func (r *repository) run(ctx context.Context, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, "git", append([]string{"--git-dir", r.git}, args...)...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("git %s: %w: %s", strings.Join(args, " "), err, stderr.String())
	}
	return string(out), nil
}

// notAsked are files that no question is about: tests, examples, what is generated.
var notAsked = regexp.MustCompile(`(_test\.go|\.(test|spec)\.[tj]sx?|\.pb\.go|\.d\.ts|(^|/)(test_[^/]*|conftest)\.py|_(spec|test)\.rb|Tests?\.(php|cs|java|kt))$|` +
	`(^|/)(tests?|specs?|testing|testdata|__tests__|benchmarks?|bench|examples?|runtime-tests|docs?|scripts|vendor|third_party|deno_dist)/`)

// asked reports whether questions are about a file.
func (r *repository) asked(path string) bool {
	return slices.Contains(r.extensions, strings.TrimPrefix(filepath.Ext(path), ".")) && !notAsked.MatchString(path)
}

// clone writes the files of a revision to a temporary folder, with the history before it.
func (r *repository) clone(tb testing.TB, revision string) string {
	tb.Helper()
	dir := tb.TempDir()
	for _, command := range [][]string{
		{"git", "clone", "--quiet", "--shared", "--no-checkout", r.git, dir},
		{"git", "-C", dir, "checkout", "--quiet", "--detach", revision},
	} {
		if out, err := exec.CommandContext(tb.Context(), command[0], command[1:]...).CombinedOutput(); err != nil {
			tb.Fatalf("%v: %v: %s", command, err, out)
		}
	}
	return dir
}

// checkOut writes the files of a revision to a temporary folder in the git folder, because some of them may be
// ignored elsewhere.
func (r *repository) checkOut(tb testing.TB, revision string) string {
	tb.Helper()
	dir := tb.TempDir()
	archive := filepath.Join(tb.TempDir(), "revision.tar")
	_, err := r.run(tb.Context(), "archive", "--format=tar", "-o", archive, revision)
	check(tb, err)
	for _, command := range [][]string{
		{"tar", "-xf", archive, "-C", dir},
		{"git", "-C", dir, "init", "--quiet"},
		{"git", "-C", dir, "add", "--all", "--force"},
	} {
		if out, err := exec.CommandContext(tb.Context(), command[0], command[1:]...).CombinedOutput(); err != nil {
			tb.Fatalf("%v: %v: %s", command, err, out)
		}
	}
	check(tb, os.Remove(archive))
	return dir
}

func check(tb testing.TB, err error) {
	tb.Helper()
	if err != nil {
		tb.Fatal(err)
	}
}
