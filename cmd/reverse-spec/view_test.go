package main

import (
	"bufio"
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// TestViewPrintsItsAddressAndServesUntilItIsInterrupted runs the command like main.
func TestViewPrintsItsAddressAndServesUntilItIsInterrupted(t *testing.T) {
	ctx, interrupt := context.WithCancel(t.Context())
	out, printed := io.Pipe()
	var warned strings.Builder
	code := make(chan int, 1)
	go func() {
		code <- run(ctx, []string{"view", "--project", t.TempDir()}, streams{in: strings.NewReader(""), out: printed, err: &warned})
	}()
	address, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, strings.TrimSpace(address), nil)
	r.RequestURI = ""
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	if page, err := io.ReadAll(answer.Body); err != nil || !strings.Contains(string(page), "no specs yet") {
		t.Errorf("%v\n%s", err, page)
	}
	http.DefaultClient.CloseIdleConnections()
	interrupt()
	if got := <-code; got != exitDone || warned.String() != "" {
		t.Errorf("exit %d, %q", got, warned.String())
	}
}

func TestViewRejectsInvalidPorts(t *testing.T) {
	var warned strings.Builder
	code := run(t.Context(), []string{"view", "--port", "70000"}, streams{in: strings.NewReader(""), out: io.Discard, err: &warned})
	if code != exitUsage || !strings.Contains(warned.String(), "no such port: 70000") {
		t.Errorf("exit %d, %q", code, warned.String())
	}
}
