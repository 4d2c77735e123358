package main

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"net/http"
	"net/url"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"time"

	"golang.org/x/net/html"
)

// payloads returns markup that runs in a browser if a page does not escape it.
func payloads() []string {
	return []string{
		`<script>evil()</script>`, `<img src=x onerror=evil()>`, `"><svg onload=evil()>`, `javascript:evil()`, `[x](javascript:evil())`,
		`[x](data:text/html,<script>evil()</script>)`, `![x](x" onerror="evil())`, `<a href="JaVaScRiPt:evil()">x</a>`, `<iframe srcdoc="<script>evil()</script>">`,
		`</code></pre><script>evil()</script>`, "```mermaid\ngraph TD\n A[\"<img src=x onerror=evil()>\"] --> B\n click A \"javascript:evil()\"\n```",
		`<style>@import 'http://evil.example'</style>`, `<base href=http://evil.example>`, `<meta http-equiv=refresh content="0;url=http://evil.example">`,
		`<form action=http://evil.example><input name=x>`, `&lt;script&gt;evil()&lt;/script&gt;`, "<scr\x00ipt>evil()</scr\x00ipt>", `{{constructor.constructor('evil()')()}}`,
		"--><script>evil()</script>", "<!--<script>evil()", `<details open ontoggle=evil()>`, `<math><mtext></mtext><script>evil()</script></math>`,
	}
}

// alive returns the first tag in a page that would run or load something.
func alive(page []byte) string {
	tokens := html.NewTokenizer(bytes.NewReader(page))
	inside := ""
	for {
		switch tokens.Next() { //nolint:exhaustive // the others hold no markup
		case html.ErrorToken:
			return ""
		case html.StartTagToken, html.SelfClosingTagToken:
			t := tokens.Token()
			if inside = t.Data; runs(t) {
				return t.String()
			}
		case html.TextToken:
			if text := string(tokens.Raw()); (inside == "script" || inside == "style") && strings.Contains(text, "evil") {
				return inside + ": " + text
			}
		case html.EndTagToken:
			inside = ""
		}
	}
}

// runs reports whether a tag runs a script or leads to another site.
func runs(t html.Token) bool {
	switch t.Data {
	case "base", "iframe", "object", "embed":
		return true
	}
	for _, a := range t.Attr {
		value := strings.ToLower(strings.Join(strings.Fields(a.Val), ""))
		target := slices.Contains([]string{"href", "src", "action", "srcdoc", "content", "formaction"}, a.Key)
		switch {
		case strings.HasPrefix(a.Key, "on"):
			return true
		case target && (strings.HasPrefix(value, "javascript:") || strings.HasPrefix(value, "data:text") || strings.Contains(value, "//evil")):
			return true
		}
	}
	return false
}

// browser requests the pages of view for a project whose names, code and specs are payloads.
func browser(r *run) {
	for i, p := range payloads() {
		line := strings.ReplaceAll(p, "\n", " ")
		dir := r.project("browser", map[string]string{
			"a.go":                    "// Package a: " + line + "\npackage a\n\n// A is " + line + "\nfunc A(x string) string { return `" + strings.ReplaceAll(p, "`", "") + "` }\n",
			"README.md":               p + "\n",
			"specs/hand.spec.md":      "---\ntype: reverse-spec\nspecId: hand\nsourceTarget: a.go\n---\n\n# " + line + "\n\n" + p + "\n\n## 1. Requirements\n\n### REQ-001: " + line + "\n\n" + p + "\n",
			"drift-logs/drift-1.json": `{"specPath": "<script>evil()</script>", "items": [{"description": "<img src=x onerror=evil()>"}]}`,
		})
		r.command("browser", dir, "generate", "a.go", "--no-llm")
		if !r.pages(dir, i) {
			return
		}
	}
}

// pages requests the pages of a project, with payloads in addresses, too.
func (r *run) pages(dir string, turn int) bool {
	ctx, cancel := context.WithCancel(r.ctx)
	defer cancel()
	cmd := exec.CommandContext(ctx, r.program, "view", "--open=false", "--port", "0")
	cmd.Dir, cmd.Env = dir, r.environment()
	var errs bytes.Buffer
	out, err := cmd.StdoutPipe()
	cmd.Stderr = &errs
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		r.fail("view does not start: %v", err)
		return false
	}
	defer cmd.Wait() //nolint:errcheck // it is ended
	defer cancel()
	address := announced(out, &errs)
	if address == "" {
		r.fail("view says no address: %.300q", errs.String())
		return false
	}
	payload := url.PathEscape(payloads()[turn])
	for _, path := range []string{
		"/", "/spec/specs/a.spec.md", "/spec/specs/hand.spec.md", "/source/a.go", "/source/a.go?line=" + payload, "/raw/specs/hand.spec.md", "/raw/README.md", "/modules", "/modules/picture",
		"/drift/drift-logs/drift-1.json", "/badge/drift-logs/drift-1.json", "/" + payload, "/spec/" + payload, "/source/" + payload, "/?q=" + payload,
		"/source/../../outside/token", "/source/%2e%2e/%2e%2e/outside/token", "/raw/..%2f..%2foutside%2ftoken", "/spec//etc/passwd", "/assets/..%2f..%2fa.go",
	} {
		r.page(address, path, "")
		r.page(address, path, "evil.example")
	}
	return true
}

// announced reads the address that view prints.
func announced(out io.Reader, errs *bytes.Buffer) string {
	found := make(chan string, 1)
	go func() {
		lines := bufio.NewScanner(out)
		for lines.Scan() {
			if m := regexp.MustCompile(`http://[\w.:]+`).FindString(lines.Text()); m != "" {
				found <- m
			}
		}
	}()
	select {
	case a := <-found:
		return a
	case <-time.After(20 * time.Second):
		return regexp.MustCompile(`http://[\w.:]+`).FindString(errs.String())
	}
}

// page requests a page and searches it for live markup. With another host name it must be
// rejected.
func (r *run) page(address, path, host string) {
	r.tried++
	req, err := http.NewRequestWithContext(r.ctx, http.MethodGet, address+path, nil)
	if err != nil {
		r.tried--
		return // no browser can send such a request
	}
	if host != "" {
		req.Host = host
	}
	res, err := (&http.Client{Timeout: 30 * time.Second}).Do(req)
	if err != nil {
		r.fail("view %s: %v", path, err)
		return
	}
	defer res.Body.Close() //nolint:errcheck // it is read
	body, _ := io.ReadAll(res.Body)
	policy := res.Header.Get("Content-Security-Policy")
	markup := strings.Contains(res.Header.Get("Content-Type"), "html") || strings.Contains(res.Header.Get("Content-Type"), "svg")
	switch {
	case host != "" && res.StatusCode < 400:
		r.fail("view %s: answered for the host %s", path, host)
	case bytes.Contains(body, []byte(r.canary)):
		r.fail("view %s: the secret is shown", path)
	case markup && alive(body) != "":
		r.fail("view %s: alive: %.200q", path, alive(body))
	case res.StatusCode < 400 && (!strings.Contains(policy, "default-src 'none'") || strings.Contains(policy, "unsafe")):
		r.fail("view %s: the policy is %q", path, policy)
	}
}
