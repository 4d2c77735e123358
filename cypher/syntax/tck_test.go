package syntax_test

import (
	"bufio"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/reverse-spec/reverse-spec/cypher/syntax"
)

// writes are the words in the queries of the TCK that do not only read.
var writes = regexp.MustCompile(`(?i)\b(CREATE|MERGE|SET|DELETE|REMOVE|CALL)\b`)

// placeholder is what the outlines of the TCK put into queries.
var placeholder = regexp.MustCompile(`<\w+>`)

// tckQuery is a query of the TCK and the error it expects, "" for none.
type tckQuery struct {
	place, text, fault string
}

// Every query of the TCK that succeeds and only reads is parsed.
func TestParseTCK(t *testing.T) {
	dir := os.Getenv("TCK_DIR")
	if dir == "" {
		dir = filepath.Join("..", "..", "..", "shared", "tck")
	}
	if _, err := os.Stat(dir); err != nil {
		t.Skipf("the TCK is not here: %v", err)
	}
	var parsed, failed int
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || filepath.Ext(path) != ".feature" {
			return err
		}
		for _, q := range tckQueries(t, path) {
			if q.fault != "" || writes.MatchString(q.text) {
				continue
			}
			parsed++
			if _, err := syntax.Parse(q.text); err != nil {
				failed++
				t.Errorf("%s: %v\n%s", q.place, err, q.text)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d queries, %d failed", parsed, failed)
}

// tckQueries reads the queries of one feature file. Those with placeholders are left
// out.
func tckQueries(t *testing.T, path string) []tckQuery {
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var queries []tckQuery
	var scenario, text string
	var wanted, inside bool
	for lines := bufio.NewScanner(file); lines.Scan(); {
		line := strings.TrimSpace(lines.Text())
		switch {
		case strings.HasPrefix(line, `"""`):
			if inside && wanted && !placeholder.MatchString(text) {
				queries = append(queries, tckQuery{place: filepath.Base(path) + ": " + scenario, text: text})
			}
			inside, text = !inside, ""
		case inside:
			text += lines.Text() + "\n"
		case strings.HasPrefix(line, "Scenario"):
			scenario = line
		case strings.Contains(line, "executing query:") || strings.Contains(line, "executing control query:"):
			wanted = true
		case strings.Contains(line, "having executed:"):
			wanted = false
		case strings.Contains(line, "should be raised") && len(queries) > 0:
			_, code, _ := strings.Cut(line, "time: ")
			queries[len(queries)-1].fault = code
		}
	}
	return queries
}
