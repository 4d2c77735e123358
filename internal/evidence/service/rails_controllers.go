package service

import (
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/resolve"
)

// railsController is a class of controllers with what it inherits.
type railsController struct {
	path      string  // "api/v1/articles"
	line      []Class // itself after its bases and the modules that they include, in the order in which their declarations run
	library   string  // the base that the project does not declare, as written
	callbacks []railsCallback
	rescues   []railsRescue // the last one that fits is used
	protected bool          // against forged requests, as declared
	open      bool          // it is declared that it is not
}

// railsCallback is what runs before the actions of a controller.
type railsCallback struct {
	call         Call
	name         string // of a method; "" for a block
	only, except []string
}

// railsRescue is a handler of errors: a method or a block.
type railsRescue struct {
	class, method string
	block         *code.Body
	file          string
}

// railsReader reads the controllers of a project.
type railsReader struct {
	*Project
	known map[string]*railsController
	depth int // of methods that are followed to their answers
}

// isRailsController reports whether a file declares a controller.
func isRailsController(f *code.File) bool {
	return f.Language == "ruby" && slices.ContainsFunc(f.Symbols, func(s code.Symbol) bool {
		return slices.ContainsFunc(s.Bases, func(b string) bool {
			return strings.HasSuffix(b, "Controller") || b == "ActionController::API" || b == "ActionController::Base"
		})
	})
}

// controller returns the controller of a route; nil if the project has none.
func (x *railsReader) controller(path string) *railsController {
	if c, known := x.known[path]; known {
		return c
	}
	x.known[path] = nil
	name := railsName(path + "_controller")
	for _, f := range x.Files {
		if f.Language != "ruby" {
			continue
		}
		for i := range f.Symbols {
			if s := &f.Symbols[i]; s.Kind.HoldsMembers() && railsName(s.Name) == name {
				c := &railsController{path: path}
				x.inherit(c, Class{f, s.Name, s}, 0)
				x.known[path] = c
				return c
			}
		}
	}
	return nil
}

// constant returns the class or module that a name means inside another one: that of the closest module around.
func (x *railsReader) constant(in *Class, name string) *Class {
	name = strings.TrimPrefix(name, "::")
	for around := in.Path; ; {
		full := name
		if around != "" {
			full = around + "::" + name
		}
		for i := range x.classes[Last(name)] {
			if c := &x.classes[Last(name)][i]; c.File.Language == "ruby" && c.Path == full && c.Symbol != in.Symbol {
				return c
			}
		}
		if around == "" {
			return nil
		}
		around, _ = cutModule(around)
	}
}

// cutModule splits a name before its last part.
func cutModule(name string) (before, last string) {
	if i := strings.LastIndex(name, "::"); i >= 0 {
		return name[:i], name[i+2:]
	}
	return "", name
}

// inherit adds a class after what it is derived from and includes.
func (x *railsReader) inherit(c *railsController, class Class, depth int) {
	if depth > maxSteps || slices.ContainsFunc(c.line, func(o Class) bool { return o.Symbol == class.Symbol }) {
		return
	}
	for i, base := range class.Symbol.Bases {
		up := x.constant(&class, base)
		isModule := i > 0 || !strings.Contains(class.Symbol.Signature, "<")
		if up == nil && !isModule {
			c.library = base
			if strings.HasPrefix(base, "Devise::") { // its controllers are derived from the application's
				up = x.constant(&class, "ApplicationController")
			}
		}
		if up != nil {
			x.inherit(c, *up, depth+1)
		}
	}
	for call := range x.declarations(&class) {
		_, name := call.Of()
		x.declare(c, &class, call, name)
	}
	c.line = append(c.line, class)
}

// declarations yields the calls in the body of a class, also those in its included block.
func (x *railsReader) declarations(class *Class) func(yield func(c Call) bool) {
	return func(yield func(c Call) bool) {
		for c := range x.CallsIn(class.File.Path, class.Symbol.StartLine, class.Symbol.EndLine) {
			around, inside := c.Around()
			if c.In != class.Path || inside && Last(around.Value.Text) != "included" {
				continue
			}
			if receiver, _ := c.Of(); receiver == "" && !yield(c) {
				return
			}
		}
	}
}

