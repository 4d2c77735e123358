package service

import (
	"cmp"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

// bodies sets what is known of the bodies of successes.
func (r *reader) bodies(e *Endpoint) {
	if r.framework.Body == nil {
		return
	}
	for i := range e.Success {
		a := &e.Success[i]
		if slices.Contains(e.unclear, a.Status) {
			continue
		}
		b := r.framework.Body(r.Project, e, a)
		a.Body = cmp.Or(a.Body, b.Type)
		if b.Type, b.Status = a.Body, a.Status; len(b.Fields) > 0 {
			e.Bodies = append(e.Bodies, b)
		}
	}
}

// wrappers are generic types around the body of an answer, which are not part of it.
var wrappers = []string{
	"Optional", "Annotated", "Awaitable", "Coroutine", "Task", "ValueTask", "ActionResult", "ResponseEntity", "HttpEntity", "Mono", "CompletableFuture", "Callable", "DeferredResult",
	"Promise", "Json", "Option", "Ok",
}

// lists are generic types of several elements.
var lists = []string{
	"List", "list", "Sequence", "Iterable", "Set", "set", "Collection", "ArrayList", "Flux", "IEnumerable", "IList", "ICollection", "IReadOnlyList", "IReadOnlyCollection", "IAsyncEnumerable",
	"Vec", "Array", "MutableList",
}

// elementType returns a type without what is around it, and whether it is that of the elements of a list: "Article", true for
// Optional[List[Article]].
func elementType(text string) (inner string, list bool) {
	text = strings.TrimSpace(text)
	for range maxSteps {
		text = strings.TrimSuffix(strings.TrimSuffix(strings.TrimSpace(text), "| None"), "?")
		if rest, ok := strings.CutSuffix(text, "[]"); ok {
			text, list = rest, true
			continue
		}
		at := strings.IndexAny(text, "<[")
		if at <= 0 {
			break
		}
		name, args := Last(text[:at]), strings.TrimSpace(text[at+1:])
		switch {
		case slices.Contains(lists, name):
			list = true
		case !slices.Contains(wrappers, name):
			return text, list
		}
		text = splitTop(args[:max(0, len(args)-1)])[0]
	}
	return strings.TrimSpace(text), list
}

// nestedPath returns the path to the fields of a field: "tags[]" of a list.
func nestedPath(field *Input) string {
	if _, list := elementType(field.Type); list {
		return field.Name + "[]"
	}
	return field.Name
}

// inList marks the fields of the elements of a list.
func inList(fields []Input, list bool) []Input {
	if list {
		for i := range fields {
			fields[i].Name = "[]." + fields[i].Name
		}
	}
	return fields
}

// bodyName returns the name of a body: that of its type, marked if it is a list.
func bodyName(inner string, list bool) string {
	if list {
		return inner + "[]"
	}
	return inner
}

// pythonBody returns the fields of the model of an answer in Python: response_model, or else the type that the handler returns.
func pythonBody(p *Project, e *Endpoint, a *Answer) Body {
	text, file := a.Body, e.At.File
	if text == "" && e.Handler.Node != nil && a.Status != 204 {
		if s := p.Symbol(e.Handler.Node); s != nil {
			text, file = s.Returns, e.Handler.Node.File
		}
	}
	inner, list := elementType(text)
	class := p.class(file, inner)
	if class == nil {
		return Body{}
	}
	return Body{Type: text, Fields: inList(p.fields(class, "", 0), list), At: class.place()}
}

// springBody returns the fields of the object that a handler of Spring answers with.
func springBody(p *Project, e *Endpoint, a *Answer) Body {
	r := &springReader{Project: p}
	inner, list, class := p.returned(e, a)
	if class == nil || !holdsValues(class) {
		return Body{}
	}
	b := &binder{springReader: r, e: &Endpoint{}}
	b.fields(class, typeArguments(class, inner), "body", b.rootOf(class), false, 0)
	return Body{Type: bodyName(inner, list), Fields: inList(b.e.Inputs, list), At: class.place()}
}

// aspnetBody returns the fields of the object that an action or a handler of ASP.NET answers with.
func aspnetBody(p *Project, e *Endpoint, a *Answer) Body {
	inner, list, class := p.returned(e, a)
	if class == nil || class.Symbol.Kind == code.Interface {
		return Body{}
	}
	b := &aspnetBinding{aspnetReader: &aspnetReader{Project: p}, e: &Endpoint{}}
	b.fields(class, typeArguments(class, inner), "body", "", 0)
	return Body{Type: bodyName(inner, list), Fields: inList(b.e.Inputs, list), At: class.place()}
}

// returned returns the class of the project that an answer holds, by its type or that of the handler's result; nil for none.
func (p *Project) returned(e *Endpoint, a *Answer) (inner string, list bool, class *Class) {
	n := e.Handler.Node
	s := p.symbolOf(n)
	if s == nil || a.Status == 204 {
		return "", false, nil
	}
	inner, list = elementType(cmp.Or(a.Body, s.Returns))
	return inner, list, p.typeAt(n.File, inner, n.StartLine, n.EndLine)
}

// axumBody returns the fields of the type in Json that a handler of Axum returns.
func axumBody(p *Project, e *Endpoint, a *Answer) Body {
	s := p.Symbol(e.Handler.Node)
	if s == nil || a.Status == 204 {
		return Body{}
	}
	_, text, ok := strings.Cut(s.Returns, "Json<")
	if !ok {
		return Body{}
	}
	inner, list := elementType(splitTop(text[:max(0, closing(text))])[0])
	read := &Endpoint{}
	(&axumReader{Project: p}).fields(read, e.Handler.At.File, "body", "", inner, 0)
	if len(read.Inputs) == 0 {
		return Body{}
	}
	return Body{Type: bodyName(inner, list), Fields: inList(read.Inputs, list), At: e.Handler.At}
}

// closing returns the index of the bracket that closes one before the text; -1 for none.
func closing(text string) int {
	depth := 1
	for i, c := range text {
		switch c {
		case '<':
			depth++
		case '>':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}

// nestBody returns the fields of the class or interface that a handler of NestJS returns.
func nestBody(p *Project, e *Endpoint, a *Answer) Body {
	s := p.Symbol(e.Handler.Node)
	if s == nil || a.Status == 204 {
		return Body{}
	}
	r := &nestReader{Project: p}
	var fields []Input
	var read func(text, prefix string, depth int) bool
	read = func(text, prefix string, depth int) bool {
		inner, list := elementType(text)
		class := p.class(e.Handler.Node.File, inner)
		if class == nil || depth > maxFieldDepth || !holdsValues(class) && class.Symbol.Kind != code.Interface {
			return false
		}
		if list {
			prefix += "[]"
		}
		own := &Endpoint{}
		r.fields(own, class, "answer", strings.TrimPrefix(prefix, "."))
		for _, in := range own.Inputs {
			if !read(in.Type, in.Name, depth+1) {
				in.Limits, in.Default = nil, ""
				fields = append(fields, in)
			}
		}
		return true
	}
	if !read(s.Returns, "", 0) {
		return Body{}
	}
	return Body{Type: bodyName(elementType(s.Returns)), Fields: fields, At: e.Handler.At}
}

// goAnswerBody returns the fields of the value that a handler writes as JSON: c.JSON(200, article).
func goAnswerBody(p *Project, _ *Endpoint, a *Answer) Body {
	for c := range p.CallsIn(a.At.File, a.At.Line, a.At.Line) {
		_, method := c.Of()
		if !strings.Contains(method, "JSON") && method != "Encode" || len(c.Value.Args) == 0 {
			continue
		}
		read := &goInputs{Project: p, e: &Endpoint{}}
		given := c.Value.Args[len(c.Value.Args)-1]
		if given.Kind == code.ValueObject && (strings.HasPrefix(given.Text, "map[") || Last(given.Text) == "H" || Last(given.Text) == "Map") {
			var fields []Input
			for _, field := range given.Args {
				if field.Name != "" {
					fields = append(fields, Input{In: "body", Name: field.Name, At: Place{c.File.Path, cmp.Or(field.Line, c.Line)}})
				}
			}
			return Body{Fields: fields, At: a.At}
		}
		read.fields(goArgument{c, len(c.Value.Args) - 1}, goSource{"body", []string{"json"}})
		return Body{Fields: read.e.Inputs, At: a.At}
	}
	return Body{}
}

// place returns where a class is declared.
func (c *Class) place() Place { return Place{c.File.Path, max(c.Symbol.NameLine, c.Symbol.StartLine)} }
