package view_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/view"
)

func TestSpecLinksWhatItNames(t *testing.T) {
	got := page(t, view.New(shop(t), message.English).Handler(), "/spec/specs/cart.spec.md")
	holds(t, got,
		`<h3 id="REQ-CART-001"><a class="id" href="#REQ-CART-001">REQ-CART-001</a>`,
		`<article class="item req">`, `<article class="item ct">`,
		`<span class="label">covered by</span> <a class="ref ct" href="#CT-CART-002"`,
		`<a class="place" href="/source/cart/cart.go?line=15#L15"><code>cart.go:15</code></a>`,
		`<span class="chip none">not run yet</span>`,
		`<a href="/drift/specs/cart.spec.md">`, `<a href="/raw/specs/cart.spec.md">`,
		`<figure class="diagram"><div class="picture" tabindex="0"><svg`,
	)
	if strings.Contains(got, "baseline-skeleton") {
		t.Error("the baseline is shown")
	}
}

func TestSpecInChineseSaysItsLanguage(t *testing.T) {
	got := page(t, view.New(shop(t), message.English).Handler(), "/spec/specs/money.spec.md")
	holds(t, got, `<article class="text" lang="zh">`, "需求规格", `id="REQ-MONEY-001"`)
}

// hand is the address of the hand-written spec.
const hand = "by%20hand/%3Cscript%3E.spec.md"

func TestHandWrittenSpecIsShown(t *testing.T) {
	got := page(t, view.New(shop(t), message.English).Handler(), "/spec/specs/"+hand)
	holds(t, got,
		`<dt>Spec-ID</dt><dd>SPEC-HAND-001</dd>`,
		`<span class="chip good">none failed on 2026-01-18</span>`,
		`<span class="chip none">no contract test</span>`,
		`<span class="label">shown by</span> <a class="ref sc" href="#SC-HAND-001"`,
		`见 <a class="ref req" href="#REQ-HAND-002"`,
		`<a href="/source/cart/cart.go" rel="noreferrer">the code</a>`,
		`<a href="https://example.com/?a=1&amp;b=2" rel="noreferrer">`,
	)
}

func TestTextOfSpecsIsEscaped(t *testing.T) {
	site := view.New(shop(t), message.English).Handler()
	for _, address := range []string{"/", "/spec/specs/" + hand, "/drift/specs/" + hand, "/source/cart/%3Cimg%20src=x%20onerror=alert(1)%3E.go", "/spec/%3Cscript%3Ealert(1)%3C/script%3E", "/nothing/%3Cscript%3E", "/modules/picture"} {
		got := get(t, site, address).Body.String()
		for _, bad := range []string{"<script>", "<img", "<iframe", "<style", `="javascript:`, `="data:`, ` onerror="`, "</textarea", " style="} {
			if strings.Contains(got, bad) {
				t.Errorf("%s holds %q:\n%s", address, bad, got)
			}
		}
	}
	holds(t, page(t, site, "/spec/specs/"+hand), "&lt;iframe src=", "&lt;b onclick=", "a picture &lt;of&gt; it")
}

func TestLargeSpecIsShownInParts(t *testing.T) {
	p := shop(t)
	var b strings.Builder
	b.WriteString("---\nhealth: active\n---\n\n# Large\n\n## 1. Requirements\n\n")
	for i := range 3000 {
		n := string(rune('A'+i/100)) + string(rune('0'+i/10%10)) + string(rune('0'+i%10))
		b.WriteString("### REQ-" + n + "-001: one of many\n\n" + strings.Repeat("It does what it does. ", 10) + "\n\n")
	}
	b.WriteString("## 2. Scenarios\n\n### SC-L-001: the last\n\n**Covers**: REQ-A00-001\n")
	write(t, p.Root(), "specs/large.spec.md", b.String())
	site := view.New(p, message.English).Handler()
	first := page(t, site, "/spec/specs/large.spec.md")
	if len(first) > 300<<10 {
		t.Errorf("the first part has %d bytes", len(first))
	}
	holds(t, first, "part 1 of", `id="REQ-A00-001"`, `rel="next"`)
	last := page(t, site, "/spec/specs/large.spec.md?id=SC-L-001")
	holds(t, last, `id="SC-L-001"`, `href="/spec/specs/large.spec.md?part=1#REQ-A00-001"`, `rel="prev"`)
	for query, want := range map[string]string{"part=99": "no part &#34;99&#34;", "part=x": "no part &#34;x&#34;", "id=REQ-NO": "has no &#34;REQ-NO&#34;"} {
		if w := get(t, site, "/spec/specs/large.spec.md?"+query); w.Code != http.StatusNotFound || !strings.Contains(w.Body.String(), want) {
			t.Errorf("?%s: %d %s", query, w.Code, w.Body)
		}
	}
}
