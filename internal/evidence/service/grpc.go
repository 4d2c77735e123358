package service

import (
	"slices"
	"strconv"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/resolve"
)

// grpc reads services of gRPC in Go, Python, Java and Kotlin. A route is a method of a service; an answer has a code by its name.
// An error that is not a status of gRPC is answered with UNKNOWN (https://grpc.io/docs/guides/status-codes/).
var grpc = Framework{
	Name: "gRPC", Languages: []string{"go", "python", "java", "kotlin"}, Imports: []string{"google.golang.org/grpc", "grpc", "io.grpc"},
	Events: grpcEvents, Closest: true, Raised: grpcRaised, Answered: grpcAnswered, Passes: true, Values: true,
}

// grpcMethod is the method of all routes of gRPC.
const grpcMethod = "RPC"

// grpcEvents returns the methods of the services that the project registers or implements.
func grpcEvents(p *Project) []Event {
	g := &grpcReader{Project: p}
	for c := range p.Calls("go", "python") {
		_, name := c.Of()
		switch {
		case c.File.Language == "go" && strings.HasPrefix(name, "Register") && strings.HasSuffix(name, "Server"):
			g.serve(strings.TrimSuffix(strings.TrimPrefix(name, "Register"), "Server"), g.typeOf(c, c.Value.Arg(1)), c, c.Value.Arg(0))
		case c.File.Language == "python" && strings.HasPrefix(name, "add_") && strings.HasSuffix(name, "Servicer_to_server"):
			g.serve(strings.TrimSuffix(strings.TrimPrefix(name, "add_"), "Servicer_to_server"), g.typeOf(c, c.Value.Arg(0)), c, c.Value.Arg(1))
		}
	}
	for _, f := range p.Files {
		if f.Language == "java" || f.Language == "kotlin" {
			g.bases(f, "", f.Symbols)
		}
	}
	return g.out
}

type grpcReader struct {
	*Project
	out []Event
}

// bases reads the classes of a file that are derived from the generated ones.
func (g *grpcReader) bases(f *code.File, owner string, list []code.Symbol) {
	for i := range list {
		s := &list[i]
		path := strings.TrimPrefix(owner+"."+s.Name, ".")
		for _, base := range s.Bases {
			if name, ok := strings.CutSuffix(Last(base), "ImplBase"); ok && name != "" {
				g.methods(name, Class{f, path, s}, Place{f.Path, max(s.NameLine, s.StartLine)}, nil)
			} else if name, ok := strings.CutSuffix(Last(base), "CoroutineImplBase"); ok && name != "" {
				g.methods(name, Class{f, path, s}, Place{f.Path, max(s.NameLine, s.StartLine)}, nil)
			}
		}
		g.bases(f, path, s.Members)
	}
}

// typeOf returns the class of an argument: a literal, a call of a constructor, or a variable that holds one of these.
func (g *grpcReader) typeOf(c Call, v *code.Value) string {
	if v == nil {
		return ""
	}
	v = g.made(c, v)
	name := Last(v.Text)
	switch {
	case v.Kind == code.ValueCall && name == "new" && v.Arg(0) != nil:
		return Last(v.Arg(0).Text)
	case g.classes[name] != nil:
		return name
	}
	if n := g.Node(c.File.Path, v); n != nil && IsFunction(n) {
		if s := g.Symbol(n); s != nil {
			result, _, _ := strings.Cut(strings.Trim(s.Returns, "()"), ",")
			return Last(strings.TrimLeft(strings.TrimSpace(result), "*"))
		}
	}
	for _, b := range g.bindings[v.Text] {
		if b.File == c.File && g.classes[Last(b.Value.Text)] != nil {
			return Last(b.Value.Text)
		}
	}
	return ""
}

// made returns the call whose result a variable holds; other values as they are.
func (g *grpcReader) made(c Call, v *code.Value) *code.Value {
	if v.Kind != code.ValueName {
		return v
	}
	for i := range c.File.Bodies.Calls {
		if u := &c.File.Bodies.Calls[i]; u.To == v.Text && u.Line <= c.Line && (u.In == c.In || u.In == "" || u.In == v.Text) {
			v = &u.Value
		}
	}
	return v
}

