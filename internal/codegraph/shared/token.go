package shared

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"time"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/store"
	"github.com/reverse-spec/reverse-spec/internal/message"
)

// SecretPrefix begins the secrets of tokens, so that tools that look for secrets know them.
const SecretPrefix = "rspec_"

// NewToken makes a token and its secret of 260 random bits, which is stored nowhere. A lifetime of 0 is for ever.
func NewToken(name string, access store.Access, now time.Time, lifetime time.Duration) (secret string, t store.Token) {
	secret = SecretPrefix + rand.Text() + rand.Text()
	t = store.Token{Name: name, Hash: HashToken(secret), Access: access, Created: now}
	if lifetime > 0 {
		t.Expires = now.Add(lifetime)
	}
	return secret, t
}

// HashToken returns the hash of a secret, as it is stored. The secret is random, so that no slow hash is needed.
func HashToken(secret string) string {
	sum := sha256.Sum256([]byte(secret))
	return hex.EncodeToString(sum[:])
}

// longestName bounds the name of a token.
const longestName = 100

// CheckTokenName returns an error for a name that a token cannot have: it is in logs and in metrics.
func CheckTokenName(name string) error {
	fits := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("-_.@", r)
	}
	if name == "" || len(name) > longestName || strings.ContainsFunc(name, func(r rune) bool { return !fits(r) }) {
		return message.Errorf("the name of a token has 1 to %d letters, digits or the signs - _ . @", longestName)
	}
	return nil
}
