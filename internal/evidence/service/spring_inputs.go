package service

import (
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/resolve"
)

// springInputs are the annotations of parameters with the place of their value.
var springInputs = map[string]string{
	"PathVariable": "path", "RequestParam": "query", "RequestHeader": "header", "CookieValue": "cookie", "RequestBody": "body", "RequestPart": "form",
	"ModelAttribute": "query",
}

// springMissing are the exceptions for a missing value.
var springMissing = map[string]string{
	"query": "MissingServletRequestParameterException", "header": "MissingRequestHeaderException", "cookie": "MissingRequestCookieException",
	"form": "MissingServletRequestPartException",
}

// beanConstraints are the constraints of Bean Validation and those that Hibernate Validator adds.
var beanConstraints = []string{
	"NotNull", "NotBlank", "NotEmpty", "Null", "Size", "Min", "Max", "DecimalMin", "DecimalMax", "Positive", "PositiveOrZero", "Negative", "NegativeOrZero",
	"Email", "Pattern", "Past", "PastOrPresent", "Future", "FutureOrPresent", "Digits", "AssertTrue", "AssertFalse", "Length", "Range", "URL", "UUID",
	"UniqueElements", "CreditCardNumber",
}

// isConstraint reports whether an annotation is a constraint: of Bean Validation, or of the project.
func (p *Project) isConstraint(c Call) bool {
	if slices.Contains(beanConstraints, markName(c)) {
		return true
	}
	return slices.ContainsFunc(p.classes[markName(c)], func(class Class) bool {
		if !isAnnotationType(class.Symbol) {
			return false
		}
		n := p.nodeOf(&class)
		if n == nil {
			return false
		}
		_, ok := marking(p.marksOn(n), "Constraint")
		return ok
	})
}

// constrained reports whether a class has constraints: its own, on its fields, on those of its bases, or of nested objects
// that are validated too.
func (p *Project) constrained(c *Class, depth int) bool {
	if c == nil || depth > maxSteps {
		return false
	}
	if n := p.nodeOf(c); n != nil && slices.ContainsFunc(p.marksOn(n), p.isConstraint) {
		return true
	}
	for i := range c.Symbol.Members {
		m := &c.Symbol.Members[i]
		marks := p.marksOfField(c, m.Name)
		if slices.ContainsFunc(marks, p.isConstraint) {
			return true
		}
		if _, ok := marking(marks, "Valid"); ok && p.constrained(p.typeAt(c.File.Path, m.Returns, m.StartLine, m.EndLine), depth+1) {
			return true
		}
	}
	return slices.ContainsFunc(p.basesOf(c), func(b *Class) bool { return p.constrained(b, depth+1) })
}

// springPlain are the types of parameters that any text is a value of.
var springPlain = []string{"String", "CharSequence", "Object", "Any", "MultipartFile", "HttpHeaders", "Resource"}

// binder reads the parameters of a handler.
type binder struct {
	*springReader
	e    *Endpoint
	c    *springController
	h    springHandler
	step Step
}

// binding adds the inputs of a handler, and returns the step that binds and validates its parameters; ok is false if it
// refuses nothing.
func (r *springReader) binding(e *Endpoint, c *springController, h springHandler) (step Step, ok bool) {
	b := &binder{r, e, c, h, Step{Kind: Validation, Name: "parameters", At: e.Handler.At}}
	s, declared := r.symbolOf(h.node), r.symbolOf(h.declared)
	if s == nil {
		return b.step, false
	}
	for i := range s.Params {
		marks := r.composed(r.marksOfParameter(h.node, s.Params[i].Name))
		if declared != nil && h.declared != h.node && i < len(declared.Params) {
			marks = append(marks, r.composed(r.marksOfParameter(h.declared, declared.Params[i].Name))...)
		}
		checked := i+1 < len(s.Params) && slices.Contains([]string{"BindingResult", "Errors"}, Last(s.Params[i+1].Type))
		b.parameter(&s.Params[i], marks, checked)
	}
	return b.step, len(b.step.Refusals) > 0
}