// serve adds the methods of a service that is registered with a server.
func (g *grpcReader) serve(service, class string, c Call, server *code.Value) {
	var list []Class
	for _, k := range g.classes[class] {
		if k.File.Language == c.File.Language {
			list = append(list, k)
		}
	}
	if i := slices.IndexFunc(list, func(k Class) bool { return sameFolder(k.File.Path, c.File.Path) }); i > 0 {
		list = list[i:]
	}
	if len(list) > 0 {
		g.methods(service, list[0], c.Place(), g.interceptors(c, server))
	}
}

// interceptor is a function that runs before the methods of a server: those with streams, or the others.
type interceptor struct {
	Step
	stream bool
}

// interceptors returns the functions that a server runs before its methods.
func (g *grpcReader) interceptors(c Call, server *code.Value) []interceptor {
	var out []interceptor
	for i := range c.File.Bodies.Calls {
		u := Call{c.File, &c.File.Bodies.Calls[i]}
		if _, name := u.Of(); server == nil || !strings.HasSuffix(name, "Interceptor") || !g.configures(u, server.Text) {
			continue
		}
		for j := range u.Value.Args {
			if n := g.Node(c.File.Path, &u.Value.Args[j]); n != nil {
				step := Step{Kind: Middleware, Name: n.Path(), Node: n, At: u.Place()}
				out = append(out, interceptor{step, strings.Contains(Last(u.Value.Text), "Stream")})
			}
		}
	}
	return out
}

// configures reports whether a call is among the options of the server in a variable, also through a variable that holds these.
func (g *grpcReader) configures(u Call, server string) bool {
	around, ok := u.Around()
	if !ok {
		return false
	}
	if Last(around.Value.Text) == "NewServer" {
		return around.To == server
	}
	for i := range u.File.Bodies.Calls {
		c := &u.File.Bodies.Calls[i]
		if Last(c.Value.Text) == "NewServer" && c.To == server && c.In == u.In && slices.ContainsFunc(c.Value.Args, func(a code.Value) bool {
			return around.To != "" && strings.TrimSuffix(a.Text, "...") == around.To
		}) {
			return true
		}
	}
	return false
}

// methods adds the methods of a service that a class implements.
func (g *grpcReader) methods(name string, class Class, at Place, before []interceptor) {
	s := g.protoService(name)
	if s == nil {
		return
	}
	for i := range s.Methods {
		m := &s.Methods[i]
		n := g.member(&class, m.Name)
		if n == nil {
			continue
		}
		e := &Endpoint{
			Method: grpcMethod, Path: "/" + s.Name + "/" + m.Name, At: at, Handler: Step{Kind: Handling, Name: n.Path(), Node: n, At: Place{n.File, n.Line}},
			Success: []Answer{{Code: "OK", Body: m.Response, At: m.At}}, Declared: true,
		}
		for _, f := range g.Protos.Messages[Last(strings.TrimPrefix(m.Request, "stream "))] {
			e.Inputs = append(e.Inputs, Input{In: "message", Name: f.Name, Type: f.Type, At: f.At})
		}
		on := Object(s.Name + " " + at.File + ":" + strconv.Itoa(at.Line))
		var steps []Step
		streams := strings.HasPrefix(m.Request, "stream ") || strings.HasPrefix(m.Response, "stream ")
		for _, b := range before {
			if b.stream == streams {
				steps = append(steps, b.Step)
			}
		}
		g.out = append(g.out, Event{On: on, Root: true}, Event{On: on, Route: e, Steps: steps})
	}
}

// protoService returns the service with a name; nil if no file declares it.
func (g *grpcReader) protoService(name string) *ProtoService {
	if g.Protos == nil {
		return nil
	}
	i := slices.IndexFunc(g.Protos.Services, func(s ProtoService) bool { return Last(s.Name) == name })
	if i < 0 {
		return nil
	}
	return &g.Protos.Services[i]
}

// member returns the method of a class that implements one of a service, also one with a lower-case initial.
func (g *grpcReader) member(class *Class, name string) *resolve.Node {
	for _, f := range g.Files {
		if f.Language != class.File.Language || f != class.File && f.Language != "go" {
			continue
		}
		for _, n := range g.Links.Linked(f.Path) {
			if IsFunction(n) && Last(n.Owner()) == Last(class.Path) && strings.EqualFold(n.Name, name) && sameFolder(f.Path, class.File.Path) {
				return n
			}
		}
	}
	return nil
}

