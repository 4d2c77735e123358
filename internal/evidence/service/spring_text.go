package service

import (
	"bytes"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

// Settings are the values in the configuration files of an application, by the folder of its module and by their names
// with dots.
type Settings map[string]map[string]string

// settingsFiles are the files with the settings of a Spring application, below the folder of a module. Those of profiles are
// not read: which one applies is not known.
var settingsFiles = []string{"src/main/resources/application.properties", "src/main/resources/application.yml", "src/main/resources/application.yaml"}

// ReadSettings returns the settings of the modules that files are in.
func ReadSettings(files []*code.File, read func(file string) ([]byte, error)) Settings {
	out := Settings{}
	for _, f := range files {
		dir, _, ok := strings.Cut("/"+f.Path, "/src/main/")
		if dir = strings.TrimPrefix(dir, "/"); !ok || out[dir] != nil {
			continue
		}
		out[dir] = map[string]string{}
		for _, name := range settingsFiles {
			data, err := read(path.Join(dir, name))
			if err != nil {
				continue
			}
			if strings.HasSuffix(name, ".properties") {
				readProperties(out[dir], data)
			} else {
				readYAML(out[dir], data)
			}
		}
	}
	return out
}

// readProperties reads lines of the form name=value.
func readProperties(out map[string]string, data []byte) {
	for line := range bytes.Lines(data) {
		name, value, ok := strings.Cut(strings.TrimSpace(string(line)), "=")
		if ok && !strings.HasPrefix(name, "#") {
			out[settingName(strings.TrimSpace(name))] = strings.TrimSpace(value)
		}
	}
}

// readYAML reads the plain values of nested mappings, of the first document.
func readYAML(out map[string]string, data []byte) {
	type level struct {
		indent int
		name   string
	}
	var open []level
	for line := range bytes.Lines(data) {
		text := strings.TrimRight(string(line), " \r\n")
		trimmed := strings.TrimLeft(text, " ")
		if trimmed == "---" && len(out) > 0 {
			return // the settings of a profile
		}
		name, value, ok := strings.Cut(trimmed, ":")
		if !ok || trimmed[0] == '#' || trimmed[0] == '-' {
			continue
		}
		indent := len(text) - len(trimmed)
		for len(open) > 0 && open[len(open)-1].indent >= indent {
			open = open[:len(open)-1]
		}
		open = append(open, level{indent, strings.Trim(name, `"'`)})
		if value, _, _ = strings.Cut(value, " #"); strings.TrimSpace(value) != "" {
			var parts []string
			for _, l := range open {
				parts = append(parts, l.name)
			}
			out[settingName(strings.Join(parts, "."))] = strings.Trim(strings.TrimSpace(value), `"'`)
		}
	}
}

// settingName returns the name of a setting in the form in which all spellings of it are equal.
func settingName(name string) string {
	return strings.ReplaceAll(strings.ToLower(name), "-", "")
}

// setting returns the value of the first setting with one of the names, of the module of a file or, if only one module has
// it, of that; "" for none.
func (p *Project) setting(file string, names ...string) string {
	var found []string
	for _, name := range names {
		name = settingName(name)
		for _, dir := range slices.Backward(slices.Sorted(maps.Keys(p.Settings))) { // inner modules first
			value, ok := p.Settings[dir][name]
			switch {
			case !ok:
			case dir == "" || strings.HasPrefix(file, dir+"/"):
				return value
			case !slices.Contains(found, value):
				found = append(found, value)
			}
		}
	}
	if len(found) == 1 {
		return found[0]
	}
	return ""
}

// springText returns the text that a value stands for, with constants, concatenations and the settings in ${…}; false if it
// is not constant.
func (p *Project) springText(file string, v *code.Value) (string, bool) {
	text, ok := p.joinedText(file, v, 0)
	for ok {
		before, rest, found := strings.Cut(text, "${")
		name, after, closed := strings.Cut(rest, "}")
		if !found || !closed {
			break
		}
		name, otherwise, given := strings.Cut(strings.TrimRight(name, " "), ":")
		value := p.setting(file, name)
		if value == "" {
			if value = p.nameText(file, name); value == "" && !given {
				return "", false
			} else if value == "" {
				value = otherwise
			}
		}
		text = before + value + after
	}
	return text, ok
}

// nameText returns the text of a constant that a template of Kotlin names; "" for others.
func (p *Project) nameText(file, name string) string {
	text, _ := p.joinedText(file, &code.Value{Kind: code.ValueName, Text: name}, maxSteps-1)
	return text
}

// joinedText returns the text of a literal, a constant, or a concatenation of these.
func (p *Project) joinedText(file string, v *code.Value, depth int) (string, bool) {
	if v == nil || depth > maxSteps {
		return "", false
	}
	switch v.Kind {
	case code.ValueString:
		if len(v.Args) == 0 {
			return p.template(file, v.Text), true
		}
		parts := strings.Split(v.Text, "…")
		if len(parts) != len(v.Args)+1 {
			return "", false
		}
		var out strings.Builder
		out.WriteString(parts[0])
		for i := range v.Args {
			text, ok := p.joinedText(file, &v.Args[i], depth+1)
			if !ok {
				return "", false
			}
			out.WriteString(text + parts[i+1])
		}
		return out.String(), true
	case code.ValueName:
		if b, ok := p.constantAt(file, v); ok {
			return p.joinedText(b.File.Path, &b.Value, depth+1)
		}
	case code.ValueOther:
		if !strings.Contains(v.Text, "+") || len(v.Args) == 0 {
			return "", false
		}
		var out strings.Builder
		for i := range v.Args {
			text, ok := p.joinedText(file, &v.Args[i], depth+1)
			if !ok {
				return "", false
			}
			out.WriteString(text)
		}
		return out.String(), true
	default:
	}
	return "", false
}

// template replaces the names of constants in a string template of Kotlin: "$BASE/x".
func (p *Project) template(file, text string) string {
	f := p.files[file]
	if f == nil || f.Language != "kotlin" || !strings.Contains(text, "$") {
		return strings.ReplaceAll(text, `\$`, "$")
	}
	before, rest, ok := strings.Cut(text, "$")
	if !ok || strings.HasPrefix(rest, "{") || strings.HasSuffix(before, `\`) {
		return strings.ReplaceAll(text, `\$`, "$")
	}
	end := strings.IndexFunc(rest, func(c rune) bool { return c != '_' && (c < '0' || c > '9') && (c|0x20 < 'a' || c|0x20 > 'z') })
	if end < 0 {
		end = len(rest)
	}
	if value := p.nameText(file, rest[:end]); value != "" {
		return before + value + p.template(file, rest[end:])
	}
	return text
}

// constantAt returns the binding of a constant: a field of the class that is named before it, or of this file, or else the
// only one of its name.
func (p *Project) constantAt(file string, v *code.Value) (Bound, bool) {
	before, name := CutLast(v.Text)
	owner := Last(before)
	var here, all []Bound
	for _, b := range p.bindings[name] {
		if in, _ := CutLast(b.In); owner != "" && Last(in) != owner && Last(b.In) != owner && in != "" {
			continue
		}
		all = append(all, b)
		if b.File.Path == file {
			here = append(here, b)
		}
	}
	if len(here) == 1 || len(here) > 1 && owner != "" {
		return here[0], true
	}
	if len(all) == 0 || slices.ContainsFunc(all, func(b Bound) bool { return b.Value.Kind != all[0].Value.Kind || b.Value.Text != all[0].Value.Text }) {
		return Bound{}, false
	}
	return all[0], true
}

// springTexts returns the texts of a value that is one or a list of them.
func (p *Project) springTexts(file string, v *code.Value) []string {
	if v == nil {
		return nil
	}
	if text, ok := p.springText(file, v); ok {
		return []string{text}
	}
	if v.Kind == code.ValueName {
		if b, ok := p.constantAt(file, v); ok && b.Value.Kind != code.ValueName {
			return p.springTexts(b.File.Path, &b.Value)
		}
		return nil
	}
	var out []string
	for i := range v.Args {
		if text, ok := p.springText(file, &v.Args[i]); ok {
			out = append(out, text)
		}
	}
	return out
}
