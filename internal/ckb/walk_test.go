package ckb_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/reverse-spec/reverse-spec/internal/ckb"
)

// chain is f0 -> f1 -> ... -> f7.
func chain() map[string][]string {
	calls := map[string][]string{}
	for i := range 7 {
		calls[fmt.Sprintf("f%d", i)] = []string{fmt.Sprintf("f%d", i+1)}
	}
	return calls
}

// fn is the N-th function of a fake, as an anchor.
func fn(n int) ckb.Anchor {
	return ckb.Anchor{Name: fmt.Sprintf("f%d", n), File: "a.go", Start: 10*n - 1, End: 10*n + 5}
}

// told are edges in short: "f1>f2 1" for a call at distance 1.
func told(edges []ckb.Edge) []string {
	out := []string{}
	for _, e := range edges {
		arrow := ">"
		if !e.Call {
			arrow = "~"
		}
		out = append(out, fmt.Sprintf("%s%s%s %d", e.From.Name, arrow, e.To.Name, e.Distance))
	}
	return out
}

func TestWalkGoesAsDeepAsAskedFor(t *testing.T) {
	want := []string{"f0>f1 1", "f1>f2 2", "f2>f3 3", "f3>f4 4", "f4>f5 5"}
	for depth, n := range map[int]int{0: 0, 1: 1, 2: 2, 3: 3, 4: 4, 5: 5, 6: 5, 100: 5} {
		a := open(t, (&fake{calls: chain()}).options(t, nil)).Reach(t.Context())
		got := told(a.Expand(t.Context(), []ckb.Anchor{fn(0)}, depth))
		if diff := cmp.Diff(want[:n], got); diff != "" {
			t.Errorf("depth %d: -want +got:\n%s", depth, diff)
		}
	}
}

