package redact_test

import (
	"strings"
	"testing"
	"time"

	"github.com/reverse-spec/reverse-spec/internal/redact"
)

// BenchmarkEightTimes reports the ratio of the times for a text and one of eight times the size, for texts that
// repeat the start of a rule: about 8 if the work is linear, 64 if it is quadratic.
func BenchmarkEightTimes(b *testing.B) {
	for _, unit := range []string{
		"password=", `password = "`, "-----BEGIN RSA PRIVATE KEY-----\n", `"a" + `, "login(", "a.", "://u:", "@", "-u a:", "Cookie: a=", "key key ", "{", "é",
		"api_key: \"a1B2c3D4e5F6g7H8i9J0\"\n", "AKIA", "eyJ", "twitter a1b2c3d4e5f6 ", "<secret>", "IDENTIFIED BY ", "password, ", "AAAA", "secret-", "--",
	} {
		b.Run(strings.TrimSpace(unit[:min(12, len(unit))]), func(b *testing.B) {
			var small, large time.Duration
			for b.Loop() {
				small += redacted(unit, 1<<14)
				large += redacted(unit, 1<<17)
			}
			b.ReportMetric(float64(large)/float64(max(small, 1)), "times")
		})
	}
}

// redacted returns how long a text of a size takes.
func redacted(unit string, size int) time.Duration {
	text := strings.Repeat(unit, size/len(unit))
	start := time.Now()
	redact.Text(text, redact.Hints{})
	return time.Since(start)
}
