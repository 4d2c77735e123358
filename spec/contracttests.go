package spec

import (
	"slices"
	"strings"
)

// signaturesPerTest bounds a contract test: scripts are read by people, and an
// argument of a command has its limit.
const signaturesPerTest = 60

// contractTests makes, for each file, tests that its exported signatures are
// what the spec says.
func (m *material) contractTests(ids *numbering, reqs []Requirement) []ContractTest {
	bySymbol := map[string]string{}
	for _, r := range reqs {
		if r.key() == r.Symbol { // what was mined from bodies is not in signatures
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
	var out []ContractTest
	for _, file := range order {
		part := 0
		for chunk := range slices.Chunk(byFile[file], signaturesPerTest) {
			part++
			title := pick(m.lang, "the interface of ", "接口契约：") + file
			if len(byFile[file]) > signaturesPerTest {
				title += pick(m.lang, ", part ", "，第 ") + itoa(part) + pick(m.lang, "", " 部分")
			}
			out = append(out, schemaTest(ids.of(title), title, file, chunk, bySymbol))
		}
	}
	return out
}

// signaturesOf returns the exported signatures of a file alone.
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

// ownSignature returns what a file alone has of a signature: the overloads of one
// name may stand in several files, as those of partial classes and extensions do.
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

func schemaTest(id, title, file string, list []named, bySymbol map[string]string) ContractTest {
	t := ContractTest{ID: id, Title: titleText(title), Type: "schema"}
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
