package adopted

import "testing"

func TestRemovals(t *testing.T) {
	sides := [2]map[string]string{
		{"a.go": `say("the cart is empty")`, "b.go": ""},
		{"a.go": "say(empty)", "b.go": `const empty = "the cart is empty"`},
	}
	read := func(side int) func(string) []byte {
		return func(file string) []byte { return []byte(sides[side][file]) }
	}
	change := &Change{Files: []string{"a.go"}, Was: `say("the cart is empty")`, Is: "say(empty)"}
	for name, c := range map[string]struct {
		files []string
		token string
		want  bool
	}{
		"gone":                             {nil, "the cart is empty", true},
		"in another file that changed":     {[]string{"a.go", "b.go"}, "the cart is empty", false},
		"still there":                      {nil, "say", false},
		"what the changed lines never had": {nil, "the till is empty", false},
	} {
		t.Run(name, func(t *testing.T) {
			if got := NewRemovals(read(0), read(1), c.files).Of(change)(c.token); got != c.want {
				t.Errorf("%t, want %t", got, c.want)
			}
		})
	}
	if NewRemovals(nil, read(1), nil).Of(change) != nil {
		t.Error("something is known of texts that are not")
	}
}
