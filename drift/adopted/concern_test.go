package adopted

import (
	"slices"
	"testing"

	"github.com/reverse-spec/reverse-spec/spec/handwritten"
	"github.com/reverse-spec/reverse-spec/spec/lock"
)

const till = `# till Specification

## Requirements
### Requirement: Retries
The till SHALL try 3 times to reach the bank, on port 8443.

#### Scenario: The bank is gone
- **WHEN** no try succeeds
- **THEN** it fails with "the bank does not answer"

### Requirement: Greeting
The till SHALL greet customers.
`

func tillSpec(t *testing.T, links ...lock.Link) *Spec {
	t.Helper()
	w, err := handwritten.Parse("openspec/specs/till/spec.md", []byte(till))
	if err != nil {
		t.Fatal(err)
	}
	return &Spec{Path: w.Path, Written: w, Lock: &lock.Lock{Links: links}}
}

func TestConcerned(t *testing.T) {
	pay := lock.Link{Requirement: "till/retries", File: "bank.go", Symbol: "Pay", Confidence: 0.9}
	rejected := pay
	rejected.Rejected = true
	test := pay
	test.Test = true
	type want struct {
		id           string
		line         int
		contradicted bool
	}
	for name, c := range map[string]struct {
		links  []lock.Link
		change Change
		want   []want
	}{
		"a text": {
			[]lock.Link{pay},
			Change{Files: []string{"bank.go"}, Symbol: "Pay", Was: `"the bank does not answer"`, Is: `"no answer"`},
			[]want{{"till/retries", 7, true}},
		},
		"a number": {
			[]lock.Link{pay},
			Change{Files: []string{"bank.go"}, Symbol: "Pay", Was: "for range 3 {", Is: "for range 4 {"},
			[]want{{"till/retries", 4, true}},
		},
		"the number of a constant that linked code uses, as another type": {
			[]lock.Link{pay},
			Change{Files: []string{"bank.go"}, Symbol: "port", Was: "port = 8443.0", Is: "port = 8444.0", Users: []string{"Pay"}},
			[]want{{"till/retries", 4, true}},
		},
		"a number that nobody mentions": {
			[]lock.Link{pay},
			Change{Files: []string{"bank.go"}, Symbol: "Pay", Was: "wait(17)", Is: "wait(18)"},
			[]want{{"till/retries", 4, false}},
		},
		"a short number of another declaration": {
			[]lock.Link{pay},
			Change{Files: []string{"bank.go"}, Symbol: "Greet", Was: "for range 3 {", Is: "for range 4 {"},
			nil,
		},
		"a long number of another declaration": {
			[]lock.Link{pay},
			Change{Files: []string{"bank.go"}, Symbol: "port", Was: "port = 8443", Is: "port = 8444"},
			[]want{{"till/retries", 4, true}},
		},
		"another file": {
			[]lock.Link{pay},
			Change{Files: []string{"door.go"}, Symbol: "Pay", Was: "for range 3 {", Is: "for range 4 {"},
			nil,
		},
		"a moved file": {
			[]lock.Link{pay},
			Change{Files: []string{"bank.go", "money.go"}, Symbol: "Pay", Was: "for range 3 {", Is: "for range 4 {"},
			[]want{{"till/retries", 4, true}},
		},
		"a rejected link": {
			[]lock.Link{rejected},
			Change{Files: []string{"bank.go"}, Symbol: "Pay", Was: "for range 3 {", Is: "for range 4 {"},
			nil,
		},
		"a test": {
			[]lock.Link{test},
			Change{Files: []string{"bank.go"}, Symbol: "Pay", Was: "for range 3 {", Is: "for range 4 {"},
			nil,
		},
		"a requirement that is gone": {
			[]lock.Link{{Requirement: "till/doors", File: "bank.go", Symbol: "Pay"}},
			Change{Files: []string{"bank.go"}, Symbol: "Pay", Was: "for range 3 {", Is: "for range 4 {"},
			nil,
		},
	} {
		t.Run(name, func(t *testing.T) {
			got := Concerned([]*Spec{tillSpec(t, c.links...)}, &c.change)
			if len(got) != len(c.want) {
				t.Fatalf("%d concerns, want %d: %+v", len(got), len(c.want), got)
			}
			for i, w := range c.want {
				if g := (want{got[i].Requirement.ID, got[i].Line(), got[i].Contradicted}); g != w {
					t.Errorf("%+v, want %+v", g, w)
				}
			}
		})
	}
}

