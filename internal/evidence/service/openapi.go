package service

import (
	"path"
	"slices"
	"strings"
	"unicode"

	"go.yaml.in/yaml/v3"

	"github.com/reverse-spec/reverse-spec/internal/decode"
)

// Operations are the operations that descriptions of APIs declare, which tools generate interfaces from: OpenAPI 3 and Swagger 2.
type Operations struct {
	byID map[string]*Operation // by the id in small letters without separators
}

// Operation is an operation with what it reads.
type Operation struct {
	Method, Path string
	Inputs       []Input
	At           Place
}

// IsAPIDescription reports whether a file may be the description of an API, by its name.
func IsAPIDescription(name string) bool {
	base := strings.ToLower(path.Base(name))
	ext := path.Ext(base)
	return (ext == ".yaml" || ext == ".yml" || ext == ".json") && (strings.Contains(base, "api") || strings.Contains(base, "swagger"))
}

// Of returns the operation with the id that a method is called by; nil for none.
func (o *Operations) Of(method string) *Operation {
	if o == nil {
		return nil
	}
	return o.byID[operationKey(method)]
}

// operationKey returns what an id and the name of the method that is generated for it have in common.
func operationKey(id string) string {
	return strings.Map(func(c rune) rune {
		if unicode.IsLetter(c) || unicode.IsDigit(c) {
			return unicode.ToLower(c)
		}
		return -1
	}, id)
}

// apiParameter is a parameter, of Swagger also a body.
type apiParameter struct {
	Ref      string    `yaml:"$ref"`
	Name     string    `yaml:"name"`
	In       string    `yaml:"in"`
	Required bool      `yaml:"required"`
	Type     string    `yaml:"type"`
	Schema   yaml.Node `yaml:"schema"`
}

// apiSchema is the type of a value.
type apiSchema struct {
	Ref        string      `yaml:"$ref"`
	Type       string      `yaml:"type"`
	Format     string      `yaml:"format"`
	Required   []string    `yaml:"required"`
	Properties yaml.Node   `yaml:"properties"`
	AllOf      []yaml.Node `yaml:"allOf"`
	ReadOnly   bool        `yaml:"readOnly"`
	MinLength  string      `yaml:"minLength"`
	MaxLength  string      `yaml:"maxLength"`
	Minimum    string      `yaml:"minimum"`
	Maximum    string      `yaml:"maximum"`
	Pattern    string      `yaml:"pattern"`
}

// apiOperation is an operation as it is described.
type apiOperation struct {
	ID         string         `yaml:"operationId"`
	Parameters []apiParameter `yaml:"parameters"`
	Body       struct {
		Content yaml.Node `yaml:"content"`
	} `yaml:"requestBody"`
}

// apiReader reads one description.
type apiReader struct {
	file string
	top  *yaml.Node
	out  *Operations
}

// Add reads the operations of a description; a file that is none has none. Of two with one id the first stays.
func (o *Operations) Add(file string, data []byte) {
	var doc yaml.Node
	if err := decode.YAML(data, &doc); err != nil || len(doc.Content) == 0 {
		return
	}
	r := &apiReader{file: file, top: doc.Content[0], out: o}
	if decode.Member(r.top, "openapi") == nil && decode.Member(r.top, "swagger") == nil {
		return
	}
	if o.byID == nil {
		o.byID = map[string]*Operation{}
	}
	decode.Members(decode.Member(r.top, "paths"), func(at, item *yaml.Node) {
		var shared []apiParameter
		if list := decode.Member(item, "parameters"); list != nil && list.Decode(&shared) != nil {
			shared = nil
		}
		decode.Members(item, func(method, node *yaml.Node) {
			var op apiOperation
			verb := axumVerbs[method.Value]
			if verb == "" || node.Decode(&op) != nil || op.ID == "" || o.byID[operationKey(op.ID)] != nil {
				return
			}
			made := &Operation{Method: verb, Path: at.Value, At: Place{file, method.Line}}
			for _, p := range append(op.Parameters, shared...) {
				made.Inputs = append(made.Inputs, r.parameter(&p, method.Line)...)
			}
			decode.Members(&op.Body.Content, func(_, kind *yaml.Node) {
				if schema := decode.Member(kind, "schema"); schema != nil && !slices.ContainsFunc(made.Inputs, func(i Input) bool { return i.In == "body" }) {
					made.Inputs = append(made.Inputs, r.fields(schema, 0)...)
				}
			})
			o.byID[operationKey(op.ID)] = made
		})
	})
}

// parameter returns the inputs of a parameter.
func (r *apiReader) parameter(p *apiParameter, line int) []Input {
	if p.Ref != "" {
		target := r.follow(p.Ref)
		if target == nil || target.Decode(p) != nil {
			return nil
		}
		line = target.Line
	}
	if p.In == "body" {
		return r.fields(&p.Schema, 0)
	}
	in := Input{In: p.In, Name: p.Name, Type: p.Type, Required: p.Required || p.In == "path", At: Place{r.file, line}}
	if p.Schema.Kind != 0 {
		in.Type, in.Limits = r.typeOf(&p.Schema)
	}
	if p.In == "formData" {
		in.In = "form"
	}
	return []Input{in}
}

// fields returns the fields of a body.
func (r *apiReader) fields(node *yaml.Node, depth int) []Input {
	var s apiSchema
	if depth > maxFieldDepth || node.Decode(&s) != nil {
		return nil
	}
	if s.Ref != "" {
		if node = r.follow(s.Ref); node == nil {
			return nil
		}
		return r.fields(node, depth+1)
	}
	var out []Input
	for i := range s.AllOf {
		out = append(out, r.fields(&s.AllOf[i], depth+1)...)
	}
	decode.Members(&s.Properties, func(name, value *yaml.Node) {
		var own apiSchema
		if value.Decode(&own) != nil || own.ReadOnly {
			return
		}
		in := Input{In: "body", Name: name.Value, Required: slices.Contains(s.Required, name.Value), At: Place{r.file, name.Line}}
		in.Type, in.Limits = r.typeOf(value)
		out = append(out, in)
	})
	return out
}

// typeOf returns the type of a schema and its limits, as they are written.
func (r *apiReader) typeOf(node *yaml.Node) (kind string, limits []string) {
	var s apiSchema
	if node.Decode(&s) != nil {
		return "", nil
	}
	if s.Ref != "" {
		return path.Base(s.Ref), nil
	}
	for _, l := range []struct{ name, value string }{
		{"minLength", s.MinLength}, {"maxLength", s.MaxLength}, {"minimum", s.Minimum}, {"maximum", s.Maximum}, {"pattern", s.Pattern},
	} {
		if l.value != "" {
			limits = append(limits, l.name+"="+l.value)
		}
	}
	if s.Format != "" {
		return s.Type + " " + s.Format, limits
	}
	return s.Type, limits
}

// follow returns what a reference within the description means; nil for another one.
func (r *apiReader) follow(ref string) *yaml.Node {
	at := r.top
	rest, own := strings.CutPrefix(ref, "#/")
	if !own {
		return nil
	}
	for part := range strings.SplitSeq(rest, "/") {
		if at = decode.Member(at, part); at == nil {
			return nil
		}
	}
	return at
}
