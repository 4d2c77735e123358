package view_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"image/png"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/view"
)

// browser is a headless Chromium with one page, controlled through pipes by its DevTools
// protocol.
type browser struct {
	t       *testing.T
	to      *os.File
	from    *bufio.Reader
	asked   int
	session string
	said    []string // messages of the console and policy violations
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

// openBrowser starts Chromium, or skips the test if it is missing.
func openBrowser(t *testing.T) *browser {
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
	b := &browser{t: t, to: to, from: bufio.NewReader(from)}
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
	b.ask("Target.createTarget", map[string]any{"url": "about:blank"}, &target)
	var session struct{ SessionID string }
	b.ask("Target.attachToTarget", map[string]any{"targetId": target.TargetID, "flatten": true}, &session)
	b.session = session.SessionID
	for _, domain := range []string{"Page", "Runtime", "Log"} {
		b.ask(domain+".enable", nil, nil)
	}
	return b
}

// ask calls a method and returns the result.
func (b *browser) ask(method string, params, result any) {
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
func (b *browser) next() devtoolsMessage {
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
	case "Log.entryAdded", "Runtime.exceptionThrown", "Runtime.consoleAPICalled":
		b.said = append(b.said, string(text))
	}
	return m
}

// open navigates to an address and waits until it is loaded.
func (b *browser) open(address string) {
	b.t.Helper()
	for _, to := range []string{"about:blank", address} { // navigating to another # of the same page does not reload it
		b.ask("Page.navigate", map[string]any{"url": to}, nil)
		for b.next().Method != "Page.loadEventFired" {
		}
	}
}

// eval returns the value of an expression as text; it may be a promise.
func (b *browser) eval(expression string) string {
	b.t.Helper()
	var got struct {
		Result           struct{ Value any }
		ExceptionDetails json.RawMessage
	}
	b.ask("Runtime.evaluate", map[string]any{"expression": expression, "awaitPromise": true, "returnByValue": true}, &got)
	if got.ExceptionDetails != nil {
		b.t.Fatalf("%s: %s", expression, got.ExceptionDetails)
	}
	text, _ := got.Result.Value.(string)
	return text
}

// until waits for a condition in the page.
func (b *browser) until(condition string) {
	b.t.Helper()
	b.eval("new Promise(done => { const look = () => (" + condition + ") ? done('') : setTimeout(look, 10); look(); })")
}

// screen sets the window size and the colour scheme.
func (b *browser) screen(width, height int, scheme string) {
	b.t.Helper()
	b.ask("Emulation.setDeviceMetricsOverride", map[string]any{"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600}, nil)
	b.ask("Emulation.setEmulatedMedia", map[string]any{"features": []map[string]string{{"name": "prefers-color-scheme", "value": scheme}}}, nil)
}

// shot returns a screenshot. It is also saved in the folder REVERSE_SPEC_SHOTS, if set.
func (b *browser) shot(name string) []byte {
	b.t.Helper()
	var got struct{ Data string }
	b.ask("Page.captureScreenshot", nil, &got)
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

// serve serves a shop and returns its address.
func serve(t *testing.T) string {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	l, err := view.Listen(ctx, 0)
	if err != nil {
		t.Fatal(err)
	}
	served := make(chan error, 1)
	site := view.New(changedShop(t), message.English)
	go func() { served <- site.Serve(ctx, l) }()
	t.Cleanup(func() {
		stop()
		if err := <-served; err != nil {
			t.Error(err)
		}
	})
	return "http://" + l.Addr().(*net.TCPAddr).String()
}

// TestPagesInABrowser renders each page on a large light and a small dark screen. It must be
// visible, fit the screen and not violate the policy.
func TestPagesInABrowser(t *testing.T) {
	b, home := openBrowser(t), serve(t)
	for _, p := range []struct{ name, address, ready string }{
		{"index", "/", "document.querySelectorAll('.drift .pending').length === 0"},
		{"spec", "/spec/specs/cart.spec.md", "document.querySelector('.diagram svg')"},
		{"chinese", "/spec/specs/money.spec.md#REQ-MONEY-001", "document.querySelector(':target')"},
		{"hand", "/spec/specs/" + hand, "document.querySelector('.item.ct')"},
		{"source", "/source/cart/cart.go?line=10#L10", "document.querySelector('tr:target')"},
		{"drift", "/drift/specs/cart.spec.md", "document.querySelector('.chip.good')"},
		{"history", "/history/specs/cart.spec.md#REQ-CART-001", "document.querySelector('.event .sides')"},
		{"modules", "/modules", "document.querySelector('.map svg .box')"},
		{"missing", "/nothing", "document.querySelector('.error')"},
	} {
		for _, s := range []struct {
			name          string
			width, height int
			scheme        string
		}{{"day", 1440, 900, "light"}, {"evening", 820, 1180, "dark"}, {"night", 390, 844, "dark"}} {
			b.screen(s.width, s.height, s.scheme)
			b.open(home + p.address)
			b.until(p.ready)
			name := p.name + "-" + s.name
			if wide := b.eval("document.documentElement.scrollWidth > innerWidth ? 'wide' : ''"); wide != "" {
				t.Errorf("%s is wider than the screen", name)
			}
			if n := colours(t, b.shot(name)); n < 8 {
				t.Errorf("%s has %d colours: nothing is drawn", name, n)
			}
		}
	}
	for _, said := range b.said {
		if !strings.Contains(said, "/nothing") { // the missing page is reported as such
			t.Errorf("the browser says: %s", said)
		}
	}
}

// colours counts the colours of a picture.
func colours(t *testing.T, data []byte) int {
	t.Helper()
	img, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	seen := map[[3]uint32]bool{}
	for y := img.Bounds().Min.Y; y < img.Bounds().Max.Y; y += 3 {
		for x := img.Bounds().Min.X; x < img.Bounds().Max.X; x++ {
			r, g, b, _ := img.At(x, y).RGBA()
			seen[[3]uint32{r, g, b}] = true
		}
	}
	return len(seen)
}

func TestIndexIsFilteredWhileOneTypes(t *testing.T) {
	b, home := openBrowser(t), serve(t)
	b.screen(1280, 900, "light")
	b.open(home + "/")
	b.eval(`{ const i = document.querySelector('[name=name]'); i.focus(); i.value = 'mon'; i.dispatchEvent(new InputEvent('input', { bubbles: true })); }`)
	b.until("document.querySelectorAll('tbody tr').length === 1")
	b.eval("document.querySelector('th.requirements a').click()")
	b.until("document.querySelector('th.requirements[aria-sort]')")
	if got, want := b.eval("location.search + ' ' + document.querySelector('tbody a').textContent"), "?name=mon&sort=requirements money"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestCodeIsShownAtAPlace(t *testing.T) {
	b, home := openBrowser(t), serve(t)
	b.screen(1280, 900, "light")
	b.open(home + "/spec/specs/cart.spec.md")
	const link = "document.querySelector('main a.place[href*=\"#L\"]')"
	b.eval(link + ".dispatchEvent(new PointerEvent('pointerover', {bubbles: true, pointerType: 'mouse'}))")
	b.until("!document.querySelector('.peek').hidden")
	if got, want := b.eval("document.querySelector('.peek .asked .at').textContent"), b.eval(link+".hash.slice(2)"); got != want {
		t.Errorf("line %s is shown for %s", got, want)
	}
	b.eval(link + ".dispatchEvent(new PointerEvent('pointerout', {bubbles: true, pointerType: 'mouse'}))")
	b.until("document.querySelector('.peek').hidden")
}

func TestMapIsMovedAndScaled(t *testing.T) {
	b, home := openBrowser(t), serve(t)
	b.screen(1280, 900, "light")
	b.open(home + "/modules")
	b.until("document.querySelector('.map svg .box')")
	const box = "document.querySelector('.map svg').getAttribute('viewBox')"
	mouse := func(kind string, x, y int) {
		b.ask("Input.dispatchMouseEvent", map[string]any{"type": kind, "x": x, "y": y, "button": "left", "buttons": 1, "clickCount": 1}, nil)
	}
	first := b.eval(box)
	mouse("mousePressed", 300, 400)
	mouse("mouseMoved", 360, 450)
	mouse("mouseReleased", 360, 450)
	moved := b.eval(box)
	b.eval("document.querySelector('[data-scale=\"1.25\"]').click()")
	scaled := b.eval(box)
	b.eval("document.querySelector('[data-scale=\"0\"]').click()")
	if all := b.eval(box); first == moved || moved == scaled || scaled == all {
		t.Errorf("%s, moved %s, scaled %s, all %s", first, moved, scaled, all)
	}
	b.eval("document.querySelector('.box.n0').dispatchEvent(new PointerEvent('pointerenter'))")
	if got, want := b.eval("[...document.querySelectorAll('.near')].map(e => e.classList[e.classList.length - 2]).join(' ')"), "to-n1 n0 n1"; got != want {
		t.Errorf("near are %q, want %q", got, want)
	}
}
