package spec

import (
	"bytes"
	"cmp"
	"fmt"
	"strings"
	"time"

	"github.com/reverse-spec/reverse-spec/internal/wording"
	"github.com/reverse-spec/reverse-spec/spec/markdown"
)

// Index is the overview of a project's specs.
type Index struct {
	ProjectName  string
	Purpose      []string // paragraphs that say what the project is, in Markdown; nil if unknown
	Modules      []IndexModule
	Entries      []IndexEntry // where programs start and what they serve
	Flows        []IndexFlow
	Diagram      string   // Mermaid; "" if modules do not depend on each other, or are too many to draw
	CrossCutting []string // modules that three or more others depend on
	Technologies []Technology
	Version      string // v1, v2, ...; "" for v1
	Lang         string // "en" or "zh"
	OutputDir    string // folder of the index, relative to the project
	Now          time.Time
}

// IndexModule is one module.
type IndexModule struct {
	Name         string
	SpecPath     string // relative to the project; "" if it has none
	Role         Role
	Description  string
	Level        int // 0 depends on no other module
	Dependencies []string
	LOC          int
	Confidence   Confidence
	Health       string
	Requirements int // on the page
	Tested       int // those of them that name a test
}

// Role is what a module is for.
type Role int

// Roles, in the order of the index. Those from Tooling on are listed in short.
const (
	EntryRole   Role = iota // a program starts there, or it serves routes
	PublicRole              // other projects can import it
	PrivateRole             // only this project uses it
	ToolingRole             // builds and releases the project
	SupportRole             // supports tests
	BenchmarkRole
	ExampleRole
	DocsRole
)

// roleNames are the headings and labels of the roles.
var roleNames = [...][2]string{
	EntryRole: {"Entry points", "入口"}, PublicRole: {"Public packages", "公开的包"}, PrivateRole: {"Internal packages", "内部的包"},
	ToolingRole: {"Build and scripts", "构建与脚本"}, SupportRole: {"Test support", "测试支持"}, BenchmarkRole: {"Benchmarks", "基准测试"},
	ExampleRole: {"Examples", "示例"}, DocsRole: {"Documentation", "文档"},
}

// IndexEntry is a way into the project.
type IndexEntry struct {
	Kind   EntryKind
	Module string
	Place  string   // of a program: file:line
	Names  []string // of commands, routes or services; of a program its function, "" for the file's own statements
}

// EntryKind is a kind of [IndexEntry].
type EntryKind int

// Kinds of entries.
const (
	ProgramEntry EntryKind = iota
	CommandEntry
	RouteEntry
	ServiceEntry
)

// IndexFlow is the way of the calls from an entry through the modules.
type IndexFlow struct {
	From  string // what starts it: a function, a route
	Place string // file:line
	Steps []FlowStep
	More  int // modules that it also reaches
}

// FlowStep is a module that a flow reaches.
type FlowStep struct {
	Module   string
	Function string // through which the flow enters it
}

// Technology is a part of the project's stack.
type Technology struct{ Category, Name, Version, Purpose string }

// RenderIndex returns the index as Markdown.
func RenderIndex(x Index) []byte {
	b := &indexPage{Index: &x, specs: map[string]string{}}
	for _, m := range x.Modules {
		b.specs[m.Name] = m.SpecPath
	}
	fmt.Fprintf(b, "---\ntype: architecture-index\nversion: %s\ngeneratedBy: %s\nprojectRoot: .\ntotalModules: %d\nlastUpdated: %q\n---\n\n",
		cmp.Or(x.Version, "v1"), Generator, len(x.Modules), x.Now.UTC().Format(time.RFC3339))
	fmt.Fprintf(b, "# %s: %s\n\n", b.in("Architecture index", "架构索引"), markdown.Title(x.ProjectName))
	b.purpose()
	b.entries()
	b.flows()
	fmt.Fprintf(b, "## %s\n\n%s\n\n", b.in("Architecture", "架构模式"), b.pattern())
	b.moduleMap()
	b.diagram()
	b.crossCutting()
	b.technologies()
	return append(bytes.TrimRight(b.Bytes(), "\n"), '\n')
}

