package main

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/reverse-spec/reverse-spec/internal/testsupport/llmtest"
)

// fixedChinese are the texts fixed by reverse-spec-mcp.md, which are the same in every
// language.
var fixedChinese = []string{
	"AST 预处理 + 上下文组装", "目标文件或目录路径（绝对或相对于 cwd）", "深度分析模式（包含函数体）",
	"完整 Spec 生成流水线", "目标文件或目录路径", "深度分析模式", "输出目录",
	"批量 Spec 生成", "项目根目录（默认为当前工作目录）", "强制重新生成所有 spec",
	"Spec 漂移检测", "Spec 文件路径（.spec.md）", "源代码文件或目录路径",
	"prepare 失败: ", "generate 失败: ", "batch 失败: ", "diff 失败: ",
	"目标路径不存在: ", "AST 解析失败，建议使用 --deep 模式", "Claude API 返回 429: 速率限制", "未检测到 ANTHROPIC_API_KEY", "内部错误: ",
}

// fixedEnglish are the texts fixed by the contract of the code graph's tools. Quoted parts are
// not compared.
var fixedEnglish = []string{
	"List all indexed projects in the knowledge graph database. Returns a list of project names that have been indexed.",
	"Delete a specific project from the knowledge graph database. This removes all nodes associated with the project while preserving other projects. Use list_projects first to see available projects.",
	"Name of the project to delete",
	"WARNING: Completely wipe the entire database, removing ALL indexed projects. This cannot be undone. Use delete_project for removing individual projects.",
	"Must be true to confirm the wipe operation",
	"Query the codebase knowledge graph using natural language. Ask questions like", "Your question in plain English about the codebase",
	"Retrieve source code for a function, class, or method by its qualified name. Returns the source code, file path, line numbers, and docstring.",
	"Surgically replace an exact code block in a file using diff-match-patch. Only modifies the exact target block, leaving the rest unchanged.",
	"Relative path to the file from project root", "Exact code block to replace", "New code to insert",
	"Read the contents of a file from the project. Supports pagination for large files.",
	"Line number to start reading from (0-based, optional)", "Maximum number of lines to read (optional)",
	"Write content to a file, creating it if it doesn't exist.", "Content to write to the file",
	"List contents of a directory in the project.", "Relative path to directory from project root",
	"Successfully indexed repository at ", "has been updated.", "Successfully wrote file:", "Successfully applied surgical code replacement in:",
	"Successfully deleted project ", "Database wipe cancelled. Set confirm=true to proceed.", "Database completely wiped. All projects have been removed.",
	"Security risk: Attempted to list file outside of project root.", "Security risk: Attempted to read file outside of project root.", "Security risk: Attempted to write file outside of project root.",
	"File not found.", "is not a valid directory.", "is a binary file. Ask the user to attach it inline if they want it analyzed.",
	"Target code not found or patches failed.", "Failed to apply surgical replacement in ",
}

// The code contains nothing that could be mistaken for a message.
var wordless = map[string]string{
	"go.mod":       "module shop\n\ngo 1.26\n",
	"till/till.go": "package till\n\ntype Till struct{ sum int }\n\nfunc (t *Till) Pay(n int) { t.sum += n }\n",
	"shop.go":      "package shop\n\nimport \"shop/till\"\n\nfunc Buy(t *till.Till) { t.Pay(1) }\n",
	"long.txt":     strings.Repeat("x\n", 40_000),
	"bad.ts":       "this is not { valid ][ ts code @@@\n%%% (((\n}}} => => foo(bar",
	"empty/x/y":    "",
	"image.bin":    "\x00\x01",
}

