package llm

import (
	"errors"
	"net/http"
	"strings"
	"sync"
)

// feature is something of a request that not every model takes.
type feature int

// The features that can be left out, or asked for in another way.
const (
	noTemperature feature = iota // the model's own then
	noSchema                     // it is asked for in words then
	noUsage                      // nothing is counted then
	otherLimit                   // the answer's bound has another name
)

// features are those that a model turned out to be without.
type features map[feature]bool

// habit is a word by which a service refuses a request because of a feature.
type habit struct {
	word    string
	without feature
}

// habits are what has been learned of a model from what it refused. The zero value
// has learned nothing.
type habits struct {
	mu      sync.Mutex
	without features
}

// ask asks, and where that is refused because of a feature, again without it.
func (h *habits) ask(table []habit, once func(features) (*Answer, error)) (*Answer, error) {
	for {
		without := h.known()
		a, err := once(without)
		e, ok := errors.AsType[*Error](err)
		if !ok || !h.learn(table, without, e) {
			return a, err
		}
	}
}

func (h *habits) known() features {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.without
}

// learn finds out which feature was refused. It returns false when it was none, or
// one that was left out already.
func (h *habits) learn(table []habit, without features, e *Error) bool {
	if e.Status != http.StatusBadRequest && e.Status != http.StatusUnprocessableEntity {
		return false
	}
	for _, habit := range table {
		if without[habit.without] || !strings.Contains(e.Message, habit.word) {
			continue
		}
		h.mu.Lock()
		defer h.mu.Unlock()
		more := features{habit.without: true} // a new map: the old one may be in use
		for f := range h.without {
			more[f] = true
		}
		h.without = more
		return true
	}
	return false
}
