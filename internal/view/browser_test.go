package view_test

import (
	"bytes"
	"context"
	"image/png"
	"net"
	"strings"
	"testing"

	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/testsupport/browser"
	"github.com/reverse-spec/reverse-spec/internal/view"
)

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
	b, home := browser.Start(t), serve(t)
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
			b.Screen(s.width, s.height, s.scheme)
			b.Open(home + p.address)
			b.Until(p.ready)
			name := p.name + "-" + s.name
			if wide := b.Eval("document.documentElement.scrollWidth > innerWidth ? 'wide' : ''"); wide != "" {
				t.Errorf("%s is wider than the screen", name)
			}
			if n := colours(t, b.Shot(name)); n < 8 {
				t.Errorf("%s has %d colours: nothing is drawn", name, n)
			}
		}
	}
	for _, said := range b.Said {
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
	b, home := browser.Start(t), serve(t)
	b.Screen(1280, 900, "light")
	b.Open(home + "/")
	b.Eval(`{ const i = document.querySelector('[name=name]'); i.focus(); i.value = 'mon'; i.dispatchEvent(new InputEvent('input', { bubbles: true })); }`)
	b.Until("document.querySelectorAll('tbody tr').length === 1")
	b.Eval("document.querySelector('th.requirements a').click()")
	b.Until("document.querySelector('th.requirements[aria-sort]')")
	if got, want := b.Eval("location.search + ' ' + document.querySelector('tbody a').textContent"), "?name=mon&sort=requirements money"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestCodeIsShownAtAPlace(t *testing.T) {
	b, home := browser.Start(t), serve(t)
	b.Screen(1280, 900, "light")
	b.Open(home + "/spec/specs/cart.spec.md")
	const link = "document.querySelector('main a.place[href*=\"#L\"]')"
	b.Eval(link + ".dispatchEvent(new PointerEvent('pointerover', {bubbles: true, pointerType: 'mouse'}))")
	b.Until("!document.querySelector('.peek').hidden")
	if got, want := b.Eval("document.querySelector('.peek .asked .at').textContent"), b.Eval(link+".hash.slice(2)"); got != want {
		t.Errorf("line %s is shown for %s", got, want)
	}
	b.Eval(link + ".dispatchEvent(new PointerEvent('pointerout', {bubbles: true, pointerType: 'mouse'}))")
	b.Until("document.querySelector('.peek').hidden")
}

func TestMapIsMovedAndScaled(t *testing.T) {
	b, home := browser.Start(t), serve(t)
	b.Screen(1280, 900, "light")
	b.Open(home + "/modules")
	b.Until("document.querySelector('.map svg .box')")
	const box = "document.querySelector('.map svg').getAttribute('viewBox')"
	mouse := func(kind string, x, y int) {
		b.Ask("Input.dispatchMouseEvent", map[string]any{"type": kind, "x": x, "y": y, "button": "left", "buttons": 1, "clickCount": 1}, nil)
	}
	first := b.Eval(box)
	mouse("mousePressed", 300, 400)
	mouse("mouseMoved", 360, 450)
	mouse("mouseReleased", 360, 450)
	moved := b.Eval(box)
	b.Eval("document.querySelector('[data-scale=\"1.25\"]').click()")
	scaled := b.Eval(box)
	b.Eval("document.querySelector('[data-scale=\"0\"]').click()")
	if all := b.Eval(box); first == moved || moved == scaled || scaled == all {
		t.Errorf("%s, moved %s, scaled %s, all %s", first, moved, scaled, all)
	}
	b.Eval("document.querySelector('.box.n0').dispatchEvent(new PointerEvent('pointerenter'))")
	if got, want := b.Eval("[...document.querySelectorAll('.near')].map(e => e.classList[e.classList.length - 2]).join(' ')"), "to-n1 n0 n1"; got != want {
		t.Errorf("near are %q, want %q", got, want)
	}
}
