package drift_test

import (
	"strings"
	"testing"

	"github.com/reverse-spec/reverse-spec/drift"
	"github.com/reverse-spec/reverse-spec/spec"
)

// orders is a service; its model of an answer has FIELDS.
const orders = `from fastapi import FastAPI
from pydantic import BaseModel

app = FastAPI()


class Order(BaseModel):
FIELDS

@app.get("/orders/{number}", response_model=Order)
def order(number: int):
    return {"number": number}
`

// TestAnAnswerThatLosesAFieldBreaks changes what a route answers: a field that is gone or has another type breaks its users, a new one
// does not.
func TestAnAnswerThatLosesAFieldBreaks(t *testing.T) {
	const base = "    number: int\n    total: int\n"
	for name, c := range map[string]struct {
		fields   string
		breaking bool
		said     string
	}{
		"gone":         {"    number: int\n", true, "`total: int` → `∅`"},
		"another type": {"    number: int\n    total: str\n", true, "`total: int` → `total: str`"},
		"new":          {base + "    paid: bool\n", false, "`∅` → `paid: bool`"},
	} {
		t.Run(name, func(t *testing.T) {
			p, dir := openProject(t, map[string]string{"shop/orders.py": strings.Replace(orders, "FIELDS", base, 1), "requirements.txt": "fastapi==0.110.0\n"})
			res, err := spec.Generate(t.Context(), p, "shop", spec.GenerateOptions{Now: at})
			if err != nil {
				t.Fatal(err)
			}
			put(t, dir, map[string]string{"shop/orders.py": strings.Replace(orders, "FIELDS", c.fields, 1)})
			r := detect(t, p, drift.Options{Spec: res.SpecPath, NoReport: true})
			for _, i := range r.Items {
				if i.Rule == "claim-changed" && strings.Contains(i.Description, c.said) {
					if i.Breaking != c.breaking {
						t.Errorf("breaking is %v: %s", i.Breaking, i.Description)
					}
					return
				}
			}
			t.Errorf("nothing says %s: %+v", c.said, r.Items)
		})
	}
}
