package eval

import (
	"errors"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/cypher/syntax"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/cypher/value"
	"github.com/reverse-spec/reverse-spec/internal/message"
)

// fault is a fault whose place [at] adds.
func fault(class syntax.Class, code string, text message.Text) *syntax.Error {
	return &syntax.Error{Class: class, Code: code, Message: text}
}

// mistyped says that an operator, or what stands in the text like one, has a value of a
// type that it does not take. Want is the key of a message.
func mistyped(what, want string, got value.Value) error {
	return fault(syntax.TypeError, "InvalidArgumentType", message.New("%s takes %s, not %s", what, typeWords(want), described(got)))
}

// typeWords are types in words: the key of a message.
type typeWords string

// In is the words in a language.
func (w typeWords) In(lang message.Lang) string { return message.Translate(lang, string(w)) }

// described is a value with its type.
func described(v value.Value) message.Text {
	return message.New("the %s %s", string(value.TypeOf(v)), value.Brief(v))
}

// at makes the fault of a query out of an error, and gives it a place when it has none.
func at(pos syntax.Pos, err error) error {
	if err == nil {
		return nil
	}
	if e, ok := errors.AsType[*syntax.Error](err); ok {
		if e.At == (syntax.Pos{}) {
			e.At = pos
		}
		return e
	}
	if e, ok := errors.AsType[*value.MismatchError](err); ok {
		return &syntax.Error{At: pos, Class: syntax.TypeError, Code: "InvalidArgumentType", Message: message.New("%v", e)}
	}
	for _, k := range known {
		if errors.Is(err, k.err) {
			return &syntax.Error{At: pos, Class: k.class, Code: k.code, Message: message.New("%v", err)}
		}
	}
	return err
}

// known are the errors of values, as faults of a query.
var known = []struct {
	err   error
	class syntax.Class
	code  string
}{
	{value.ErrOverflow, syntax.ArithmeticError, "NumberOutOfRange"},
	{value.ErrDivision, syntax.ArithmeticError, "DivisionByZero"},
	{value.ErrTooLarge, syntax.ArgumentError, "NumberOutOfRange"},
}
