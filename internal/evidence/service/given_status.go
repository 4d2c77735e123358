package service

import (
	"strconv"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

// GivenStatus returns the status with which a call answers a request, in Go, or of the response that it makes, in Python: nil
// if it does not say one. It reports false for other calls.
func GivenStatus(language string, call *code.Value) (status *code.Value, ok bool) {
	switch language {
	case "go":
		return goGiven(call)
	case "python":
		return pythonGiven(call)
	}
	return nil, false
}

// goGiven returns the status that a call has: c.JSON(404, body), http.Error(w, text, 404), w.WriteHeader(404).
func goGiven(call *code.Value) (status *code.Value, ok bool) {
	before, name := CutLast(call.Text)
	if before == "http" {
		switch name {
		case "Error":
			return call.Arg(2), true
		case "Redirect":
			return call.Arg(3), true
		case "NotFound":
			return &code.Value{Kind: code.ValueNumber, Text: "404"}, true
		}
		return nil, false
	}
	place, ok := goStatus[name]
	if !ok || before == "" || name == "Error" {
		return nil, false
	}
	if inner, chained := strings.CutSuffix(before, ")"); chained { // Fiber: c.Status(404).JSON(body)
		if _, text, found := strings.Cut(inner, ".Status("); found {
			kind := code.ValueName
			if statusNumber(text) > 0 {
				kind = code.ValueNumber
			}
			return &code.Value{Kind: kind, Text: text, Line: call.Line}, true
		}
	}
	return call.Arg(place), true
}

// pythonGiven returns the status of a response: JSONResponse(body, status_code=404), HttpResponseNotFound(text).
func pythonGiven(call *code.Value) (status *code.Value, ok bool) {
	name := Last(call.Text)
	if fixed := djangoResponses[name]; fixed > 0 && strings.HasPrefix(name, "HttpResponse") {
		return &code.Value{Kind: code.ValueNumber, Text: strconv.Itoa(fixed)}, true
	}
	if !strings.HasSuffix(name, "Response") && name != "make_response" {
		return nil, false
	}
	if given := call.Named("status_code", "status"); given != nil {
		return given, true
	}
	if given := call.Arg(1); given != nil && (given.Kind == code.ValueNumber && statusNumber(given.Text) > 0 || given.Kind == code.ValueName && StatusNamed(Last(given.Text)) > 0) {
		return given, true
	}
	return nil, true
}
