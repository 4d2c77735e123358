package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/reverse-spec/reverse-spec/internal/testsupport/shapes"
)

// TestAFileThatIsTooComplexIsNamed uses a PHP file of 400 kB whose parsing exceeds the limit
// for its size: calls of results of calls. Commands report it with the reason and read the
// other files. Indexing and batch need less of a file, so they get a different one that they
// cannot read.
func TestAFileThatIsTooComplexIsNamed(t *testing.T) {
	dir := smallProject(t)
	for _, s := range shapes.Of() {
		if s.File == "a.php" && s.Name == "calls of results" {
			if err := os.WriteFile(filepath.Join(dir, s.File), []byte(s.Make(200_000)), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "bad.ipynb"), []byte("{"), 0o644); err != nil {
		t.Fatal(err)
	}
	const reason, chinese = "too complex: the file takes more steps to read than its size allows", "过于复杂：读取该文件所需的步骤超出其大小所允许的上限"
	for _, c := range []struct {
		args []string
		want string
		ok   bool
	}{
		{[]string{"index"}, "bad.ipynb was not read: ", true},
		{[]string{"generate", ".", "--stdout"}, "a.php was not read: " + reason, true},
		{[]string{"generate", "a.php", "--stdout"}, "a.php:1: " + reason, false},
		{[]string{"batch", "--no-llm", "--json"}, "bad.ipynb was not read: ", true},
		{[]string{"--lang", "zh", "generate", "a.php", "--stdout"}, chinese, false},
	} {
		out, err := program(t, dir, c.args...).CombinedOutput()
		if !strings.Contains(string(out), c.want) || (err == nil) != c.ok {
			t.Errorf("%v: %v\n%.2000s", c.args, err, out)
		}
	}
}
