package lang_test

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// scalaOpinion compares Scala with Scalameta, the parser of scalafmt, compiled to JavaScript
// (npm): universal-ctags does not read Scala.
func scalaOpinion() opinion {
	refused := map[string]bool{} // files that Scalameta cannot parse
	return opinion{
		language: "scala", grammar: syntax.Scala,
		list:   func(t *testing.T, b body) []definition { return scalameta(t, b, refused) },
		rename: func(d definition) string { return strings.ReplaceAll(d.name, "`", "") },
		reasons: []reason{
			{"a type or value of the name stands for the method, too: names are unique", func(d difference) bool { return !d.ours && d.call && namedIn(d.read.Symbols, d.name, false) }},
			{"a parse error that we report stands before it", func(d difference) bool {
				return slices.ContainsFunc(d.read.ParseErrors, func(e code.ParseError) bool { return e.Line <= d.line })
			}},
			{"Scalameta refuses the file in every dialect", func(d difference) bool { return refused[d.file] }},
		},
	}
}

// namedIn reports whether symbols contain one with a qualified name, parts separated by ".".
func namedIn(list []code.Symbol, name string, call bool) bool {
	for _, s := range list {
		rest, found := strings.CutPrefix(name, dotted(s.Name))
		isCall := s.Kind == code.Function || s.Kind == code.Method
		inside, nested := strings.CutPrefix(rest, ".")
		if found && (rest == "" && isCall == call || nested && namedIn(s.Members, inside, call)) {
			return true
		}
	}
	return false
}

// scalametaScript prints the types and methods of the files named on standard input, as JSON,
// with names in the form of package lang.
const scalametaScript = `
const { parseSource } = require(process.argv[1]);
const dialects = ["Scala3Future", "Scala213", "Scala212", "Sbt1"];
const read = (text) => {
  for (const dialect of dialects) {
    const tree = parseSource(text, { dialect });
    if (!tree.error) return tree;
  }
};
const bare = (s) => /[ .]/.test(s) ? s : s.replace(/` + "`" + `/g, "");
const files = JSON.parse(require("fs").readFileSync(0, "utf8"));
for (const { path, text } of files) {
  const tree = read(text);
  if (!tree) { console.log(JSON.stringify({ path, refused: true })); continue; }
  const source = (n) => text.slice(n.pos.start, n.pos.end);
  const lines = [0];
  for (let i = 0; i < text.length; i++) if (text[i] === "\n") lines.push(i + 1);
  const line = (at) => { let a = 0, b = lines.length; while (b - a > 1) { const m = (a + b) >> 1; if (lines[m] <= at) a = m; else b = m; } return a + 1; };
  let first;
  const emit = (name, pkg, owner, n, kind, call) => {
    let full = owner ? owner + "." + name : name;
    if (!owner && pkg !== (first ?? "")) full = pkg + "." + name;
    console.log(JSON.stringify({ path, line: line(n.pos.start), kind, name: (first ? first + "." : "") + full, call }));
    return full;
  };
  const plain = (s) => s.replace(/\/\*[^]*?\*\//g, "").replace(/\s+/g, " ").trim();
  const noArguments = (s) => { let d = 0, out = ""; for (const c of s) { if (c === "[") d++; else if (c === "]") d--; else if (!d) out += c; } return out; };
  const givenName = (n) => {
    if (n.name && n.name.value) return bare(n.name.value);
    const types = n.templ ? n.templ.inits.map((i) => plain(source(i.tpe))) : [plain(source(n.decltpe))];
    return "given " + types.join(" with ");
  };
  const walk = (n, pkg, owner) => {
    if (!n || !n.type) return;
    const kind = n.type.split(".").slice(-1)[0];
    const stats = (m, own) => { for (const s of m || []) walk(s, pkg, own); };
    const template = (own) => { const t = n.templ; if (!t) return; stats(t.early || (t.earlyClause || {}).stats, own); stats(t.body ? t.body.stats : t.stats, own); };
    switch (n.type) {
      case "Source": stats(n.stats, owner); break;
      case "Pkg": {
        pkg = (pkg ? pkg + "." : "") + plain(source(n.ref)).replace(/ /g, "");
        const body = n.body ? n.body.stats : n.stats;
        const braced = n.body && /^[{:]/.test(source(n.body));
        if (first === undefined || (!braced && chain === true)) first = pkg;
        chain = !braced && body && body.length > 0 && body[0].type === "Pkg";
        stats(body, owner);
        break;
      }
      case "Pkg.Object": case "Defn.Class": case "Defn.Trait": case "Defn.Object": case "Defn.Enum":
        template(emit(bare(n.name.value), pkg, owner, n.name, kind, false)); break;
      case "Defn.Given": template(emit(givenName(n), pkg, owner, n, kind, false)); break;
      case "Defn.GivenAlias": case "Decl.Given":
        if ((n.paramClauseGroups || (n.paramClauseGroup ? [n.paramClauseGroup] : [])).some((g) => source(g))) emit(givenName(n), pkg, owner, n, kind, true);
        break;
      case "Defn.Def": case "Decl.Def": case "Defn.Macro": emit(bare(n.name.value), pkg, owner, n.name, kind, true); break;
      case "Ctor.Secondary": emit("this", pkg, owner, n, kind, true); break;
      case "Defn.ExtensionGroup": {
        const groups = n.paramClauseGroup ? [n.paramClauseGroup] : n.paramClauseGroups || [];
        let receiver = "";
        for (const g of groups) for (const c of g.paramClauses || []) if (!receiver && !/^\(\s*(using|implicit)\b/.test(source(c))) receiver = plain(source(c.values[0].decltpe));
        const body = n.body.type === "Term.Block" ? n.body.stats : [n.body];
        for (const d of body) if (/Def$/.test(d.type)) emit(noArguments(receiver) + "." + bare(d.name.value), pkg, owner, d.name, "extension", true);
        break;
      }
    }
  };
  let chain = false;
  walk(tree, "", "");
}
`

