package ckb_test

import (
	"testing"

	"github.com/reverse-spec/reverse-spec/internal/ckb"
	"github.com/reverse-spec/reverse-spec/internal/message"
)

// TestWhyThereIsNoCKBIsInTheLanguageOfWhoAsks, also in the cool-down that another process
// of another language began.
func TestWhyThereIsNoCKBIsInTheLanguageOfWhoAsks(t *testing.T) {
	for english, c := range map[string]struct {
		fake    *fake
		chinese string
	}{
		`CKB is not healthy: status "broken"`: {&fake{answer: map[string]string{"getStatus": `{"status":"broken"}`}}, `CKB 状态异常："broken"`},
		"getStatus: CKB is busy with other questions": {
			&fake{fault: map[string]error{"getStatus": &ckb.RefusedError{
				Message: "CKB is busy with other questions", Err: message.Errorf("CKB is busy with other questions"),
			}}},
			message.New("%s: %v", "getStatus", message.New("CKB is busy with other questions")).In(message.Chinese),
		},
	} {
		for lang, want := range map[message.Lang]string{message.English: english, message.Chinese: c.chinese} {
			o := c.fake.options(t, nil)
			asker := message.With(t.Context(), message.Choice{Lang: lang})
			expect(t, open(t, o).Reach(asker).Status(), failed(ckb.HealthCheckFailed, want))
			for later, want := range map[message.Lang]string{message.English: english, message.Chinese: c.chinese} {
				s := open(t, o).Reach(message.With(t.Context(), message.Choice{Lang: later})).Status()
				if s.Reason != ckb.Cooldown || s.LastError != want {
					t.Errorf("began in %s, read in %s: %+v", lang, later, s)
				}
			}
		}
	}
}
