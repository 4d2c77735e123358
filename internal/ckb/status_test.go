package ckb_test

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"github.com/reverse-spec/reverse-spec/internal/ckb"
)

const late = "Connection timeout after 5000ms"

func TestWhatSwitchesCKBOff(t *testing.T) {
	none := failed(ckb.HealthCheckFailed, "no CKB server is configured, and there is no ckb on PATH")
	disabled := ckb.Status{Reason: ckb.Disabled}
	const off = "ckb_integration:\n  enabled: false\n"
	type env map[string]string
	for name, c := range map[string]struct {
		env    env
		config string
		want   ckb.Status
	}{
		"nothing is configured":              {nil, "", none},
		"the variable is set":                {env{"CKB_UNAVAILABLE": "1"}, "", disabled},
		"the variable is a word":             {env{"CKB_UNAVAILABLE": "true"}, "", disabled},
		"the variable is 0":                  {env{"CKB_UNAVAILABLE": "0"}, "", none},
		"the variable is false":              {env{"CKB_UNAVAILABLE": "False"}, "", none},
		"the file says so":                   {nil, off, disabled},
		"the file says the opposite":         {nil, "ckb_integration: {enabled: true}", none},
		"the file is broken":                 {nil, "ckb_integration: [", none},
		"the delay is above the limit":       {env{"CKB_MOCK_DELAY_MS": "6000"}, "", failed(ckb.ConnectionTimeout, late)},
		"the delay is below the limit":       {env{"CKB_MOCK_DELAY_MS": "4999"}, "", none},
		"the limit is another":               {env{"CKB_MOCK_DELAY_MS": "6000", "CKB_TIMEOUT": "2"}, "", failed(ckb.ConnectionTimeout, "Connection timeout after 2000ms")},
		"the limit is no number":             {env{"CKB_MOCK_DELAY_MS": "6000", "CKB_TIMEOUT": "soon"}, "", failed(ckb.ConnectionTimeout, late)},
		"the delay is no number":             {env{"CKB_MOCK_DELAY_MS": "soon"}, "", none},
		"the delay is beyond all numbers":    {env{"CKB_MOCK_DELAY_MS": "1e300"}, "", failed(ckb.ConnectionTimeout, late)},
		"what is disabled is not waited for": {env{"CKB_MOCK_DELAY_MS": "6000"}, off, disabled},
	} {
		t.Run(name, func(t *testing.T) {
			t.Setenv("PATH", "")
			o := (&fake{}).options(t, c.env)
			o.Configured = nil
			o.ReadFile = func(file string) ([]byte, error) {
				if file != ckb.ConfigFile || c.config == "" {
					return nil, fs.ErrNotExist
				}
				return []byte(c.config), nil
			}
			synctest.Test(t, func(t *testing.T) {
				// The next question is answered the same.
				expect(t, open(t, o).Reach(t.Context()).Status(), c.want)
				expect(t, open(t, o).Reach(t.Context()).Status(), c.want)
			})
		})
	}
}

func TestNoClientIsNoCKB(t *testing.T) {
	var c *ckb.Client
	expect(t, c.Reach(t.Context()).Status(), failed(ckb.HealthCheckFailed, "no CKB server is configured, and there is no ckb on PATH"))
	if err := c.Close(); err != nil {
		t.Error(err)
	}
}

