package ckb

import (
	"cmp"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/reverse-spec/reverse-spec/internal/decode"
	"github.com/reverse-spec/reverse-spec/internal/message"
)

// ConfigFile is where a project can switch CKB off, relative to its root:
// "ckb_integration: {enabled: false}".
const ConfigFile = ".devbooks/config.yaml"

// The defaults, and the bound of the contract.
const (
	defaultTimeout = 5 * time.Second
	maxCooldown    = time.Minute
)

// settings are those of the environment and the project.
type settings struct {
	disabled bool
	timeout  time.Duration // of a question, including the health check
	cooldown time.Duration // after a failure
	delay    time.Duration // before each health check, for tests of slowness
	client   string        // of CKB_MCP_CLIENT
}

// readSettings reads CKB_UNAVAILABLE (on with any value but empty, 0 and false),
// CKB_TIMEOUT and CKB_COOLDOWN in seconds, CKB_MOCK_DELAY_MS, CKB_MCP_CLIENT and
// [ConfigFile]. An invalid number counts as not set.
func readSettings(o Options) settings {
	s := settings{
		disabled: on(o.Getenv("CKB_UNAVAILABLE")) || switchedOff(o.ReadFile),
		timeout:  defaultTimeout,
		cooldown: maxCooldown,
		client:   strings.TrimSpace(o.Getenv("CKB_MCP_CLIENT")),
	}
	if d, ok := span(o.Getenv("CKB_TIMEOUT"), time.Second); ok {
		s.timeout = cmp.Or(d, defaultTimeout)
	}
	if d, ok := span(o.Getenv("CKB_COOLDOWN"), time.Second); ok {
		s.cooldown = min(d, maxCooldown)
	}
	s.delay, _ = span(o.Getenv("CKB_MOCK_DELAY_MS"), time.Millisecond)
	return s
}

// late is the error of the timeout.
func (s settings) late() error {
	return message.Errorf("Connection timeout after %dms", s.timeout.Milliseconds())
}

// on reports whether the value of a switch is set.
func on(value string) bool {
	value = strings.ToLower(strings.TrimSpace(value))
	return value != "" && value != "0" && value != "false"
}

// span parses a time in a unit, of a day at most.
func span(text string, unit time.Duration) (d time.Duration, ok bool) {
	x, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
	if err != nil || math.IsNaN(x) || x < 0 {
		return 0, false
	}
	const day = 24 * time.Hour
	return time.Duration(min(x*float64(unit), float64(day))), true
}

// switchedOff reports whether the project's file switches CKB off. A missing or unreadable
// file has no effect.
func switchedOff(read func(string) ([]byte, error)) bool {
	if read == nil {
		return false
	}
	text, err := read(ConfigFile)
	if err != nil {
		return false
	}
	var config struct {
		CKB struct {
			Enabled *bool `yaml:"enabled"`
		} `yaml:"ckb_integration"`
	}
	return decode.YAML(text, &config) == nil && config.CKB.Enabled != nil && !*config.CKB.Enabled
}
