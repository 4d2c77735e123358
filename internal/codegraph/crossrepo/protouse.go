package crossrepo

import (
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/codegraph"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/store"
	"github.com/reverse-spec/reverse-spec/internal/resolve"
)

// clientForms are the names of generated clients; S stands for the service's name.
var clientForms = []string{
	"SClient", "NewSClient", "SStub", "SBlockingStub", "SFutureStub", "SAsyncStub", "SCoroutineStub", "SGrpc", "SGrpcKt",
	"SPromiseClient", "SAsyncClient", "SBlockingClient", "SServiceClient", "SAsyncServiceClient",
}

// serverForms are the names that code of a service's server has.
var serverForms = []string{
	"RegisterSServer", "UnimplementedSServer", "UnsafeSServer", "SServer", "SServicer", "add_SServicer_to_server", "SBase", "SImplBase", "SCoroutineImplBase",
}

// protoUses finds uses of services by the names of generated code.
type protoUses struct {
	clients map[string][]*contractSymbol // normalised name of generated code -> services
	methods map[string][]*contractSymbol // full name of a service -> its methods
	byName  map[string][]*contractSymbol // normalised name of a method -> methods
}

func protoMatcher(symbols []*contractSymbol) matcher {
	p := &protoUses{clients: map[string][]*contractSymbol{}, methods: map[string][]*contractSymbol{}, byName: map[string][]*contractSymbol{}}
	for _, s := range symbols {
		switch s.Kind {
		case "service":
			for _, form := range clientForms {
				name := normalizeName(strings.Replace(form, "S", lastPart(s.Name), 1))
				if !slices.Contains(p.clients[name], s) {
					p.clients[name] = append(p.clients[name], s)
				}
			}
		case "rpc":
			p.methods[s.of] = append(p.methods[s.of], s)
			name := normalizeName(lastPart(s.Name))
			p.byName[name] = append(p.byName[name], s)
		}
	}
	return p.match
}

func (p *protoUses) match(v *view) []use {
	if v.code == nil || v.code.Generated || v.code.Facts == nil {
		return nil
	}
	mentions, here := p.mentions(v)
	return slices.Concat(mentions, p.linked(v), p.calls(v, here))
}

// linked adds calls of methods of generated clients, from the linked code.
func (p *protoUses) linked(v *view) []use {
	var out []use
	for i := range v.result.Edges {
		e := &v.result.Edges[i]
		head := v.joint.heads[e.Path]
		if e.Type != codegraph.Calls || e.To < 0 || head == nil || !head.Generated {
			continue
		}
		symbols := v.joint.symbols(e.Path)
		if e.To >= len(symbols) {
			continue
		}
		client, method, _ := strings.Cut(symbols[e.To].Qualified, ".")
		for _, service := range p.clients[normalizeName(client)] {
			for _, m := range p.methods[service.Name] {
				if normalizeName(lastPart(m.Name)) == normalizeName(method) {
					out = append(out, use{m, e.Line, store.VirtualCalls, "stub:" + e.Rule.String(), p.share(v, service, float64(e.Weight)), p.passed(v, m, e), "", false})
				}
			}
		}
	}
	return out
}

// share returns the confidence that a name means a service in a repository, given the confidence sure of the name.
// Services of one name can be told apart only by the repository's generated code.
func (p *protoUses) share(v *view, service *contractSymbol, sure float64) float64 {
	named := sure
	if len(p.clients[normalizeName(lastPart(service.Name)+"Client")]) > 1 {
		named = min(sure, fuzzyName)
	}
	return min(sure, v.repo.services.confidence(service.Name, named))
}

// mentions finds the names of generated clients and their services.
func (p *protoUses) mentions(v *view) (out []use, here map[*contractSymbol]bool) {
	here = map[*contractSymbol]bool{}
	for i := range v.code.Facts.Exprs {
		e := &v.code.Facts.Exprs[i]
		if e.Op != code.OpName && e.Op != code.OpSelect {
			continue
		}
		for _, service := range p.clients[normalizeName(e.Name)] {
			if !strings.Contains(e.Name, lastPart(service.Name)) {
				continue
			}
			exact := p.share(v, service, exactName)
			inside := e.Op == code.OpSelect && normalizeName(v.code.Facts.Exprs[e.X].Name) == normalizeName(lastPart(service.Name))
			if v.joint.declares[v.repo.place][e.Name] && !inside { // the client of C# is inside a class that is called as the service
				exact = fuzzyName // the repository declares such a name itself
			}
			here[service] = here[service] || exact > fuzzyName
			out = append(out, use{service, v.lineOf(e), store.VirtualImports, "client", exact, unknown, "", false})
		}
	}
	return out, here
}

// calls finds calls of methods on values of a generated client, or in a file that mentions one.
func (p *protoUses) calls(v *view, here map[*contractSymbol]bool) []use {
	var out []use
	for _, c := range v.calls() {
		methods := p.byName[normalizeName(c.name)]
		if len(methods) == 0 || len(here) == 0 {
			continue
		}
		from := v.receiver(c)
		for _, m := range methods {
			rule, exact := p.origin(v, m, from, here)
			if exact == 0 || exact < exactName && v.isOwn(c) {
				continue
			}
			out = append(out, use{m, c.line, store.VirtualCalls, rule, exact, v.passes(c, m), "", false})
		}
	}
	return out
}

// origin returns the rule by which a call, on a value that comes from the given names, is a call of method m.
func (p *protoUses) origin(v *view, m *contractSymbol, from []string, here map[*contractSymbol]bool) (rule string, exact float64) {
	for _, name := range from {
		for _, service := range p.clients[normalizeName(name)] {
			if service.Name == m.of && here[service] {
				return "client-method", p.share(v, service, exactName)
			}
		}
	}
	for service := range here {
		if service.Name == m.of && here[service] && len(from) > 0 {
			return "client-in-file", prefixName
		}
	}
	return "", 0
}

// passed returns how well the arguments of a linked call fit a method.
func (p *protoUses) passed(v *view, m *contractSymbol, e *resolve.Edge) float64 {
	for _, c := range v.calls() {
		if c.line == e.Line && normalizeName(c.name) == normalizeName(lastPart(m.Name)) {
			return v.passes(c, m)
		}
	}
	return unknown
}

// passes returns how well the arguments of a call fit the request message of a method.
func (v *view) passes(c called, m *contractSymbol) float64 {
	if len(c.args) == 0 {
		return unfit
	}
	for _, arg := range c.args {
		if slices.Contains(v.origins(arg), m.params[0]) {
			return fits
		}
	}
	return unknown
}

// lineOf returns the line of an expression, or of its scope.
func (v *view) lineOf(e *code.Expr) int {
	if e.Line > 0 {
		return int(e.Line)
	}
	if e.Scope >= 0 && int(e.Scope) < len(v.code.Facts.Scopes) {
		return int(v.code.Facts.Scopes[e.Scope].Line)
	}
	return 1
}
