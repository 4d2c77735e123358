package mcp_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/graphs"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/sqlite"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/store"
	"github.com/reverse-spec/reverse-spec/internal/project"
	"github.com/reverse-spec/reverse-spec/mcp"
)

// shown is how many characters of an answer every client shows.
const shown = 40_000

// large is a server for a project with a file a text says, and a store of its own.
func large(t *testing.T, files map[string]string) (*mcp.Server, *project.Project) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "large")
	for name, text := range files {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	p, err := project.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = p.Close() })
	s, err := sqlite.Open(sqlite.Options{Home: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	t.Setenv("CKB_UNAVAILABLE", "1")
	return mcp.New(mcp.Options{Project: p, Version: "2.0.0", Graphs: graphs.New(graphs.Options{Store: func() (store.Store, error) { return s, nil }, Shared: true})}), p
}

// nextCall is the call that an answer names for the rest.
type nextCall struct {
	Remaining int
	Unit      string
	Tool      string
	Arguments json.RawMessage
}

// inText finds it in an answer that is text.
var inText = regexp.MustCompile(`(\d+) more (\w+): call (\w+) with (\{.*\})`)

func (m message) next(t *testing.T) *nextCall {
	t.Helper()
	if !strings.HasPrefix(m.Result.Content[0].Text, "{") {
		found := inText.FindStringSubmatch(m.Result.Content[0].Text)
		if found == nil {
			return nil
		}
		n := &nextCall{Unit: found[2], Tool: found[3], Arguments: json.RawMessage(found[4])}
		_, _ = fmt.Sscan(found[1], &n.Remaining)
		return n
	}
	var page struct{ Next *nextCall }
	if err := json.Unmarshal(m.json(), &page); err != nil {
		t.Fatal(err)
	}
	return page.Next
}

// json is an answer that is an object: its structure, and where it has none its text.
func (m message) json() []byte {
	if m.Result.StructuredContent != nil {
		return m.Result.StructuredContent
	}
	return []byte(m.Result.Content[0].Text)
}

// pages calls a tool, and then what each answer names for the rest. None is longer than
// clients show.
func pages(t *testing.T, s *mcp.Server, tool, arguments string) []message {
	t.Helper()
	var out []message
	for n := (&nextCall{Tool: tool, Arguments: json.RawMessage(arguments)}); n != nil && len(out) < 100; {
		m := decode(t, talk(t, s, fmt.Sprintf(call2, n.Tool, n.Arguments))[0])
		if m.Result == nil || m.Result.IsError {
			t.Fatalf("%s %s: %+v", n.Tool, n.Arguments, m)
		}
		if size := utf8.RuneCountInString(m.Result.Content[0].Text); size > shown {
			t.Errorf("%s %s: %d characters", n.Tool, n.Arguments, size)
		}
		out = append(out, m)
		n = m.next(t)
	}
	if len(out) < 2 {
		t.Fatalf("%s %s: %d pages, so that nothing is shown of them: %.300s", tool, arguments, len(out), out[0].Result.Content[0].Text)
	}
	return out
}

// listed joins a list of the structured contents of pages, an element a line.
func listed(t *testing.T, pages []message, list string) string {
	t.Helper()
	var b strings.Builder
	for _, m := range pages {
		var members map[string]json.RawMessage
		var elements []json.RawMessage
		if json.Unmarshal(m.json(), &members) != nil || json.Unmarshal(members[list], &elements) != nil {
			t.Fatalf("no list %s: %.300s", list, m.Result.StructuredContent)
		}
		for _, e := range elements {
			b.Write(e)
			b.WriteByte('\n')
		}
	}
	return b.String()
}

func TestPagesOfAFileAreTheFile(t *testing.T) {
	long := strings.Repeat("一行很长的文字", 3000) + "\n"
	text := strings.Repeat("a line\n", 4000) + long + long + strings.Repeat("another line\n", 4000) + "no end"
	s, _ := large(t, map[string]string{"text.txt": text})
	for _, c := range []struct{ arguments, want string }{
		{`{"file_path":"text.txt"}`, text},
		{`{"file_path":"text.txt","offset":4000,"limit":2}`, long + long},
	} {
		var b strings.Builder
		for _, m := range pages(t, s, "read_file", c.arguments) {
			body := m.Result.Content[0].Text
			for strings.HasPrefix(body, "# ") {
				_, body, _ = strings.Cut(body, "\n")
			}
			b.WriteString(body)
		}
		if b.String() != c.want {
			t.Errorf("%s: %d bytes, want %d", c.arguments, b.Len(), len(c.want))
		}
	}
}

// A file that is larger than any source is read, too.
func TestAHugeFileHasAFirstPage(t *testing.T) {
	const lines = 200_000
	s, _ := large(t, map[string]string{"huge.txt": strings.Repeat("a line of a file that is larger than any source\n", lines)})
	m := decode(t, talk(t, s, fmt.Sprintf(call2, "read_file", `{"file_path":"huge.txt","offset":10}`))[0])
	n := m.next(t)
	if n == nil || m.Result.IsError {
		t.Fatalf("%+v", m.Result)
	}
	if given := strings.Count(m.Result.Content[0].Text, "a line"); given == 0 || given+n.Remaining != lines-10 {
		t.Errorf("%d lines, and %d more", given, n.Remaining)
	}
}

func TestPagesOfAFolderNameEachEntryOnce(t *testing.T) {
	files, want := map[string]string{}, ""
	for i := range 3000 {
		name := fmt.Sprintf("entry-%04d-with-a-long-name", i)
		files[name], want = "", want+name+"\n"
	}
	s, _ := large(t, files)
	got := ""
	for _, m := range pages(t, s, "list_directory", `{}`) {
		for line := range strings.Lines(m.Result.Content[0].Text) {
			if !strings.HasPrefix(line, "…") {
				got += strings.TrimSuffix(line, "\n") + "\n"
			}
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// manyCallers is a function that is long, and 400 that call it, with parameters of a type.
func manyCallers(kind string) string {
	var b strings.Builder
	b.WriteString("package many\n\n// Long is long.\nfunc Long(n int) {\n")
	for i := range 2000 {
		fmt.Fprintf(&b, "\tprintln(\"line %d of a long function\", n)\n", i)
	}
	b.WriteString("}\n")
	for i := range 400 {
		fmt.Fprintf(&b, "\n// Caller%03d calls.\nfunc Caller%03d(n int, k %s) {\n\tLong(n)\n}\n", i, i, kind)
	}
	return b.String()
}

func TestPagesOfASnippetAreTheSource(t *testing.T) {
	text := manyCallers("int")
	s, _ := large(t, map[string]string{"many.go": text})
	var b strings.Builder
	for i, m := range pages(t, s, "get_code_snippet", `{"qualified_name":"Long"}`) {
		if i > 0 {
			body := m.Result.Content[0].Text
			for strings.HasPrefix(body, "# ") {
				_, body, _ = strings.Cut(body, "\n")
			}
			b.WriteString(body)
			continue
		}
		var first struct {
			Source string `json:"source_code"`
		}
		if err := json.Unmarshal(m.Result.StructuredContent, &first); err != nil {
			t.Fatal(err)
		}
		b.WriteString(first.Source)
	}
	_, want, _ := strings.Cut(text, "// Long is long.\n")
	if want = want[:strings.Index(want, "}\n")+2]; b.String() != want {
		t.Errorf("%d bytes, want %d", b.Len(), len(want))
	}
}

func TestPagesOfARowListAreTheRows(t *testing.T) {
	s, _ := large(t, map[string]string{"many.go": manyCallers("int")})
	want := ""
	for i := range 400 {
		want += fmt.Sprintf("{\"name\":\"Caller%03d\"", i) + "\n"
	}
	for _, arguments := range []string{
		`{"natural_language_query":"who calls Long?","limit":130}`,
		`{"natural_language_query":"MATCH (c)-[:CALLS]->(:Function {name: 'Long'}) RETURN c.name AS name, c ORDER BY name"}`,
	} {
		got := ""
		for line := range strings.Lines(listed(t, pages(t, s, "query_code_graph", arguments), "results")) {
			got += line[:strings.Index(line, ",")] + "\n"
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s", arguments, diff)
		}
	}
}

// A row is never left out because it is long: it is shortened, and told so.
func TestARowThatIsTooLongIsShortened(t *testing.T) {
	s, _ := large(t, map[string]string{"many.go": manyCallers("int")})
	m := decode(t, talk(t, s, fmt.Sprintf(call2, "query_code_graph", `{"natural_language_query":"MATCH (f:Function) RETURN collect(f) AS all"}`))[0])
	var answer struct {
		Results []struct{ All []any }
		Notes   []string
	}
	if err := json.Unmarshal(m.Result.StructuredContent, &answer); err != nil {
		t.Fatal(err)
	}
	all := len(answer.Results[0].All)
	if note := fmt.Sprintf("%d elements", 401-all); all == 0 || len(answer.Notes) != 1 || !strings.Contains(answer.Notes[0], note) ||
		len(m.Result.Content[0].Text) > shown {
		t.Errorf("%d elements, %v, %d characters", all, answer.Notes, len(m.Result.Content[0].Text))
	}
}