// declare reads a declaration of a controller.
func (x *railsReader) declare(c *railsController, class *Class, call Call, name string) {
	switch name {
	case "before_action", "before_filter", "append_before_action", "around_action", "around_filter", "prepend_before_action":
		list := railsCallbacks(call)
		c.callbacks = slices.DeleteFunc(c.callbacks, func(old railsCallback) bool { // declared again
			return old.name != "" && slices.ContainsFunc(list, func(b railsCallback) bool { return b.name == old.name })
		})
		if name == "prepend_before_action" {
			c.callbacks = append(list, c.callbacks...)
		} else {
			c.callbacks = append(c.callbacks, list...)
		}
	case "skip_before_action", "skip_before_filter", "skip_action_callback":
		for _, skipped := range railsCallbacks(call) {
			c.skip(skipped)
			c.open = c.open || skipped.name == "verify_authenticity_token"
		}
	case "http_basic_authenticate_with", "doorkeeper_authorize!", "load_and_authorize_resource", "authorize_resource", "load_resource":
		c.callbacks = append(c.callbacks, railsCallback{call, name, railsTexts(call.Value.Named("only")), railsTexts(call.Value.Named("except"))})
	case "protect_from_forgery":
		c.protected = railsText(call.Value.Named("with")) == "exception"
		c.open = !c.protected
	case "skip_forgery_protection":
		c.protected, c.open = false, true
	case "rescue_from":
		x.rescues(c, class, call)
	}
}

// railsCallbacks returns the callbacks that a declaration names: methods, and a block or lambda.
func railsCallbacks(call Call) []railsCallback {
	b := railsCallback{call: call, only: railsTexts(call.Value.Named("only")), except: railsTexts(call.Value.Named("except"))}
	if on := railsText(call.Value.Named("if")); on == "devise_controller?" {
		return nil
	}
	var out []railsCallback
	for i := range call.Value.Args {
		a := &call.Value.Args[i]
		if a.Name == "" && a.Kind == code.ValueString {
			b.name = a.Text
			out = append(out, b)
		} else if a.Name == "" && a.Kind == code.ValueFunction {
			b.name = ""
			out = append(out, b)
		}
	}
	if len(out) == 0 && railsBlock(call) != nil {
		out = append(out, b)
	}
	return out
}

// skip removes a callback, for some actions if the declaration says so.
func (c *railsController) skip(s railsCallback) {
	for i := range c.callbacks {
		b := &c.callbacks[i]
		switch {
		case b.name != s.name || b.name == "":
		case len(s.only) > 0:
			b.except = slices.Concat(b.except, s.only)
		case len(s.except) > 0 && len(b.only) > 0:
			b.only = slices.DeleteFunc(slices.Clone(b.only), func(a string) bool { return !slices.Contains(s.except, a) })
		case len(s.except) > 0:
			b.only = s.except
		default:
			b.only = []string{""}
		}
	}
}

// runs reports whether a callback runs before an action.
func (b *railsCallback) runs(action string) bool {
	return (len(b.only) == 0 || slices.Contains(b.only, action)) && !slices.Contains(b.except, action)
}

// railsBlock returns the block or lambda that a declaration is given; nil for none.
func railsBlock(call Call) *code.Body {
	line, end := call.Line, call.Line
	for i := range call.Value.Args {
		end = max(end, call.Value.Args[i].Line)
	}
	for i := range call.File.Bodies.Functions {
		b := &call.File.Bodies.Functions[i]
		if b.Line >= line && b.Line <= end && b.In == call.In && (b.Use.Of == call.Value.Text || b.Use.Kind == code.UseReturned) {
			return b
		}
	}
	return nil
}

// rescues adds the handlers of rescue_from.
func (x *railsReader) rescues(c *railsController, class *Class, call Call) {
	r := railsRescue{method: railsText(call.Value.Named("with")), block: railsBlock(call), file: class.File.Path}
	for i := range call.Value.Args {
		if a := &call.Value.Args[i]; a.Name == "" && railsText(a) != "" {
			r.class = Last(a.Text)
			c.rescues = append(c.rescues, r)
		}
	}
}

// methodOf returns the method of a controller with a name, its own before those of its bases; nil for none.
func (x *railsReader) methodOf(c *railsController, name string) *resolve.Node {
	if c == nil || name == "" {
		return nil
	}
	for _, class := range slices.Backward(c.line) {
		for _, m := range x.Links.Linked(class.File.Path) {
			if IsFunction(m) && m.Owner() == class.Path && m.Name == name {
				return m
			}
		}
	}
	return nil
}

// handlers returns the handlers of errors of a controller; the first that fits an error answers it.
func (x *railsReader) handlers(c *railsController) []Handler {
	var out []Handler
	for _, r := range slices.Backward(c.rescues) {
		h := Handler{Class: r.class, Body: r.block, File: r.file}
		if r.method != "" {
			h.Node = x.methodOf(c, r.method)
		}
		if h.Node != nil || h.Body != nil {
			out = append(out, h)
		}
	}
	return out
}
