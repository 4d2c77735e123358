package teamserver_test

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestConformance has the official conformance suite ask the server for what it has: handshakes, sessions, lists, requests
// without a session, and what protects it. The suite sends no tokens, so that a proxy adds one. The command of the suite is in
// CONFORMANCE, see scripts/conformance.sh, which has what it asks of a server with prompts and resources ask another one.
func TestConformance(t *testing.T) {
	command := strings.Fields(os.Getenv("CONFORMANCE"))
	if len(command) == 0 {
		t.Skip("scripts/conformance.sh runs it")
	}
	f := newFixture(t, nil)
	to, err := url.Parse(f.url)
	check(t, err)
	proxy := httptest.NewServer(&httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) {
		r.SetURL(to)
		r.Out.Host = r.In.Host // also a wrong one
		with(f.all)(r.Out)
	}})
	defer proxy.Close()
	// It has no prompts, no resources, and none of the suite's own tools, which these checks want.
	expected := filepath.Join(t.TempDir(), "expected.yml")
	check(t, os.WriteFile(expected, []byte(`server:
  - server-stateless:sep-2575-server-rejects-undeclared-capability
  - server-stateless:sep-2575-missing-capability-http-400
  - server-stateless:sep-2575-http-server-no-independent-requests-on-stream
  - server-stateless:sep-2575-server-no-log-without-loglevel
  - caching:sep-2549-prompts-list-caching-hints
  - caching:sep-2549-resources-list-caching-hints
  - caching:sep-2549-resources-templates-list-caching-hints
`), 0o600))
	passed := regexp.MustCompile(`(?m)^Passed: (\d+)/(\d+), (\d+) failed`)
	for _, scenario := range []struct{ name, version string }{
		{"server-initialize", "2025-11-25"},
		{"server-session-lifecycle", "2025-11-25"},
		{"ping", "2025-11-25"},
		{"tools-list", "2025-11-25"},
		{"server-sse-multiple-streams", "2025-11-25"},
		{"dns-rebinding-protection", "2025-11-25"},
		{"server-stateless", "2026-07-28"},
		{"tools-list", "2026-07-28"},
		{"caching", "2026-07-28"},
		{"http-header-validation", "2026-07-28"},
		{"dns-rebinding-protection", "2026-07-28"},
	} {
		args := append(command[1:len(command):len(command)], "server", "--url", proxy.URL+"/mcp", "--scenario", scenario.name, "--spec-version", scenario.version, "--expected-failures", expected)
		c := exec.CommandContext(t.Context(), command[0], args...)
		c.Dir = t.TempDir()
		out, err := c.CombinedOutput()
		m := passed.FindSubmatch(out)
		t.Logf("serve, %s, %s: %s", scenario.version, scenario.name, bytes.Join(m[:min(len(m), 1)], nil))
		if err != nil || m == nil || string(m[1]) == "0" {
			t.Errorf("%s %s: %v\n%s", scenario.version, scenario.name, err, out)
		}
	}
	if status, _, _ := f.do(f.request(http.MethodPost, "/mcp", initialize, nil)); status != http.StatusUnauthorized {
		t.Errorf("without the proxy: %d", status)
	}
}
