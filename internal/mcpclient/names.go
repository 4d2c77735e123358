package mcpclient

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
)

// maxAlias is the longest name that clients of language models accept.
const maxAlias = 64

// alias is the name of a tool for clients that accept only letters, digits, "_" and "-":
// "server__tool". It depends only on the two names. If they have other characters or are too
// long, or if the "__" between them is not the first one, a hash of both makes the alias
// unique.
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