func TestWalkGoesBothWaysFromAllAnchors(t *testing.T) {
	a := open(t, (&fake{calls: chain()}).options(t, nil)).Reach(t.Context())
	got := a.Expand(t.Context(), []ckb.Anchor{fn(5), fn(2), fn(5)}, 1)
	at := func(n int) ckb.Place { return ckb.Place{Name: fmt.Sprintf("f%d", n), File: "a.go", Line: 10 * n} }
	anchor := func(n int) ckb.Place { return ckb.Place{Name: fmt.Sprintf("f%d", n), File: "a.go", Line: 10*n - 1} }
	want := []ckb.Edge{
		{From: at(4), To: anchor(5), Call: true, Distance: 1, Confidence: 0.9},
		{From: anchor(5), To: at(6), Call: true, Distance: 1, Confidence: 0.9},
		{From: at(1), To: anchor(2), Call: true, Distance: 1, Confidence: 0.9},
		{From: anchor(2), To: at(3), Call: true, Distance: 1, Confidence: 0.9},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestWalkThroughACycleEnds(t *testing.T) {
	f := &fake{calls: map[string][]string{"f0": {"f1", "f0"}, "f1": {"f0"}}}
	a := open(t, f.options(t, nil)).Reach(t.Context())
	got := a.Expand(t.Context(), []ckb.Anchor{fn(0)}, 5)
	if len(got) != 2 {
		t.Errorf("%v", told(got))
	}
}

func TestHowFarCKBIsBelieved(t *testing.T) {
	for name, c := range map[string]struct {
		fake       *fake
		want       []string
		confidence float64
	}{
		"Go":                          {&fake{}, []string{"f1>f2 1", "f2>f3 1"}, 0.9},
		"an old index":                {&fake{stale: true}, []string{"f1>f2 1", "f2>f3 1"}, 0.45},
		"a language without callees":  {&fake{prefix: "scip-python python shop 1 `a`/"}, []string{"f1>f2 1"}, 0.5},
		"ids of no index":             {&fake{prefix: "ts-"}, []string{"f1>f2 1", "f2>f3 1"}, 0.5},
		"a symbol that is not of it":  {&fake{answer: map[string]string{"searchSymbols": data(`{"symbols":[]}`)}}, []string{}, 0},
		"a symbol of another file":    {&fake{answer: map[string]string{"searchSymbols": data(`{"symbols":[{"stableId":"x","name":"f2","location":{"fileId":"b.go","startLine":20}}]}`)}}, []string{}, 0},
		"a symbol that it lost":       {&fake{answer: map[string]string{"getCallGraph": `{"data":null,"error":"[OPERATION_FAILED] failed: [SYMBOL_NOT_FOUND] no"}`}}, []string{}, 0},
		"a file outside the project":  {&fake{answer: map[string]string{"getCallGraph": data(`{"nodes":[{"id":"o","location":{"fileId":"../o.go","startLine":1}}],"edges":[]}`)}}, []string{}, 0},
		"a graph without the symbol":  {&fake{answer: map[string]string{"getCallGraph": data(`{"nodes":null,"edges":null}`)}}, []string{}, 0},
		"an index that knows nothing": {&fake{answer: map[string]string{"searchSymbols": `{"data":null,"error":"[RESOURCE_NOT_FOUND] no"}`}}, []string{}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			c.fake.calls = chain()
			a := open(t, c.fake.options(t, nil)).Reach(t.Context())
			edges := a.Expand(t.Context(), []ckb.Anchor{fn(2)}, 1)
			if diff := cmp.Diff(c.want, told(edges)); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
			for _, e := range edges {
				if e.Confidence != c.confidence {
					t.Errorf("%s: confidence %v, not %v", told([]ckb.Edge{e}), e.Confidence, c.confidence)
				}
			}
			expect(t, a.Status(), well())
		})
	}
}

func TestUsesOfWhatCannotBeCalled(t *testing.T) {
	const id = "scip-go gomod example.com/shop 1 `example.com/shop`/Limit."
	f := &fake{answer: map[string]string{
		"searchSymbols": data(`{"symbols":[{"stableId":%q,"name":"Limit","kind":"property","location":{"fileId":"a.go","startLine":0}}]}`, id),
		"getCallGraph":  data(`{"nodes":[{"id":%q}],"edges":null}`, id),
		"findReferences": data(`{"references":[{"kind":"definition","location":{"fileId":"a.go","startLine":3}},
			{"kind":"read","location":{"fileId":"b.go","startLine":17}}, {"kind":"read","location":{"fileId":"/elsewhere/c.go","startLine":1}}]}`),
	}}
	a := open(t, f.options(t, nil)).Reach(t.Context())
	got := a.Expand(t.Context(), []ckb.Anchor{{Name: "Limit", File: "a.go", Start: 3, End: 3}}, 2)
	want := []ckb.Edge{{
		From: ckb.Place{File: "b.go", Line: 17}, To: ckb.Place{Name: "Limit", File: "a.go", Line: 3}, Distance: 1, Confidence: 0.9,
	}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestFailureOnTheWay(t *testing.T) {
	for name, c := range map[string]struct {
		fault error
		text  string
		slow  time.Duration
		want  string
	}{
		"it dies":            {fault: errGone, want: "getCallGraph: the server ended"},
		"it answers garbage": {text: "}{", want: `getCallGraph: the answer is not a JSON object: "}{"`},
		"it answers wrongly": {text: `{"schemaVersion":"1.0","data":[1]}`, want: "getCallGraph: the answer is not in the form of CKB: "},
		"it fails":           {text: `{"data":null,"error":"[BACKEND_UNAVAILABLE] gone"}`, want: "getCallGraph: [BACKEND_UNAVAILABLE] gone"},
		"it hangs":           {slow: time.Hour, want: "getCallGraph: no answer within the time-out of 5000ms"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f := &fake{calls: chain(), slow: map[string]time.Duration{"getStatus": 2 * time.Second}}
				o, begin := f.options(t, nil), time.Now()
				client := open(t, o)
				a := client.Reach(t.Context())
				expect(t, a.Status(), well())
				f.change(func() {
					f.fault = map[string]error{"getCallGraph": c.fault}
					f.answer = map[string]string{"getCallGraph": c.text}
					f.slow = map[string]time.Duration{"getCallGraph": c.slow}
				})
				edges := a.Expand(t.Context(), []ckb.Anchor{fn(0), fn(1)}, 5)
				s := a.Status()
				if len(edges) != 0 || s.Available || s.Reason != ckb.MCPError || !strings.HasPrefix(s.LastError, c.want) {
					t.Errorf("%v, %+v", edges, s)
				}
				if d := time.Since(begin); d > 5*time.Second {
					t.Errorf("it took %s", d)
				}
				synctest.Wait()
				f.expect(t, 1, 1)
				expect(t, open(t, o).Reach(t.Context()).Status(), cooling(60, s.LastError))
				if _, err := a.Symbols(t.Context(), "f0", "", 1); err == nil {
					t.Error("an access that failed can be used")
				}
				// When the cool-down is over, there is a new process.
				time.Sleep(time.Minute)
				f.change(func() { f.fault, f.answer, f.slow = nil, nil, nil })
				a = client.Reach(t.Context())
				if got := told(a.Expand(t.Context(), []ckb.Anchor{fn(0)}, 1)); len(got) != 1 {
					t.Errorf("%v", got)
				}
				f.expect(t, 2, 1)
			})
		})
	}
}