// serverCalls are calls of every tool, with and without errors, in this order.
var serverCalls = []struct{ tool, arguments string }{
	{"prepare", `{"targetPath":"till"}`},
	{"prepare", `{}`},
	{"prepare", `{"target_path":"till"}`},
	{"prepare", `{"targetPath":""}`},
	{"prepare", `{"targetPath":7}`},
	{"prepare", `{"targetPath":"till","deep":"maybe"}`},
	{"prepare", `{"targetPath":"till","maxTokens":0}`},
	{"prepare", `["till"]`},
	{"prepare", `{"targetPath":"tull"}`},
	{"prepare", `{"targetPath":"nothing/here"}`},
	{"prepare", `{"targetPath":"bad.ts"}`},
	{"prepare", `{"targetPath":"till","nothing":1}`},
	{"generate", `{"targetPath":"till"}`},
	{"generate", `{"targetPath":"till","lang":"fr"}`},
	{"generate", `{"targetPath":"till","check":true}`},
	{"generate", `{"targetPath":"nothing"}`},
	{"batch", `{"force":true}`},
	{"batch", `{"check":true}`},
	{"batch", `{"projectRoot":"nothing"}`},
	{"diff", `{"specPath":"specs/till.spec.md","sourcePath":"till"}`},
	{"diff", `{}`},
	{"diff", `{"specPath":"nothing","sourcePath":"till"}`},
	{"diff", `{"specPath":"specs/till.spec.md","sourcePath":"till","offset":99}`},
	{"index_repository", `{}`},
	{"index_repository", `{"force":7}`},
	{"list_projects", `{}`},
	{"query_code_graph", `{"natural_language_query":"MATCH (n:Function) RETURN n.name AS name"}`},
	{"query_code_graph", `{}`},
	{"get_code_snippet", `{"qualified_name":"Buy"}`},
	{"get_code_snippet", `{"name":"Buy"}`},
	{"read_file", `{"file_path":"shop.go"}`},
	{"read_file", `{"file_path":"long.txt"}`},
	{"read_file", `{"file_path":"shop.go","limit":-1}`},
	{"read_file", `{"file_path":"shop.go","column":9999}`},
	{"list_directory", `{}`},
	{"list_directory", `{"offset":99}`},
	{"write_file", `{"file_path":"a.txt","content":"x"}`},
	{"write_file", `{"content":"x"}`},
	{"surgical_replace_code", `{"file_path":"a.txt","target_code":"x","replacement_code":"y"}`},
	{"surgical_replace_code", `{"file_path":"a.txt","target_code":"","replacement_code":"y"}`},
	{"ci_graph_rag", `{"query":"pay"}`},
	{"ci_graph_rag", `{"query":"pay","min_relevance":-1}`},
	{"ci_call_chain", `{"symbol":"Pay"}`},
	{"ci_call_chain", `{"symbol":"Pay","direction":"up"}`},
	{"verify", `{}`},
	{"verify", `{"run":true}`},
	{"verify", `{"timeout":0}`},
	{"read_file", `{"file_path":"shop.got"}`},
	{"read_file", `{"file_path":"image.bin"}`},
	{"read_file", `{"file_path":"../x"}`},
	{"list_directory", `{"directory_path":"tull"}`},
	{"list_directory", `{"directory_path":"shop.go"}`},
	{"write_file", `{"file_path":".git/x","content":"x"}`},
	{"surgical_replace_code", `{"file_path":"shop.go","target_code":"nothing","replacement_code":"y"}`},
	{"verify", `{"specPath":"nothing"}`},
	{"prepare", `{"targetPath":"../x"}`},
	{"diff", `{"specPath":"shop.go","sourcePath":"till"}`},
	{"generate", `{"targetPath":"image.bin"}`},
	{"delete_project", `{"project_name":"project"}`},
	{"delete_project", `{"project_name":7}`},
	{"wipe_database", `{"confirm":false}`},
	{"wipe_database", `{"confirm":"yes"}`},
	{"wipe_database", `{"confirm":true}`},
}

// serverLines are messages answered with a protocol error.
var serverLines = []string{
	`hello`, `[]`, `7`, `{}`, `{"jsonrpc":"2.0","id":{}}`, `{"jsonrpc":"2.0"}`, `{"jsonrpc":"2.0","method":7}`, `{"jsonrpc":"2.0","id":0,"method":"x","params":7}`, `{"jsonrpc":"2.0","id":0,"method":"no/such"}`,
	`{"jsonrpc":"2.0","id":0,"method":"tools/call"}`, `{"jsonrpc":"2.0","id":0,"method":"tools/call","params":{"name":"preparee"}}`, `{"jsonrpc":"2.0","id":0,"method":"tools/call","params":{"name":"nothing"}}`,
}

// TestTheServerSpeaksOneLanguage except for the texts that its contracts fix.
func TestTheServerSpeaksOneLanguage(t *testing.T) {
	han := regexp.MustCompile(`\p{Han}`)
	// Four consecutive words that are not names in code, paths or values.
	sentence := regexp.MustCompile(`(^|[\s("“:：，。；（])[A-Za-z]?[a-z']+([ ,;:]+[a-z']{1,}){3,}`)
	for _, c := range []struct {
		env     []string
		foreign *regexp.Regexp
		fixed   []string
	}{
		{[]string{"LANG=en_US.UTF-8"}, han, fixedChinese},
		{[]string{"LANG=zh_CN.UTF-8"}, sentence, fixedEnglish},
		{[]string{"LANG=C", "REVERSE_SPEC_LANG=zh"}, sentence, fixedEnglish},
	} {
		t.Run(strings.Join(c.env, " "), func(t *testing.T) {
			t.Parallel()
			dir := filepath.Join(t.TempDir(), "project")
			writeTree(t, dir, wordless)
			env := append([]string{"LC_ALL=", "LC_MESSAGES=", "REVERSE_SPEC_LANG="}, c.env...)
			check := func(what, text string) {
				t.Helper()
				if strings.TrimSpace(text) == "" {
					t.Errorf("%s: no answer", what)
				}
				for _, fixed := range c.fixed {
					text = strings.ReplaceAll(text, fixed, "§")
				}
				for line := range strings.Lines(namesIn.ReplaceAllString(inQuotes.ReplaceAllString(text, "§"), "§")) {
					if at := c.foreign.FindString(line); at != "" {
						t.Errorf("%s: %q in %q", what, strings.TrimSpace(at), strings.TrimSpace(line))
					}
				}
			}
			converse(t, startServer(t, dir, env), check)
			s := startServer(t, dir, env, "--read-only")
			check("read-only", rawAnswer(t, s, `{"jsonrpc":"2.0","id":0,"method":"tools/call","params":{"name":"write_file"}}`))
		})
	}
}

