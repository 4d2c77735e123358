package adopted

import (
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
