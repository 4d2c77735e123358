package proposal

import (
	"fmt"
	"math"
	"path"
	"strconv"
	"strings"
)

func ecmaFile(at Place, cases []Case) string {
	var b strings.Builder
	typed := strings.Contains(path.Ext(at.Path), "ts")
	fmt.Fprintf(&b, "// %s; it is replaced when the tests are written again.\n", Mark)
	names := ecmaNames(cases)
	switch {
	case at.Requires && at.Tool == "vitest":
		fmt.Fprintf(&b, "const { expect, it } = require('vitest')\nconst { %s } = require('%s')\n", strings.Join(names, ", "), at.Module)
	case at.Requires:
		fmt.Fprintf(&b, "const { %s } = require('%s')\n", strings.Join(names, ", "), at.Module)
	default:
		from := "vitest"
		if at.Tool == "jest" {
			from = "@jest/globals"
		}
		fmt.Fprintf(&b, "import { expect, it } from '%s'\n", from)
		if c := &cases[0]; c.Function.Default {
			fmt.Fprintf(&b, "import %s from '%s'\n", names[0], at.Module)
		} else {
			fmt.Fprintf(&b, "import { %s } from '%s'\n", strings.Join(names, ", "), at.Module)
		}
	}
	for _, g := range groups(cases, inECMAScript) {
		cast := ""
		if typed {
			cast = " as never"
		}
		b.WriteString("\nit.each([\n")
		for i := range g {
			c := &g[i]
			fmt.Fprintf(&b, "  { title: %s, args: [%s], message: %s },\n", quoted(c.title()), strings.Join(ecmaArguments(c, cast), ", "), quoted(c.Message))
		}
		callee := inECMAScript(&g[0])
		fmt.Fprintf(&b, "])(%s, async ({ args, message }) => {\n  await expect(async () => %s(...(args%s))).rejects.toThrow(message)\n})\n", quoted(g[0].subject()+" $title"), callee, cast)
	}
	return b.String()
}

// ecmaNames returns what is imported: the functions, or the classes of methods and constructors.
func ecmaNames(cases []Case) []string {
	var out []string
	seen := map[string]bool{}
	for i := range cases {
		name, _, _ := strings.Cut(strings.TrimPrefix(cases[i].subject(), "new "), ".")
		if !seen[name] {
			seen[name] = true
			out = append(out, name)
		}
	}
	return out
}

func ecmaArguments(c *Case, cast string) []string {
	var out []string
	last := 0
	for i, p := range c.Function.Params {
		x := c.Args[i]
		if x != any(Any{}) || !p.Variadic && p.Default == "" && !p.Optional {
			last = i + 1
		}
	}
	for i, p := range c.Function.Params[:last] {
		if c.Args[i] == any(Any{}) && (p.Variadic || p.Default != "" || p.Optional) {
			out = append(out, "undefined"+cast)
			continue
		}
		out = append(out, ecmaValue(c.Args[i], p.Type))
	}
	return out
}

func ecmaValue(x any, typ string) string {
	switch x := x.(type) {
	case Any:
		switch kindOf("typescript", typ) {
		case Real:
			return "1"
		case Truth:
			return "true"
		default:
			return `"a"`
		}
	case nil:
		return "null"
	case undefined:
		return "undefined"
	case string:
		return textLiteral(x, func(n int) string { return fmt.Sprintf("%q.repeat(%d)", x[:1], n) })
	case float64:
		switch {
		case math.IsNaN(x):
			return "NaN"
		case math.IsInf(x, 0):
			return "Infinity"
		}
		return strconv.FormatFloat(x, 'f', -1, 64)
	case []any:
		return "[" + joinAll(x, func(x any) string { return ecmaValue(x, "") }) + "]"
	}
	return fmt.Sprint(x)
}
