package view_test

import (
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/view"
)

func TestEveryAnswerHasThePolicy(t *testing.T) {
	site := view.New(shop(t), message.English).Handler()
	for _, address := range []string{"/", "/spec/specs/cart.spec.md", "/source/cart/cart.go", "/nothing", "/assets/style.css", "/assets/view.js", "/assets/icon.svg", "/raw/specs/cart.spec.md", "/modules"} {
		h := get(t, site, address).Header()
		policy := h.Get("Content-Security-Policy")
		for _, part := range []string{"default-src 'none'", "script-src 'self'", "style-src 'self'", "frame-ancestors 'none'", "base-uri 'none'"} {
			if !strings.Contains(policy, part) {
				t.Errorf("%s: the policy %q lacks %q", address, policy, part)
			}
		}
		if strings.Contains(policy, "unsafe") || strings.Contains(policy, "http") || strings.Contains(policy, "*") {
			t.Errorf("%s: the policy is wide: %s", address, policy)
		}
		if h.Get("X-Content-Type-Options") != "nosniff" || h.Get("Referrer-Policy") != "no-referrer" || h.Get("Cross-Origin-Resource-Policy") != "same-origin" {
			t.Errorf("%s: %v", address, h)
		}
	}
}

func TestOtherHostsAreRefused(t *testing.T) {
	site := view.New(shop(t), message.English).Handler()
	for host, want := range map[string]int{
		"127.0.0.1:7000":           http.StatusOK,
		"127.0.0.1":                http.StatusOK,
		"localhost:7000":           http.StatusOK,
		"evil.example:7000":        http.StatusMisdirectedRequest,
		"127.0.0.1.evil.example":   http.StatusMisdirectedRequest,
		"localhost.evil.example:1": http.StatusMisdirectedRequest,
		"192.168.0.1:7000":         http.StatusMisdirectedRequest,
		"":                         http.StatusMisdirectedRequest,
	} {
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		r.Host = host
		w := httptest.NewRecorder()
		site.ServeHTTP(w, r)
		if w.Code != want {
			t.Errorf("host %q: %d, want %d", host, w.Code, want)
		}
	}
}

func TestOnlyReadMethodsAreAllowed(t *testing.T) {
	site := view.New(shop(t), message.English).Handler()
	for _, method := range []string{http.MethodPost, http.MethodPut, http.MethodDelete, http.MethodPatch} {
		r := httptest.NewRequest(method, "/spec/specs/cart.spec.md", nil)
		r.Host = "localhost"
		w := httptest.NewRecorder()
		site.ServeHTTP(w, r)
		if w.Code != http.StatusMethodNotAllowed {
			t.Errorf("%s: %d", method, w.Code)
		}
	}
}

func TestServeUntilTheContextEnds(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	l, err := view.Listen(ctx, 0)
	if err != nil {
		t.Fatal(err)
	}
	if ip := l.Addr().(*net.TCPAddr).IP; !ip.IsLoopback() {
		t.Errorf("it listens on %s", ip)
	}
	if _, err := view.Listen(ctx, l.Addr().(*net.TCPAddr).Port); err == nil {
		t.Error("one port was opened twice")
	}
	served := make(chan error, 1)
	site := view.New(shop(t), message.English)
	go func() { served <- site.Serve(ctx, l) }()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://"+l.Addr().String()+"/assets/style.css", nil)
	if err != nil {
		t.Fatal(err)
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	style, err := io.ReadAll(answer.Body)
	_ = answer.Body.Close()
	if err != nil || !strings.Contains(answer.Header.Get("Content-Type"), "text/css") || len(style) == 0 {
		t.Errorf("%v %v", err, answer.Header)
	}
	for _, bad := range []string{"http:", "https:", "@import"} {
		if strings.Contains(string(style), bad) {
			t.Errorf("the style reaches out: %s", bad)
		}
	}
	stop()
	if err := <-served; err != nil {
		t.Errorf("stopped with %v", err)
	}
}
