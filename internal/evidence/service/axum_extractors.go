package service

import (
	"cmp"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/resolve"
)

// extractor is what an extractor rejects requests with.
type extractor struct {
	statuses []int
	error    string
}

// axumExtractors are the extractors of Axum.
var axumExtractors = map[string]extractor{
	"Json":        {[]int{415, 400, 422}, "JsonRejection"},
	"Form":        {[]int{415, 422}, "FormRejection"},
	"Multipart":   {[]int{400}, "MultipartRejection"},
	"TypedHeader": {[]int{400}, "TypedHeaderRejection"},
	"Query":       {[]int{400}, "QueryRejection"},
	"Path":        {[]int{400}, "PathRejection"},
}

// extract adds the steps of a handler's parameters, in their order, and the inputs that they read.
func (x *axumReader) extract(e *Endpoint, n *resolve.Node) {
	s := x.Symbol(n)
	if s == nil {
		return
	}
	for _, param := range s.Params {
		kind, inner := cutGeneric(param.Type)
		at := Place{n.File, n.Line}
		if c := x.rustType(n.File, kind); c != nil {
			x.extractor(e, c, at)
			if strings.Contains(strings.ToLower(kind), "json") || strings.Contains(strings.ToLower(kind), "valid") {
				x.body(e, n.File, inner)
			}
			continue
		}
		kind, inner, statuses := x.rejections(kind, inner)
		if len(statuses) == 0 || !x.rejects(e, n.File, kind, inner) {
			continue
		}
		step := Step{Kind: Validation, Name: param.Type, At: at}
		for _, status := range statuses {
			step.Refusals = append(step.Refusals, Refusal{Answer: Answer{Status: status, Error: x.extractors[kind].error, At: at}})
		}
		e.Chain = append(e.Chain, step)
	}
}

// rejections returns the extractor that a type is, with what it reads and the statuses of its rejections: Valid<Json<T>>
// also refuses what is not valid.
func (x *axumReader) rejections(outer, within string) (kind, inner string, statuses []int) {
	if own, known := x.extractors[outer]; known {
		return outer, within, own.statuses
	}
	kind, inner = cutGeneric(within)
	if !slices.Contains([]string{"Json", "Form", "Query"}, kind) {
		return kind, inner, nil
	}
	statuses = slices.Clone(x.extractors[kind].statuses)
	if (outer == "Valid" || outer == "Garde" || outer == "Validated") && !slices.Contains(statuses, 400) {
		statuses = append(statuses, 400)
	}
	return kind, inner, statuses
}

// rejects adds the inputs that an extractor reads; it reports whether it may refuse them.
func (x *axumReader) rejects(e *Endpoint, file, kind, inner string) bool {
	switch kind {
	case "Json", "Form":
		x.body(e, file, inner)
	case "Query":
		x.query(e, file, inner)
		return !strings.Contains(inner, "HashMap") && !x.allOptional(file, inner)
	case "Path":
		if strings.Contains(inner, "HashMap") {
			return false
		}
		x.typed(e, file, inner)
		return slices.ContainsFunc(splitTop(strings.Trim(inner, "()")), func(kind string) bool { // any text is one
			return kind != "" && x.errors.aliased(kind) != "String"
		})
	}
	return true
}

// cutGeneric splits a type into its name and its arguments: "Json", "NewUser" for axum::Json<NewUser>.
func cutGeneric(kind string) (name, inner string) {
	name, rest, ok := strings.Cut(strings.TrimSpace(kind), "<")
	if !ok {
		return Last(name), ""
	}
	return Last(strings.TrimSpace(name)), strings.TrimSpace(strings.TrimSuffix(rest, ">"))
}

// rustType returns the type of the project that a name in a file means; nil for none.
func (x *axumReader) rustType(file, name string) *Class {
	list := slices.DeleteFunc(slices.Clone(x.classes[name]), func(c Class) bool { return c.File.Language != "rust" })
	if len(list) == 1 {
		return &list[0]
	}
	return x.nearest(list, file, name)
}

// extractor adds the step of an extractor of the project.
func (x *axumReader) extractor(e *Endpoint, c *Class, at Place) {
	for _, name := range []string{"from_request_parts", "from_request"} {
		for _, f := range x.Files {
			if f.Language != "rust" {
				continue
			}
			for _, m := range x.Links.Linked(f.Path) {
				if !IsFunction(m) || m.Name != name || Last(m.Owner()) != Last(c.Path) {
					continue
				}
				step := Step{Kind: Dependency, Name: c.Path, Node: m, At: at}
				for _, a := range x.errors.answers(m) {
					if a.Status >= 400 {
						step.Refusals = append(step.Refusals, a)
					}
				}
				e.Chain = append(e.Chain, step)
				return
			}
		}
	}
}

