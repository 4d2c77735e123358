package link_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/reverse-spec/reverse-spec/internal/adopt/link"
	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/spec/handwritten"
)

// source makes a file with a function for each part of a text that is separated by an empty line.
func source(path string, parts ...string) (*code.File, string) {
	f := &code.File{Path: path, Language: "go"}
	text := ""
	for _, part := range parts {
		line := strings.Count(text, "\n") + 1
		name, _, _ := strings.Cut(strings.TrimPrefix(part, "func "), "(")
		s := code.Symbol{Name: name, Kind: code.Function, StartLine: line, EndLine: line + strings.Count(part, "\n")}
		if strings.HasPrefix(name, "Gen") {
			s.Decorators = []string{`[System.CodeDom.Compiler.GeneratedCode("x", null)]`}
		}
		f.Symbols = append(f.Symbols, s)
		text += part + "\n\n"
	}
	return f, text
}

func corpus(t *testing.T, plans []link.Plan, list map[string][]string) *link.Corpus {
	t.Helper()
	texts := map[string]string{}
	var files []*code.File
	var names []string
	for name := range list {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		f, text := source(name, list[name]...)
		files, texts[name] = append(files, f), text
	}
	c := link.New(files, func(file string) []byte { return []byte(texts[file]) })
	c.Plan(plans)
	return c
}

