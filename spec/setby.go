package spec

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/evidence"
	"github.com/reverse-spec/reverse-spec/internal/evidence/paths"
	"github.com/reverse-spec/reverse-spec/internal/wording"
	"github.com/reverse-spec/reverse-spec/internal/x/lazyregexp"
)

// Limits of what is said of the state that a case depends on: of a field that many set, and of one condition among many, it is too much.
const (
	maxSetters    = 3
	maxStateTerms = 2
)

// state matches a condition that asks whether a field of an object was set, and nothing else.
var state = lazyregexp.New(`^(?:!|not )?((?:\$?\w+(?:\.|->)|@)(\w+))(?: (?:[!=]==?|is|is not) (?:nil|null|None|undefined|""|''|0|true|True|false|False))?$`)

// setBy says which functions that users call set the fields that a case depends on: its condition names a state, and its reader
// wants to know how it comes about. It is "" if there are many, or if functions that users do not call set the fields, too.
func (m *material) setBy(c *evidence.Claim, terms []paths.Term) string {
	if len(terms) > maxStateTerms {
		return ""
	}
	var said []string
	for _, field := range m.fieldsIn(c, terms) {
		var setters []string
		owner, _ := cutOwner(c.Subject)
		for _, e := range m.ofKind(evidence.Effect) {
			if of, _ := cutOwner(e.Subject); of == owner && len(e.From) == 0 && e.Role == evidence.OfReceiver && slices.Contains(e.Values, field.name) {
				setters = appendNew(setters, []string{e.Subject})
			}
		}
		if len(setters) > 0 && len(setters) <= maxSetters && len(setters) == m.assigners(field.name) {
			said = append(said, fmt.Sprintf(wording.In(m.lang, "%s is set by %s", "%s 由 %s 设置"), codeSpan(field.text), m.sum(setters)))
		}
	}
	if len(said) == 0 {
		return ""
	}
	return wording.In(m.lang, " (", "（") + strings.Join(said, wording.In(m.lang, "; ", "；")) + wording.In(m.lang, ")", "）")
}

// assigners returns how many functions of the module assign a field of that name, of whatever object.
func (m *material) assigners(field string) int {
	target := regexp.MustCompile(`(?:\.|->|@)` + regexp.QuoteMeta(field) + `$`)
	found := map[string]bool{}
	for _, f := range m.tree.Files {
		if f.Test || f.Whole == nil {
			continue
		}
		for i := range f.Whole.Functions {
			b := &f.Whole.Functions[i]
			code.AllStmts(b.Stmts, func(s *code.Stmt) {
				for text := range strings.SplitSeq(s.Text, ",") {
					if s.Op == code.StmtAssign && target.MatchString(strings.TrimSpace(text)) {
						found[b.In] = true
					}
				}
			})
		}
	}
	return len(found)
}

// stateField is a field of the receiver, as a condition writes it.
type stateField struct{ text, name string }

// fieldsIn returns the fields of the receiver of which conditions ask whether they are set.
func (m *material) fieldsIn(c *evidence.Claim, terms []paths.Term) []stateField {
	selves := []string{"this.", "self.", "$this->", "@", m.receiver(c) + "."}
	var out []stateField
	for i := range terms {
		if match := state.FindStringSubmatch(terms[i].Text); match != nil && slices.Contains(selves, strings.TrimSuffix(match[1], match[2])) {
			out = append(out, stateField{match[1], match[2]})
		}
	}
	return out
}

// receiver returns the name that a method of Go gives its receiver; "" for none.
func (m *material) receiver(c *evidence.Claim) string {
	for _, f := range m.tree.Files {
		if f.Path == c.At[0].File {
			return receiverOf(f.Symbols, c.Subject)
		}
	}
	return ""
}

// receiverOf finds a method among symbols and their members.
func receiverOf(list []code.Symbol, name string) string {
	for i := range list {
		s := &list[i]
		if s.Name == name && s.Receiver != "" {
			name, _, _ := strings.Cut(strings.Trim(s.Receiver, "()"), " ")
			return name
		}
		if member, ok := strings.CutPrefix(name, s.Name+"."); ok {
			if found := receiverOf(s.Members, member); found != "" {
				return found
			}
		}
	}
	return ""
}
