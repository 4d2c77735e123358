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
	cases, written := apart(cases)
	ecmaImports(&b, at, cases, written)
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
	for i := range written {
		c := &written[i]
		fmt.Fprintf(&b, "\nit(%s, async () => {\n  await expect(async () => {\n%s\n  }).rejects.toThrow(%s)\n})\n", quoted(c.Callee+" "+c.title()), indented(c.Body, "    "), quoted(c.Message))
	}
	return b.String()
}

// ecmaImports writes the imports: of the tool, of what is called by its name, and of the module for what a model wrote.
func ecmaImports(b *strings.Builder, at Place, cases, written []Case) {
	load := func(what, from string) {
		if at.Requires {
			fmt.Fprintf(b, "const %s = require('%s')\n", strings.TrimPrefix(what, "* as "), from)
		} else {
			fmt.Fprintf(b, "import %s from '%s'\n", what, from)
		}
	}
	switch {
	case at.Tool == "vitest":
		load("{ expect, it }", "vitest")
	case !at.Requires: // what is required has them as globals
		load("{ expect, it }", "@jest/globals")
	}
	for _, line := range importsOf(written) {
		b.WriteString(line + "\n")
	}
	names := ecmaNames(cases)
	switch {
	case len(names) == 0:
	case cases[0].Function.Default && !at.Requires:
		load(names[0], at.Module)
	default:
		load("{ "+strings.Join(names, ", ")+" }", at.Module)
	}
	if len(written) > 0 {
		load("* as target", at.Module)
	}
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
