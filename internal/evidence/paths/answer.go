package paths

import (
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

// answer records an answer to a request, or the status that the answers after it have.
func (w *walker) answer(s *code.Stmt, p path) {
	a := s.Answer
	if a.Sets {
		w.bindings = append(w.bindings, binding{name: a.On + ".status", text: w.answerStatus(a.Status), known: true, status: a.Status})
		return
	}
	x := Exit{In: w.body.In, Use: w.use, Line: s.Line, Answer: a}
	x.say(w.texts(&a.Value))
	if x.Given = a.Status; x.Given != nil {
		x.Status = w.answerStatus(a.Status)
	} else if a.On != "" {
		x.Given, x.Status = w.statusBefore(a.On)
	}
	x.When, x.Partial = w.terms(p)
	w.out = append(w.out, x)
	if w.exited != nil {
		w.exited(s, &x)
	}
}

// statusBefore returns the status that was set for the answers of a response; nil for none.
func (w *walker) statusBefore(on string) (given *code.Value, status string) {
	for _, b := range slices.Backward(w.bindings) {
		if b.known && (b.name == on+".status" || b.name == on+".statusCode") {
			if b.status == nil {
				return &code.Value{Kind: code.ValueNumber, Text: b.text}, AnyStatus(b.text)
			}
			return b.status, AnyStatus(b.text)
		}
	}
	return nil, ""
}

// answerStatus returns the status that a value is; "" if it is not constant.
func (w *walker) answerStatus(v *code.Value) string {
	switch v.Kind {
	case code.ValueNumber:
		return AnyStatus(v.Text)
	case code.ValueName:
		if text, ok := w.constant(v.Text); ok {
			return AnyStatus(text)
		}
		return StatusNamed(v.Text)
	default:
		return ""
	}
}

// AnyStatus returns a text if it is an HTTP status of three digits, else "".
func AnyStatus(text string) string {
	if len(text) != 3 || text[0] < '1' || text[0] > '5' || strings.Trim(text, "0123456789") != "" {
		return ""
	}
	return text
}

// StatusNamed returns the HTTP status that the name of a constant stands for: "404" for http.StatusNotFound,
// HttpStatus.NOT_FOUND and status.HTTP_404_NOT_FOUND; "" for other names. What the constant is qualified with, or its
// own first word, must say that it is a status.
func StatusNamed(name string) string {
	if !strings.Contains(strings.ToLower(name), "status") && !strings.Contains(strings.ToLower(name), "http") {
		return ""
	}
	return reasonStatus(name)
}

// reasonStatus is like StatusNamed for a name that is known to be that of a status.
func reasonStatus(name string) string {
	last := strings.ToLower(name[strings.LastIndexAny(name, ".:")+1:])
	if digits := strings.Trim(last, "abcdefghijklmnopqrstuvwxyz_"); AnyStatus(digits) != "" {
		return digits
	}
	last = strings.ReplaceAll(last, "_", "")
	for _, word := range []string{"http", "status", "code", "sc"} {
		if rest := strings.TrimPrefix(last, word); reasons[last] == "" && rest != "" {
			last = rest
		}
	}
	return reasons[last]
}

// reasons are the reason phrases of RFC 9110 and 6585 as names, without separators, and older forms of them.
var reasons = map[string]string{
	"continue": "100", "switchingprotocols": "101", "processing": "102", "earlyhints": "103",
	"ok": "200", "created": "201", "accepted": "202", "nonauthoritativeinformation": "203", "nonauthoritativeinfo": "203", "nocontent": "204",
	"resetcontent": "205", "partialcontent": "206", "multistatus": "207",
	"multiplechoices": "300", "movedpermanently": "301", "found": "302", "seeother": "303", "notmodified": "304", "temporaryredirect": "307",
	"permanentredirect": "308",
	"badrequest":        "400", "unauthorized": "401", "paymentrequired": "402", "forbidden": "403", "notfound": "404", "methodnotallowed": "405",
	"notacceptable": "406", "proxyauthenticationrequired": "407", "requesttimeout": "408", "conflict": "409", "gone": "410",
	"lengthrequired": "411", "preconditionfailed": "412", "payloadtoolarge": "413", "requestentitytoolarge": "413", "contenttoolarge": "413",
	"requesturitoolong": "414", "uritoolong": "414", "unsupportedmediatype": "415", "requestedrangenotsatisfiable": "416",
	"rangenotsatisfiable": "416", "expectationfailed": "417", "iamateapot": "418", "imateapot": "418", "teapot": "418", "misdirectedrequest": "421",
	"unprocessableentity": "422", "unprocessablecontent": "422", "locked": "423", "faileddependency": "424", "tooearly": "425",
	"upgraderequired": "426", "preconditionrequired": "428", "toomanyrequests": "429", "requestheaderfieldstoolarge": "431",
	"unavailableforlegalreasons": "451",
	"internalservererror":        "500", "internalerror": "500", "notimplemented": "501", "badgateway": "502", "serviceunavailable": "503",
	"gatewaytimeout": "504", "httpversionnotsupported": "505", "insufficientstorage": "507", "loopdetected": "508",
	"networkauthenticationrequired": "511",
}