// refuse adds a refusal of the step for an exception.
func (b *binder) refuse(class string) {
	a := Answer{Status: springStatuses[class], Error: class, At: b.step.At}
	if !slices.ContainsFunc(b.step.Refusals, func(f Refusal) bool { return f.Error == class }) {
		b.step.Refusals = append(b.step.Refusals, Refusal{Answer: a})
	}
}

// parameter reads a parameter; checked says that the handler itself is given the errors of its validation.
func (b *binder) parameter(param *code.Param, marks []Call, checked bool) {
	class := b.typeAt(b.h.node.File, param.Type, b.h.node.StartLine, b.h.node.EndLine)
	_, valid := marking(marks, "Valid", "Validated")
	in, mark := springSource(marks)
	if in == "" {
		if !b.unmarked(param, class, valid || len(marks) == 0) {
			return
		}
		in = "query"
	}
	at := b.e.Handler.At
	if mark.File != nil {
		at = mark.Place()
	}
	switch {
	case in == "body":
		b.refuse("HttpMessageNotReadableException")
		b.body(class, param, at)
	case class != nil && holdsValues(class) && !isSingle(mark):
		if in == "query" && (b.e.Method == "POST" || b.e.Method == "PUT") {
			in = "form"
		}
		b.fields(class, typeArguments(class, param.Type), in, "", true, 0)
	default:
		b.value(param, marks, mark, in, at)
		return
	}
	if valid && !checked && b.constrained(class, 0) {
		b.refuse("MethodArgumentNotValidException")
	}
}

// unmarked reports whether a parameter without an annotation for its place is an object whose fields are values of the request;
// a single value is added. Bound says that no other annotation gives the parameter another meaning.
func (b *binder) unmarked(param *code.Param, class *Class, bound bool) bool {
	switch {
	case !bound:
		return false
	case class == nil && isSimple(param.Type): // it may be missing
		b.e.Inputs = append(b.e.Inputs, Input{In: "query", Name: param.Name, Type: param.Type, At: b.e.Handler.At})
		b.converts(param.Type, nil)
		return false
	}
	return class != nil && holdsValues(class) && !b.isPrincipal(class, 0)
}

// springSource returns the place that an annotation gives to the value of a parameter; "" for none.
func springSource(marks []Call) (in string, mark Call) {
	for _, c := range marks {
		if place, ok := springInputs[markName(c)]; ok {
			return place, c
		}
	}
	return "", Call{}
}

// isPrincipal reports whether a class is that of the caller, by the bases that it has outside the project.
func (b *binder) isPrincipal(c *Class, depth int) bool {
	if slices.ContainsFunc(c.Symbol.Bases, func(base string) bool {
		return strings.Contains(base, "Authentication") || strings.Contains(base, "Principal") || strings.Contains(base, "UserDetails")
	}) {
		return true
	}
	return depth < maxSteps && slices.ContainsFunc(b.basesOf(c), func(base *Class) bool { return b.isPrincipal(base, depth+1) })
}

// isSingle reports whether an annotation is that of a parameter with a single value, whatever its class is.
func isSingle(c Call) bool {
	return c.File != nil && (markName(c) == "PathVariable" || markName(c) == "RequestParam")
}

// value reads a parameter with a single value.
func (b *binder) value(param *code.Param, marks []Call, mark Call, in string, at Place) {
	input := Input{In: in, Name: param.Name, Type: param.Type, Default: param.Default, Required: true, At: at}
	if mark.File != nil {
		b.marked(&input, mark)
	}
	if strings.HasPrefix(param.Type, "Optional<") || strings.HasSuffix(param.Type, "?") || param.Default != "" || strings.HasPrefix(param.Type, "Map<") {
		input.Required = false
	}
	if strings.Contains(param.Type, "MultipartFile") {
		input.In = "form"
	}
	for _, c := range marks {
		if b.isConstraint(c) {
			input.Limits = append(input.Limits, limitText(b.marksText(b.h, param.Name), c))
		}
	}
	b.e.Inputs = append(b.e.Inputs, input)
	if in == "path" && !inTemplate(b.e.Path, input.Name) {
		return
	}
	if input.Required && in != "path" {
		b.refuse(springMissing[input.In])
	}
	b.converts(param.Type, b.typeAt(b.h.node.File, param.Type, b.h.node.StartLine, b.h.node.EndLine))
	if len(input.Limits) > 0 {
		b.limited()
	}
}

