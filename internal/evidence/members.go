package evidence

import (
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/evidence/paths"
	"github.com/reverse-spec/reverse-spec/internal/x/lazyregexp"
)

// enumMember matches a member of a type: ErrorKind::Closed, ErrorCode.NOT_FOUND, http.Kind.Closed.
var enumMember = lazyregexp.New(`^(?:\w+(?:::|\.))*[A-Z]\w*(?:::|\.)[A-Z]\w*$`)

// nameMember sets the member of an enumeration by which an error without a message tells its cases apart, and the type of one that
// a function of the module makes.
func (m *Module) nameMember(out *Outcome, f *code.File, x *paths.Exit) {
	if out.Message != "" || out.Status != "" || enumMember.MatchString(out.Error) {
		return
	}
	if out.Member = memberIn(x.Call); out.Member == "" {
		out.Member = memberIn(x.Value)
	}
	if f.Language == "rust" {
		out.Member = strings.ReplaceAll(out.Member, ".", "::")
	}
	if typ := m.madeBy(f, x); out.Member != "" && typ != "" {
		out.Error, out.By = typ, ""
	}
}

// memberIn returns the one member of an enumeration among the arguments or fields of a value; "" for none or more.
func memberIn(v *code.Value) string {
	if v == nil {
		return ""
	}
	var found []string
	for i := range v.Args {
		switch a := &v.Args[i]; {
		case a.Kind == code.ValueOther && v.Kind == code.ValueObject: // the list of its fields
			if in := memberIn(a); in != "" {
				found = append(found, in)
			}
		case (a.Kind == code.ValueName || a.Kind == code.ValueCall) && enumMember.MatchString(a.Text):
			found = append(found, a.Text)
		}
	}
	if len(found) != 1 {
		return ""
	}
	return found[0]
}

// madeBy returns the type that the module's own function returns by which an exit makes its error; "" if it is not one name.
func (m *Module) madeBy(f *code.File, x *paths.Exit) string {
	name := lastName(dotted(x.Error))
	owner, _ := cutLast(x.In)
	for _, full := range []string{strings.TrimPrefix(owner+"."+name, "."), name} {
		if list := m.namedSymbols(full); len(list) == 1 && (full != name || list[0].File == f.Path) && isName(list[0].Returns) {
			return list[0].Returns
		}
	}
	return ""
}
