package service

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

// carriers are the arguments and the calls of a chain that say what a request carries.
var carriers = []string{"json", "data", "params", "form", "query", "content", "body", "send", "json_data", "query_string", "payload", "bodyValue", "queryParam", "param", "JsonContent", "field"}

// maxFields limits how many fields of a request are kept.
const maxFields = 12

// carried returns the fields that a request carries, by the call that sends it.
func (s *scope) carried(i int) []Field {
	var out []Field
	v := &s.file.Bodies.Calls[i].Value
	s.carriedIn(v, &out)
	s.afterPath(positional(v), &out)
	for j := range s.file.Bodies.Calls { // the rest of the chain
		if s.carries(j, i) {
			s.attached(&s.file.Bodies.Calls[j].Value, &out)
		}
	}
	if s.signed(i) {
		out = append([]Field{{Name: SignedIn}}, out...)
	}
	return out[:min(len(out), maxFields)]
}

// carriedIn adds the fields of the arguments of a call, or of its options, whose names say that the request carries them.
func (s *scope) carriedIn(v *code.Value, out *[]Field) {
	for i := range v.Args {
		if a := &v.Args[i]; slices.Contains(carriers, a.Name) {
			s.whole(a, out)
		}
	}
}

// afterPath adds the fields of the arguments after the path, up to the first that has any: headers follow it.
func (s *scope) afterPath(args []*code.Value, out *[]Field) {
	for _, a := range args[min(1, len(args)):] {
		if a.Kind == code.ValueObject && a.Named(append([]string{"headers", "method"}, carriers...)...) != nil { // options
			s.carriedIn(a, out)
			return
		}
		if s.flatten(a, "", out, 0); len(*out) > 0 {
			return
		}
	}
}

// carries reports whether call j of a file is one in the chain of the request of call i that says what the request carries.
func (s *scope) carries(j, i int) bool {
	k := &s.file.Bodies.Calls[j]
	if j == i || k.Line < s.first || k.Line > s.last || !slices.Contains(carriers, Last(k.Value.Text)) {
		return false
	}
	return s.chained(j, i) && !answered(&k.Value)
}

// attached adds the fields that a call in the chain of a request adds to it: a name and its value, or all at once.
func (s *scope) attached(v *code.Value, out *[]Field) {
	switch args := positional(v); {
	case len(args) == 2 && args[0].Kind == code.ValueString:
		field := *args[1]
		field.Name = args[0].Text
		s.flatten(&field, "", out, 0)
	case len(args) == 1:
		s.flatten(args[0], "", out, 0)
	}
}

// SignedIn is the name of a [Field] that says that the client acts as a user.
const SignedIn = "signed in"

// signers are calls by which a client acts as a user.
var signers = []string{"actingAs", "force_authenticate", "force_login", "loginUser", "loginAs", "sign_in", "login_as", "log_in_as"}

// signed reports whether the chain of a request, or a call of the test before it, makes the client act as a user, or the
// request has a header with credentials.
func (s *scope) signed(i int) bool {
	calls := s.file.Bodies.Calls
	for j := range calls {
		v := &calls[j].Value
		name, near := Last(v.Text), calls[j].Line <= calls[i].Line && s.holds(calls[j].Line)
		if near && slices.Contains(signers, name) {
			return true
		}
		if near && slices.Contains([]string{"set", "header", "withHeaders", "withToken"}, name) && s.chained(j, i) {
			if first := positional(v); len(first) > 0 && strings.EqualFold(first[0].Text, "Authorization") || name == "withToken" {
				return true
			}
		}
	}
	found := false
	calls[i].Value.All(func(v *code.Value) bool {
		found = found || strings.EqualFold(v.Name, "Authorization")
		return !found
	})
	return found
}

// answered reports whether a call in a chain is about the answer: then().body("title", equalTo("A")).
func answered(v *code.Value) bool {
	found := false
	v.All(func(c *code.Value) bool {
		found = found || c != v && c.Kind == code.ValueCall && slices.Contains([]string{"then", "expect", "andExpect", "exchange", "expectStatus", "expectBody"}, Last(c.Text))
		return !found
	})
	return found
}

// whole adds the fields of all that a request carries in one part.
func (s *scope) whole(v *code.Value, out *[]Field) {
	part := *v
	part.Name = ""
	s.flatten(&part, "", out, 0)
}

