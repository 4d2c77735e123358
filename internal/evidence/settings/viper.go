package settings

import (
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

// readViper reads the keys that programs in Go give to viper, with the variables that set them.
func readViper(s Source) Declared {
	var out Declared
	prefix, automatic, replaced := "", false, false
	at := func(v *code.Value, name string) bool {
		before, last := split(v.Text)
		return v.Kind == code.ValueCall && last == name && (before == "viper" || before == "v")
	}
	s.each([]string{"go"}, func(p site) {
		switch v := p.value; {
		case at(v, "SetEnvPrefix"):
			prefix, _ = literal(v.Arg(0))
		case at(v, "AutomaticEnv"):
			automatic = true
		case at(v, "SetEnvKeyReplacer"):
			replaced = true
		}
	})
	seen := map[Place]bool{}
	s.each([]string{"go"}, func(p site) {
		v := p.value
		name, ok := literal(v.Arg(0))
		kind, reads := got(v, at)
		if !ok || !isName(name) || !reads && !at(v, "SetDefault") || seen[p.place(name)] {
			return
		}
		seen[p.place(name)] = true
		r := Setting{Name: name, Key: true, In: p.in, Type: kind, At: []Place{p.place(name)}}
		if !reads {
			r.Default = Written(v.Arg(1))
		}
		if variable := strings.ToUpper(strings.TrimPrefix(prefix+"_"+name, "_")); automatic && (replaced || !strings.Contains(name, ".")) {
			r.Also = []string{strings.NewReplacer(".", "_", "-", "_").Replace(variable)}
		}
		out.add(&r)
	})
	return out
}

// got returns the type of what a call gets from viper, as far as its name says it; false for other calls.
func got(v *code.Value, at func(v *code.Value, name string) bool) (kind string, ok bool) {
	_, name := split(v.Text)
	kind, ok = strings.CutPrefix(name, "Get")
	if !ok || !at(v, name) || v.Kind != code.ValueCall {
		return "", false
	}
	switch kind {
	case "Bool", "Int", "Int32", "Int64", "Uint", "Float64", "String":
		kind = strings.ToLower(kind)
	case "StringSlice":
		kind = "[]string"
	case "Duration":
		kind = "time.Duration"
	default:
		kind = ""
	}
	return kind, true
}
