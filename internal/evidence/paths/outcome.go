package paths

import (
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

// describe fills in what an error says: message, status and further texts.
func (w *walker) describe(x *Exit, e *code.Exit, call *code.Value) {
	v := &e.Value
	said := w.texts(v)
	if call != nil { // of a function that always ends with e
		for i := range said {
			said[i].line = 0
		}
		said = append(w.texts(call), said...)
	}
	x.say(said)
	if x.Status = w.status(v); x.Status == "" && call != nil {
		x.Status = w.status(call)
	}
}

// say fills in the message and the further texts of an exit.
func (x *Exit) say(said []said) {
	if len(said) == 0 {
		return
	}
	best := 0
	for i, s := range said {
		if messageNames[strings.ToLower(s.name)] {
			best = i
			break
		}
	}
	x.Message = said[best].text
	if said[best].line > 0 {
		x.MessageLine, x.MessagePart = said[best].line, said[best].part
	}
	for i, s := range said {
		if i != best && s.text != x.Message && !strings.HasSuffix(s.text, "…") && !slices.Contains(x.Details, s.text) {
			x.Details = append(x.Details, s.text)
		}
	}
}

// status returns the first HTTP status in a value; "" if there is none.
func (w *walker) status(v *code.Value) string {
	status := ""
	v.All(func(v *code.Value) bool {
		if v.Kind == code.ValueNumber {
			status = statusOf(v.Text)
		} else if text, ok := w.constant(v.Text); ok && v.Kind == code.ValueName {
			status = statusOf(text)
		} else if v.Kind == code.ValueName {
			status = statusOf(StatusNamed(v.Text))
		}
		return status == ""
	})
	return status
}

// messageNames are the names of arguments and fields that hold the message.
var messageNames = map[string]bool{"message": true, "msg": true, "detail": true, "description": true, "reason": true}

// said is a text in an error.
type said struct {
	name, text string
	part       string // the literal on the line, if the text is made of several
	line       int    // 0 if the text is not at the exit
}

// texts returns the texts for people in a value; variables with a constant value are resolved.
func (w *walker) texts(v *code.Value) []said {
	var out []said
	v.All(func(v *code.Value) bool {
		switch {
		case v.Kind == code.ValueString && isText(v.Text):
			out = append(out, said{v.Name, v.Text, v.Part, v.Line})
		case v.Kind == code.ValueName:
			if text, ok := w.constant(v.Text); ok && isText(text) {
				out = append(out, said{v.Name, text, "", 0})
			}
		}
		return true
	})
	return out
}

// isText reports whether a literal is text for people, not a separator.
func isText(text string) bool { return strings.ContainsFunc(text, unicode.IsLetter) }

// statusOf returns a number if it is the HTTP status of an error, else "".
func statusOf(number string) string {
	if _, err := strconv.Atoi(number); err == nil && len(number) == 3 && (number[0] == '4' || number[0] == '5') {
		return number
	}
	return ""
}

// binding is the value of a variable at the current statement.
type binding struct {
	name, text string
	known      bool        // it is the literal text or number
	made       *code.Value // the call of a constructor
	status     *code.Value // the status of an answer
}

// bind records the value of an assigned variable.
func (w *walker) bind(s *code.Stmt) {
	b := binding{name: s.Text}
	if s.Value != nil && (s.Value.Kind == code.ValueString || s.Value.Kind == code.ValueNumber) {
		b.text, b.known = s.Value.Text, true
	}
	if s.Value != nil && s.Value.Kind == code.ValueCall && isType(s.Value.Text) {
		b.made = s.Value
	}
	w.bindings = append(w.bindings, b)
}

// leave forgets the values of variables that were assigned since there were n bindings.
func (w *walker) leave(n int) {
	for i := n; i < len(w.bindings); i++ {
		w.bindings[i].known, w.bindings[i].made = false, nil
	}
}

// isType reports whether a called function is a constructor, by the case of its name.
func isType(name string) bool {
	last := name[strings.LastIndexAny(name, `.:\`)+1:]
	return last != "" && unicode.IsUpper([]rune(last)[0])
}

// made returns the construction of the error that a variable holds at the current statement;
// nil for other values.
func (w *walker) made(v *code.Value) *code.Value {
	if v.Kind != code.ValueName {
		return nil
	}
	for _, b := range slices.Backward(w.bindings) {
		if b.name == v.Text {
			return b.made
		}
	}
	return nil
}

// constant returns the text that a variable has at the current statement, if it is a literal.
func (w *walker) constant(name string) (text string, ok bool) {
	for _, b := range slices.Backward(w.bindings) {
		if b.name == name {
			return b.text, b.known
		}
	}
	return "", false
}
