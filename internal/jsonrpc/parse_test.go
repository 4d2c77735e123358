package jsonrpc_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/reverse-spec/reverse-spec/internal/jsonrpc"
)

func TestParse(t *testing.T) {
	for _, c := range []struct {
		text string
		want jsonrpc.Message
	}{
		{`{"jsonrpc":"2.0","id":1,"method":"ping"}`, jsonrpc.Message{ID: "1", Method: "ping"}},
		{`{"jsonrpc":"2.0","id":9007199254740993,"method":"a","params":null}`, jsonrpc.Message{ID: "9007199254740993", Method: "a"}},
		{`{"jsonrpc":"2.0","id":"\u0031","method":"a","params":{"x": 1}}`, jsonrpc.Message{ID: `"\u0031"`, Method: "a", Params: json.RawMessage(`{"x": 1}`)}},
		{`{"jsonrpc":"2.0","method":"n","params":[1]}`, jsonrpc.Message{Method: "n", Params: json.RawMessage(`[1]`)}},
		{`{"jsonrpc":"2.0","id":1,"method":"a","method":"b","Method":"c"}`, jsonrpc.Message{ID: "1", Method: "b"}},
		{`{"jsonrpc":"2.0","id":"s","result":null}`, jsonrpc.Message{ID: `"s"`, Result: json.RawMessage(`null`)}},
		{`{"jsonrpc":"2.0","id":1,"error":{"code":-1,"message":"no"}}`, jsonrpc.Message{ID: "1", Error: &jsonrpc.Error{Code: -1, Message: "no"}}},
		{`{"jsonrpc":"2.0","id":1,"error":"no"}`, jsonrpc.Message{ID: "1", Error: &jsonrpc.Error{Code: jsonrpc.CodeInternal, Data: json.RawMessage(`"no"`)}}},
		{`{"jsonrpc":"2.0","id":null,"result":{},"error":null}`, jsonrpc.Message{Result: json.RawMessage(`{}`)}},
	} {
		got, err := jsonrpc.Parse([]byte(c.text))
		if diff := cmp.Diff(c.want, got); diff != "" || err != nil {
			t.Errorf("%s: %v\n%s", c.text, err, diff)
		}
	}
}

func TestWhatIsNotAMessage(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{`{`, `"" -32700 parse error: unexpected end of JSON input`},
		{`[{}]`, `"" -32600 batches are not supported: send one message a line`},
		{`null`, `"" -32600 a message is an object`},
		{`7`, `"" -32600 a message is an object`},
		{`{"id":1,"method":"a"}`, `"1" -32600 jsonrpc must be "2.0"`},
		{`{"JSONRPC":"2.0","id":1,"method":"a"}`, `"1" -32600 jsonrpc must be "2.0"`},
		{`{"jsonrpc":"2.0","id":true,"method":"a"}`, `"" -32600 id must be a string or a number`},
		{`{"jsonrpc":"2.0","id":null,"method":"a"}`, `"" -32600 id must be a string or a number`},
		{`{"jsonrpc":"2.0","id":1}`, `"1" -32600 a message needs a method`},
		{`{"jsonrpc":"2.0","id":1,"method":""}`, `"1" -32600 method must be a string that is not empty`},
		{`{"jsonrpc":"2.0","id":1,"method":5}`, `"1" -32600 method must be a string that is not empty`},
		{`{"jsonrpc":"2.0","id":1,"method":"a","params":[]}`, `"1" -32602 params must be an object`},
		{"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"\xff\"}", `"1" -32700 parse error: the message is not valid UTF-8`},
		{"{\"jsonrpc\":\"2.0\",\"id\":\"\xff\",\"method\":\"a\"}", `"" -32700 parse error: the message is not valid UTF-8`},
	} {
		_, err := jsonrpc.Parse([]byte(c.text))
		invalid, ok := errors.AsType[*jsonrpc.InvalidError](err)
		if !ok {
			t.Errorf("%s: %v", c.text, err)
			continue
		}
		if got := fmt.Sprintf("%q %d %v", string(invalid.ID), invalid.Code, invalid); got != c.want {
			t.Errorf("%s: %s", c.text, got)
		}
	}
	_, err := jsonrpc.Parse([]byte(`[]`))
	if invalid, ok := errors.AsType[*jsonrpc.InvalidError](err); !ok || invalid.In("zh") == invalid.Error() {
		t.Errorf("in Chinese: %v", err)
	}
}

func TestWhatIsSent(t *testing.T) {
	for _, c := range []struct {
		message any
		want    string
	}{
		{jsonrpc.Request{ID: jsonrpc.NumberID(7), Method: "a", Params: map[string]any{"x": "<&>"}}, `{"jsonrpc":"2.0","id":7,"method":"a","params":{"x":"<&>"}}`},
		{jsonrpc.Request{ID: jsonrpc.StringID("s-1"), Method: "a"}, `{"jsonrpc":"2.0","id":"s-1","method":"a"}`},
		{jsonrpc.Request{Method: "n"}, `{"jsonrpc":"2.0","method":"n"}`},
		{jsonrpc.Response{ID: `"\u0031"`, Result: struct{}{}}, `{"jsonrpc":"2.0","id":"\u0031","result":{}}`},
		{jsonrpc.Response{Error: &jsonrpc.Error{Code: jsonrpc.CodeParse, Message: "no"}}, `{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"no"}}`},
		{
			jsonrpc.Request{Method: jsonrpc.MethodProgress, Params: jsonrpc.ProgressParams{Token: `"t"`, Progress: jsonrpc.Progress{Progress: 1, Total: 2}}},
			`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"t","progress":1,"total":2}}`,
		},
	} {
		got, err := jsonrpc.Encode(c.message)
		if diff := cmp.Diff(c.want, string(got)); diff != "" || err != nil {
			t.Error(err, diff)
		}
	}
}

func TestErrorsQuoteAPart(t *testing.T) {
	e := &jsonrpc.Error{Code: -5, Message: " no\n", Data: json.RawMessage(`"` + strings.Repeat("é", 2000) + `"`)}
	if got := e.Error(); !strings.HasPrefix(got, `no (code -5): "éé`) || len(got) > jsonrpc.MaxDetail+50 || !strings.HasSuffix(got, "é…") {
		t.Errorf("%.40q, %d bytes", got, len(got))
	}
	if got := (&jsonrpc.Error{Code: 1, Message: "x", Data: json.RawMessage("null")}).Error(); got != "x (code 1)" {
		t.Error(got)
	}
}

func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		`{"jsonrpc":"2.0","id":1,"method":"a","params":{"b":[null]}}`, `{"jsonrpc":"2.0","id":"\ud800","method":"a"}`, `[1]`,
		`{"jsonrpc":"2.0","id":-1e999,"result":0}`, `{"jsonrpc":"2.0","id":1,"error":{"code":"x"}}`, "{\"\xff\":1}", `null`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		m, err := jsonrpc.Parse(text)
		response := jsonrpc.Response{ID: m.ID, Result: 1}
		if invalid, ok := errors.AsType[*jsonrpc.InvalidError](err); ok {
			response = jsonrpc.Response{ID: invalid.ID, Error: &jsonrpc.Error{Code: invalid.Code, Message: invalid.Error()}}
		} else if err != nil {
			t.Fatal(err)
		}
		line, err := jsonrpc.Encode(response)
		if err != nil {
			t.Fatalf("the response to %q: %v", text, err)
		}
		back, err := jsonrpc.Parse(line) // an id is returned as it was received
		if err != nil || back.ID != response.ID {
			t.Fatalf("%q: %v", line, err)
		}
	})
}
