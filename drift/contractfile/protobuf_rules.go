package contractfile

import (
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/message"
)

// Whom a change of a .proto file breaks.
var (
	breaksWire   = message.New("programs built from the former file and from this one misread each other's bytes; code that uses it no longer compiles")
	breaksSource = message.New("code generated from the file no longer compiles where it uses it; the bytes stay readable")
	breaksJSON   = message.New("programs that exchange it as JSON no longer understand each other")
	breaksRPC    = message.New("clients built from the former file call what the server no longer has in this form")
	breaksValue  = message.New("programs built from the former file and from this one take an absent value for different ones")
	breaksNeed   = message.New("programs built from the former file send messages without it, and those are refused")
	breaksReuse  = message.New("what was reserved may be used again, with data of the former meaning still around")
)

// protobufPolicy has the rules of buf's category FILE, which has those of WIRE and WIRE_JSON.
func protobufPolicy() *policy {
	return &policy{name: "protobuf", removed: protoRemoved, added: protoAdded, altered: protoAltered}
}

func protoRemoved(n *node, in *tree) outcome {
	switch n.kind {
	case "rpc", "service":
		return breaking(breaksRPC)
	case "field", "enum value":
		if owner := in.all["message "+parentOf(n.name)]; owner != nil && reserves(owner, n) {
			return breaking(breaksSource)
		}
		if owner := in.all["enum "+parentOf(n.name)]; owner != nil && reserves(owner, n) {
			return breaking(breaksSource)
		}
		return breaking(breaksWire)
	}
	return breaking(breaksSource)
}

func parentOf(name string) string {
	i := strings.LastIndexByte(name, '.')
	return name[:max(i, 0)]
}

// reserves reports whether the number of a former field cannot be used again.
func reserves(owner, n *node) bool {
	for r := range strings.SplitSeq(owner.get("reserved"), ", ") {
		if within(r, n.key) {
			return true
		}
	}
	return false
}

func protoAdded(n *node, _ *tree) outcome {
	if n.get("cardinality") == "required" {
		return breaking(breaksNeed)
	}
	return harmless
}

// protoTerms are what the change of a property means.
var protoTerms = map[string]message.Text{
	"package": breaksRPC, "syntax": breaksSource, "JSON format": breaksJSON, "JSON name": breaksJSON, "message set format": breaksWire, "name": breaksSource, "number": breaksWire,
	"type": breaksWire, "cardinality": breaksWire, "default value": breaksValue, "jstype": breaksSource, "C++ string type": breaksSource, "UTF-8 validation": breaksValue,
	"UTF-8 validation in Java": breaksValue, "oneof": breaksSource, "openness": breaksValue, "request type": breaksRPC, "response type": breaksRPC, "streaming of the client": breaksRPC,
	"streaming of the server": breaksRPC, "idempotency level": breaksRPC, "extended message": breaksSource, "file": breaksSource,
}

func protoAltered(_, now *node, term, was, is string) outcome {
	switch term {
	case "deprecation":
		return harmless
	case "standard accessors":
		if is == "true" {
			return harmless
		}
		return breaking(breaksSource)
	case "reserved":
		if freed(was, is) {
			return breaking(breaksReuse)
		}
		return nothing
	}
	switch {
	case strings.HasPrefix(term, "option "):
		return breaking(breaksSource)
	case sameProto(now, term, was, is):
		return nothing
	}
	return breaking(protoTerms[term])
}

// sameProto reports whether a property that is written in another way means the same: a type, an enum value that got an
// alias, an edition, whose decisions are compared on their own.
func sameProto(now *node, term, was, is string) bool {
	switch term {
	case "name":
		return now.kind == "enum value" && allIn(was, is)
	case "syntax":
		return strings.HasPrefix(is, "edition") && strings.HasPrefix(was, "edition")
	}
	return strings.HasSuffix(term, "type") && sameProtoType(was, is)
}

// sameProtoType reports whether two types as written are the same: the scope of a name may be written or not.
func sameProtoType(a, b string) bool {
	if strings.HasPrefix(a, "group ") != strings.HasPrefix(b, "group ") {
		return false
	}
	a, b = strings.TrimPrefix(strings.TrimPrefix(a, "group "), "."), strings.TrimPrefix(strings.TrimPrefix(b, "group "), ".")
	return a == b || base(a) == base(b) && (strings.HasSuffix(a, "."+b) || strings.HasSuffix(b, "."+a))
}

// freed reports whether something of a list of reserved numbers and names is missing in another one.
func freed(was, is string) bool {
	if was == "" {
		return false
	}
	list := strings.Split(is, ", ")
	for r := range strings.SplitSeq(was, ", ") {
		if !slices.Contains(list, r) && !slices.ContainsFunc(list, func(other string) bool { return within(other, r) }) {
			return true
		}
	}
	return false
}

// within reports whether a number or a range is in a range, each written as in ranges.
func within(outer, r string) bool {
	a, b, ok := bounds(outer)
	c, d, is := bounds(r)
	return ok && is && a <= c && d <= b
}

func allIn(was, is string) bool {
	list := strings.Split(is, ", ")
	for name := range strings.SplitSeq(was, ", ") {
		if !slices.Contains(list, name) {
			return false
		}
	}
	return true
}

// bounds reads a range as written in ranges.
func bounds(text string) (from, to int, ok bool) {
	text = strings.TrimSpace(text)
	minus := strings.HasPrefix(text, "-")
	first, rest, two := strings.Cut(strings.TrimPrefix(text, "-"), "-")
	from, ok = atoi(first)
	if minus {
		from = -from
	}
	to = from
	if two && ok {
		negative := strings.HasPrefix(rest, "-")
		if to, ok = atoi(strings.TrimPrefix(rest, "-")); negative {
			to = -to
		}
	}
	return from, to, ok
}

func atoi(text string) (n int, ok bool) {
	for _, c := range text {
		if c < '0' || c > '9' {
			return 0, false
		}
		n = 10*n + int(c-'0')
	}
	return n, text != ""
}