// marked sets what the annotation of a parameter says: its name, its default, and whether it is required.
func (b *binder) marked(input *Input, mark Call) {
	name := mark.Value.Named("value", "name")
	if name == nil {
		name = mark.Value.Arg(0)
	}
	if text, ok := b.springText(mark.File.Path, name); ok && text != "" {
		input.Name = text
	}
	if v := mark.Value.Named("defaultValue"); v != nil {
		input.Default, _ = b.springText(mark.File.Path, v)
		input.Required = false
	}
	if v := mark.Value.Named("required"); v != nil && v.Text == "false" {
		input.Required = false
	}
}

// limited adds the refusal for constraints on the parameters themselves: of the class if it is marked for validation, else
// of the framework, since its version for Jakarta.
func (b *binder) limited() {
	if _, ok := marking(b.c.marks, "Validated"); ok {
		b.refuse("ConstraintViolationException")
		return
	}
	if slices.ContainsFunc(b.c.class.File.Imports, func(i code.Import) bool { return strings.HasPrefix(i.Module, "jakarta.validation") }) {
		b.refuse("HandlerMethodValidationException")
	}
}

// converts adds the refusal of a text that is not a value of a type.
func (b *binder) converts(text string, class *Class) {
	for _, name := range typeNames(text) {
		switch name = Last(name); {
		case slices.Contains(springPlain, name):
			return
		case isSimple(name), class != nil && class.Symbol.Kind == code.Enum:
			b.refuse("MethodArgumentTypeMismatchException")
			return
		}
	}
}

// isSimple reports whether a type is that of a single value.
func isSimple(text string) bool {
	switch Last(strings.Trim(text, "?[]")) {
	case "String", "int", "Integer", "Int", "long", "Long", "short", "Short", "byte", "Byte", "double", "Double", "float", "Float", "boolean", "Boolean", "char",
		"BigDecimal", "BigInteger", "UUID", "LocalDate", "LocalDateTime", "LocalTime", "Instant", "OffsetDateTime", "ZonedDateTime", "Date", "Year", "Duration":
		return true
	}
	return false
}

// holdsValues reports whether the objects of a class are values of a request, not services.
func holdsValues(c *Class) bool {
	return c.Symbol.Kind != code.Interface && c.Symbol.Kind != code.Enum && slices.ContainsFunc(c.Symbol.Members, func(m code.Symbol) bool {
		return m.Kind == code.Property && !m.Static
	})
}

// body adds the fields of the body of a request.
func (b *binder) body(class *Class, param *code.Param, at Place) {
	if class == nil || !holdsValues(class) {
		b.e.Inputs = append(b.e.Inputs, Input{In: "body", Name: param.Name, Type: param.Type, Required: true, At: at})
		return
	}
	b.fields(class, typeArguments(class, param.Type), "body", b.rootOf(class), true, 0)
}

// rootOf returns the name of the only field of a body that holds its object: "user" for {"user": {…}}; "" for none.
func (b *binder) rootOf(c *Class) string {
	n := b.nodeOf(c)
	if n == nil {
		return ""
	}
	marks := b.marksOn(n)
	named, ok := marking(marks, "JsonRootName")
	if info, wrapped := marking(marks, "JsonTypeInfo"); wrapped && wrapsObject(info) {
		named, ok = marking(marks, "JsonTypeName")
	}
	if !ok {
		return ""
	}
	text, _ := b.springText(named.File.Path, named.Value.Named("value"))
	if text == "" {
		text, _ = b.springText(named.File.Path, named.Value.Arg(0))
	}
	return text
}

