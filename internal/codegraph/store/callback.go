package store

// CallbackError wraps an error of a callback, which a store returns as it is. Errors of its own it explains.
type CallbackError struct{ error }

// Unwrap returns the callback's error.
func (s CallbackError) Unwrap() error { return s.error }

// Stop marks an error as returned by a callback; nil stays nil.
func Stop(err error) error {
	if err != nil {
		return CallbackError{err}
	}
	return nil
}
