package spec_test

import (
	"bytes"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/reverse-spec/reverse-spec/spec"
)

const goOrder = `package shop

// Order is what somebody wants.
type Order struct {
	ID   string ` + "`json:\"id\"`" + `
	Next *Order ` + "`json:\"next,omitempty\"`" + `
}
`

// TestSchemaIsReadBack: the schema in a spec is valid, in both languages.
func TestSchemaIsReadBack(t *testing.T) {
	for _, language := range []string{"en", "zh"} {
		p := openProject(t, map[string][]byte{"order.go": []byte(goOrder)})
		s, _ := generate(t, p, ".", spec.GenerateOptions{Lang: language, All: true})
		schemas := s.Schemas()
		if len(schemas) != 1 {
			t.Fatalf("%s: %d schemas\n%s", language, len(schemas), s.Interface)
		}
		doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(schemas[0]))
		if err != nil {
			t.Fatalf("%s: %v\n%s", language, err, s.Interface)
		}
		c := jsonschema.NewCompiler()
		if err := c.AddResource("file:///order.json", doc); err != nil {
			t.Fatal(err)
		}
		order, err := c.Compile("file:///order.json#/$defs/Order")
		if err != nil {
			t.Fatal(err)
		}
		good := map[string]any{"id": "1", "next": map[string]any{"id": "2"}}
		bad := map[string]any{"id": "1", "next": nil}
		if err := order.Validate(good); err != nil {
			t.Errorf("%s: %v", language, err)
		}
		if order.Validate(bad) == nil {
			t.Errorf("%s: null where it is left out", language)
		}
	}
}

func TestNoDataNoSchema(t *testing.T) {
	p := openProject(t, map[string][]byte{"a.go": []byte(goShop)})
	if s, _ := generate(t, p, ".", spec.GenerateOptions{}); len(s.Schemas()) > 0 {
		t.Errorf("schemas %s", s.Schemas())
	}
}
