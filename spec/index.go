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
	Purpose      string // of the project, in Markdown; "" if unknown
	Modules      []IndexModule
	Diagram      string   // Mermaid
	CrossCutting []string // modules that three or more others depend on
	Technologies []Technology
	Version      string // v1, v2, ...; "" for v1
	Lang         string // "en" or "zh"
	OutputDir    string // folder of the index, relative to the project
	Now          time.Time
}

// IndexModule is one module's row.
type IndexModule struct {
	Name         string
	SpecPath     string // relative to the project
	Description  string
	Level        int // 0 depends on no other module
	Dependencies []string
	Exports      int
	LOC          int
	Confidence   Confidence
}

// Technology is a part of the project's stack.
type Technology struct{ Category, Name, Version, Purpose string }

// RenderIndex returns the index as Markdown.
func RenderIndex(x Index) []byte {
	var b bytes.Buffer
	in := func(en, zh string) string { return wording.In(x.Lang, en, zh) }
	fmt.Fprintf(&b, "---\ntype: architecture-index\nversion: %s\ngeneratedBy: %s\nprojectRoot: .\ntotalModules: %d\nlastUpdated: %q\n---\n\n",
		cmp.Or(x.Version, "v1"), Generator, len(x.Modules), x.Now.UTC().Format(time.RFC3339))
	fmt.Fprintf(&b, "# %s: %s\n\n", in("Architecture index", "架构索引"), markdown.Title(x.ProjectName))
	fmt.Fprintf(&b, "## %s\n\n%s\n\n", in("System purpose", "系统目的"), cmp.Or(markdown.Quoted(x.Purpose), in("The code documents no purpose.", "代码中没有说明。")))
	fmt.Fprintf(&b, "## %s\n\n%s\n\n", in("Architecture", "架构模式"), x.pattern())
	x.moduleMap(&b)
	fmt.Fprintf(&b, "## %s\n\n", in("Dependency diagram", "依赖关系图"))
	if x.Diagram == "" {
		b.WriteString(in("No module imports another.", "模块之间没有依赖。") + "\n\n")
	} else {
		b.WriteString(markdown.Fenced("mermaid", x.Diagram) + "\n\n")
	}
	fmt.Fprintf(&b, "## %s\n\n", in("Cross-cutting concerns", "横切关注点"))
	if len(x.CrossCutting) == 0 {
		b.WriteString(in("No module is imported by three or more others.", "没有被三个以上模块依赖的模块。") + "\n\n")
	}
	for _, name := range x.CrossCutting {
		fmt.Fprintf(&b, "- `%s`\n", name)
	}
	if len(x.CrossCutting) > 0 {
		b.WriteString("\n")
	}
	x.technologies(&b)
	return b.Bytes()
}

// pattern describes the dependencies between modules in numbers.
func (x *Index) pattern() string {
	top, free := 0, 0
	for _, m := range x.Modules {
		top = max(top, m.Level)
		if m.Level == 0 {
			free++
		}
	}
	return fmt.Sprintf(wording.In(x.Lang, "%s in %s; %d of them rest on no other module of the project.",
		"%s，%s；其中 %d 个不依赖本项目的其他模块。"),
		wording.Count(len(x.Modules), "module"), wording.Count(top+1, "level"), free)
}

func (x *Index) moduleMap(b *bytes.Buffer) {
	in := func(en, zh string) string { return wording.In(x.Lang, en, zh) }
	fmt.Fprintf(b, "## %s\n\n| %s | %s | %s | %s | %s | %s |\n|---|---|---|---|---|---|\n", in("Module map", "模块映射"),
		in("Module", "模块"), in("Description", "说明"), in("Level", "拓扑层级"), in("Depends on", "依赖"), in("Exports", "导出"), in("Lines", "行数"))
	for _, m := range x.Modules {
		name := markdown.Code(m.Name)
		if m.SpecPath != "" {
			name = fmt.Sprintf("[%s](%s)", markdown.Code(m.Name), linkTo(x.OutputDir, m.SpecPath))
		}
		fmt.Fprintf(b, "| %s | %s | %d | %s | %d | %d |\n", markdown.Cell(name), markdown.Cell(m.Description), m.Level,
			markdown.Cell(strings.Join(m.Dependencies, ", ")), m.Exports, m.LOC)
	}
	b.WriteString("\n")
}

// linkTo returns the path of a spec relative to the index.
func linkTo(outputDir, specPath string) string {
	rel := strings.TrimPrefix(specPath, cmp.Or(outputDir, DefaultOutputDir)+"/")
	return strings.ReplaceAll(rel, " ", "%20")
}

func (x *Index) technologies(b *bytes.Buffer) {
	in := func(en, zh string) string { return wording.In(x.Lang, en, zh) }
	fmt.Fprintf(b, "## %s\n\n", in("Technologies", "技术栈"))
	if len(x.Technologies) == 0 {
		b.WriteString(in("No package manifest was found.", "未发现包清单。") + "\n")
		return
	}
	fmt.Fprintf(b, "| %s | %s | %s | %s |\n|---|---|---|---|\n", in("Category", "类别"), in("Technology", "技术"), in("Version", "版本"), in("Purpose", "用途"))
	for _, t := range x.Technologies {
		fmt.Fprintf(b, "| %s | %s | %s | %s |\n", markdown.Cell(t.Category), markdown.Cell(t.Name), markdown.Cell(t.Version), markdown.Cell(t.Purpose))
	}
}
