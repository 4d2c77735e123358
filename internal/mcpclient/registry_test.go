package mcpclient_test

import (
	"errors"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/reverse-spec/reverse-spec/internal/mcpclient"
)

func TestPatterns(t *testing.T) {
	for _, c := range []struct {
		pattern, text string
		want          bool
	}{
		{"a", "a", true},
		{"a", "ab", false},
		{"*", "", true},
		{"a*", "ab", true},
		{"*b", "ab", true},
		{"a*a", "a", false},
		{"a*b*c", "a-b-b-c", true},
		{"a*b*c", "a-c-b", false},
		{"a**c", "abc", true},
		{"", "", true},
	} {
		if got := mcpclient.Matches(c.pattern, c.text); got != c.want {
			t.Errorf("%q fits %q: %v", c.text, c.pattern, got)
		}
	}
}

func TestFilters(t *testing.T) {
	tools := []mcpclient.Tool{{Server: "db", Name: "query"}, {Server: "db", Name: "drop_table"}, {Server: "files", Name: "read"}, {Server: "files", Name: "drop"}}
	for _, c := range []struct {
		filter mcpclient.Filter
		want   string
	}{
		{mcpclient.Filter{}, "db:query db:drop_table files:read files:drop"},
		{mcpclient.Filter{Allow: []string{}}, ""},
		{mcpclient.Filter{Allow: []string{"*"}}, "db:query db:drop_table files:read files:drop"},
		{mcpclient.Filter{Allow: []string{"db:*"}}, "db:query db:drop_table"},
		{mcpclient.Filter{Allow: []string{"read", "query"}}, "db:query files:read"},
		{mcpclient.Filter{Deny: []string{"drop*"}}, "db:query files:read"},
		{mcpclient.Filter{Allow: []string{"db:*"}, Deny: []string{"*:drop_*"}}, "db:query"},
		{mcpclient.Filter{Allow: []string{"*"}, Deny: []string{"*"}}, ""},
	} {
		var names []string
		for _, tool := range tools {
			if c.filter.Allows(tool) {
				names = append(names, tool.FullName())
			}
		}
		if got := strings.Join(names, " "); got != c.want {
			t.Errorf("%+v: got %q, want %q", c.filter, got, c.want)
		}
	}
}

// TestAliasesAreNamesForEveryClient and each is of one tool alone.
func TestAliasesAreNamesForEveryClient(t *testing.T) {
	form := regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`)
	long := strings.Repeat("x", 80)
	names := map[string]string{}
	for _, pair := range [][2]string{
		{"a", "b"},
		{"a", "b.c"},
		{"a", "b/c"},
		{"a", "b_c"},
		{"a.b", "c"},
		{"a_b", "c"},
		{"a__b", "c"},
		{"a", "b__c"},
		{"a_", "b"},
		{"a", "_b"},
		{"数据", "查询"},
		{"数据", "删除"},
		{"a", long + "1"},
		{"a", long + "2"},
		{long, "a"},
	} {
		name := mcpclient.Alias(pair[0], pair[1])
		if !form.MatchString(name) {
			t.Errorf("%v: %q", pair, name)
		}
		if before, taken := names[name]; taken {
			t.Errorf("%v and %s are both %s", pair, before, name)
		}
		names[name] = pair[0] + ":" + pair[1]
	}
	if got := mcpclient.Alias("files", "read-text_file"); got != "files__read-text_file" {
		t.Error(got)
	}
}

// TestToolIsHandedOnAsItIs except its name.
func TestToolIsHandedOnAsItIs(t *testing.T) {
	r := mcpclient.Start(t.Context(), []mcpclient.Server{faultyServer(t, "sound")}, nil, quick())
	defer r.Close()
	if err := r.Settled(t.Context()); err != nil {
		t.Fatal(err)
	}
	tool, ok := r.Tool("it__echo")
	if !ok {
		t.Fatal(r.Tools())
	}
	renamed, err := tool.Renamed()
	want := `{"_meta":{"k":"v"},"annotations":{"readOnlyHint":true},"description":"Says it again.",` +
		`"inputSchema":{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object","properties":{"text":{"type":"string","pattern":"^a"}},"oneOf":[{"required":["text"]}]},` +
		`"name":"it__echo","title":"Echo"}`
	if diff := cmp.Diff(want, string(renamed)); diff != "" || err != nil {
		t.Error(err, diff)
	}
}

// TestWhatCannotBeCalled says why, and what was meant.
func TestWhatCannotBeCalled(t *testing.T) {
	bad := mcpclient.Server{Name: "bad", Err: &mcpclient.ConfigError{File: "f", Key: "mcpServers.bad", Err: errors.New("broken")}}
	strange := faultyServer(t, "sound")
	strange.Name, strange.Project = "strange", true
	dead := faultyServer(t, "dies")
	dead.Name = "dead"
	o := quick()
	o.Filter = mcpclient.Filter{Deny: []string{"it:die"}}
	r := mcpclient.Start(t.Context(), []mcpclient.Server{strange, faultyServer(t, "sound"), dead, bad}, nil, o)
	defer r.Close()
	if err := r.Settled(t.Context()); err != nil {
		t.Fatal(err)
	}
	for tool, want := range map[string]string{
		"it:ecko":     "unknown tool it:ecko; did you mean it:echo?",
		"it:die":      "unknown tool it:die; did you mean it:fail?",
		"its:echo":    "unknown server its; did you mean it?",
		"bad:x":       "server bad is invalid: f: mcpServers.bad: broken",
		"strange:x":   "server strange is unapproved: it stands in a project's file and was not approved as it is now",
		"strange__x":  "server strange is unapproved: it stands in a project's file and was not approved as it is now",
		"dead:x":      "server dead is failed: connect to server dead: initialize: server dead: connection lost: the server ended: exit status 3; its last words: there is no database here",
		"no such one": "unknown server no such one",
	} {
		_, err := r.Call(t.Context(), mcpclient.Call{Tool: tool})
		if err == nil || err.Error() != want {
			t.Errorf("%s:\ngot  %v\nwant %s", tool, err, want)
		}
	}
	states := map[string]mcpclient.State{}
	for _, s := range r.Servers() {
		states[s.Server.Name] = s.State
	}
	want := map[string]mcpclient.State{"bad": mcpclient.Invalid, "dead": mcpclient.Failed, "it": mcpclient.Connected, "strange": mcpclient.Unapproved}
	if diff := cmp.Diff(want, states); diff != "" {
		t.Error(diff)
	}
}