// indexPage is an index that is being written.
type indexPage struct {
	bytes.Buffer
	*Index
	specs map[string]string // by module
}

func (b *indexPage) in(en, zh string) string { return wording.In(b.Lang, en, zh) }

func (b *indexPage) purpose() {
	fmt.Fprintf(b, "## %s\n\n", b.in("System purpose", "系统目的"))
	if len(b.Purpose) == 0 {
		b.WriteString(b.in("The code documents no purpose.", "代码中没有说明。") + "\n\n")
	}
	for _, text := range b.Purpose {
		b.WriteString(markdown.Quoted(text) + "\n\n")
	}
}

// Limits of the lists of an index.
const (
	maxIndexEntries = 12
	maxEntryNames   = 6
	maxCrossCutting = 8
)

// entries lists where programs start, their commands and what they serve.
func (b *indexPage) entries() {
	if len(b.Entries) == 0 {
		return
	}
	fmt.Fprintf(b, "## %s\n\n", b.in("Entry points", "入口"))
	for _, e := range b.Entries[:min(len(b.Entries), maxIndexEntries)] {
		fmt.Fprintf(b, "- %s\n", b.entry(e))
	}
	b.rest(len(b.Entries) - maxIndexEntries)
	b.WriteString("\n")
}

// rest writes a row that counts what is left out.
func (b *indexPage) rest(left int) {
	if left > 0 {
		fmt.Fprintf(b, b.in("- … and %d more\n", "- …另有 %d 项\n"), left)
	}
}

func (b *indexPage) entry(e IndexEntry) string {
	at := b.link(e.Module)
	switch e.Kind {
	case ProgramEntry:
		if e.Names[0] == "" {
			return fmt.Sprintf(b.in("A program: %[1]s, of %[2]s", "程序：%[1]s（%[2]s）"), markdown.Code(e.Place), at)
		}
		return fmt.Sprintf(b.in("A program: %[1]s (%[2]s), of %[3]s", "程序：%[1]s（%[2]s，%[3]s）"), markdown.Code(e.Names[0]), markdown.Code(e.Place), at)
	case CommandEntry:
		return fmt.Sprintf(b.in("%[1]s in %[2]s: %[3]s", "%[2]s 中有 %[4]d 条命令：%[3]s"), wording.Count(len(e.Names), "command"), at, b.names(e.Names), len(e.Names))
	case RouteEntry:
		return fmt.Sprintf(b.in("%[1]s in %[2]s: %[3]s", "%[2]s 中有 %[4]d 条路由：%[3]s"), wording.Count(len(e.Names), "route"), at, b.names(e.Names), len(e.Names))
	case ServiceEntry:
	}
	return fmt.Sprintf(b.in("%[1]s in %[2]s: %[3]s", "%[2]s 中有 %[4]d 个服务：%[3]s"), wording.Count(len(e.Names), "service"), at, b.names(e.Names), len(e.Names))
}

// names lists the first of some names as code.
func (b *indexPage) names(list []string) string {
	var out []string
	for _, name := range list[:min(len(list), maxEntryNames)] {
		out = append(out, markdown.Code(name))
	}
	return strings.Join(out, b.in(", ", "、")) + more(len(list)-len(out))
}

// more returns a note of how many items are left out; "" for none.
func more(left int) string {
	if left <= 0 {
		return ""
	}
	return fmt.Sprintf(" … +%d", left)
}

// flows says through which modules calls go.
func (b *indexPage) flows() {
	if len(b.Flows) == 0 {
		return
	}
	fmt.Fprintf(b, "## %s\n\n%s\n\n", b.in("Flow", "调用流程"),
		b.in("The modules that the calls from an entry reach, the nearest first, each with the function that is entered first. A call of an interface may reach any of its implementations.",
			"从入口出发的调用所到达的模块，由近及远，并注明最先进入的函数。对接口的调用可能到达它的任一实现。"))
	for _, f := range b.Flows {
		from := markdown.Code(f.From)
		if f.From == "" {
			from = markdown.Code(f.Place)
		} else if f.Place != "" {
			from += " (" + markdown.Code(f.Place) + ")"
		}
		for _, s := range f.Steps {
			from += " → " + b.link(s.Module)
			if s.Function != "" {
				from += " " + markdown.Code(s.Function)
			}
		}
		fmt.Fprintf(b, "- %s%s\n", from, more(f.More))
	}
	b.WriteString("\n")
}

