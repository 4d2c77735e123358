package lang

// MendedSwift is for measuring; not committed.
func MendedSwift(src []byte) []byte { return mendSwift(src) }