// maxNested limits how deep the fields of nested objects are listed.
const maxNested = 3

// fields adds the fields of a class and its bases; valid says whether they are validated.
func (b *binder) fields(c *Class, args map[string]string, in, prefix string, valid bool, depth int) {
	for _, base := range b.basesOf(c) {
		if depth <= maxNested {
			b.fields(base, args, in, prefix, valid, depth+1)
		}
	}
	for i := range c.Symbol.Members {
		m := &c.Symbol.Members[i]
		if m.Kind != code.Property || m.Static || strings.Contains(m.Signature, " static ") || strings.HasPrefix(m.Signature, "static ") {
			continue
		}
		marks := b.marksOfField(c, m.Name)
		if _, ignored := marking(marks, "JsonIgnore"); ignored {
			continue
		}
		input := b.field(c, m, marks, valid)
		input.In, input.Name, input.Type = in, strings.TrimPrefix(prefix+"."+input.Name, "."), argument(args, m.Returns)
		nested := b.typeAt(c.File.Path, input.Type, m.StartLine, m.EndLine)
		if nested != nil && nested.Symbol != c.Symbol && depth < maxNested && holdsValues(nested) {
			_, cascades := marking(marks, "Valid")
			b.fields(nested, typeArguments(nested, input.Type), in, nestedPath(&input), valid && cascades, depth+1)
			continue
		}
		b.e.Inputs = append(b.e.Inputs, input)
	}
}

// field returns the input that a field is; valid says whether it is validated.
func (b *binder) field(c *Class, m *code.Symbol, marks []Call, valid bool) Input {
	out := Input{Name: m.Name, Default: m.Value, At: Place{c.File.Path, max(m.NameLine, m.StartLine)}}
	if named, ok := marking(marks, "JsonProperty"); ok {
		if text, ok := b.springText(named.File.Path, named.Value.Arg(0)); ok && text != "" {
			out.Name = text
		}
	}
	out.Required = c.File.Language == "kotlin" && !strings.HasSuffix(m.Returns, "?") && m.Value == ""
	for _, mark := range marks {
		if valid && b.isConstraint(mark) {
			out.Limits = append(out.Limits, limitText(m.Decorators, mark))
			out.Required = out.Required || slices.Contains([]string{"NotNull", "NotBlank", "NotEmpty"}, markName(mark))
		}
	}
	return out
}

// limitText returns a constraint as written, without what marks an annotation.
func limitText(written []string, c Call) string {
	for _, text := range written {
		text = strings.TrimPrefix(text, "@")
		if i := strings.IndexByte(text, ':'); i > 0 && !strings.ContainsAny(text[:i], "(\"") { // field:
			text = text[i+1:]
		}
		if name, _, _ := strings.Cut(text, "("); Last(strings.TrimSpace(name)) == markName(c) {
			return text
		}
	}
	return markName(c)
}

// marksText returns the annotations of a parameter as written, as far as their arguments are plain.
func (b *binder) marksText(h springHandler, name string) []string {
	var out []string
	for _, n := range []*resolve.Node{h.node, h.declared} {
		for _, c := range b.marksOfParameter(n, name) {
			var args []string
			for i := range c.Value.Args {
				text := c.Value.Args[i].Text
				if c.Value.Args[i].Kind == code.ValueString {
					text = `"` + text + `"`
				}
				if c.Value.Args[i].Name != "" {
					text = c.Value.Args[i].Name + " = " + text
				}
				args = append(args, text)
			}
			text := markName(c)
			if len(args) > 0 {
				text += "(" + strings.Join(args, ", ") + ")"
			}
			out = append(out, text)
		}
	}
	return out
}

// wrapsObject reports whether a JsonTypeInfo puts an object into a field with the name of its type.
func wrapsObject(info Call) bool {
	v := info.Value.Named("include")
	return v != nil && strings.HasSuffix(v.Text, "WRAPPER_OBJECT")
}
