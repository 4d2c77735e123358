package eval

import (
	"context"
	"regexp"
	"sync"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/cypher/syntax"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/cypher/value"
	"github.com/reverse-spec/reverse-spec/internal/message"
)

// matches implements =~: the whole string must match a regular expression.
func (c *Compiler) matches(e *syntax.Binary, s *Scope) (Expr, error) {
	compiled := &expressions{known: map[string]*regexp.Regexp{}}
	v, _, _ := c.constant(e.R)
	if pattern, ok := v.(string); ok {
		// A constant pattern is checked at compile time.
		if _, err := compiled.get(pattern); err != nil {
			return nil, at(e.R.Start(), err)
		}
	}
	return c.onTwo(e.At, e.L, e.R, s, func(_ context.Context, l, r value.Value) (value.Value, error) {
		text, leftIsString := l.(string)
		pattern, rightIsString := r.(string)
		if !leftIsString || !rightIsString {
			return nil, nil
		}
		re, err := compiled.get(pattern)
		if err != nil {
			return nil, err
		}
		return re.MatchString(text), nil
	})
}

// expressions caches compiled regular expressions.
type expressions struct {
	mu    sync.RWMutex
	known map[string]*regexp.Regexp
}

// Limits of regular expressions, because a compiled one can take megabytes.
const (
	maxExpressions = 16     // number of cached expressions
	maxExpression  = 10_000 // bytes of one expression
)

func (x *expressions) get(pattern string) (*regexp.Regexp, error) {
	x.mu.RLock()
	re := x.known[pattern]
	x.mu.RUnlock()
	if re != nil {
		return re, nil
	}
	if len(pattern) > maxExpression {
		return nil, outOfRange(message.New("a regular expression has at most %d bytes, not %d", maxExpression, len(pattern)))
	}
	// First without the group: a stray bracket could close it.
	if _, err := regexp.Compile(pattern); err != nil {
		return nil, &syntax.Error{
			Class: syntax.ArgumentError, Code: "InvalidArgumentValue",
			Message: message.New("=~ has %s, which is not a regular expression: %v", value.Brief(pattern), err),
			Advice:  message.New("the syntax is RE2's, which has no lookaround and no backreferences"),
		}
	}
	re, err := regexp.Compile(`\A(?:` + pattern + `)\z`)
	if err != nil {
		return nil, err
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	if len(x.known) >= maxExpressions {
		clear(x.known)
	}
	x.known[pattern] = re
	return re, nil
}
