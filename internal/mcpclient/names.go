package mcpclient

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
)

// maxAlias is how long a name may be for clients of language models.
const maxAlias = 64

// alias is the name of a tool for clients that take letters, digits, "_" and "-"
// alone: "server__tool". It depends on nothing but the two names. Where they do
// not fit as they are, or the "__" between them would not be the first, a hash of
// both makes the name one that no other pair has.
func alias(server, tool string) string {
	name := server + "__" + tool
	plain := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_' || r == '-' {
			return r
		}
		return '_'
	}, name)
	split := strings.Contains(server, "__") || strings.HasSuffix(server, "_")
	if plain == name && len(name) <= maxAlias && !split {
		return name
	}
	sum := sha256.Sum256([]byte(server + ":" + tool))
	mark := "_" + hex.EncodeToString(sum[:4])
	return plain[:min(len(plain), maxAlias-len(mark))] + mark
}
