package spec

import (
	"context"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/spec/markdown"
)

// signaturesPerTest limits one contract test, to keep scripts readable and within the shell's
// limit on arguments.
const signaturesPerTest = 60

// contractTests returns the contract tests of a spec whose requirements and scenarios are
// filled in: tests of signatures and tests that run existing tests. If check is not nil they
// are tried first; the error is check's.
func (m *material) contractTests(ctx context.Context, ids *numbering, s *Spec, check Check) ([]ContractTest, error) {
	drafts := m.schemaTests(s.Requirements)
	for _, b := range m.behaviors(s.Requirements, s.Scenarios) {
		drafts = append(drafts, m.behaviorDraft(&b))
	}
	drafts, err := m.checked(ctx, drafts, check)
	var tests []ContractTest
	for _, d := range drafts {
		d.ID = ids.of(d.known)
		tests = append(tests, d.ContractTest)
	}
	return tests, err
}

// key identifies a contract test across regenerations: its title up to the list of tests.
func (t *ContractTest) key() string {
	if t.Type != behaviorType {
		return t.Title
	}
	name, _, _ := strings.Cut(strings.ReplaceAll(t.Title, "：", ": "), ": ")
	return name
}

// Types of contract tests.
const (
	schemaType   = "schema"
	behaviorType = "behavior"
)

// schemaTests returns, for each file, tests that its exported signatures match the spec.
func (m *material) schemaTests(reqs []Requirement) []draft {
	bySymbol := map[string]string{}
	for _, r := range reqs {
		if r.key() == r.Symbol { // findings in bodies are not signatures
			bySymbol[r.Symbol] = r.ID
		}
	}
	byFile, own := map[string][]named{}, map[string][]string{}
	var order []string
	for _, s := range interfaceOf(m.merged.Exports) {
		if s.Broken || s.File == "" {
			continue
		}
		if own[s.File] == nil {
			own[s.File] = m.signaturesOf(s.File)
		}
		if s.here = ownSignature(s.Signature, own[s.File]); s.here == "" {
			continue
		}
		if byFile[s.File] == nil {
			order = append(order, s.File)
		}
		byFile[s.File] = append(byFile[s.File], s)
	}
	var out []draft
	for _, file := range order {
		part := 0
		for chunk := range slices.Chunk(byFile[file], signaturesPerTest) {
			part++
			title := label{"the interface of " + file, "接口契约：" + file}
			if len(byFile[file]) > signaturesPerTest {
				title = title.part(part)
			}
			t := schemaTest(title.in(m.lang), file, chunk, bySymbol)
			out = append(out, draft{t, markdown.Title(title.in(m.idLang)), nil})
		}
	}
	return out
}

// signaturesOf returns the signatures that a single file exports.
func (m *material) signaturesOf(file string) []string {
	out := []string{}
	for _, f := range m.tree.Files {
		if f.Path != file {
			continue
		}
		for _, s := range interfaceOf(f.Symbols) {
			out = append(out, s.Signature)
		}
	}
	return out
}

// ownSignature returns the part of a signature that a single file has. The overloads of a name
// may be in several files, as with partial classes and extensions.
func ownSignature(signature string, own []string) string {
	if slices.Contains(own, signature) {
		return signature
	}
	best := ""
	for _, o := range own {
		if len(o) > len(best) && strings.Contains("\n"+signature+"\n", "\n"+o+"\n") {
			best = o
		}
	}
	return best
}

func schemaTest(title, file string, list []named, bySymbol map[string]string) ContractTest {
	t := ContractTest{Title: markdown.Title(title), Type: schemaType, Needs: []string{"jq"}}
	var wants []string
	for _, s := range list {
		wants = append(wants, "    "+jqString(s.here))
		if req := bySymbol[s.key]; req != "" {
			t.Covers = append(t.Covers, req)
		}
	}
	t.Script = "reverse-spec prepare " + shellWord(file) + " --json --max-tokens 0 | jq -e '\n  [\n" +
		strings.Join(wants, ",\n") + "\n  ] - [.skeletons[].exports[] | recurse(.members[]?) | .signature] == []'"
	return t
}
