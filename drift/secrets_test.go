package drift_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/reverse-spec/reverse-spec/drift"
	"github.com/reverse-spec/reverse-spec/spec"
)

// TestASecretIsNotDrift: a spec has a placeholder where the code has a secret, which is not a
// difference. A changed secret that is a value by itself is not one either. A changed secret
// in a body changes the body's hash; the report does not quote it.
func TestASecretIsNotDrift(t *testing.T) {
	const first, second = "9f86d081884c7d659a2feaa0c55ad015", "2c26b46b68ffc68ff99b453c1d304134"
	code := func(key string) map[string]string {
		return map[string]string{
			"a/a.ts": "export const apiKey = \"" + key + "\";\nexport function f(token = \"" + key + "\") { return send(\"" + key + "\"); }\n",
			"a/a.go": "package a\n\nconst APIKey = \"" + key + "\"\n\nfunc F() string { return \"" + key + "\" }\n",
		}
	}
	p, dir := openProject(t, code(first))
	r, err := spec.Generate(t.Context(), p, "a", spec.GenerateOptions{Now: at})
	if err != nil {
		t.Fatal(err)
	}
	detect := func() *drift.Report {
		report, err := drift.Detect(t.Context(), p, drift.Options{Spec: r.SpecPath, Source: "a", Now: at})
		if err != nil {
			t.Fatal(err)
		}
		return report
	}
	if report := detect(); len(report.Items) != 0 {
		t.Errorf("nothing changed, but: %+v", report.Items)
	}
	put(t, dir, code(second))
	report := detect()
	text, err := json.Marshal(report)
	if err != nil {
		t.Fatal(err)
	}
	var changed []string
	for _, i := range report.Items {
		changed = append(changed, i.SymbolName+" "+i.Rule)
	}
	if diff := cmp.Diff([]string{"F body-changed", "f body-changed"}, changed); diff != "" {
		t.Errorf("changed (-want +got):\n%s", diff)
	}
	if strings.Contains(string(text), first[:8]) || strings.Contains(string(text), second[:8]) {
		t.Errorf("the report tells the secret: %s", text)
	}
}
