package decode_test

import (
	"strings"
	"testing"

	"github.com/reverse-spec/reverse-spec/internal/decode"
)

// reader reads a text of one format.
type reader func(text []byte, into any) error

func readers() map[string]reader {
	return map[string]reader{"JSON": decode.JSON, "YAML": decode.YAML, "TOML": decode.TOML, "XML": decode.XML}
}

// settings have one number.
type settings struct {
	Rate int `json:"rate" yaml:"rate" toml:"rate" xml:"rate"`
}

// secret is a text that must not appear in any error.
const secret = "ghpS3cr3tT0k3n"

func TestErrorsNameThePlaceAndNotTheText(t *testing.T) {
	for _, c := range []struct{ format, text, want string }{
		{"JSON", secret, "line 1, column 1: this is not valid JSON"},
		{"JSON", "{\n  \"rate\": " + secret + "}", "line 2, column 11: this is not valid JSON"},
		{"JSON", "{\"rate\":\n\"" + secret + "\"}", "line 2, column 17: a value is of another kind than expected"},
		{"JSON", "{\"" + secret + "\"", "line 1, column 18: this is not valid JSON"},
		{"JSON", "{\"rate\":12345678901234567890}", "line 1, column 29: a value is of another kind than expected"},
		{"YAML", secret, "line 1: a value is of another kind than expected"},
		{"YAML", "a: 1\nrate: " + secret, "line 2: a value is of another kind than expected"},
		{"YAML", "a: *" + secret, "this is not valid YAML"},
		{"YAML", "a: !" + secret + "%zz b", "this is not valid YAML"},
		{"YAML", "a: \"" + secret, "this is not valid YAML"},
		{"TOML", secret, "line 1, column 14: this is not valid TOML"},
		{"TOML", "a = 1\nrate = " + secret, "line 2, column 8: this is not valid TOML"},
		{"TOML", "rate = \"" + secret + "\"", "a value is of another kind than expected"},
		{"XML", secret, "a value is of another kind than expected"},
		{"XML", "<a>\n<" + secret + "></a>", "line 2: this is not valid XML"},
		{"XML", "<a><rate>" + secret + "</rate></a>", "a value is of another kind than expected"},
	} {
		err := readers()[c.format]([]byte(c.text), &settings{})
		if err == nil || err.Error() != c.want {
			t.Errorf("%s %q: %v", c.format, c.text, err)
		}
	}
}

// FuzzDecode checks that no text crashes the process, and that no error contains a secret of the text.
func FuzzDecode(f *testing.F) {
	for _, text := range []string{
		"{\"rate\": ghpS3cr3tT0k3n}", "rate: *ghpS3cr3tT0k3n", "ghpS3cr3tT0k3n", "<a><ghpS3cr3tT0k3n/>",
		"a: &a [*a, *a]", "[[[[", strings.Repeat("- ", 500), "<!DOCTYPE a [<!ENTITY b \"c\">]><a>&b;</a>", "a = [[[[",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for format, read := range readers() {
			for _, into := range []any{&settings{}, new(map[string]any)} {
				if format == "XML" {
					into = &settings{}
				}
				if err := read([]byte(text), into); err != nil && strings.Contains(err.Error(), secret) {
					t.Errorf("%s: the error quotes the text: %v", format, err)
				}
			}
		}
	})
}

// Each format, nested as deeply as a megabyte allows.
func TestDeepNestingIsAnError(t *testing.T) {
	const size = 1 << 20
	for format, shapes := range map[string][]string{
		"JSON": {strings.Repeat("[", size), strings.Repeat("{\"a\":", size/5)},
		"YAML": {strings.Repeat("[", size), strings.Repeat("- ", size/2), strings.Repeat("{a: ", size/4), strings.Repeat("? ", size/2)},
		"TOML": {"a = " + strings.Repeat("[", size), "a = " + strings.Repeat("{a=", size/3), "[" + strings.Repeat("a.", size/2) + "a]"},
		"XML":  {strings.Repeat("<a>", size/3), strings.Repeat("<!", size/2)},
	} {
		for _, text := range shapes {
			var into any = new(map[string]any)
			if format == "XML" {
				into = &settings{}
			}
			err := readers()[format]([]byte(text), into)
			if err == nil {
				t.Errorf("%s %.10s…: taken", format, text)
			}
		}
	}
}
