package llm

import (
	"errors"
	"net/http"
	"strings"
	"sync"
)

// feature is a part of a request that not every model supports.
type feature int

// Features that can be omitted or requested differently.
const (
	noTemperature feature = iota // use the model's default
	noSchema                     // ask for JSON in the prompt
	noUsage                      // usage is unknown
	otherLimit                   // the limit of the answer has another name
)

// features is a set of unsupported features.
type features map[feature]bool

// quirk is a word in the errors of a service that rejects a feature.
type quirk struct {
	word    string
	without feature
}

// quirks records which features a model rejected. The zero value has none.
type quirks struct {
	mu      sync.Mutex
	without features
}

// ask sends a request and, if a feature is rejected, repeats it without the feature.
func (h *quirks) ask(table []quirk, once func(features) (*Answer, error)) (*Answer, error) {
	for {
		without := h.known()
		a, err := once(without)
		e, ok := errors.AsType[*Error](err)
		if !ok || !h.learn(table, without, e) {
			return a, err
		}
	}
}

func (h *quirks) known() features {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.without
}

// learn records the rejected feature. It returns false if the error is not about a feature, or
// the feature was omitted already.
func (h *quirks) learn(table []quirk, without features, e *Error) bool {
	if e.Status != http.StatusBadRequest && e.Status != http.StatusUnprocessableEntity {
		return false
	}
	for _, quirk := range table {
		if without[quirk.without] || !strings.Contains(e.Message, quirk.word) {
			continue
		}
		h.mu.Lock()
		defer h.mu.Unlock()
		more := features{quirk.without: true} // copied, because the old map may be in use
		for f := range h.without {
			more[f] = true
		}
		h.without = more
		return true
	}
	return false
}
