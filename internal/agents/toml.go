package agents

import (
	"bytes"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/decode"
	"github.com/reverse-spec/reverse-spec/internal/message"
)

// errTOML is returned when a table is written in a way in which it cannot be found.
var errTOML = message.Errorf("the server is there in another form than a table of its own; change it by hand")

// setTable returns a TOML text that has a table with these keys, whose values are texts
// or lists of texts. Of one that is there only what differs is changed.
func setTable(text []byte, section, name string, keys object) ([]byte, error) {
	before, err := decodeTOML(text)
	if err != nil {
		return nil, err
	}
	out := appendTable(text, section, name, keys)
	if from, to := findTable(text, section, name, false); from >= 0 {
		if out, err = setKeys(text, from, to, keys); err != nil {
			return nil, err
		}
	}
	want := map[string]any{}
	for _, k := range keys {
		want[k.key] = k.value
	}
	return out, sameBut(before, out, section, name, want)
}

// appendTable puts a table at the end, an empty line before it.
func appendTable(text []byte, section, name string, keys object) []byte {
	var b bytes.Buffer
	b.Write(text)
	if len(text) > 0 && text[len(text)-1] != '\n' {
		b.WriteByte('\n')
	}
	if len(text) > 0 {
		b.WriteByte('\n')
	}
	fmt.Fprintf(&b, "[%s.%s]\n", section, name)
	for _, k := range keys {
		b.WriteString(k.line())
	}
	return b.Bytes()
}

// setKeys sets the keys of the table between two places. Each has to be on a line of its
// own; one that is not there follows the header.
func setKeys(text []byte, from, to int, keys object) ([]byte, error) {
	table := slices.Collect(bytes.Lines(text[from:to]))
	missing := 1
	for _, k := range keys {
		i := slices.IndexFunc(table, func(line []byte) bool {
			key, _, ok := bytes.Cut(line, []byte("="))
			return ok && string(bytes.Trim(key, " \t\"'")) == k.key
		})
		if i < 0 {
			table = slices.Insert(table, missing, []byte(k.line()))
			missing++
			continue
		}
		old, err := decodeTOML(table[i])
		if err != nil {
			return nil, errTOML
		}
		if !reflect.DeepEqual(old[k.key], anyList(k.value)) {
			table[i] = []byte(k.line())
		}
	}
	return splice(text, from, to, bytes.Join(table, nil)), nil
}

// line is a key with its value in TOML.
func (p pair) line() string { return p.key + " = " + tomlValue(p.value) + "\n" }

// dropTable returns a TOML text without a table and those within it.
func dropTable(text []byte, section, name string) ([]byte, error) {
	before, err := decodeTOML(text)
	if err != nil {
		return nil, err
	}
	out := text
	for {
		from, to := findTable(out, section, name, true)
		if from < 0 {
			break
		}
		if bytes.HasSuffix(out[:from], []byte("\n\n")) { // with the empty line before it
			from--
		}
		out = splice(out, from, to, nil)
	}
	return out, sameBut(before, out, section, name, nil)
}

// findTable returns where a table begins and where its last key ends; -1 for none.
// Within also finds the tables in it.
func findTable(text []byte, section, name string, within bool) (from, to int) {
	from, at := -1, 0
	for line := range bytes.Lines(text) {
		plain := bytes.TrimSpace(line)
		at += len(line)
		switch {
		case len(plain) == 0 || plain[0] == '#': // it may be the next table's
			continue
		case plain[0] == '[' && from >= 0:
			return from, to
		case plain[0] == '[' && isTable(string(plain), section, name, within):
			from = at - len(line)
		}
		to = at
	}
	return from, to
}

func isTable(header, section, name string, within bool) bool {
	header = strings.NewReplacer(" ", "", "\t", "", `"`, "", "'", "").Replace(header)
	way := "[" + section + "." + name
	return strings.HasPrefix(header, way+"]") || within && strings.HasPrefix(header, way+".")
}

// sameBut reports whether a text has what it had before, except one table that is now as
// wanted, or gone for nil.
func sameBut(before map[string]any, text []byte, section, name string, want map[string]any) error {
	after, err := decodeTOML(text)
	if err != nil {
		return err
	}
	got, _ := entry(after, section, name).(map[string]any)
	for key, value := range want {
		if !reflect.DeepEqual(got[key], anyList(value)) {
			return errTOML
		}
	}
	if want == nil && got != nil {
		return errTOML
	}
	if !alikeBut(before, after, section, name) {
		return errTOML
	}
	return nil
}

// alikeBut reports whether two trees are the same except one server. It takes the server
// out of both.
func alikeBut(a, b map[string]any, section, name string) bool {
	for _, tree := range []map[string]any{a, b} {
		if servers, ok := tree[section].(map[string]any); ok {
			delete(servers, name)
			if len(servers) == 0 {
				delete(tree, section)
			}
		}
	}
	return reflect.DeepEqual(a, b)
}

func entry(tree map[string]any, section, name string) any {
	servers, _ := tree[section].(map[string]any)
	return servers[name]
}

func decodeTOML(text []byte) (map[string]any, error) {
	tree := map[string]any{}
	err := decode.TOML(text, &tree)
	return tree, err
}

// anyList returns a value as the decoder gives it.
func anyList(value any) any {
	list, ok := value.([]string)
	if !ok {
		return value
	}
	out := make([]any, len(list))
	for i, s := range list {
		out[i] = s
	}
	return out
}

// tomlValue writes a text or a list of texts.
func tomlValue(value any) string {
	list, ok := value.([]string)
	if !ok {
		return tomlText(fmt.Sprint(value))
	}
	quoted := make([]string, len(list))
	for i, s := range list {
		quoted[i] = tomlText(s)
	}
	return "[" + strings.Join(quoted, ", ") + "]"
}

// tomlText writes a text without escapes where it can be, as paths of Windows read best.
func tomlText(s string) string {
	if strings.Contains(s, `\`) && !strings.ContainsAny(s, "'\n\r") {
		return "'" + s + "'"
	}
	return strconv.Quote(s)
}
