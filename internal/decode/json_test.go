package decode_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/reverse-spec/reverse-spec/internal/decode"
)

func TestCommentsAndCommasAreRead(t *testing.T) {
	got, err := decode.PlainJSON([]byte("\xef\xbb\xbf{\n// [[[\n\"a\": [1, /* { */ 2,], \"b\": \"]]] \\\" //\",}"))
	var v struct {
		A []int
		B string
	}
	if err == nil {
		err = json.Unmarshal(got, &v)
	}
	if err != nil || len(v.A) != 2 || v.B != `]]] " //` {
		t.Errorf("%s: %+v, %v", got, v, err)
	}
}

// A megabyte of brackets is an error, and does not crash the process.
func TestDepthIsBounded(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		deep bool
	}{
		"brackets":    {strings.Repeat("[", 1<<20), true},
		"objects":     {strings.Repeat(`{"a":`, 1<<18), true},
		"behind text": {`{"a": "[", "b": ` + strings.Repeat("[", decode.MaxDepth+1), true},
		"in comments": {"/*" + strings.Repeat("[", 5000) + "*/ //" + strings.Repeat("{", 5000) + "\n1", false},
		"in a string": {`"` + strings.Repeat("[", 5000) + `"`, false},
		"at the most": {strings.Repeat("[", decode.MaxDepth) + strings.Repeat("]", decode.MaxDepth), false},
		"wide":        {"[" + strings.Repeat("[],", 5000) + "]", false},
	} {
		_, err := decode.PlainJSON([]byte(c.text))
		if deep(err) != c.deep || !c.deep && err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := decode.TreeJSON([]byte(c.text)); deep(err) != c.deep {
			t.Errorf("%s: parsed: %v", name, err)
		}
	}
}

// FuzzJSON checks that the result is valid JSON, and that no text crashes the process.
func FuzzJSON(f *testing.F) {
	for _, s := range []string{"", "[", "{\"a\":1,}", "//", "/*", "\"\\", "[[/*]*/1]]", strings.Repeat("[", 2000)} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		before := bytes.Clone(text)
		got, err := decode.PlainJSON(text)
		if err == nil && !json.Valid(got) {
			t.Errorf("%q is not JSON", got)
		}
		if !bytes.Equal(before, text) {
			t.Error("the text was changed")
		}
	})
}

func deep(err error) bool {
	e, ok := errors.AsType[*decode.Error](err)
	return ok && e.Deep
}