// TestTheContractsWordsStandAloneInChinese, without the English gloss.
func TestTheContractsWordsStandAloneInChinese(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "project")
	writeTree(t, dir, wordless)
	limited := llmtest.Start(llmtest.Reply{Status: 429, Header: llmtest.Header{"Retry-After": "1"}})
	defer limited.Close()
	for _, c := range []struct {
		env                   []string
		tool, arguments, want string // want is a regular expression
	}{
		{nil, "prepare", `{"targetPath":"nothing/here"}`, `^prepare 失败: 目标路径不存在: nothing/here$`},
		{nil, "prepare", `{"targetPath":"tull"}`, `^prepare 失败: 目标路径不存在: tull（是否指 till？）$`},
		{nil, "batch", `{"projectRoot":"nothing"}`, `^batch 失败: 目标路径不存在: nothing$`},
		{nil, "diff", `{"specPath":"nothing","sourcePath":"till"}`, `^diff 失败: 目标路径不存在: nothing$`},
		{nil, "generate", `{"targetPath":"bad.ts"}`, `^generate 失败: AST 解析失败，建议使用 --deep 模式（bad.ts:1: [^）]*）$`},
		{[]string{"REVERSE_SPEC_PROVIDER=anthropic"}, "generate", `{"targetPath":"till"}`, `^generate 失败: 未检测到 ANTHROPIC_API_KEY`},
		{[]string{"ANTHROPIC_API_KEY=sk-ant-test-0123456789abcd", "ANTHROPIC_BASE_URL=" + limited.URL}, "generate", `{"targetPath":"till"}`, `^generate 失败: Claude API 返回 429: 速率限制`},
	} {
		got := startServer(t, dir, append(c.env, "REVERSE_SPEC_LANG=zh")).call(t, c.tool, c.arguments)
		if text := got.Content[0].Text; !got.IsError || !regexp.MustCompile(c.want).MatchString(text) {
			t.Errorf("%s %s: %s", c.tool, c.arguments, text)
		}
	}
}

// converse returns all responses of a server.
func converse(t *testing.T, s *liveServer, check func(what, text string)) {
	t.Helper()
	check("tools/list", textsOf(s.ask(t, "tools/list", `{}`).Result))
	discovered := s.ask(t, "server/discover", `{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}`)
	check("server/discover", textsOf(discovered.Result))
	for _, line := range serverLines {
		check(line, rawAnswer(t, s, line))
	}
	for _, c := range serverCalls {
		r := s.call(t, c.tool, c.arguments)
		check(c.tool+" "+c.arguments, textsOf([]byte(r.Content[0].Text)))
	}
}

// rawAnswer returns the error message for a line.
func rawAnswer(t *testing.T, s *liveServer, line string) string {
	t.Helper()
	if _, err := fmt.Fprintln(s.in, line); err != nil {
		t.Fatal(err)
	}
	m := s.wait(t, line, func(m rpcMessage) bool { return m.ID == 0 && m.Method == "" })
	var fault struct{ Message string }
	if err := json.Unmarshal(m.Error, &fault); err != nil {
		t.Fatalf("%s: %s: %v", line, m.Result, err)
	}
	if _, ofGo, cut := strings.Cut(fault.Message, "invalid character"); cut { // messages of the JSON library
		return strings.TrimSuffix(fault.Message, ofGo)
	}
	return fault.Message
}

// Language-independent parts: quotes, and lists of names.
var (
	inQuotes = regexp.MustCompile("`[^`]*`" + `|"[^"]*"|'[^']*'`)
	namesIn  = regexp.MustCompile(`\w+(, \w+){2,}`)
)

// notSaid are fields of answers with code, or with text for a model.
var notSaid = map[string]bool{"context": true, "signature": true, "source_code": true, "content": true, "query_used": true, "script": true}

// textsOf returns the text of an answer; for JSON the strings, one per line.
func textsOf(answer []byte) string {
	var v any
	if json.Unmarshal(answer, &v) != nil {
		return string(answer)
	}
	var b strings.Builder
	var walk func(v any)
	walk = func(v any) {
		switch v := v.(type) {
		case map[string]any:
			for name, e := range v {
				if !notSaid[name] {
					walk(e)
				}
			}
		case []any:
			for _, e := range v {
				walk(e)
			}
		case string:
			b.WriteString(v + "\n")
		}
	}
	walk(v)
	return b.String()
}