func TestHealth(t *testing.T) {
	refused := func(text string) error { return &ckb.RefusedError{Message: text} }
	for name, c := range map[string]struct {
		fake *fake
		want ckb.Status
	}{
		"all is well":            {&fake{}, well()},
		"it takes four seconds":  {&fake{slow: map[string]time.Duration{"connect": time.Second, "getStatus": 3 * time.Second}}, well()},
		"its index is old":       {&fake{stale: true}, well()},
		"it knows no repository": {&fake{fault: map[string]error{"getActiveRepo": refused("tool not found")}}, well()},
		"it says little":         {&fake{answer: map[string]string{"getStatus": `{"status": "ok"}`}}, well()},

		"it does not start":      {&fake{dial: errors.New("start ckb: no such file")}, failed(ckb.HealthCheckFailed, "start ckb: no such file")},
		"it dies":                {&fake{fault: map[string]error{"getActiveRepo": errGone}}, failed(ckb.HealthCheckFailed, "getActiveRepo: the server ended")},
		"it refuses":             {&fake{fault: map[string]error{"getStatus": refused("[INTERNAL_ERROR] boom")}}, failed(ckb.HealthCheckFailed, "getStatus: [INTERNAL_ERROR] boom")},
		"it answers an error":    {&fake{answer: map[string]string{"getStatus": `{"data":null,"error":"[WORKSPACE_NOT_READY] wait"}`}}, failed(ckb.HealthCheckFailed, "getStatus: [WORKSPACE_NOT_READY] wait")},
		"it answers garbage":     {&fake{answer: map[string]string{"getStatus": "<html>"}}, failed(ckb.HealthCheckFailed, `getStatus: the answer is not a JSON object: "<html>"`)},
		"it answers nothing":     {&fake{answer: map[string]string{"getStatus": `{"schemaVersion":"1.0","data":null}`}}, failed(ckb.HealthCheckFailed, "getStatus: the answer has no data")},
		"it is not well":         {&fake{answer: map[string]string{"getStatus": `{"status":"broken"}`}}, failed(ckb.HealthCheckFailed, `CKB is not healthy: status "broken"`)},
		"it has no index":        {&fake{answer: map[string]string{"getStatus": data(`{"healthy":true,"index":{"exists":false,"reason":"none found"}}`)}}, failed(ckb.HealthCheckFailed, "CKB has no index: none found")},
		"it cannot read it":      {&fake{answer: map[string]string{"getStatus": data(`{"healthy":true,"backends":[{"id":"scip","healthy":false,"details":"damaged"}]}`)}}, failed(ckb.HealthCheckFailed, "CKB cannot use its index: damaged")},
		"it serves another":      {&fake{answer: map[string]string{"getActiveRepo": data(`{"path":"/elsewhere"}`)}}, failed(ckb.HealthCheckFailed, "CKB serves another project: /elsewhere")},
		"it never connects":      {&fake{slow: map[string]time.Duration{"connect": time.Hour}}, failed(ckb.ConnectionTimeout, late)},
		"it never answers":       {&fake{slow: map[string]time.Duration{"getStatus": time.Hour}}, failed(ckb.ConnectionTimeout, late)},
		"each answer takes long": {&fake{slow: map[string]time.Duration{"getActiveRepo": 3 * time.Second, "getStatus": 3 * time.Second}}, failed(ckb.ConnectionTimeout, late)},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				o, begin := c.fake.options(t, nil), time.Now()
				client := ckb.New(o)
				expect(t, client.Reach(t.Context()).Status(), c.want)
				if d := time.Since(begin); d > 5*time.Second {
					t.Errorf("it took %s", d)
				}
				client.Close()
				if c.fake.dial == nil && c.fake.slow["connect"] < time.Hour {
					c.fake.expect(t, 1, 1)
				}
				// Another process sees the cool-down, and does not ask.
				after := ckb.New(o)
				defer after.Close()
				if !c.want.Available {
					expect(t, after.Reach(t.Context()).Status(), cooling(60, c.want.LastError))
					if dialled, _ := c.fake.counts(); dialled != 1 {
						t.Errorf("%d connections, not 1", dialled)
					}
				}
			})
		})
	}
}

func TestCooldownRunsOut(t *testing.T) {
	for name, c := range map[string]struct {
		env   string
		after time.Duration
		want  ckb.Status
	}{
		"at once":                     {"", 0, cooling(60, "no")},
		"nearly a second later":       {"", 999 * time.Millisecond, cooling(60, "no")},
		"a second later":              {"", time.Second, cooling(59, "no")},
		"in the last moment":          {"", time.Minute - time.Nanosecond, cooling(1, "no")},
		"after a minute":              {"", time.Minute, well()},
		"when a short one is over":    {"2", 2 * time.Second, well()},
		"in a short one":              {"2", time.Second, cooling(1, "no")},
		"in one that is too long":     {"600", time.Second, cooling(59, "no")},
		"after one that was too long": {"600", time.Minute, well()},
		"without one":                 {"0", 0, well()},
		"with one that is no number":  {"x", 0, cooling(60, "no")},
		"when the clock was set back": {"", -time.Hour, well()},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f := &fake{dial: errors.New("no")}
				o := f.options(t, map[string]string{"CKB_COOLDOWN": c.env})
				open(t, o).Reach(t.Context())
				f.change(func() { f.dial = nil })
				if c.after < 0 {
					files, _ := filepath.Glob(filepath.Join(o.State, "*.json"))
					if err := os.WriteFile(files[0], []byte(`{"since":"2999-01-01T00:00:00Z","error":"no"}`), 0o600); err != nil {
						t.Fatal(err)
					}
				} else {
					time.Sleep(c.after)
				}
				expect(t, open(t, o).Reach(t.Context()).Status(), c.want)
			})
		})
	}
}

func TestSuccessEndsCooldown(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fake{slow: map[string]time.Duration{"getStatus": 8 * time.Second}}
		o := f.options(t, nil)
		c := open(t, o)
		expect(t, c.Reach(t.Context()).Status(), failed(ckb.ConnectionTimeout, late))
		expect(t, c.Reach(t.Context()).Status(), cooling(60, late))
		time.Sleep(4 * time.Second) // the first question goes on being answered, as of a large project
		expect(t, c.Reach(t.Context()).Status(), well())
		expect(t, open(t, o).Reach(t.Context()).Status(), failed(ckb.ConnectionTimeout, late))
		f.expect(t, 2, 0)
	})
}

func TestHungServerIsKilledInTheEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fake{slow: map[string]time.Duration{"getStatus": time.Hour}}
		c := open(t, f.options(t, nil))
		c.Reach(t.Context())
		time.Sleep(time.Minute)
		f.expect(t, 1, 1)
		f.change(func() { f.slow = nil })
		time.Sleep(5 * time.Second)
		expect(t, c.Reach(t.Context()).Status(), well())
	})
}

func TestADelayIsWaitedForAndKeptFromOthers(t *testing.T) {
	for name, f := range map[string]*fake{"healthy": {}, "broken": {dial: errors.New("no")}, "none": nil} {
		t.Run(name, func(t *testing.T) {
			t.Setenv("PATH", "")
			synctest.Test(t, func(t *testing.T) {
				env := map[string]string{"CKB_MOCK_DELAY_MS": "6000"}
				healthy := &fake{}
				o := healthy.options(t, env)
				if o.Configured = nil; f != nil {
					o.Configured = f.connect
				}
				for range 2 {
					begin := time.Now()
					a := open(t, o).Reach(t.Context())
					expect(t, a.Status(), failed(ckb.ConnectionTimeout, late))
					if d := time.Since(begin); d != 5*time.Second || a.Waited() != d {
						t.Errorf("it took %s, and says %s", d, a.Waited())
					}
				}
				// Neither that nor a failure after a shorter delay is told to others.
				env["CKB_MOCK_DELAY_MS"] = "10"
				open(t, o).Reach(t.Context())
				if files, err := os.ReadDir(o.State); len(files) > 0 {
					t.Errorf("%v, %v", files, err)
				}
				delete(env, "CKB_MOCK_DELAY_MS")
				o.Configured = healthy.connect
				expect(t, open(t, o).Reach(t.Context()).Status(), well())
			})
		})
	}
}

// A failure that others found does not stand in the way of the delay, and stays.
func TestADelayLeavesTheCooldownAlone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fake{dial: errors.New("no")}
		env := map[string]string{}
		o := f.options(t, env)
		expect(t, open(t, o).Reach(t.Context()).Status(), failed(ckb.HealthCheckFailed, "no"))
		f.change(func() { f.dial = nil })
		env["CKB_MOCK_DELAY_MS"] = "6000"
		expect(t, open(t, o).Reach(t.Context()).Status(), failed(ckb.ConnectionTimeout, late))
		env["CKB_MOCK_DELAY_MS"] = "1000"
		expect(t, open(t, o).Reach(t.Context()).Status(), well())
		delete(env, "CKB_MOCK_DELAY_MS")
		expect(t, open(t, o).Reach(t.Context()).Status(), cooling(54, "no"))
	})
}

func TestDelayCounts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fake{slow: map[string]time.Duration{"getStatus": 2 * time.Second}}
		begin := time.Now()
		expect(t, open(t, f.options(t, map[string]string{"CKB_MOCK_DELAY_MS": "2500"})).Reach(t.Context()).Status(), well())
		if d := time.Since(begin); d != 4500*time.Millisecond {
			t.Errorf("it took %s", d)
		}
		expect(t, open(t, f.options(t, map[string]string{"CKB_MOCK_DELAY_MS": "3500"})).Reach(t.Context()).Status(), failed(ckb.ConnectionTimeout, late))
	})
}

func TestQuestionGivenUpSaysNothingOfCKB(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fake{slow: map[string]time.Duration{"getStatus": 2 * time.Second}}
		o := f.options(t, nil)
		c := open(t, o)
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if s := c.Reach(ctx).Status(); s.Available {
			t.Errorf("%+v", s)
		}
		expect(t, c.Reach(t.Context()).Status(), well())
		f.expect(t, 1, 0)
	})
}

func TestOneProcessForManyQuestions(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fake{}
		o := f.options(t, nil)
		c := open(t, o)
		ask := func(wantStarted, wantChecks int) {
			t.Helper()
			expect(t, c.Reach(t.Context()).Status(), well())
			f.change(func() {
				checks := 0
				for _, tool := range f.called {
					if tool == "getStatus" {
						checks++
					}
				}
				if f.dialled != wantStarted || checks != wantChecks {
					t.Errorf("%d connections and %d checks, not %d and %d", f.dialled, checks, wantStarted, wantChecks)
				}
			})
		}
		ask(1, 1)
		ask(1, 1)
		time.Sleep(11 * time.Second) // after a while it is asked again how it is
		ask(1, 2)
		// A new index is seen by a new process alone.
		if err := os.WriteFile(filepath.Join(o.Root, "index.scip"), []byte("new"), 0o600); err != nil {
			t.Fatal(err)
		}
		ask(2, 3)
		// One that died meanwhile is started again.
		time.Sleep(11 * time.Second)
		f.change(func() {
			f.fault = map[string]error{"getStatus": errGone}
			f.slow = map[string]time.Duration{"connect": 2 * time.Second}
		})
		time.AfterFunc(time.Second, func() { f.change(func() { f.fault = nil }) })
		ask(3, 5)
	})
}
