package format_test

import (
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/reverse-spec/reverse-spec/spec"
	"github.com/reverse-spec/reverse-spec/spec/format"
)

func TestChangeBetweenTwoSides(t *testing.T) {
	before := till(
		rule("same", "Same fails", "a"), rule("more", "More fails", "a"), rule("less", "Less fails", "a", "b"),
		rule("named", "Named fails", "a"), rule("gone", "Gone fails", "a"))
	now := till(
		rule("same", "Same fails", "a"), rule("more", "More fails", "a", "b"), rule("less", "Less fails", "a"),
		rule("named", "Called otherwise", "a"), rule("fresh", "Fresh fails", "a"))
	p := opened(t, nil)
	write(t, p, format.Input{Format: "openspec", Outlines: []*spec.Outline{before}})
	c, err := format.WriteChange(context.Background(), p, format.ChangeInput{ID: "it", Base: "main", Before: []*spec.Outline{before}, Now: []*spec.Outline{now}, Modules: []string{"src/till"}})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]format.DeltaCounts{{Capability: "till", Added: 2, Modified: 2, Removed: 2, Renamed: 1}}, c.Deltas); diff != "" {
		t.Error(diff)
	}
	got := read(t, p, "openspec/changes/it/specs/till/spec.md")
	for _, want := range []string{
		"## RENAMED Requirements\n\n- FROM: `### Requirement: Less fails`\n- TO: `### Requirement: Less fails (before it)`\n- FROM: `### Requirement: Named fails`\n- TO: `### Requirement: Called otherwise`\n",
		"## REMOVED Requirements\n\n### Requirement: Less fails (before it)\n**Reason**: It does not have these scenarios any more: “b”.",
		"### Requirement: Gone fails\n**Reason**:", "## MODIFIED Requirements\n\n### Requirement: More fails\n", "### Requirement: Called otherwise\n",
		"## ADDED Requirements\n\n### Requirement: Less fails\n", "### Requirement: Fresh fails\n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("without %q:\n%s", want, got)
		}
	}
	if strings.Contains(got, "Same fails") || strings.Contains(got, "## Purpose") {
		t.Error(got)
	}
	if text := read(t, p, "openspec/changes/it/proposal.md"); !strings.Contains(text, "“Less fails” loses scenarios: “b”") || !strings.Contains(text, "“Gone fails” is removed") {
		t.Error(text)
	}
	// What generate writes then is in the order in which archive leaves it.
	write(t, p, format.Input{Format: "openspec", Outlines: []*spec.Outline{now}})
	var names []string
	for line := range strings.Lines(read(t, p, tillSpec)) {
		if name, ok := strings.CutPrefix(line, "### Requirement: "); ok {
			names = append(names, strings.TrimSpace(name))
		}
	}
	if diff := cmp.Diff([]string{"Same fails", "More fails", "Called otherwise", "Less fails", "Fresh fails"}, names); diff != "" {
		t.Error(diff)
	}
}

func TestChangeOfWhatTheBranchDidAlone(t *testing.T) {
	p := opened(t, nil)
	write(t, p, format.Input{Format: "openspec", Outlines: []*spec.Outline{till(rule("old", "Old fails", "long ago"))}})
	// The spec is older than the base: that “old” changed and “other” came was before the branch.
	before := till(rule("old", "Old fails", "long ago", "since"), rule("other", "Other fails", "a"))
	now := till(rule("old", "Old fails", "long ago", "since"), rule("other", "Other fails", "a", "b"))
	c, err := format.WriteChange(context.Background(), p, format.ChangeInput{ID: "it", Base: "main", Before: []*spec.Outline{before}, Now: []*spec.Outline{now}, Modules: []string{"src/till"}})
	if err != nil {
		t.Fatal(err)
	}
	if got := read(t, p, "openspec/changes/it/specs/till/spec.md"); strings.Contains(got, "Old fails") || !strings.Contains(got, "Other fails") || len(c.Deltas) != 1 {
		t.Error(got)
	}
}

func TestNewAndRetiredCapabilities(t *testing.T) {
	p := opened(t, nil)
	before := till(rule("gone", "Gone fails", "a"))
	safe := &spec.Outline{Module: "src/safe", Lang: "en", Purpose: "Keeps what the till has, until the bank opens.", Rules: []spec.Rule{rule("Lock", "Lock fails", "it is locked")}}
	write(t, p, format.Input{Format: "openspec", Outlines: []*spec.Outline{before}})
	_, err := format.WriteChange(context.Background(), p, format.ChangeInput{ID: "it", Base: "main", Before: []*spec.Outline{before}, Now: []*spec.Outline{safe}, Modules: []string{"src/safe"}})
	if err != nil {
		t.Fatal(err)
	}
	if got := read(t, p, "openspec/changes/it/.openspec.yaml"); !strings.Contains(got, "retire_capabilities: true") {
		t.Error(got)
	}
	if got := read(t, p, "openspec/changes/it/specs/safe/spec.md"); !strings.HasPrefix(got, "## Purpose\nKeeps what the till has") {
		t.Error(got)
	}
}

func TestAChangeIsNotReplacedUnasked(t *testing.T) {
	p := opened(t, nil)
	in := format.ChangeInput{ID: "it", Base: "main", Now: []*spec.Outline{till(rule("a", "A fails", "a"))}, Modules: []string{"src/till"}}
	for range 2 { // the second is the same
		if _, err := format.WriteChange(context.Background(), p, in); err != nil {
			t.Fatal(err)
		}
	}
	in.Now = []*spec.Outline{till(rule("b", "B fails", "b"))}
	if _, err := format.WriteChange(context.Background(), p, in); err == nil || !strings.Contains(err.Error(), "it was not changed") {
		t.Errorf("%v", err)
	}
	in.Force = true
	if _, err := format.WriteChange(context.Background(), p, in); err != nil {
		t.Error(err)
	}
}

func TestChangeID(t *testing.T) {
	for _, c := range [][3]string{{"feature/Refresh_Tokens", "main", "feature-refresh-tokens"}, {"main", "v1.4.0", "changes-since-v1-4-0"}, {"", "HEAD~3", "changes-since-head-3"}} {
		if got := format.ChangeID(c[0], c[1]); got != c[2] {
			t.Errorf("%v: %s", c, got)
		}
	}
}
