package evidence

import (
	"strconv"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/evidence/service"
)

// requests finds the requests that tests send to the routes of the module. A test that sends several to one route has one
// claim.
var requests = Rule{
	Kind: Request,
	find: func(m *Module, found func(Claim)) {
		for i := range m.serves {
			e := &m.serves[i]
			for j := range e.Requests {
				r := &e.Requests[j]
				c := Claim{
					Subject: e.Handler.Name, Name: routeName(e), Of: r.Test, Text: r.TestAt.File, Sends: sends(r),
					At: []Place{{r.TestAt.File, r.TestAt.Line, ""}, {r.At.File, r.At.Line, ""}},
				}
				switch {
				case r.SetUp:
					c.Role = Before
				case r.Varies:
					c.Role = Any
				}
				for _, a := range r.Asserted {
					c.Values = append(c.Values, strconv.Itoa(a.Status))
				}
				found(c)
			}
		}
	},
}

// Succeeds is the status of a [Request] whose test asserts any success; see [service.AnySuccess].
const Succeeds = "2"

// sends returns what a request carries, as text.
func sends(r *service.Request) []string {
	var out []string
	for _, f := range r.Fields {
		text := f.Name
		if len(f.Values) > 0 {
			text += " = " + strings.Join(f.Values, " | ")
		}
		out = append(out, text)
	}
	return out
}
