package lang

import "github.com/reverse-spec/reverse-spec/lang/syntax"

// MendedSwift is for measuring.
func MendedSwift(src []byte) []byte { return mendSwift(src) }

var _ = syntax.Swift