func sameFolder(a, b string) bool {
	return a[:strings.LastIndexByte(a, '/')+1] == b[:strings.LastIndexByte(b, '/')+1]
}

// grpcCodes are the codes of gRPC, by their names without underscores in lower case.
var grpcCodes = func() map[string]string {
	out := map[string]string{}
	for _, name := range []string{
		"CANCELLED", "UNKNOWN", "INVALID_ARGUMENT", "DEADLINE_EXCEEDED", "NOT_FOUND", "ALREADY_EXISTS", "PERMISSION_DENIED", "RESOURCE_EXHAUSTED", "FAILED_PRECONDITION", "ABORTED",
		"OUT_OF_RANGE", "UNIMPLEMENTED", "INTERNAL", "UNAVAILABLE", "DATA_LOSS", "UNAUTHENTICATED",
	} {
		out[strings.ToLower(strings.ReplaceAll(name, "_", ""))] = name
	}
	out["canceled"] = "CANCELLED"
	return out
}()

// grpcCode returns the code that a value names: codes.NotFound, grpc.StatusCode.NOT_FOUND; "" for none.
func grpcCode(v *code.Value) string {
	if v == nil || v.Kind != code.ValueName {
		return ""
	}
	return grpcCodes[strings.ToLower(strings.ReplaceAll(Last(v.Text), "_", ""))]
}

// grpcRaised reads the error that a method returns or throws: status.Errorf(codes.NotFound, "text").
func grpcRaised(p *Project, at Site, made *code.Value) (Answer, bool) {
	if made.Kind == code.ValueName { // var errNoToken = status.Error(…)
		if b, ok := p.bound(at.File.Path, made); ok && b.Value.Kind == code.ValueCall {
			made = &b.Value
		}
	}
	if made.Kind != code.ValueCall {
		return Answer{}, false
	}
	before, name := CutLast(made.Text)
	switch {
	case before == "status" && (name == "Error" || name == "Errorf" || name == "New" || name == "Newf"):
		a := Answer{Code: grpcCode(made.Arg(0))}
		a.Message, _ = p.Text(at.File.Path, made.Arg(1))
		return a, a.Code != ""
	case made.Text == "fmt.Errorf" || made.Text == "errors.New":
		a := Answer{Code: "UNKNOWN"}
		a.Message, _ = p.Text(at.File.Path, made.Arg(0))
		return a, true
	case at.File.Language != "go":
		return javaStatus(p, at, made)
	}
	return Answer{}, false
}

// grpcAnswered reads context.abort(grpc.StatusCode.NOT_FOUND, "text"), context.set_code(…), and observer.onError(Status.NOT_FOUND…).
func grpcAnswered(p *Project, at Site) (Answer, bool) {
	v := at.Stmt.Value
	if v == nil || v.Kind != code.ValueCall {
		return Answer{}, false
	}
	switch _, name := CutLast(v.Text); name {
	case "abort", "set_code":
		a := Answer{Code: grpcCode(v.Arg(0))}
		a.Message, _ = p.Text(at.File.Path, v.Arg(1))
		return a, a.Code != "" && at.File.Language == "python"
	case "onError":
		return javaStatus(p, at, v)
	}
	return Answer{}, false
}

// javaStatus reads Status.NOT_FOUND.withDescription("text").asRuntimeException().
func javaStatus(p *Project, at Site, v *code.Value) (Answer, bool) {
	var a Answer
	v.All(func(part *code.Value) bool {
		if _, rest, ok := strings.Cut(part.Text, "Status."); ok && a.Code == "" {
			name, _, _ := strings.Cut(rest, ".")
			a.Code = grpcCodes[strings.ToLower(strings.ReplaceAll(name, "_", ""))]
		}
		if part.Kind == code.ValueCall && Last(part.Text) == "withDescription" && a.Message == "" {
			for i := range part.Args {
				if text, ok := p.Text(at.File.Path, &part.Args[i]); ok {
					a.Message = text
				}
			}
		}
		return true
	})
	return a, a.Code != ""
}
