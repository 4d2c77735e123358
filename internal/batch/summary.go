package batch

import (
	"bytes"
	"fmt"
	"path"
	"strings"
	"time"

	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/wording"
)

// writeSummary writes a summary of the run next to the specs.
func (b *run) writeSummary() error {
	end := b.opts.Now()
	file := path.Join(b.opts.OutputDir, fmt.Sprintf("batch-summary-%d.md", end.UnixMilli()))
	if err := b.project.WriteFile(file, b.summary(end)); err != nil {
		return message.Errorf("write the summary: %w", err)
	}
	b.result.SummaryLogPath = file
	return nil
}

func (b *run) summary(end time.Time) []byte {
	in := func(en, zh string) string { return wording.In(string(b.lang), en, zh) }
	r := b.result
	var out bytes.Buffer
	fmt.Fprintf(&out, "# %s\n\n", in("Batch summary", "批处理摘要日志"))
	fmt.Fprintf(&out, "| | |\n|---|---|\n")
	for _, row := range [][2]string{
		{in("Batch", "批次"), b.state.now.BatchID},
		{in("Started", "开始"), stamp(b.begin)},
		{in("Duration", "耗时"), end.Sub(b.begin).Round(time.Millisecond).String()},
		{in("Modules", "模块总数"), fmt.Sprint(r.TotalModules)},
		{in("Written", "成功"), fmt.Sprint(len(r.Successful))},
		{in("Unchanged", "跳过"), fmt.Sprint(len(r.Skipped))},
		{in("Failed", "失败"), fmt.Sprint(len(r.Failed))},
		{in("Without the model asked for", "降级"), fmt.Sprint(len(r.Degraded))},
		{in("Goes on from a run before", "断点恢复"), in(map[bool]string{true: "yes", false: "no"}[r.Resumed], map[bool]string{true: "是", false: "否"}[r.Resumed])},
		{in("Folders of tests only", "仅含测试的文件夹"), fmt.Sprint(r.LeftOut.TestOnly)},
		{in("Folders of third-party code", "第三方代码文件夹"), fmt.Sprint(r.LeftOut.Vendored)},
		{in("Folders of generated code", "生成代码文件夹"), fmt.Sprint(r.LeftOut.Generated)},
		{in("Folders of examples, benchmarks, test support and documentation", "示例、基准测试、测试支持与文档文件夹"), fmt.Sprint(r.LeftOut.Beside)},
		{in("Files not read", "未读取的文件"), b.plan.skipped.String()},
		{in("Imports of files that were not read", "未解析到文件的引用"), fmt.Sprint(b.plan.missing)},
	} {
		fmt.Fprintf(&out, "| %s | %s |\n", row[0], cell(row[1]))
	}
	if len(r.Failed) > 0 {
		fmt.Fprintf(&out, "\n## %s\n\n| %s | %s | %s |\n|---|---|---|\n", in("Failed", "失败"), in("Module", "模块"), in("Error", "错误"), in("Failed before", "此前失败次数"))
		for _, f := range r.Failed {
			fmt.Fprintf(&out, "| `%s` | %s | %d |\n", cell(f.Path), cell(f.Error), f.RetryCount)
		}
	}
	b.listWritten(&out, in)
	if len(r.Skipped) > 0 {
		fmt.Fprintf(&out, "\n## %s\n\n", in("Unchanged", "跳过"))
		for _, name := range r.Skipped {
			fmt.Fprintf(&out, "- `%s`\n", name)
		}
	}
	if len(r.Warnings) > 0 {
		fmt.Fprintf(&out, "\n## %s\n\n", in("Warnings", "警告"))
		for _, w := range r.Warnings {
			fmt.Fprintf(&out, "- %s\n", strings.Join(strings.Fields(w), " "))
		}
	}
	return out.Bytes()
}

func (b *run) listWritten(out *bytes.Buffer, in func(en, zh string) string) {
	if len(b.result.Successful) == 0 {
		return
	}
	fmt.Fprintf(out, "\n## %s\n\n| %s | Spec | %s | %s |\n|---|---|---|---|\n", in("Written", "成功"), in("Module", "模块"), in("Level", "拓扑层级"), in("Confidence", "置信度"))
	for _, m := range b.plan.modules {
		if m.outcome == written {
			fmt.Fprintf(out, "| `%s` | `%s` | %d | %s |\n", cell(m.Path), cell(m.SpecPath), m.Level, m.Confidence)
		}
	}
}

// cell escapes text for a table cell.
func cell(text string) string {
	return strings.ReplaceAll(strings.Join(strings.Fields(text), " "), "|", `\|`)
}
