package jsonrpc_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/reverse-spec/reverse-spec/internal/jsonrpc"
)

func TestResponsesFindTheirRequests(t *testing.T) {
	p := jsonrpc.NewPeer(jsonrpc.NumberID)
	var mu sync.Mutex
	var sent []jsonrpc.ID
	all := make(chan struct{})
	send := func(id jsonrpc.ID, text []byte) {
		mu.Lock()
		defer mu.Unlock()
		if want := fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":"a"}`, id); string(text) != want {
			t.Errorf("sent %s", text)
		}
		if sent = append(sent, id); len(sent) == 50 {
			close(all)
		}
	}
	go func() {
		<-all
		for _, id := range slices.Backward(sent) {
			if !p.Awaits(id) || !p.Respond(jsonrpc.Message{ID: id, Result: json.RawMessage(id)}) {
				t.Errorf("nobody waits for %s", id)
			}
		}
	}()
	var results []string
	var wg sync.WaitGroup
	for range 50 {
		wg.Go(func() {
			result, err := p.Call(t.Context(), jsonrpc.Call{Method: "a"}, send)
			if err != nil {
				t.Error(err)
			}
			mu.Lock()
			defer mu.Unlock()
			results = append(results, string(result))
		})
	}
	wg.Wait()
	slices.Sort(results)
	if len(slices.Compact(results)) != 50 {
		t.Error(results)
	}
	if p.Awaits("1") || p.Respond(jsonrpc.Message{ID: "1"}) {
		t.Error("an answered request is still in flight")
	}
}

func TestTheFirstOutcomeCounts(t *testing.T) {
	p := jsonrpc.NewPeer(func(n int64) jsonrpc.ID { return jsonrpc.StringID(fmt.Sprint("s-", n)) })
	lost := errors.New("lost")
	for want, send := range map[string]func(jsonrpc.ID, []byte){
		"no (code 3)": func(id jsonrpc.ID, _ []byte) {
			p.Respond(jsonrpc.Message{ID: id, Error: &jsonrpc.Error{Code: 3, Message: "no"}})
			p.Respond(jsonrpc.Message{ID: id, Result: json.RawMessage("1")})
		},
		"not sent": func(id jsonrpc.ID, _ []byte) { p.Fail(id, errors.New("not sent")) },
	} {
		if _, err := p.Call(t.Context(), jsonrpc.Call{Method: "a"}, send); err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
	late := func(id jsonrpc.ID, _ []byte) { // the response comes first, and the end right behind it
		p.Respond(jsonrpc.Message{ID: id, Result: json.RawMessage("1")})
		_ = p.Close(lost)
	}
	if result, err := p.Call(t.Context(), jsonrpc.Call{Method: "a"}, late); err != nil || string(result) != "1" {
		t.Error(result, err)
	}
	if err := p.Close(errors.New("again")); !errors.Is(err, lost) || !errors.Is(p.Err(), lost) {
		t.Error(err)
	}
	never := func(jsonrpc.ID, []byte) { t.Error("sent after the end") }
	if _, err := p.Call(t.Context(), jsonrpc.Call{Method: "a"}, never); !errors.Is(err, lost) {
		t.Error(err)
	}
}

func TestTheOtherEndIsToldOfACancelledRequest(t *testing.T) {
	p := jsonrpc.NewPeer(jsonrpc.NumberID)
	ctx, cancel := context.WithCancelCause(t.Context())
	enough := errors.New("enough")
	var told jsonrpc.ID
	c := jsonrpc.Call{Method: "a", Cancelled: func(id jsonrpc.ID) { told = id }}
	if _, err := p.Call(ctx, c, func(jsonrpc.ID, []byte) { cancel(enough) }); !errors.Is(err, enough) || told != "1" {
		t.Error(err, told)
	}
	c.Cancelled = nil
	if _, err := p.Call(ctx, c, func(jsonrpc.ID, []byte) {}); !errors.Is(err, enough) {
		t.Error(err)
	}
}

func TestProgressComesInOrderBeforeTheResponse(t *testing.T) {
	p := jsonrpc.NewPeer(jsonrpc.NumberID)
	var got []jsonrpc.Progress
	c := jsonrpc.Call{Method: "a", Params: map[string]any{"x": 1}, Report: func(e jsonrpc.Progress) { got = append(got, e) }}
	_, err := p.Call(t.Context(), c, func(id jsonrpc.ID, text []byte) {
		if want := `{"jsonrpc":"2.0","id":1,"method":"a","params":{"_meta":{"progressToken":1},"x":1}}`; string(text) != want {
			t.Errorf("sent %s", text)
		}
		for _, params := range []string{
			`{"progressToken":1,"progress":1,"total":2}`, `{"progressToken":"1","progress":9}`, `{"progressToken":2,"progress":9}`, `[]`,
			`{"progressToken":1,"progress":2,"total":2,"message":"m"}`,
		} {
			p.Progress(json.RawMessage(params))
		}
		p.Respond(jsonrpc.Message{ID: id, Result: json.RawMessage("{}")})
	})
	want := []jsonrpc.Progress{{Progress: 1, Total: 2}, {Progress: 2, Total: 2, Message: "m"}}
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Error(err, diff)
	}
}
