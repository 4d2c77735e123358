package service

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/resolve"
)

// railsInputs collects what an action reads of a request.
type railsInputs struct {
	*railsReader
	of     *railsController
	method string
	seen   map[*resolve.Node]bool
	out    []Input
}

// inputs returns what an action and the methods of its controller that it calls read: strong parameters and params[:name].
func (x *railsReader) inputs(c *railsController, e *Endpoint) []Input {
	i := &railsInputs{railsReader: x, of: c, method: e.Method, seen: map[*resolve.Node]bool{}}
	for _, s := range e.Chain {
		i.function(s.Node)
	}
	i.function(e.Handler.Node)
	return slices.DeleteFunc(i.out, func(in Input) bool {
		return slices.ContainsFunc(e.Inputs, func(p Input) bool { return p.Name == in.Name })
	})
}

func (x *railsInputs) function(n *resolve.Node) {
	if n == nil || x.seen[n] || !slices.ContainsFunc(x.of.line, func(c Class) bool { return c.Path == n.Owner() }) {
		return
	}
	x.seen[n] = true
	for c := range x.CallsIn(n.File, n.StartLine, n.EndLine) {
		if c.In != n.Path() {
			continue
		}
		if Last(c.Value.Text) == "permit" && strings.HasPrefix(c.Value.Text, "params") {
			x.permitted(c)
		}
		x.read(n.File, &c.Value)
	}
	if body := x.Body(n); body != nil {
		code.AllStmts(body.Stmts, func(s *code.Stmt) {
			if s.Value != nil {
				x.read(n.File, s.Value)
			}
			x.asked(n.File, s.Cond, s.Line)
		})
	}
	for _, u := range x.Links.Calls(n) {
		x.function(u.To)
	}
}

// add adds an input that is not known yet.
func (x *railsInputs) add(in Input) {
	in.In = "body"
	if x.method == "GET" || x.method == "DELETE" {
		in.In = "query"
	}
	if !slices.ContainsFunc(x.out, func(o Input) bool { return o.Name == in.Name }) {
		x.out = append(x.out, in)
	}
}

// read adds the parameters that a value names: params[:name], params.require(:name).
func (x *railsInputs) read(file string, v *code.Value) {
	v.All(func(part *code.Value) bool {
		if part.Kind == code.ValueOther && len(part.Args) == 2 && part.Args[0].Text == "params" && part.Args[0].Kind == code.ValueName && part.Args[1].Kind == code.ValueString {
			x.add(Input{Name: part.Args[1].Text, At: Place{file, part.Line}})
		}
		return true
	})
}

// asked adds the parameters that a condition names.
func (x *railsInputs) asked(file string, c *code.Cond, line int) {
	if c == nil {
		return
	}
	for _, text := range []string{c.Text, c.Of} {
		for _, m := range railsParam().FindAllStringSubmatch(text, -1) {
			x.add(Input{Name: m[1], At: Place{file, line}})
		}
	}
	for i := range c.Args {
		x.asked(file, &c.Args[i], line)
	}
}

// railsParam finds params[:name] in the text of a condition.
var railsParam = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?:^|[^\w.])params\[[:"'](\w+)["']?\]`) })

// permitted adds the fields of params.require(:root).permit(:a, b: [], c: [:d]).
func (x *railsInputs) permitted(c Call) {
	root := ""
	c.Value.All(func(v *code.Value) bool {
		if v.Kind == code.ValueCall && Last(v.Text) == "require" && root == "" {
			root = railsText(v.Arg(0))
		}
		return true
	})
	args := c.Value.Args
	if len(args) > 0 && strings.Contains(c.Value.Text, "(") { // the call before
		args = args[1:]
	}
	model := root
	if model == "" {
		model = railsSingular(x.of.path[strings.LastIndexByte(x.of.path, '/')+1:])
	}
	x.fields(c.File.Path, strings.TrimPrefix(root+".", "."), args, x.validations(model))
}

// fields adds permitted fields below a prefix.
func (x *railsInputs) fields(file, prefix string, args []code.Value, limits map[string][]string) {
	for i := range args {
		a := &args[i]
		in := Input{Name: prefix + a.Text, At: Place{file, a.Line}}
		switch {
		case a.Name != "" && len(a.Args) > 0:
			x.fields(file, prefix+a.Name+".", a.Args, nil)
			continue
		case a.Name != "":
			in.Name, in.Type = prefix+a.Name, "array"
			if a.Kind == code.ValueObject {
				in.Type = "object"
			}
		case a.Kind == code.ValueObject || a.Kind == code.ValueOther:
			x.fields(file, prefix, a.Args, limits)
			continue
		case a.Kind != code.ValueString && a.Kind != code.ValueName:
			continue
		}
		in.Limits = slices.Clone(limits[strings.TrimPrefix(in.Name, prefix)])
		in.Required = x.method == "POST" && slices.Contains(in.Limits, "presence")
		x.add(in)
	}
}

// validations returns the limits of the attributes of a model: "presence", "length maximum: 5".
func (x *railsReader) validations(model string) map[string][]string {
	out := map[string][]string{}
	name := railsName(model)
	for _, list := range inOrder(x.classes) {
		for i := range list {
			c := &list[i]
			if c.File.Language != "ruby" || railsName(Last(c.Path)) != name || !x.isRailsModel(Last(c.Path), 0) {
				continue
			}
			for call := range x.declarations(c) {
				railsValidation(call, out)
			}
		}
	}
	return out
}

// railsValidation adds the limits of validates :a, presence: true and validates_presence_of :a.
func railsValidation(call Call, out map[string][]string) {
	_, name := call.Of()
	kind, old := strings.CutSuffix(strings.TrimPrefix(name, "validates_"), "_of")
	if name != "validates" && name != "validates!" && !old {
		return
	}
	var fields, limits []string
	for i := range call.Value.Args {
		a := &call.Value.Args[i]
		switch {
		case a.Name == "":
			fields = append(fields, railsTexts(a)...)
		case !old && !slices.Contains([]string{"on", "if", "unless", "allow_blank", "allow_nil", "message", "strict"}, a.Name):
			limits = append(limits, railsLimit(a.Name, a))
		}
	}
	if old {
		options := code.Value{Kind: code.ValueObject}
		for _, a := range call.Value.Args {
			if a.Name != "" {
				options.Args = append(options.Args, a)
			}
		}
		limits = append(limits, railsLimit(kind, &options))
	}
	for _, f := range fields {
		out[f] = append(out[f], limits...)
	}
}

// railsLimit returns a validation as text: "length minimum: 2, maximum: 5".
func railsLimit(name string, v *code.Value) string {
	var parts []string
	for i := range v.Args {
		a := &v.Args[i]
		switch {
		case a.Name == "message" || v.Kind != code.ValueObject:
		case a.Kind == code.ValueNumber || a.Kind == code.ValueString || a.Kind == code.ValueName:
			parts = append(parts, a.Name+": "+a.Text)
		case len(railsTexts(a)) > 0 && a.Kind == code.ValueOther && a.Name == "in":
			parts = append(parts, a.Name+": "+strings.Join(railsTexts(a), ", "))
		}
	}
	return strings.TrimSpace(name + " " + strings.Join(parts, ", "))
}
