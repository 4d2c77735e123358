package eval

import (
	"errors"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/cypher/syntax"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/cypher/value"
	"github.com/reverse-spec/reverse-spec/internal/message"
)

// fault returns an error without a position, which [at] adds.
func fault(class syntax.Class, code string, text message.Text) *syntax.Error {
	return &syntax.Error{Class: class, Code: code, Message: text}
}

// typeMismatch returns the error for an operand of the wrong type. Want is the key of a message.
func typeMismatch(what, want string, got value.Value) error {
	return fault(syntax.TypeError, "InvalidArgumentType", message.New("%s takes %s, not %s", what, typeWords(want), described(got)))
}

// typeWords describes types: the key of a message.
type typeWords string

// In implements [message.Localizer].
func (w typeWords) In(lang message.Lang) string { return message.Translate(lang, string(w)) }

// described returns a value with its type.
func described(v value.Value) message.Text {
	return message.New("the %s %s", string(value.TypeOf(v)), value.Brief(v))
}

// at converts an error to one of the query, and adds a position if it has none.
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

// known maps errors of package value to errors of a query.
var known = []struct {
	err   error
	class syntax.Class
	code  string
}{
	{value.ErrOverflow, syntax.ArithmeticError, "NumberOutOfRange"},
	{value.ErrDivision, syntax.ArithmeticError, "DivisionByZero"},
	{value.ErrTooLarge, syntax.ArgumentError, "NumberOutOfRange"},
}
