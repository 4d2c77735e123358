package message

// zhGenerate is what the commands prepare, generate and batch say.
func zhGenerate() []Entry {
	return []Entry{
		{"--offset is for --json", "--offset 用于 --json"},
		{"--price is for --dry-run", "--price 用于 --dry-run"},
		{"%s: --offset %d", "%s：--offset %d"},
		{"%d more symbols", "另有 %d 个符号"},
		{"write the secrets found: %w", "写出发现的敏感信息：%v"},
		{"%s in %s; none of them leaves the project", "%[2]s中发现 %[1]s，均不会离开本项目"},
		{"%d secrets", "%d 处敏感信息"},
		{"%w; the spec with what the code proves is printed", "%v；已打印仅含代码可证明内容的规格"},
		{"%s  (confidence %s)", "%s （置信度 %s）"},
		{"%s  (confidence %s, %d tokens)", "%s （置信度 %s，%d 个 token）"},
		{"%d of %d modules failed", "%[2]d 个模块中有 %[1]d 个失败"},
		{"failed: %s: %s", "失败：%s：%s"},
		{
			"%s is taken for a project of its own: its specs go to %s, and their paths begin there. For the whole project: reverse-spec batch; for this folder of it: reverse-spec generate %s",
			"%s 被当作独立的项目：其规格写入 %s，其中的路径从该处算起。整个项目：reverse-spec batch；仅此文件夹：reverse-spec generate %s",
		},
		{"without a spec: %s of examples, benchmarks, test support or documentation (--everywhere writes them)", "没有规格：%s属于示例、基准测试、测试支持或文档（--everywhere 会生成）"},
		{"%s: %d written, %d unchanged, %d failed in %v", "%s：写入 %d 个，未变 %d 个，失败 %d 个，用时 %v"},
		{"%d modules", "%d 个模块"},
		{"summary: %s", "摘要：%s"},
		{"%s: %v; next attempt in %v", "%s：%v；%v 后重试"},
	}
}