func parse(t *testing.T, requirements ...string) *handwritten.Spec {
	t.Helper()
	text := "# shop\n\n## Requirements\n"
	for _, r := range requirements {
		title, body, _ := strings.Cut(r, ": ")
		text += "### Requirement: " + title + "\n" + body + "\n\n"
	}
	s, err := handwritten.Parse("openspec/specs/shop/spec.md", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// sure returns the symbols that are linked to a requirement with at least some confidence.
func sure(list []link.Link, id string, least float64) []string {
	var out []string
	for _, l := range list {
		if l.Requirement == id && l.Confidence >= least {
			out = append(out, l.Unit.Symbol)
		}
	}
	return out
}

var shop = map[string][]string{
	"shop/pay.go":   {"func Pay(sum int) error {\n\treturn errors.New(\"the bank does not answer\")\n}", "func Refund(sum int) error {\n\treturn nil\n}"},
	"shop/cart.go":  {"func AddItem(id string) {\n\tcart = append(cart, id)\n}", "func removeItem(id string) {\n\tdelete(cart, id)\n}"},
	"shop/print.go": {"func PrintReceipt(sale Sale) string {\n\treturn header + sale.String()\n}", "func GenReceipt(sale Sale) string {\n\treturn \"a receipt of the sale is printed\"\n}"},
	"door/door.go":  {"func Lock() {\n\tclosed = true\n}", "func Unlock() {\n\tclosed = false\n}"},
}

func TestLinks(t *testing.T) {
	spec := parse(t,
		"Payment errors: The shop SHALL say \"the bank does not answer\" when a payment fails.",
		"Cart: Customers SHALL put things into the cart with `AddItem`.",
		"Receipts: The shop SHALL print a receipt of each sale.",
		"Weather: It SHALL rain on Mondays in November.",
	)
	got := corpus(t, nil, shop).Links(spec, false)
	for id, want := range map[string]struct {
		symbol string
		least  float64
	}{"shop/payment-errors": {"Pay", 0.65}, "shop/cart": {"AddItem", 0.65}, "shop/receipts": {"PrintReceipt", link.Least}} {
		if list := sure(got, id, want.least); len(list) == 0 || list[0] != want.symbol {
			t.Errorf("%s: %v, want %s first", id, list, want.symbol)
		}
	}
	if list := sure(got, "shop/weather", 0.3); len(list) > 0 {
		t.Errorf("a requirement without code is linked to %v", list)
	}
	for _, l := range got {
		if l.Unit.Symbol == "GenReceipt" {
			t.Errorf("what a generator wrote is linked to %s", l.Requirement)
		}
	}
	if again := corpus(t, nil, shop).Links(spec, false); fmt.Sprint(places(again)) != fmt.Sprint(places(got)) {
		t.Error("the same project has other links")
	}
	if many := corpus(t, nil, shop).Links(spec, true); len(many) <= len(got) {
		t.Errorf("%d links to choose from, and %d without a choice", len(many), len(got))
	}
}

func places(list []link.Link) []string {
	var out []string
	for _, l := range list {
		out = append(out, fmt.Sprintf("%s %s %.6f", l.Requirement, l.Unit.Place(), l.Confidence))
	}
	return out
}

// What a plan names is linked more surely, to the requirements of the plan alone.
func TestPlans(t *testing.T) {
	spec := parse(t, "Lock at night: The doors SHALL be closed at night.", "Opening time: The doors SHALL not be closed by day.")
	plan := link.Plan{Of: []string{"shop/lock-at-night"}, Text: "## Night\n- [x] doors are closed at night: `Lock()` in door/door.go\n"}
	confidence := func(c *link.Corpus, id string) float64 {
		for _, l := range c.Links(spec, true) {
			if l.Requirement == id && l.Unit.Symbol == "Lock" {
				return l.Confidence
			}
		}
		return 0
	}
	before, after := corpus(t, nil, shop), corpus(t, []link.Plan{plan}, shop)
	if a, b := confidence(before, "shop/lock-at-night"), confidence(after, "shop/lock-at-night"); b <= a {
		t.Errorf("%.2f with the plan, %.2f without", b, a)
	}
	if a, b := confidence(after, "shop/lock-at-night"), confidence(after, "shop/opening-time"); b >= a {
		t.Errorf("%.2f for the requirement of the plan, %.2f for another one", a, b)
	}
}

// What shows, tries or tests the program does not implement it, unless the requirement speaks of it.
func TestBesides(t *testing.T) {
	code := map[string][]string{"shop/pay.go": shop["shop/pay.go"], "samples/till.go": {"func PrintReceipt(sale Sale) string {\n\treturn header + sale.String()\n}"}}
	got := corpus(t, nil, code).Links(parse(t,
		"Receipts: The shop SHALL print a receipt of each sale with `PrintReceipt`.",
		"Sample till: `samples/till.go` SHALL show how to print a receipt with `PrintReceipt`.",
	), false)
	if list := sure(got, "shop/receipts", 0); slices.Contains(list, "PrintReceipt") {
		t.Errorf("a requirement is linked to a sample: %v", list)
	}
	if list := sure(got, "shop/sample-till", link.Least); !slices.Contains(list, "PrintReceipt") {
		t.Errorf("a requirement about a sample is linked to %v", list)
	}
}

func TestAnchors(t *testing.T) {
	var got []string
	for _, a := range link.Anchors("`shop pay --fast` SHALL read `.shop/config.json`, say \"no money left\", and call `Pay()` with SHOP_KEY.") {
		got = append(got, string(a.Kind)+" "+a.Value)
	}
	want := []string{"option --fast", "text shop pay --fast", "text no money left", "name SHOP_KEY", "name Pay", "file .shop/config.json"}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestCount(t *testing.T) {
	for text, want := range map[string]int{
		`a := "no items"; b := "no items"`: 2,
		`noitems()`:                        0,
		`"no` + "\n\t" + `items"`:          1,
		`"no " +` + "\n" + `"items"`:       1,
		`"no itemsets"`:                    0,
	} {
		if got := link.Count(link.Flat(text), "no items"); got != want {
			t.Errorf("%q: %d, want %d", text, got, want)
		}
	}
}

// A type is linked if the requirement is about it, not if it is named as what something else takes; what only promises is not linked.
func TestTypes(t *testing.T) {
	text := `package shop

import (
	"errors"
	bank "example.org/bank"
)

type Parcel struct { Weight int }

type Sender interface { SendParcel(p Parcel) error }

type Result struct { Value int }

type SaleOptions struct { Discount int }

type WeightError struct { Weight int }

func Weigh(p Parcel) error { return WeightError{p.Weight} }
`
	line := func(part string) int { return 1 + strings.Count(text[:strings.Index(text, part)], "\n") }
	sym := func(name string, kind code.Kind) code.Symbol {
		return code.Symbol{Name: name, Kind: kind, StartLine: line(" " + name + " "), EndLine: line(" " + name + " ")}
	}
	sender := sym("Sender", code.Interface)
	sender.Members = []code.Symbol{{Name: "SendParcel", Kind: code.Method, StartLine: sender.StartLine, EndLine: sender.StartLine}}
	weigh := code.Symbol{Name: "Weigh", Kind: code.Function, StartLine: line("func Weigh"), EndLine: line("func Weigh"), BodyHash: "x"}
	f := &code.File{Path: "post/post.go", Language: "go", Symbols: []code.Symbol{
		sym("Parcel", code.Struct), sender, sym("Result", code.Struct), sym("SaleOptions", code.Struct), sym("WeightError", code.Struct), weigh,
	}}
	other, otherText := source("shop/sell.go", "func SellAll(n int) {\n\tsold += n\n}")
	texts := map[string]string{f.Path: text, other.Path: otherText}
	got := link.New([]*code.File{f, other}, func(file string) []byte { return []byte(texts[file]) }).Links(parse(t,
		"Weighing: `Weigh` SHALL refuse a heavy `Parcel` with a `WeightError`.",
		"Outcome: The shop SHALL have a generic `Result[T any]` type.",
		"Sale Options: The shop SHALL keep the discount of a sale.",
		"Sending: The shop SHALL send a parcel with `errors` of `example.org/bank`.",
	), true)
	linked := map[string][]string{}
	for _, l := range got {
		linked[l.Requirement] = append(linked[l.Requirement], l.Unit.Symbol)
	}
	for id, want := range map[string]struct{ has, hasNot string }{
		"shop/weighing": {"WeightError", "Sender.SendParcel"}, "shop/sale-options": {"SaleOptions", "Parcel"}, "shop/sending": {"", "Sender.SendParcel"},
	} {
		if want.has != "" && !slices.Contains(linked[id], want.has) || slices.Contains(linked[id], want.hasNot) {
			t.Errorf("%s is linked to %v; want %s, not %s", id, linked[id], want.has, want.hasNot)
		}
	}
	for _, l := range got {
		if l.Unit.Symbol == "" {
			t.Errorf("%s is linked to the imports of %s", l.Requirement, l.Unit.File)
		}
	}
	if names := link.Anchors("a `Result[T any]` and a `Map<K, V>`"); len(names) != 2 || names[0].Value != "Result" || names[1].Value != "Map" {
		t.Errorf("%+v", names)
	}
}
