package evidence

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/evidence/service"
)

// servedRoutes finds the routes that a framework of package service registers for the module, and returns the files in
// which these are registered.
func (m *Module) servedRoutes(found func(Claim)) map[string]bool {
	read := map[string]bool{}
	for i := range m.serves {
		e := &m.serves[i]
		read[e.At.File] = true
		c := Claim{Subject: e.Handler.Name, Name: routeName(e), Served: served(e), At: []Place{{e.At.File, e.At.Line, ""}}}
		if e.Handler.At != (service.Place{}) && e.Handler.At.File != "" {
			c.At = append(c.At, Place{e.Handler.At.File, e.Handler.At.Line, lastName(e.Handler.Name)})
		}
		found(c)
	}
	return read
}

// routeName returns the method and the path of an endpoint.
func routeName(e *service.Endpoint) string { return strings.TrimSpace(e.Method + " " + e.Path) }

// served returns what an endpoint answers.
func served(e *service.Endpoint) *Served {
	out := &Served{Shadowed: e.Shadowed != nil, Guards: e.Guards}
	for i := range e.Refusals {
		f := &e.Refusals[i]
		if text := answerText(&f.Answer, refusalText(f)); !slices.Contains(out.Refusals, text) {
			out.Refusals = append(out.Refusals, text)
		}
	}
	for _, a := range e.Success {
		out.Success = append(out.Success, answerText(&a, a.Body))
	}
	for _, in := range e.Inputs {
		out.Inputs = append(out.Inputs, in.In+" "+in.Name)
	}
	return out
}

// refusalText returns the message of a refusal, or else the class of its error.
func refusalText(f *service.Refusal) string {
	if f.Message == "" || f.Unhandled {
		return f.Error
	}
	return f.Message
}

// answerText returns the status of an answer and a text on one line; an unknown status is "?".
func answerText(a *service.Answer, text string) string {
	return strings.TrimSpace(cmp.Or(statusText(a), "?") + " " + text)
}

// statusText returns the code or the status of an answer; "" if it is not known.
func statusText(a *service.Answer) string {
	if a.Code != "" || a.Status == 0 {
		return a.Code
	}
	return strconv.Itoa(a.Status)
}

// refusals finds the answers with which the routes of the module refuse requests.
var refusals = Rule{
	Kind: Refusal,
	find: func(m *Module, found func(Claim)) {
		for i := range m.serves {
			for j := range m.serves[i].Refusals {
				f := &m.serves[i].Refusals[j]
				c := Claim{
					Subject: f.In, Values: []string{routeName(&m.serves[i])},
					Outcome: &Outcome{Error: f.Error, Message: f.Message, Status: statusText(&f.Answer)},
					At:      []Place{{f.At.File, f.At.Line, ""}},
				}
				if f.Unhandled {
					c.Role = Unhandled
				}
				switch {
				case f.In != "":
					c.When = []Condition{{All: f.When, Partial: f.Partial}}
				case saidElsewhere(&m.serves[i], f):
					continue
				default:
					if c.Outcome.By = stepName(&m.serves[i], f); len(f.When) > 0 && c.Outcome.By != f.Step {
						c.When = []Condition{{All: f.When, Partial: f.Partial}}
					}
				}
				found(c)
			}
		}
	},
}

// stepName returns the name of the step that refuses: of a function literal, the route that it handles, or else its kind.
func stepName(e *service.Endpoint, f *service.Refusal) string {
	switch f.By {
	case "", "func", "closure":
		if f.Step == service.Handling {
			return routeName(e)
		}
		return f.Step
	}
	return f.By
}

// saidElsewhere reports whether another refusal of an endpoint is that of the same line, and names its function.
func saidElsewhere(e *service.Endpoint, f *service.Refusal) bool {
	return slices.ContainsFunc(e.Refusals, func(o service.Refusal) bool { return o.In != "" && o.At == f.At && o.Status == f.Status })
}

// inputs finds what requests to the routes of the module carry.
var inputs = Rule{
	Kind: Input,
	find: func(m *Module, found func(Claim)) {
		for i := range m.serves {
			e := &m.serves[i]
			for _, in := range e.Inputs {
				limits := in.Limits
				if in.Required {
					limits = append([]string{"required"}, limits...)
				}
				found(Claim{
					Subject: e.Handler.Name, Of: routeName(e), Name: in.Name, Role: in.In, Option: optionOf(in.Type, in.Default, ""), Values: limits,
					At: []Place{{in.At.File, in.At.Line, ""}},
				})
			}
		}
	},
}

// answerBodies finds the fields of what routes of the module answer with.
var answerBodies = Rule{
	Kind: AnswerBody,
	find: func(m *Module, found func(Claim)) {
		said := map[string][]string{} // the fields, by name
		for i := range m.serves {
			e := &m.serves[i]
			for _, b := range e.Bodies {
				c := Claim{Name: b.Type}
				if b.Type == "" {
					c.Of, c.Name = routeName(e), strconv.Itoa(b.Status)
				}
				for _, f := range b.Fields {
					c.Values = append(c.Values, strings.TrimSuffix(f.Name+": "+f.Type, ": "))
				}
				if known := said[c.Name]; known != nil && c.Of == "" && !slices.Equal(known, c.Values) { // another type of that name
					c.Of = routeName(e)
				}
				if key := c.Name + c.Of; said[key] == nil {
					said[key] = c.Values
					c.At = []Place{servicePlace(b.At)}
					found(c)
				}
			}
		}
	},
}

// refused reports whether a line of the module refuses requests: a claim about the routes says so.
func (m *Module) refused(file string, line int) bool {
	at := service.Place{File: file, Line: line}
	for i := range m.serves {
		if slices.ContainsFunc(m.serves[i].Refusals, func(f service.Refusal) bool { return f.At == at }) {
			return true
		}
	}
	return false
}
