package drift

import (
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

// tsAliases are the types of TypeScript that aliases stand for, by name.
type tsAliases map[string]tsAlias

// tsAlias is the type that an alias stands for, with the names of its type parameters.
type tsAlias struct {
	params   []string
	defaults [][]string // the words of the defaults of type parameters; nil for none
	body     string
}

// aliasScope identifies the aliases that a file of a skeleton sees; "" for those that all files see.
type aliasScope struct {
	side *code.Skeleton
	file string
}

// tsAliases returns the aliases that a declaration sees: those of its own file, and those of others. A name that several others
// declare is left out: which one is meant is not known.
func (d *differ) tsAliases(s *code.Skeleton, of *code.Symbol) tsAliases {
	scope := aliasScope{side: s}
	if of != nil {
		scope.file = of.File
	}
	if out, ok := d.aliases[scope]; ok {
		return out
	}
	out := tsAliases{}
	if scope.file == "" {
		d.sharedAliases(s, out)
	} else {
		maps.Copy(out, d.tsAliases(s, nil))
		eachAlias(s, func(sym *code.Symbol, alias tsAlias) {
			switch {
			case sym.File != scope.file:
			case alias.body == "":
				delete(out, sym.Name)
			default:
				out[sym.Name] = alias
			}
		})
		d.importedAliases(s, scope.file, out)
	}
	d.aliases[scope] = out
	return out
}

// sharedAliases adds the aliases of a skeleton that have one meaning in it.
func (d *differ) sharedAliases(s *code.Skeleton, out tsAliases) {
	seen := map[string]string{}
	eachAlias(s, func(sym *code.Symbol, alias tsAlias) {
		body := squeeze(alias.body)
		if known, ok := seen[sym.Name]; ok {
			if known != body {
				delete(out, sym.Name)
			}
			return
		}
		if seen[sym.Name] = body; body != "" {
			out[sym.Name] = alias
		}
	})
}

// eachAlias calls see for each type of TypeScript with what it stands for; without a body for one that is not an alias.
func eachAlias(s *code.Skeleton, see func(sym *code.Symbol, alias tsAlias)) {
	for _, list := range [][]code.Symbol{s.Exports, s.Internals} {
		for i := range list {
			sym := &list[i]
			if group(sym.Kind) != "type" || !compatOf(sym.File, s.Language).openTypes {
				continue
			}
			alias := tsAlias{}
			if sym.Kind == code.TypeDef {
				alias = tsAlias{parameterNames(sym.TypeParameters), defaultsOf(sym.TypeParameters), uncommented(bodyOf(sym))}
			}
			see(sym, alias)
		}
	}
}

// spell writes a type with its aliases replaced, as a text for comparison. A type that is imported where it is used is its name.
func (a tsAliases) spell(text string) string {
	budget := maxSpelled
	return a.replaced(split(text), maxAliases, &budget)
}

// maxSpelled limits a spelled type, in words: aliases that use others often would become huge.
const maxSpelled = 20000

func (a tsAliases) replaced(words []string, depth int, budget *int) string {
	var out []string
	for i := 0; i < len(words); {
		if n := importType(words[i:]); n > 0 {
			i += n
			continue
		}
		w := words[i]
		alias, ok := a[w]
		qualified := i > 0 && words[i-1] == "."
		named := i+1 < len(words) && (words[i+1] == ":" || words[i+1] == "?") // a member or a parameter
		args, n := typeArgumentsOf(words[i+1:])
		args = alias.completed(args)
		if !ok || depth == 0 || *budget <= 0 || qualified || named || len(args) != len(alias.params) {
			out = append(out, w)
			i++
			continue
		}
		body := filled(split(alias.body), alias.params, args)
		*budget -= len(body)
		to := a.replaced(body, depth-1, budget)
		if strings.ContainsAny(to, "|&>?") && !strings.HasPrefix(to, "{") {
			to = "(" + to + ")"
		}
		if to != "" {
			out = append(out, to)
		}
		i += 1 + n
	}
	return joined(out)
}

// completed returns type arguments with the defaults of those that are not written, if all of these have one.
func (a tsAlias) completed(args [][]string) [][]string {
	for i := len(args); i < len(a.params); i++ {
		if a.defaults[i] == nil {
			return args
		}
		args = append(args[:i:i], filled(a.defaults[i], a.params[:i], args[:i]))
	}
	return args
}

// comment matches a comment of TypeScript, or a text, in which nothing is one.
var comment = regexp.MustCompile("(?s)/\\*.*?\\*/|//[^\n]*|'(?:[^'\\\\\n]|\\\\.)*'|\"(?:[^\"\\\\\n]|\\\\.)*\"|`(?:[^`\\\\]|\\\\.)*`")

// uncommented returns a type without comments.
func uncommented(text string) string {
	if !strings.Contains(text, "/") {
		return text
	}
	return comment.ReplaceAllStringFunc(text, func(part string) string {
		if part[0] == '/' {
			return " "
		}
		return part
	})
}

// defaultsOf returns the defaults of type parameters.
func defaultsOf(list []string) [][]string {
	out := make([][]string, len(list))
	for i, text := range list {
		words := split(text)
		for k, w := range words {
			if w == "=" && k+1 < len(words) && words[k+1] != ">" {
				out[i] = words[k+1:]
				break
			}
		}
	}
	return out
}

// withDefaults writes a type with the type arguments that its aliases have if none are written.
func (a tsAliases) withDefaults(text string) string {
	words := split(text)
	for i, w := range words {
		alias := a[w]
		args := alias.completed(nil)
		if len(args) == 0 || len(args) != len(alias.params) || i+1 < len(words) && words[i+1] == "<" {
			continue
		}
		var list []string
		for _, arg := range args {
			list = append(list, joined(arg))
		}
		words[i] = w + "<" + strings.Join(list, ", ") + ">"
	}
	return joined(words)
}

// redefaulted reports whether a type uses an alias without arguments that has other defaults now.
func (d *differ) redefaulted(p pair, text string) bool {
	before, now := d.tsAliases(d.base, p.old), d.tsAliases(d.now, p.now)
	words := split(text)
	for i, w := range words {
		a, b := before[w], now[w]
		bare := i+1 >= len(words) || words[i+1] != "<"
		if bare && len(a.params) > 0 && len(a.params) == len(b.params) && !slices.EqualFunc(a.defaults, b.defaults, slices.Equal) {
			return true
		}
	}
	return false
}

// aliasesTold reports whether users see a type of TypeScript that a type names, whose own change is an item.
func (d *differ) aliasesTold(text string) bool {
	words := split(text)
	return slices.ContainsFunc(d.now.Exports, func(s code.Symbol) bool {
		return s.Kind == code.TypeDef && len(s.TypeParameters) > 0 && slices.Contains(words, s.Name)
	})
}

// importType returns how many words import("./file"). has at the start of words; 0 for something else.
func importType(words []string) int {
	if len(words) > 5 && words[0] == "import" && words[1] == "(" && strings.HasPrefix(words[2], `"`) && words[3] == ")" && words[4] == "." {
		return 5
	}
	return 0
}

// typeArgumentsOf returns the type arguments at the start of words, and how many words they have.
func typeArgumentsOf(words []string) (args [][]string, n int) {
	if len(words) == 0 || words[0] != "<" {
		return nil, 0
	}
	depth, from := 0, 1
	for i, w := range words {
		switch w {
		case "<", "(", "[", "{":
			depth++
		case ">", ")", "]", "}":
			if w != ">" || words[i-1] != "=" {
				depth--
			}
		}
		if depth == 0 || depth == 1 && w == "," {
			args, from = append(args, words[from:i]), i+1
		}
		if depth == 0 {
			return args, i + 1
		}
	}
	return nil, 0
}

// filled replaces type parameters by arguments.
func filled(words, params []string, args [][]string) []string {
	var out []string
	for i, w := range words {
		k := slices.Index(params, w)
		if k < 0 || i > 0 && words[i-1] == "." {
			out = append(out, w)
			continue
		}
		out = append(append(append(out, "("), args[k]...), ")")
	}
	return out
}

// parameterNames returns the names of type parameters of TypeScript.
func parameterNames(list []string) []string {
	var out []string
	for _, text := range list {
		words := slices.DeleteFunc(split(text), func(w string) bool { return w == "const" || w == "in" || w == "out" })
		if len(words) > 0 {
			out = append(out, words[0])
		}
	}
	return out
}
