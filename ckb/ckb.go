// Package ckb tells how CKB stands, the code intelligence server that graph-rag
// and call-chain use beside the graph of their own.
//
// There is no client of it yet: [Check] reads what switches it off and the delay
// that tests simulate, and says of anything else that the health check failed.
package ckb

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"
)

// Reason is why CKB is not used, in the contract's words.
type Reason string

// The reasons.
const (
	ConnectionTimeout Reason = "connection_timeout"
	MCPError          Reason = "mcp_error"
	HealthCheckFailed Reason = "health_check_failed"
	Cooldown          Reason = "cooldown"
	Disabled          Reason = "disabled"
)

// Status is how CKB stands.
type Status struct {
	Available bool
	Reason    Reason // set when it is not available
	LastError string // "" when there was none
	// CooldownLeft are the seconds for which it is not asked again, at most 60; 0
	// without a cool-down.
	CooldownLeft int
}

// ConfigFile is where a project can switch CKB off, relative to its root.
const ConfigFile = ".devbooks/config.yaml"

// defaultTimeout is how long a health check may take, unless CKB_TIMEOUT says it.
const defaultTimeout = 5 * time.Second

// Environment is what Check asks.
type Environment struct {
	Getenv   func(key string) string
	ReadFile func(name string) ([]byte, error) // of the project
}

// Check tells how CKB stands. It is disabled by CKB_UNAVAILABLE (any value but
// empty, 0 and false) or by "ckb_integration: {enabled: false}" in [ConfigFile].
// CKB_MOCK_DELAY_MS simulates a health check that takes so long, without taking it:
// longer than CKB_TIMEOUT (seconds, by default 5) is a time-out. Neither starts a
// cool-down.
func Check(e Environment) Status {
	if on(e.Getenv("CKB_UNAVAILABLE")) || disabled(e.ReadFile) {
		return Status{Reason: Disabled}
	}
	limit := cmp.Or(seconds(e.Getenv("CKB_TIMEOUT")), defaultTimeout)
	delay, err := strconv.ParseFloat(e.Getenv("CKB_MOCK_DELAY_MS"), 64)
	if err == nil && delay > float64(limit.Milliseconds()) {
		return Status{Reason: ConnectionTimeout, LastError: fmt.Sprintf("Connection timeout after %dms", limit.Milliseconds())}
	}
	return Status{Reason: HealthCheckFailed, LastError: "CKB 未配置 (no CKB server is configured)"}
}

// on tells whether the value of a switch is set.
func on(value string) bool {
	value = strings.ToLower(strings.TrimSpace(value))
	return value != "" && value != "0" && value != "false"
}

// seconds reads a time in seconds; 0 for what is none.
func seconds(text string) time.Duration {
	s, err := strconv.ParseFloat(text, 64)
	if err != nil || s <= 0 || s > 1e6 {
		return 0
	}
	return time.Duration(s * float64(time.Second))
}

// disabled tells whether the project's file switches CKB off. A file that is not
// there or cannot be read switches nothing.
func disabled(read func(string) ([]byte, error)) bool {
	text, err := read(ConfigFile)
	if err != nil {
		return false
	}
	var config struct {
		CKB struct {
			Enabled *bool `yaml:"enabled"`
		} `yaml:"ckb_integration"`
	}
	return yaml.Unmarshal(text, &config) == nil && config.CKB.Enabled != nil && !*config.CKB.Enabled
}
