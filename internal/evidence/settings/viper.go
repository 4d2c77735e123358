package settings

import (
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

// readViper reads the keys that programs in Go give to viper, with the variables that set them.
func readViper(s Source) Declared {
	var out Declared
	env := viperEnvironment(s)
	seen := map[Place]bool{}
	s.eachCalling(callsViper, func(p site) {
		v := p.value
		name, ok := literal(v.Arg(0))
		kind, reads := got(v)
		if !ok || !isName(name) || !reads && !onViper(v, "SetDefault") || seen[p.place(name)] {
			return
		}
		seen[p.place(name)] = true
		r := Setting{Name: name, Key: true, In: p.in, Type: kind, At: []Place{p.place(name)}}
		if !reads {
			r.Default = Written(v.Arg(1))
		}
		if variable := env.variable(name); variable != "" {
			r.Also = []string{variable}
		}
		out.add(&r)
	})
	return out
}

// callsViper reports whether a call may be one of viper.
func callsViper(c *code.Call) bool { return c.Receiver == "viper" || c.Receiver == "v" }

// onViper reports whether a value is a call of viper with a name.
func onViper(v *code.Value, name string) bool {
	before, last := split(v.Text)
	return v.Kind == code.ValueCall && last == name && (before == "viper" || before == "v")
}

// viperVariables is how viper finds the variables of keys.
type viperVariables struct {
	prefix              string
	automatic, replaced bool
}

// viperEnvironment reads how a program sets viper up.
func viperEnvironment(s Source) (out viperVariables) {
	s.eachCalling(callsViper, func(p site) {
		switch v := p.value; {
		case onViper(v, "SetEnvPrefix"):
			out.prefix, _ = literal(v.Arg(0))
		case onViper(v, "AutomaticEnv"):
			out.automatic = true
		case onViper(v, "SetEnvKeyReplacer"):
			out.replaced = true
		}
	})
	return out
}

// variable returns the variable that sets a key; "" for none.
func (e viperVariables) variable(key string) string {
	if !e.automatic || !e.replaced && strings.Contains(key, ".") {
		return ""
	}
	return strings.NewReplacer(".", "_", "-", "_").Replace(strings.ToUpper(strings.TrimPrefix(e.prefix+"_"+key, "_")))
}

// got returns the type of what a call gets from viper, as far as its name says it; false for other calls.
func got(v *code.Value) (kind string, ok bool) {
	_, name := split(v.Text)
	kind, ok = strings.CutPrefix(name, "Get")
	if !ok || !onViper(v, name) {
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