// pattern describes the modules, their dependencies and their specs in numbers.
func (b *indexPage) pattern() string {
	top, free, lines, reqs, tested := 0, 0, 0, 0, 0
	for _, m := range b.Modules {
		top = max(top, m.Level)
		lines, reqs, tested = lines+m.LOC, reqs+m.Requirements, tested+m.Tested
		if m.Level == 0 {
			free++
		}
	}
	text := fmt.Sprintf(b.in("%[1]s with %[2]s, in %[3]s of dependencies; %[4]d of them depend on no other module of the project.",
		"%[5]d 个模块，共 %[6]d 行，依赖分 %[7]d 层；其中 %[4]d 个不依赖本项目的其他模块。"),
		wording.Count(len(b.Modules), "module"), wording.Count(lines, "line"), wording.Count(top+1, "level"), free, len(b.Modules), lines, top+1)
	text += "\n\n" + fmt.Sprintf(b.in("The specs state %[1]s on their pages, %[2]d of them with a test.", "各规格页面共列出 %[3]d 条需求，其中 %[2]d 条有测试。"),
		wording.Count(reqs, "requirement"), tested, reqs)
	if health := b.healths(b.Modules); health != "" {
		text += fmt.Sprintf(b.in(" Health of the specs: %s.", "规格健康状况：%s。"), health)
	}
	return text
}

func (b *indexPage) diagram() {
	if b.Diagram != "" {
		fmt.Fprintf(b, "## %s\n\n%s\n\n", b.in("Dependency diagram", "依赖关系图"), markdown.Fenced("mermaid", b.Diagram))
	}
}

// crossCutting lists the modules that many others depend on.
func (b *indexPage) crossCutting() {
	if len(b.CrossCutting) == 0 {
		return
	}
	var list []string
	for _, name := range b.CrossCutting[:min(len(b.CrossCutting), maxCrossCutting)] {
		list = append(list, b.link(name))
	}
	fmt.Fprintf(b, "## %s\n\n%s%s%s\n\n", b.in("Cross-cutting concerns", "横切关注点"),
		b.in("Three or more modules depend on: ", "被三个以上模块依赖："), strings.Join(list, b.in(", ", "、")), more(len(b.CrossCutting)-len(list)))
}

// link returns the name of a module, linked to its spec.
func (b *indexPage) link(module string) string {
	if file := b.specs[module]; file != "" {
		return fmt.Sprintf("[%s](%s)", markdown.Code(module), linkTo(b.OutputDir, file))
	}
	return markdown.Code(module)
}

// linkTo returns the path of a spec relative to the index.
func linkTo(outputDir, specPath string) string {
	rel := strings.TrimPrefix(specPath, cmp.Or(outputDir, DefaultOutputDir)+"/")
	return strings.ReplaceAll(rel, " ", "%20")
}

func (b *indexPage) technologies() {
	fmt.Fprintf(b, "## %s\n\n", b.in("Technologies", "技术栈"))
	if len(b.Technologies) == 0 {
		b.WriteString(b.in("No package manifest was found.", "未发现包清单。") + "\n")
		return
	}
	fmt.Fprintf(b, "| %s | %s | %s | %s |\n|---|---|---|---|\n", b.in("Category", "类别"), b.in("Technology", "技术"), b.in("Version", "版本"), b.in("Purpose", "用途"))
	for _, t := range b.Technologies {
		fmt.Fprintf(b, "| %s | %s | %s | %s |\n", markdown.Cell(t.Category), markdown.Cell(t.Name), markdown.Cell(t.Version), markdown.Cell(t.Purpose))
	}
}
