package mcp_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/reverse-spec/reverse-spec/internal/testsupport/golden"
)

// TestMessages sends each line of an archive on its own, with \0 and \xff
// written out, and shows what comes back.
func TestMessages(t *testing.T) {
	s := fake(echo())
	bytes := strings.NewReplacer(`\0`, "\x00", `\xff`, "\xff")
	golden.Archives(t, "messages", func(t *testing.T, files map[string][]byte) string {
		var b strings.Builder
		for line := range strings.Lines(string(files["in"])) {
			fmt.Fprintf(&b, "> %s", line)
			for _, answer := range talk(t, s, bytes.Replace(line)) {
				decode(t, answer)
				fmt.Fprintf(&b, "< %s\n", answer)
			}
		}
		return b.String()
	})
}

func TestIDsComeBackAsTheyWereSent(t *testing.T) {
	s := fake(echo())
	for _, id := range []string{
		`0`, `-1`, `-0`, `1.0`, `1e2`, `9007199254740993`, `-9223372036854775809`, `123456789012345678901234567890`, `1e999`,
		`""`, `"a"`, `"5"`, `"a\"b"`, `"\u0061"`, `"<&>"`, `"中"`, `"\ud800"`, `" "`, `"null"`,
	} {
		for _, request := range []string{`"ping"`, `"tools/list"`, `"tools/call","params":{"name":"echo"}`} {
			lines := talk(t, s, fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":%s}`, id, request))
			if diff := cmp.Diff([]string{id}, ids(t, lines)); diff != "" || strings.Contains(lines[0], `"error"`) {
				t.Errorf("%s %s: %v\n%s", id, request, lines, diff)
			}
		}
	}
}

func TestLinesAreReadHoweverTheyEnd(t *testing.T) {
	s := fake()
	for name, input := range map[string]string{
		"newline":         ping + "\n",
		"no newline":      ping,
		"CRLF":            ping + "\r\n",
		"blank lines":     "\n \r\n\t\n" + ping + "\n\n",
		"byte order mark": "\xef\xbb\xbf" + ping + "\n",
		"around":          "  " + ping + "  \n",
	} {
		if diff := cmp.Diff([]string{pong}, talk(t, s, input)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
	if got := talk(t, s, ""); got != nil {
		t.Errorf("an empty input is answered: %v", got)
	}
}

func TestLineTooLongIsSkipped(t *testing.T) {
	long := `{"jsonrpc":"2.0","id":1,"method":"` + strings.Repeat("x", 17<<20) + `"}`
	want := []string{`{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"message longer than 16 MiB"}}`, pong}
	if diff := cmp.Diff(want, talk(t, fake(), long+"\n"+ping)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(want[:1], talk(t, fake(), long)); diff != "" {
		t.Error(diff)
	}
}

func TestRequestsAreAnsweredInOrderOfArrival(t *testing.T) {
	var input strings.Builder
	want := []string{}
	for i := range 300 {
		method := []string{"ping", "tools/list", "initialize", "no/such"}[i%4]
		fmt.Fprintf(&input, `{"jsonrpc":"2.0","id":%d,"method":%q,"params":{}}`+"\n", i, method)
		want = append(want, fmt.Sprint(i))
	}
	if diff := cmp.Diff(want, ids(t, talk(t, fake(), input.String()))); diff != "" {
		t.Error(diff)
	}
}
