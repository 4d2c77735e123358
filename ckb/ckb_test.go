package ckb_test

import (
	"io/fs"
	"testing"

	"github.com/reverse-spec/reverse-spec/ckb"
)

func TestCheck(t *testing.T) {
	none := ckb.Status{Reason: ckb.HealthCheckFailed, LastError: "CKB 未配置 (no CKB server is configured)"}
	disabled := ckb.Status{Reason: ckb.Disabled}
	late := func(after string) ckb.Status {
		return ckb.Status{Reason: ckb.ConnectionTimeout, LastError: "Connection timeout after " + after}
	}
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
		"the delay is above the limit":       {env{"CKB_MOCK_DELAY_MS": "6000"}, "", late("5000ms")},
		"the delay is at the limit":          {env{"CKB_MOCK_DELAY_MS": "5000"}, "", none},
		"the limit is another":               {env{"CKB_MOCK_DELAY_MS": "6000", "CKB_TIMEOUT": "2"}, "", late("2000ms")},
		"the limit is no number":             {env{"CKB_MOCK_DELAY_MS": "6000", "CKB_TIMEOUT": "soon"}, "", late("5000ms")},
		"the delay is no number":             {env{"CKB_MOCK_DELAY_MS": "soon"}, "", none},
		"what is disabled is not waited for": {env{"CKB_MOCK_DELAY_MS": "6000"}, off, disabled},
	} {
		t.Run(name, func(t *testing.T) {
			got := ckb.Check(ckb.Environment{
				Getenv: func(key string) string { return c.env[key] },
				ReadFile: func(file string) ([]byte, error) {
					if file != ckb.ConfigFile || c.config == "" {
						return nil, fs.ErrNotExist
					}
					return []byte(c.config), nil
				},
			})
			if got != c.want {
				t.Errorf("got %+v, want %+v", got, c.want)
			}
		})
	}
}
