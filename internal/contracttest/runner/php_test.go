package runner_test

import (
	"io/fs"
	"testing"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/contracttest/runner"
)

// TestPHPUnitRunsSeveralFilesAtOnce: PHPUnit before version 10 takes one file or folder, so several are their folder, and a filter
// by the names of their classes.
func TestPHPUnitRunsSeveralFilesAtOnce(t *testing.T) {
	files := map[string]string{"composer.json": `{"require-dev": {"phpunit/phpunit": "^9"}}`}
	read := func(name string) ([]byte, error) {
		if text, ok := files[name]; ok {
			return []byte(text), nil
		}
		return nil, fs.ErrNotExist
	}
	var list []runner.Selection
	for _, file := range []string{"tests/Unit/TillTest.php", "tests/ShelfTest.php", "tests/Feature/ShelfTest.php"} {
		f := &code.File{Path: file, Language: "php", Tests: []code.Test{{Name: "testPay", Runner: "phpunit"}, {Name: "testPut", Runner: "phpunit"}}}
		tool, err := runner.Find(read, f, "phpunit")
		if err != nil {
			t.Fatal(err)
		}
		if len(list) > 0 && !list[0].Tool.Joins(tool) {
			t.Error("two commands are needed")
		}
		list = append(list, runner.Selection{Tool: tool, Filters: []string{tool.Filter(f.Tests[0])}, All: []string{"testPay", "testPut"}})
	}
	const begin = `vendor/bin/phpunit ${TEST_REPORT:+--log-junit "$TEST_REPORT"} `
	for _, c := range []struct {
		list []runner.Selection
		want string
	}{
		{list[1:], begin + `--filter '/\b(ShelfTest)::(testPay)( with data set|$)/' tests`},
		{list[:2], begin + `--filter '/\b(TillTest|ShelfTest)::(testPay)( with data set|$)/' tests`},
		{list[:1], begin + `--filter '/(^|::| )(testPay)( with data set|$)/' tests/Unit/TillTest.php`},
		{[]runner.Selection{{Tool: list[0].Tool, Filters: list[0].All, All: list[0].All}, {Tool: list[1].Tool, Filters: list[0].All, All: list[0].All}}, begin + `--filter '/\b(TillTest|ShelfTest)::/' tests`},
	} {
		if got := runner.Script(c.list, false); got != c.want {
			t.Errorf("%s, want %s", got, c.want)
		}
	}
}