// A CKB that is slow, but answers, is used for as long as there is time.
func TestSlowAnswersCutTheWalk(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fake{calls: chain(), slow: map[string]time.Duration{"getCallGraph": 600 * time.Millisecond}}
		a := open(t, f.options(t, nil)).Reach(t.Context())
		begin := time.Now()
		if diff := cmp.Diff([]string{"f0>f1 1", "f1>f2 2", "f2>f3 3"}, told(a.Expand(t.Context(), []ckb.Anchor{fn(0)}, 5))); diff != "" {
			t.Errorf("-want +got:\n%s", diff)
		}
		if d := time.Since(begin); d != 1800*time.Millisecond {
			t.Errorf("it took %s", d)
		}
		expect(t, a.Status(), well())
	})
}

// A health check that took nearly all the time leaves none to walk, which is no fault.
func TestNoTimeLeftToWalk(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fake{calls: chain(), slow: map[string]time.Duration{"getStatus": 4900 * time.Millisecond, "getCallGraph": time.Second}}
		c := open(t, f.options(t, nil))
		a := c.Reach(t.Context())
		if got := a.Expand(t.Context(), []ckb.Anchor{fn(0)}, 1); len(got) != 0 {
			t.Errorf("%v", told(got))
		}
		expect(t, a.Status(), well())
		// The next question has all of it.
		a = c.Reach(t.Context())
		if got := a.Expand(t.Context(), []ckb.Anchor{fn(0)}, 1); len(got) != 1 {
			t.Errorf("%v", told(got))
		}
	})
}

// Waiting for the calls of others is no failure of CKB.
func TestBusyCKBIsNotIll(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fake{calls: chain(), slow: map[string]time.Duration{"getCallGraph": 4 * time.Second}}
		c := open(t, f.options(t, map[string]string{"CKB_TIMEOUT": "4.5"}))
		accesses := []*ckb.Access{c.Reach(t.Context()), c.Reach(t.Context())}
		done := make(chan int, len(accesses))
		for _, a := range accesses {
			go func() { done <- len(a.Expand(t.Context(), []ckb.Anchor{fn(0)}, 1)) }()
		}
		if n := <-done + <-done; n != 1 {
			t.Errorf("%d edges, not those of the first alone", n)
		}
		for _, a := range accesses {
			expect(t, a.Status(), well())
		}
		f.expect(t, 1, 0)
	})
}

func TestOneCallAtATime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fake{calls: chain(), slow: map[string]time.Duration{"getCallGraph": time.Second}}
		c := open(t, f.options(t, nil))
		begin, done := time.Now(), make(chan error, 3)
		for range 3 {
			go func() {
				a := c.Reach(t.Context())
				if n := len(a.Expand(t.Context(), []ckb.Anchor{fn(0)}, 1)); n != 1 {
					done <- errors.New("the walk found nothing")
					return
				}
				done <- nil
			}()
		}
		for range 3 {
			if err := <-done; err != nil {
				t.Error(err)
			}
		}
		if d := time.Since(begin); d != 3*time.Second {
			t.Errorf("three calls took %s together", d)
		}
		f.expect(t, 1, 0)
	})
}