// flatten adds the fields of a value, or the value itself if it has a name.
func (s *scope) flatten(v *code.Value, prefix string, out *[]Field, depth int) {
	if depth > maxSteps || len(*out) > maxFields || s.unfolded(v, prefix, out, depth) || v.Name == "" {
		return
	}
	f := Field{Name: prefix + s.keyOf(v)}
	if text, ok := s.literal(v); ok {
		f.Values = []string{text}
	}
	*out = append(slices.DeleteFunc(*out, func(g Field) bool { return g.Name == f.Name }), f) // the last one counts
}

// unfolded adds the fields of what a value refers to or consists of; it reports false for a value that is at most a field
// itself.
func (s *scope) unfolded(v *code.Value, prefix string, out *[]Field, depth int) bool {
	switch v.Kind {
	case code.ValueName:
		g, ok := s.value(v)
		if !ok || g.Value == v {
			return false
		}
		inner := *g.Value
		inner.Name = v.Name
		g.in.flatten(&inner, prefix, out, depth+1)
		return true
	case code.ValueObject:
		s.members(v, prefix, out, depth)
		return true
	case code.ValueCall: // JSON.stringify(x), bytes.NewBufferString(x)
		args := positional(v)
		if len(args) == 0 || depth >= maxSteps || v.Name != "" {
			return false
		}
		s.flatten(args[0], prefix, out, depth+1)
		return true
	case code.ValueString:
		if v.Name == "" {
			decoded(v.Text, out)
		}
		return v.Name == ""
	default:
		return false
	}
}

// members adds the fields of an object, below its own name if it has one.
func (s *scope) members(v *code.Value, prefix string, out *[]Field, depth int) {
	if v.Name != "" {
		prefix += v.Name + "."
	}
	for i := range v.Args {
		if v.Args[i].Name != "" {
			s.flatten(&v.Args[i], prefix, out, depth+1)
		}
	}
}

// keyOf returns the key of a field: what a variable in its place is given by the row.
func (s *scope) keyOf(v *code.Value) string {
	g, ok := s.row[v.Name]
	if !ok || s.file.Language != "python" || g.Value == nil || g.Kind != code.ValueString {
		return v.Name
	}
	for _, step := range s.file.Bodies.Steps {
		if s.holds(step.Line) && (strings.Contains(step.Text, `"`+v.Name+`":`) || strings.Contains(step.Text, `'`+v.Name+`':`)) {
			return v.Name
		}
	}
	return g.Text
}

// literal returns a constant as it is written in JSON.
func (s *scope) literal(v *code.Value) (string, bool) {
	switch v.Kind {
	case code.ValueString:
		if text := s.filled(v, 0); !strings.Contains(text, hole) {
			return `"` + text + `"`, true
		}
	case code.ValueNumber:
		return v.Text, true
	case code.ValueName:
		switch word := strings.ToLower(v.Text); word {
		case "true", "false", "null":
			return word, true
		case "none", "nil":
			return "null", true
		}
		if g, ok := s.value(v); ok && g.Value != v {
			return g.in.literal(g.Value)
		}
	case code.ValueOther:
		var list []string
		for i := range v.Args {
			text, ok := s.literal(&v.Args[i])
			if !ok {
				return "", false
			}
			list = append(list, text)
		}
		if len(list) > 0 && v.Text == "" {
			return "[" + strings.Join(list, ", ") + "]", true
		}
	default:
	}
	return "", false
}

// decoded adds the fields of a text in JSON.
func decoded(text string, out *[]Field) {
	if !strings.HasPrefix(strings.TrimSpace(text), "{") {
		return
	}
	var object map[string]any
	if json.Unmarshal([]byte(text), &object) == nil {
		addJSON(object, "", out)
	}
}

func addJSON(object map[string]any, prefix string, out *[]Field) {
	for _, name := range slices.Sorted(maps.Keys(object)) {
		if inner, ok := object[name].(map[string]any); ok {
			addJSON(inner, prefix+name+".", out)
			continue
		}
		if text, err := json.Marshal(object[name]); err == nil {
			*out = append(*out, Field{prefix + name, []string{string(text)}})
		}
	}
}
