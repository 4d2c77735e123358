package llm

import (
	"fmt"
	"net/http"
	"strings"
	"time"
)

// Kind is what went wrong.
type Kind string

// The kinds of errors.
const (
	KindMissing     Kind = "missing"     // there is no key, no command, no address to ask
	KindStatus      Kind = "status"      // the service answered with an error
	KindUnreachable Kind = "unreachable" // no answer came, the connection failed
	KindTimeout     Kind = "timeout"     // the answer was not complete in its time
	KindCut         Kind = "cut"         // the answer ended before its end
	KindUnreadable  Kind = "unreadable"  // the answer is not what was asked for
	KindRefused     Kind = "refused"     // the model would not answer
	KindTooLong     Kind = "too long"    // JSON needed more than the request's MaxTokens
)

// Error says why there is no answer, first in the contract's words: "Claude API 返回
// 429: 速率限制 (rate limit: ...)".
type Error struct {
	API        string        // who was asked, as the user knows it: "Claude API"
	Kind       Kind          // what went wrong
	Status     int           // the HTTP status, also when it was told inside an answer; 0 for none
	Message    string        // what the service said of it, on one line; may be empty
	RetryAfter time.Duration // how long the service wants to be left alone; 0 when it does not say
	Attempts   int           // that were made
	Usage      Usage         // of the attempts, as far as it was told
	Err        error         // beneath; nil for none
	hint       string
	final      bool // trying again cannot help
}

func (e *Error) Error() string {
	text := e.words()
	if e.Attempts > 1 {
		text = strings.TrimSuffix(text, ")") + fmt.Sprintf("; %d attempts)", e.Attempts)
	}
	return text
}

func (e *Error) words() string {
	if e.Kind == KindMissing {
		return e.Message
	}
	zh, en := kinds[e.Kind].zh, kinds[e.Kind].en
	if e.Kind == KindStatus {
		zh, en = meaning(e.Status)
		zh = fmt.Sprintf("返回 %d: %s", e.Status, zh)
	}
	return fmt.Sprintf("%s %s (%s)", e.API, zh, join(en, e.Message))
}

// kinds words the kinds of errors, and says after which another attempt may go well.
var kinds = map[Kind]struct {
	zh, en  string
	passing bool
}{
	KindUnreachable: {"无法连接", "cannot be reached", true},
	KindTimeout:     {"超时", "no complete answer in time", true},
	KindCut:         {"连接中断", "the answer broke off", true},
	KindUnreadable:  {"的答复无法读取", "the answer cannot be read", true},
	KindRefused:     {"拒绝回答", "the model refused", false},
	KindTooLong:     {"的答复过长", "the answer is longer than it may be", false},
}

func (e *Error) Unwrap() error { return e.Err }

// Hint says what a person can do about it; "" when there is nothing.
func (e *Error) Hint() string {
	if e.hint != "" {
		return e.hint
	}
	switch e.Status {
	case http.StatusUnauthorized, http.StatusForbidden:
		return "reverse-spec auth shows which key is used, and auth --verify tries it"
	case http.StatusNotFound:
		return "is there such a model at this address? REVERSE_SPEC_MODEL and reverse-spec auth tell"
	case http.StatusRequestEntityTooLarge:
		return "name a smaller part of the project"
	}
	if e.RetryAfter > 0 {
		return "the service asks to be left alone for " + e.RetryAfter.Round(time.Second).String()
	}
	return ""
}

// passing tells whether another attempt may go well.
func (e *Error) passing() bool {
	if e.Kind == KindStatus {
		return !e.final && (e.Status >= 500 || e.Status == http.StatusRequestTimeout ||
			e.Status == http.StatusConflict || e.Status == http.StatusTooManyRequests)
	}
	return !e.final && kinds[e.Kind].passing
}

// statusOverloaded is Anthropic's: all its machines are busy.
const statusOverloaded = 529

// meanings are the statuses that services use, in the contract's language and in
// English.
var meanings = map[int][2]string{
	http.StatusBadRequest:            {"请求无效", "bad request"},
	http.StatusUnauthorized:          {"认证失败", "the key is not accepted"},
	http.StatusPaymentRequired:       {"余额不足", "nothing left to pay with"},
	http.StatusForbidden:             {"没有权限", "not allowed"},
	http.StatusNotFound:              {"模型或地址不存在", "no such model or address"},
	http.StatusRequestTimeout:        {"请求超时", "the service waited too long for the request"},
	http.StatusConflict:              {"请求冲突", "conflict"},
	http.StatusRequestEntityTooLarge: {"请求过大", "the request is too large"},
	http.StatusTooManyRequests:       {"速率限制", "rate limit"},
	http.StatusInternalServerError:   {"服务内部错误", "the service failed"},
	http.StatusBadGateway:            {"网关错误", "bad gateway"},
	http.StatusServiceUnavailable:    {"服务不可用", "the service is not available"},
	http.StatusGatewayTimeout:        {"网关超时", "gateway timeout"},
	statusOverloaded:                 {"服务过载", "overloaded"},
}

// meaning words a status.
func meaning(status int) (zh, en string) {
	if m, ok := meanings[status]; ok {
		return m[0], m[1]
	}
	switch {
	case status >= 500:
		return "服务错误", "the service failed"
	case status >= 400:
		return "请求被拒绝", "the request was refused"
	default:
		return "意外的答复", "an unexpected answer"
	}
}

// longest is how much of what a service says is passed on, in bytes.
const longest = 300

// oneLine makes what a service says fit for an error: on one line, not too long,
// without the key.
func oneLine(text, key string) string {
	if key != "" {
		text = strings.ReplaceAll(text, key, mask(key))
	}
	text = strings.Join(strings.Fields(strings.ToValidUTF8(text, "�")), " ")
	if len(text) > longest {
		text = strings.ToValidUTF8(text[:longest], "") + " …"
	}
	return text
}

func join(text, more string) string {
	if more == "" {
		return text
	}
	return text + ": " + more
}
