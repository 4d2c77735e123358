package spec

import (
	"encoding/json"
	"testing"

	"github.com/reverse-spec/reverse-spec/internal/evidence"
)

// A baseline can be of another version, or edited. Each claim that is kept can be said, and a
// kind that this program does not know is dropped.
func TestReadBaselineDropsClaimsWithoutTheirParts(t *testing.T) {
	var b baseline
	for kind := range sentences {
		b.Claims = append(b.Claims, RecordedClaim{Claim: evidence.Claim{Kind: kind, Subject: "S"}})
	}
	b.Claims = append(b.Claims, RecordedClaim{Claim: evidence.Claim{Kind: "of a later version", Subject: "S"}})
	plain, err := json.Marshal(b)
	if err != nil {
		t.Fatal(err)
	}
	read, err := decodeBaseline(baselineOpen + " " + string(plain) + " " + baselineClose)
	if err != nil {
		t.Fatal(err)
	}
	kept := map[evidence.Kind]bool{}
	for _, c := range read.Claims {
		kept[c.Kind] = true
		Say(&c.Claim, "en")
		Say(&c.Claim, "zh")
	}
	for _, kind := range []evidence.Kind{evidence.Exit, evidence.Complex, "of a later version"} {
		if kept[kind] {
			t.Errorf("a claim of kind %q that lacks what its sentence needs is kept", kind)
		}
	}
	if !kept[evidence.Route] {
		t.Error("a claim that lacks nothing is dropped")
	}
}

func TestTopicsAreSentOrHandled(t *testing.T) {
	for role, want := range map[string]string{
		evidence.Sent: "Messages of the topic `orders` SHALL be sent",
		"":            "Messages of the topic `orders` SHALL be handled",
	} {
		if got := Say(&evidence.Claim{Kind: evidence.Topic, Name: "orders", Role: role}, "en"); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
	if got, want := Say(&evidence.Claim{Kind: evidence.Topic, Name: "orders", Role: evidence.Sent}, "zh"), "必须发送主题 `orders` 的消息"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
