package redact_test

import (
	"strings"
	"testing"
	"time"

	"github.com/reverse-spec/reverse-spec/redact"
)

// TestTimeIsLinear: a text of eight times the size takes about eight times as long, whatever
// it repeats; 40 leaves room for a busy machine, and a square would be 64.
func TestTimeIsLinear(t *testing.T) {
	for _, unit := range []string{
		"password=", `password = "`, "-----BEGIN RSA PRIVATE KEY-----\n", `"a" + `, "login(", "a.", "://u:", "@", "-u a:", "Cookie: a=", "key key ", "{", "é",
		"api_key: \"a1B2c3D4e5F6g7H8i9J0\"\n", "AKIA", "eyJ", "twitter a1b2c3d4e5f6 ", "<secret>", "IDENTIFIED BY ", "password, ", "AAAA", "secret-", "--",
	} {
		clock := func(size int) time.Duration {
			text := strings.Repeat(unit, size/len(unit))
			best := time.Hour
			for range 3 {
				start := time.Now()
				redact.Text(text, redact.Hints{})
				best = min(best, time.Since(start))
			}
			return best
		}
		small, large := clock(1<<14), clock(1<<17)
		if large > 40*small+20*time.Millisecond {
			t.Errorf("%q: %v, and %v for eight times as much", unit, small, large)
		}
	}
}