// scalametaBatch is the number of files per process: the parser keeps everything it has read
// in memory.
const scalametaBatch = 200

// scalameta returns the definitions that Scalameta finds, and adds the files that it cannot
// parse to refused.
func scalameta(t *testing.T, b body, refused map[string]bool) []definition {
	t.Helper()
	module := filepath.Join(os.Getenv(corporaVariable), "scala", "scalameta", "main.js")
	if _, err := os.Stat(module); err != nil {
		t.Skip("scalameta-parsers is not fetched")
	}
	if _, err := exec.LookPath("node"); err != nil {
		t.Skip("node is not installed")
	}
	var list []definition
	for from := 0; from < len(b.files); from += scalametaBatch {
		list = append(list, scalametaFiles(t, module, b.files[from:min(from+scalametaBatch, len(b.files))], refused)...)
	}
	return list
}

func scalametaFiles(t *testing.T, module string, files []text, refused map[string]bool) []definition {
	t.Helper()
	type file struct {
		Path string `json:"path"`
		Text string `json:"text"`
	}
	var input []file
	for _, f := range files {
		input = append(input, file{f.path, string(f.src)})
	}
	in, err := json.Marshal(input)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("node", "--stack-size=8000", "-e", scalametaScript, module)
	cmd.Stdin = bytes.NewReader(in)
	var complaint strings.Builder
	cmd.Stderr = &complaint
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v: %s", err, complaint.String())
	}
	var list []definition
	for row := range bytes.Lines(out) {
		var d struct {
			Path, Kind, Name string
			Line             int
			Call, Refused    bool
		}
		if err := json.Unmarshal(row, &d); err != nil {
			t.Fatal(err)
		}
		if d.Refused {
			refused[d.Path] = true
			continue
		}
		list = append(list, definition{file: d.Path, line: d.Line, kind: d.Kind, name: dotted(d.Name), call: d.Call})
	}
	return list
}
