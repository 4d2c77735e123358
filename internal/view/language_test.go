package view_test

import (
	"html"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/view"
)

// TestTextsOfTheTemplatesAreInTheCatalogue checks that the templates' texts are keys of the
// catalogue.
func TestTextsOfTheTemplatesAreInTheCatalogue(t *testing.T) {
	files, err := filepath.Glob("pages/*.html")
	if err != nil || len(files) == 0 {
		t.Fatal(err, len(files))
	}
	known := map[string]bool{}
	for _, e := range message.Entries() {
		known[e.Key] = true
	}
	calls := regexp.MustCompile(`\bt "([^"]*)"|\b(?:count|unit) (?:\([^)]*\)|\S+) "[^"]*" "([^"]*)"`)
	outside := regexp.MustCompile(`\{\{[^}]*\}\}|<[^>]*>|&\w+;`)
	found := 0
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range calls.FindAllStringSubmatch(string(text), -1) {
			found++
			if key := m[1] + m[2]; !known[key] {
				t.Errorf("%s: %q is not in the catalogue", file, key)
			}
		}
		rest := outside.ReplaceAllString(string(text), "")
		rest = strings.NewReplacer("Markdown", "", "DOCTYPE", "").Replace(rest) // a name
		if left := regexp.MustCompile(`[A-Za-z]+`).FindAllString(rest, -1); left != nil {
			t.Errorf("%s says %q in no language", file, left)
		}
	}
	if found < 50 {
		t.Errorf("only %d texts were found", found)
	}
}

// TestPagesAreOfOneLanguage checks the texts around specs and code. Specs, code and names are
// removed first.
func TestPagesAreOfOneLanguage(t *testing.T) {
	p := shop(t)
	write(t, p.Root(), "specs/diagrams.spec.md", "---\ntype: module-spec\nhealth: drifted\nlast_verified: \"2026-01-18\"\n---\n\n# d\n\n"+
		"```mermaid\ngantt\n```\n\n```mermaid\nflowchart TD\nA --> B\n```\n")
	write(t, p.Root(), "money/more.go", "package money\n\n// Round rounds.\nfunc Round(c Cents) Cents { return c }\n")
	write(t, p.Root(), "money/money.go", "package money\n\n// Cents is an amount of money.\ntype Cents int32\n")
	addresses := []string{
		"/", "/?language=cobol", "/?health=active&sort=drift", "/spec/specs/cart.spec.md", "/spec/specs/diagrams.spec.md",
		"/drift/specs/money.spec.md", "/drift/specs/diagrams.spec.md", "/badge/specs/money.spec.md", "/modules", "/modules/picture",
		"/modules/picture?in=none", "/source/cart/cart.go", "/source/none", "/spec/specs/none.spec.md", "/spec/specs/cart.spec.md?part=9",
		"/spec/specs/cart.spec.md?id=none", "/assets/none", "/none", "/source/../secret",
	}
	for lang, foreign := range map[message.Lang]*regexp.Regexp{
		message.English: regexp.MustCompile(`\p{Han}`),
		message.Chinese: regexp.MustCompile(`[A-Za-z]{2,} [a-z]{2,} [a-z]{2,}`),
	} {
		site := view.New(p, lang).Handler()
		for _, address := range addresses {
			text := own(get(t, site, address).Body.String())
			if found := foreign.FindString(text); found != "" {
				t.Errorf("%s in %s says %q:\n%s", address, lang, found, text)
			}
		}
	}
	site := view.New(p, message.Chinese).Handler()
	holds(t, page(t, site, "/"), `<html lang="zh">`, `<b>4</b> 个规格`, `<option value="drifted">已漂移</option>`, `data-label="个需求"`, `<span class="dot active"></span>正常`)
	holds(t, page(t, site, "/spec/specs/diagrams.spec.md"), "没有失败（2026-01-18）；此后代码已漂移", "以文本显示：第 1 行：应为可绘制的图的种类", `aria-roledescription="流程图"`)
	holds(t, page(t, site, "/drift/specs/money.spec.md"), "类型 <code>Cents</code> 的定义改变：<code>int64</code> → <code>int32</code>", `<span class="label">待办</span>`, "接口 · 修改 · type-body-changed")
	holds(t, get(t, site, "/none").Body.String(), "<h1>未找到</h1>", "没有页面 /none。")
	r := get(t, site, "/modules/picture")
	holds(t, r.Body.String(), "<title>模块及其依赖</title>", "3 个模块")
	if r.Code != http.StatusOK {
		t.Error(r.Code)
	}
}

// own returns a page's own texts, including visible attributes, without specs and code.
func own(page string) string {
	for _, quoted := range []string{
		`(?s)<pre.*?</pre>`, `(?s)<code>.*?</code>`, `(?s)<header class="card".*?</header>`, `(?s)<article class="text".*?</article>\n</div>`, `(?s)<div class="code".*?</table></div>`,
		`(?s)<th scope="row" class="name">.*?</th>`, `(?s)<details class="contents".*?</details>`, ` title="(func|type|const|var|package|New|Add|Cart)[^"]*"`,
	} {
		page = regexp.MustCompile(quoted).ReplaceAllStringFunc(page, func(s string) string {
			if strings.HasPrefix(s, "<article") || strings.HasPrefix(s, "<header") { // our own texts within a spec
				return strings.Join(regexp.MustCompile(`<dt>[^<]*|<span class="(?:chip|label)[^<]*|<figcaption>[^<]*|<summary>[^<]*|<p class="counts">.*?</p>`).FindAllString(s, -1), "\n")
			}
			return ""
		})
	}
	attributes := regexp.MustCompile(` (?:title|aria-label|placeholder|data-label)="([^"]*)"`).FindAllString(page, -1)
	return html.UnescapeString(regexp.MustCompile(`<[^>]*>`).ReplaceAllString(page, " | ") + strings.Join(attributes, "\n"))
}