// A spec without its file concerns nothing.
func TestConcernedGone(t *testing.T) {
	s := tillSpec(t, lock.Link{Requirement: "till/retries", File: "bank.go", Symbol: "Pay"})
	s.Written = nil
	if got := Concerned([]*Spec{s}, &Change{Files: []string{"bank.go"}, Symbol: "Pay", Was: "3", Is: "4"}); len(got) > 0 {
		t.Error(got)
	}
}

const shop = `# shop Specification

## Requirements
### Requirement: Empty cart
The shop SHALL say "the cart is empty" when nothing is in it.

### Requirement: Keys
The shop SHALL read its key from ` + "`SHOP_KEY`" + `, and keep what is sold in ` + "`.shop/sold.json`" + `.

### Requirement: Paying
The shop SHALL take money.
`

// What a requirement quotes speaks without a link, as long as the code has less of it; calls lead from what is linked to its helpers,
// and from changed lines to what is linked.
func TestConcernedWithoutLink(t *testing.T) {
	w, err := handwritten.Parse("openspec/specs/shop/spec.md", []byte(shop))
	if err != nil {
		t.Fatal(err)
	}
	pay := lock.Link{Requirement: "shop/paying", File: "shop/pay.go", Symbol: "TakeMoney", Confidence: 0.9}
	removes := func(tokens ...string) func(string) bool {
		return func(token string) bool { return slices.Contains(tokens, token) }
	}
	for name, c := range map[string]struct {
		links  []lock.Link
		change Change
		want   []string
	}{
		"a text":                      {[]lock.Link{pay}, Change{Files: []string{"shop/cart.go"}, Symbol: "Show", Was: `"the cart is empty"`, Is: `"nothing"`, Removes: removes("the cart is empty")}, []string{"shop/empty-cart!"}},
		"a text that moved":           {[]lock.Link{pay}, Change{Files: []string{"shop/cart.go"}, Symbol: "Show", Was: `"the cart is empty"`, Is: `empty`, Removes: removes()}, nil},
		"the environment":             {[]lock.Link{pay}, Change{Files: []string{"shop/key.go"}, Symbol: "key", Was: `os.Getenv("SHOP_KEY")`, Is: `os.Getenv("KEY")`, Removes: removes("shop_key")}, []string{"shop/keys!"}},
		"a part of a path":            {[]lock.Link{pay}, Change{Files: []string{"shop/key.go"}, Symbol: "dir", Was: `".shop"`, Is: `".config"`, Removes: removes(".shop")}, []string{"shop/keys!"}},
		"a spec that has no link":     {nil, Change{Files: []string{"shop/cart.go"}, Symbol: "Show", Was: `"the cart is empty"`, Is: `"nothing"`, Removes: removes("the cart is empty")}, nil},
		"a helper of what is linked":  {[]lock.Link{pay}, Change{Files: []string{"shop/coins.go"}, Symbol: "count", Was: "a + b", Is: "a - b", Users: []string{"TakeMoney"}}, []string{"shop/paying"}},
		"a helper of another":         {[]lock.Link{pay}, Change{Files: []string{"shop/coins.go"}, Symbol: "count", Was: "a + b", Is: "a - b", Users: []string{"GiveMoney"}}, nil},
		"a helper in another folder":  {[]lock.Link{pay}, Change{Files: []string{"bank/coins.go"}, Symbol: "count", Was: "a + b", Is: "a - b", Users: []string{"TakeMoney"}}, nil},
		"a call that is gone":         {[]lock.Link{pay}, Change{Files: []string{"till/till.go"}, Symbol: "Close", Was: "shop.TakeMoney(3)", Is: "return"}, []string{"shop/paying"}},
		"a call with other arguments": {[]lock.Link{pay}, Change{Files: []string{"till/till.go"}, Symbol: "Close", Was: "shop.TakeMoney(3)", Is: "shop.TakeMoney(4)"}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			s := &Spec{Path: w.Path, Written: w, Lock: &lock.Lock{Links: c.links}}
			var got []string
			for _, one := range Concerned([]*Spec{s}, &c.change) {
				id := one.Requirement.ID
				if one.Contradicted {
					id += "!"
				}
				got = append(got, id)
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("%v, want %v", got, c.want)
			}
		})
	}
}