// typed gives the parameters of the path their types.
func (x *axumReader) typed(e *Endpoint, file, inner string) {
	types := splitTop(strings.Trim(inner, "()"))
	if c := x.rustType(file, inner); c != nil {
		types = nil
		for _, m := range c.Symbol.Members {
			for i := range e.Inputs {
				if e.Inputs[i].Name == m.Name {
					e.Inputs[i].Type = m.Returns
				}
			}
		}
	}
	for i := range e.Inputs {
		if i < len(types) {
			e.Inputs[i].Type = types[i]
		}
	}
}

// splitTop splits a list at the commas that are not inside brackets.
func splitTop(list string) []string {
	var out []string
	depth, start := 0, 0
	for i, c := range list {
		switch c {
		case '<', '(', '[':
			depth++
		case '>', ')', ']':
			depth--
		case ',':
			if depth == 0 {
				out = append(out, strings.TrimSpace(list[start:i]))
				start = i + 1
			}
		}
	}
	return append(out, strings.TrimSpace(list[start:]))
}

// body adds the fields of a body.
func (x *axumReader) body(e *Endpoint, file, kind string) {
	x.fields(e, file, "body", "", kind, 0)
}

// query adds the fields of a query.
func (x *axumReader) query(e *Endpoint, file, kind string) { x.fields(e, file, "query", "", kind, 0) }

// fields adds the fields of a type that a file names, and of the types of the project inside it.
func (x *axumReader) fields(e *Endpoint, file, in, prefix, kind string, depth int) {
	name, inner := cutGeneric(kind)
	c := x.rustType(file, name)
	if c == nil || depth > maxFieldDepth {
		return
	}
	own := typeArguments(c, "<"+inner+">")
	camel := slices.ContainsFunc(c.Symbol.Decorators, func(d string) bool { return strings.Contains(d, `rename_all = "camelCase"`) })
	optional := slices.ContainsFunc(c.Symbol.Decorators, isSerdeDefault)
	for _, m := range c.Symbol.Members {
		if m.Kind != code.Property {
			continue
		}
		kind := cmp.Or(own[m.Returns], m.Returns)
		field := Input{In: in, Name: prefix + serdeName(m.Name, m.Decorators, camel), Type: kind, At: Place{c.File.Path, m.StartLine}}
		field.Required = !optional && !strings.HasPrefix(kind, "Option<") && !slices.ContainsFunc(m.Decorators, isSerdeDefault)
		for _, d := range m.Decorators {
			if rule, ok := strings.CutPrefix(d, "#[validate("); ok {
				field.Limits = append(field.Limits, strings.TrimSuffix(rule, ")]"))
			}
		}
		element := strings.TrimRight(strings.TrimPrefix(strings.TrimPrefix(kind, "Option<"), "Vec<"), ">")
		if inside := x.rustType(c.File.Path, element); inside != nil && inside.Symbol.Kind == code.Struct {
			x.fields(e, c.File.Path, in, nestedPath(&field)+".", element, depth+1)
			continue
		}
		e.Inputs = append(e.Inputs, field)
	}
}

// isSerdeDefault reports whether an attribute gives what is missing a default.
func isSerdeDefault(d string) bool { return strings.Contains(d, "serde(default") }

// serdeName returns the name of a field in JSON.
func serdeName(name string, decorators []string, camel bool) string {
	for _, d := range decorators {
		if _, rest, ok := strings.Cut(d, `serde(rename = "`); ok {
			given, _, _ := strings.Cut(rest, `"`)
			return given
		}
	}
	if !camel {
		return name
	}
	return camelOf(name)
}

// camelOf returns a name with underscores in camel case.
func camelOf(name string) string {
	parts := strings.Split(name, "_")
	for i := 1; i < len(parts); i++ {
		if parts[i] != "" {
			parts[i] = strings.ToUpper(parts[i][:1]) + parts[i][1:]
		}
	}
	return strings.Join(parts, "")
}

// allOptional reports whether no field of a query can be wrong: all are texts that may be missing.
func (x *axumReader) allOptional(file, kind string) bool {
	c := x.rustType(file, kind)
	if c == nil {
		return false
	}
	return !slices.ContainsFunc(c.Symbol.Members, func(m code.Symbol) bool { return m.Kind == code.Property && m.Returns != "Option<String>" })
}
