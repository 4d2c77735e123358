package service

import (
	"cmp"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/resolve"
)

// springStatuses are the statuses that Spring itself gives its exceptions (DefaultHandlerExceptionResolver).
var springStatuses = map[string]int{
	"HttpMessageNotReadableException": 400, "MethodArgumentNotValidException": 400, "HandlerMethodValidationException": 400, "BindException": 400,
	"WebExchangeBindException": 400, "ServerWebInputException": 400, "MissingServletRequestParameterException": 400, "MissingRequestHeaderException": 400,
	"MissingRequestCookieException": 400, "MissingServletRequestPartException": 400, "MissingPathVariableException": 500,
	"ServletRequestBindingException": 400, "MethodArgumentTypeMismatchException": 400, "TypeMismatchException": 400, "NoHandlerFoundException": 404,
	"NoResourceFoundException": 404, "HttpRequestMethodNotSupportedException": 405, "HttpMediaTypeNotAcceptableException": 406,
	"HttpMediaTypeNotSupportedException": 415, "MaxUploadSizeExceededException": 413, "AsyncRequestTimeoutException": 503,
	"HttpMessageNotWritableException": 500, "ConversionNotSupportedException": 500, "MethodValidationException": 500,
}

// springExceptions is a method that answers exceptions of some classes.
type springExceptions struct {
	classes []string
	answers []int // the statuses that it answers with, in the order of the source
	own     bool  // the status is that of the exception
}

// closestHandler returns the handler of the closest base of a class; nil for none.
func closestHandler(p *Project, list []springExceptions, class string) *springExceptions {
	best, at := -1, 0
	for i := range list {
		for _, c := range list[i].classes {
			if d, ok := p.distance(class, c); ok && (best < 0 || d < at) {
				best, at = i, d
			}
		}
	}
	if best < 0 {
		return nil
	}
	return &list[best]
}

// status returns the status with which a handler answers an exception that has a status of its own, or 0; 0 if it is not
// known.
func (h *springExceptions) status(own int) int {
	if h.own && own > 0 {
		return own
	}
	if len(h.answers) > 0 {
		return h.answers[0]
	}
	return own
}

// springErrors returns how exceptions are answered: by the closest handler, by the status that their class is marked with,
// and by the framework for its own; others are 500.
func springErrors(p *Project, read func(s *Step) []Ending) func(at Site, class string, made *code.Value, a Answer) Answer {
	p.springRead = read
	handlers := p.adviceHandlers(read)
	security := readSpringSecurity(p)
	return func(at Site, class string, made *code.Value, a Answer) Answer {
		if made != nil && at.File != nil {
			a.Status = p.springOwnStatus(at.File.Path, class, made)
			if a.Message == "" {
				a.Message = cmp.Or(p.ErrorAnswer(at.File.Path, made).Message, p.superText(class))
			}
		}
		if a.Status == 0 || len(p.classes[class]) > 0 {
			a.Status = cmp.Or(p.springClassStatus(class, 0), a.Status)
		}
		if h := closestHandler(p, handlers, class); h != nil {
			a.Status = h.status(a.Status)
			return a
		}
		a.Status = cmp.Or(security.statusOf(class), a.Status, 500)
		return a
	}
}

// adviceHandlers returns the handlers of exceptions for all controllers.
func (p *Project) adviceHandlers(read func(s *Step) []Ending) []springExceptions {
	var out []springExceptions
	for _, f := range p.Files {
		if !slices.Contains(jvmLanguages, f.Language) {
			continue
		}
		for _, n := range p.Links.Linked(f.Path) {
			if !n.IsType() {
				continue
			}
			if _, ok := marking(p.composed(p.marksOn(n)), "ControllerAdvice", "RestControllerAdvice"); ok {
				out = append(out, p.springHandlersOf(p.ofClass(n), read, 0)...)
			}
		}
	}
	return out
}

// springOwnHandlers returns the handlers of exceptions in the class of a method and its bases.
func (p *Project) springOwnHandlers(n *resolve.Node) []springExceptions {
	class := p.Links.Find(n.File, n.Owner(), n.Line)
	if class == nil || p.springRead == nil {
		return nil
	}
	return p.springHandlersOf(p.ofClass(class), p.springRead, 0)
}

// springHandlersOf returns the handlers of exceptions in a class and its bases.
func (p *Project) springHandlersOf(c *Class, read func(s *Step) []Ending, depth int) []springExceptions {
	if c == nil || depth > maxSteps {
		return nil
	}
	var out []springExceptions
	for _, n := range p.methodsOf(c) {
		if classes := p.springHandled(c, n); len(classes) > 0 {
			out = append(out, p.springHandler(n, classes, read))
		}
	}
	if slices.ContainsFunc(c.Symbol.Bases, func(b string) bool { return Last(b) == "ResponseEntityExceptionHandler" }) {
		out = append(out, springExceptions{classes: []string{"ErrorResponseException"}, own: true})
		for class, status := range inOrder(springStatuses) {
			out = append(out, springExceptions{classes: []string{class}, answers: []int{status}})
		}
	}
	for _, b := range p.basesOf(c) {
		out = append(out, p.springHandlersOf(b, read, depth+1)...)
	}
	return out
}

