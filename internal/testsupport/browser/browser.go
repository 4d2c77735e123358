// Package browser looks at web pages in a Chromium, for tests.
package browser

import (
	"bufio"
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// Browser is a headless Chromium with one page, controlled through pipes by its DevTools protocol.
type Browser struct {
	// Said are messages of the console and policy violations.
	Said    []string
	t       *testing.T
	to      *os.File
	from    *bufio.Reader
	asked   int
	loaded  int // pages
	session string
}

// devtoolsMessage is a message of the protocol, in either direction.
type devtoolsMessage struct {
	ID      int             `json:"id,omitempty"`
	Method  string          `json:"method,omitempty"`
	Params  any             `json:"params,omitempty"`
	Session string          `json:"sessionId,omitempty"`
	Result  json.RawMessage `json:"result,omitempty"`
	Error   json.RawMessage `json:"error,omitempty"`
}

// Start starts Chromium, or skips the test if it is missing.
func Start(t *testing.T) *Browser {
	t.Helper()
	program := ""
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if p, err := exec.LookPath(name); err == nil && program == "" {
			program = p
		}
	}
	if program == "" {
		t.Skip("no Chromium on PATH: what the pages do in a browser is not looked at")
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(t.Context()), 2*time.Minute) // it is closed after the test
	read, to, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	from, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	home, err := os.MkdirTemp("", "browser") //nolint:usetesting // the browser may write there for a moment after it exits
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(ctx, program, "--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
		"--no-first-run", "--user-data-dir="+home, "--remote-debugging-pipe", "about:blank")
	cmd.ExtraFiles = []*os.File{read, write}
	cmd.WaitDelay = time.Second
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	_, _ = read.Close(), write.Close()
	b := &Browser{t: t, to: to, from: bufio.NewReader(from)}
	t.Cleanup(func() {
		_, _ = to.WriteString(`{"id":0,"method":"Browser.close"}` + "\x00")
		_, _ = io.Copy(io.Discard, b.from)
		_ = cmd.Wait()
		cancel()
		_ = to.Close()
		_ = from.Close()
		for tries := 0; os.RemoveAll(home) != nil && tries < 1000; tries++ {
			continue
		}
	})
	var target struct{ TargetID string }
	b.Ask("Target.createTarget", map[string]any{"url": "about:blank"}, &target)
	var session struct{ SessionID string }
	b.Ask("Target.attachToTarget", map[string]any{"targetId": target.TargetID, "flatten": true}, &session)
	b.session = session.SessionID
	for _, domain := range []string{"Page", "Runtime", "Log"} {
		b.Ask(domain+".enable", nil, nil)
	}
	return b
}

// Ask calls a method and returns the result.
func (b *Browser) Ask(method string, params, result any) {
	b.t.Helper()
	b.asked++
	text, err := json.Marshal(devtoolsMessage{ID: b.asked, Method: method, Params: params, Session: b.session})
	if err != nil {
		b.t.Fatal(err)
	}
	if _, err := b.to.Write(append(text, 0)); err != nil {
		b.t.Fatal(err)
	}
	for {
		m := b.next()
		if m.ID != b.asked {
			continue
		}
		if m.Error != nil {
			b.t.Fatalf("%s: %s", method, m.Error)
		}
		if result != nil {
			if err := json.Unmarshal(m.Result, result); err != nil {
				b.t.Fatal(err)
			}
		}
		return
	}
}

// next reads a message and records errors in it.
func (b *Browser) next() devtoolsMessage {
	b.t.Helper()
	text, err := b.from.ReadBytes(0)
	if err != nil {
		b.t.Fatalf("the browser went away: %v", err)
	}
	text = bytes.TrimSuffix(text, []byte{0})
	var m devtoolsMessage
	if err := json.Unmarshal(text, &m); err != nil {
		b.t.Fatal(err)
	}
	switch m.Method {
	case "Page.loadEventFired":
		b.loaded++
	case "Log.entryAdded", "Runtime.exceptionThrown", "Runtime.consoleAPICalled":
		b.Said = append(b.Said, string(text))
	}
	return m
}

// Open navigates to an address and waits until it is loaded.
func (b *Browser) Open(address string) {
	b.t.Helper()
	for _, to := range []string{"about:blank", address} { // navigating to another # of the same page does not reload it
		before := b.loaded
		b.Ask("Page.navigate", map[string]any{"url": to}, nil)
		b.wait(before)
	}
}

// Follow evaluates an expression that leads to another page, and waits until that is loaded.
func (b *Browser) Follow(expression string) {
	b.t.Helper()
	before := b.loaded
	b.Eval(expression)
	b.wait(before)
}

// wait waits until more pages are loaded than before.
func (b *Browser) wait(before int) {
	b.t.Helper()
	for b.loaded == before {
		b.next()
	}
}

// Eval returns the value of an expression as text; it may be a promise.
func (b *Browser) Eval(expression string) string {
	b.t.Helper()
	var got struct {
		Result           struct{ Value any }
		ExceptionDetails json.RawMessage
	}
	b.Ask("Runtime.evaluate", map[string]any{"expression": expression, "awaitPromise": true, "returnByValue": true}, &got)
	if got.ExceptionDetails != nil {
		b.t.Fatalf("%s: %s", expression, got.ExceptionDetails)
	}
	text, _ := got.Result.Value.(string)
	return text
}

// Until waits for a condition in the page.
func (b *Browser) Until(condition string) {
	b.t.Helper()
	b.Eval("new Promise(done => { const look = () => (" + condition + ") ? done('') : setTimeout(look, 10); look(); })")
}

// Screen sets the window size and the colour scheme.
func (b *Browser) Screen(width, height int, scheme string) {
	b.t.Helper()
	b.Ask("Emulation.setDeviceMetricsOverride", map[string]any{"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600}, nil)
	b.Ask("Emulation.setEmulatedMedia", map[string]any{"features": []map[string]string{{"name": "prefers-color-scheme", "value": scheme}}}, nil)
}

// Shot returns a screenshot. It is also saved in the folder REVERSE_SPEC_SHOTS, if set.
func (b *Browser) Shot(name string) []byte {
	b.t.Helper()
	var got struct{ Data string }
	b.Ask("Page.captureScreenshot", nil, &got)
	data, err := base64.StdEncoding.DecodeString(got.Data)
	if err != nil {
		b.t.Fatal(err)
	}
	if dir := os.Getenv("REVERSE_SPEC_SHOTS"); dir != "" {
		if err := os.WriteFile(filepath.Join(dir, name+".png"), data, 0o600); err != nil {
			b.t.Fatal(err)
		}
	}
	return data
}