// springHandler returns a method as a handler of some classes of exceptions.
func (p *Project) springHandler(n *resolve.Node, classes []string, read func(s *Step) []Ending) springExceptions {
	h := springExceptions{classes: classes}
	for _, e := range read(&Step{Kind: Handling, Node: n, At: Place{n.File, n.Line}}) {
		if e.Status > 0 && !slices.Contains(h.answers, e.Status) {
			h.answers = append(h.answers, e.Status)
		}
	}
	s := p.symbolOf(n)
	if s == nil {
		return h
	}
	mark, marked := marking(p.composed(p.marksOn(n)), "ResponseStatus")
	switch {
	case len(h.answers) > 0 && (answersEntity(s.Returns) || !marked):
	case marked:
		if status := p.markedStatus(mark); status > 0 {
			h.answers = []int{status}
		}
	case answersEntity(s.Returns) || s.Returns == "":
		h.own = true
	default:
		h.answers = []int{200}
	}
	return h
}

// springHandled returns the classes of the exceptions that a method answers; nil for other methods.
func (p *Project) springHandled(c *Class, n *resolve.Node) []string {
	mark, ok := marking(p.composed(p.marksOn(n)), "ExceptionHandler")
	if !ok {
		class, handles := strings.CutPrefix(n.Name, "handle")
		if _, known := springStatuses[class+"Exception"]; handles && known && slices.ContainsFunc(c.Symbol.Bases, func(b string) bool { return Last(b) == "ResponseEntityExceptionHandler" }) {
			return []string{class + "Exception"}
		}
		return nil
	}
	var out []string
	for i := range mark.Value.Args {
		if v := &mark.Value.Args[i]; v.Name == "" || v.Name == "value" || v.Name == "exception" {
			v.All(func(part *code.Value) bool {
				if name := className(part); name != "" {
					out = append(out, name)
				}
				return true
			})
		}
	}
	if s := p.symbolOf(n); len(out) == 0 && s != nil {
		for _, param := range s.Params {
			if name := Last(param.Type); errorLike(name) || name == "Throwable" {
				out = append(out, name)
			}
		}
	}
	return out
}

// className returns the class that Name.class or Name::class is; "" for other values.
func className(v *code.Value) string {
	if v.Kind != code.ValueName {
		return ""
	}
	name, ok := strings.CutSuffix(v.Text, ".class")
	if !ok {
		name, ok = strings.CutSuffix(v.Text, "::class")
	}
	if !ok {
		return ""
	}
	return Last(name)
}

// springClassStatus returns the status that a class of exceptions, or a base of it, is marked with or has from the framework;
// 0 for none.
func (p *Project) springClassStatus(class string, depth int) int {
	if depth > maxSteps {
		return 0
	}
	for i := range p.classes[class] {
		c := &p.classes[class][i]
		if n := p.nodeOf(c); n != nil {
			if mark, ok := marking(p.composed(p.marksOn(n)), "ResponseStatus"); ok {
				return p.markedStatus(mark)
			}
		}
	}
	for i := range p.classes[class] {
		for _, base := range p.classes[class][i].Symbol.Bases {
			name, _, _ := strings.Cut(base, "(")
			if status := p.springClassStatus(Last(name), depth+1); status > 0 {
				return status
			}
		}
	}
	if len(p.classes[class]) > 0 {
		return 0
	}
	for at := class; at != ""; at = libraryBases[at] {
		if status := springStatuses[at]; status > 0 {
			return status
		}
	}
	return 0
}

// springOwnStatus returns the status that an exception is made with: among its arguments, or those that its constructor gives
// to that of its base; 0 for none.
func (p *Project) springOwnStatus(file, class string, made *code.Value) int {
	if status := p.statusAmong(file, made); status >= 400 {
		return status
	}
	if status := p.ErrorAnswer(file, made).Status; status >= 400 {
		return status
	}
	for range maxSteps {
		list := p.classes[class]
		if len(list) == 0 {
			return 0
		}
		c := &list[0]
		for call := range p.CallsIn(c.File.Path, c.Symbol.StartLine, c.Symbol.EndLine) {
			if _, name := call.Of(); name == "super" {
				if status := p.statusAmong(c.File.Path, &call.Value); status >= 400 {
					return status
				}
			}
		}
		if len(c.Symbol.Bases) == 0 {
			return 0
		}
		if status := writtenStatus(givenToBase(c)); status > 0 { // Kotlin
			return status
		}
		name, _, _ := strings.Cut(c.Symbol.Bases[0], "(")
		class = Last(name)
	}
	return 0
}

// superText returns the text that the constructor of a class of exceptions gives to that of its base; "" if it is not
// constant.
func (p *Project) superText(class string) string {
	for i := range p.classes[class] {
		c := &p.classes[class][i]
		for call := range p.CallsIn(c.File.Path, c.Symbol.StartLine, c.Symbol.EndLine) {
			if call.Value.Text != "super" {
				continue
			}
			for j := range call.Value.Args {
				if text, ok := p.springText(c.File.Path, &call.Value.Args[j]); ok && text != "" {
					return text
				}
			}
		}
		if text := writtenText(givenToBase(c)); text != "" { // Kotlin
			return text
		}
	}
	return ""
}
