package message

// zhPlaces is what is said of where the program works: files that others run, folders
// that cannot be written, and runs that go on at the same time.
func zhPlaces() []Entry {
	return []Entry{
		{"%s is not the name of a place of files that programs run", "%s 不是可运行文件所在位置的名称"},
		{"the names are %s", "可用的名称：%s"},
		{"%s was not written: %s runs or obeys what is in %s", "未写入 %s：%s 会运行或遵从 %s 中的内容"},
		{"ask the user to make this change, or to start the server with --allow-write %s", "请让用户自行修改，或以 --allow-write %s 启动服务器"},
		{
			"let the file tools write files that programs run, in this `place`: .claude, .github/workflows, ...; repeatable",
			"允许文件工具写入此`位置`中会被程序运行的文件：.claude、.github/workflows 等；可重复",
		},
		{"another process is indexing project %s", "项目 %s 正在被另一个进程索引"},
		{"another process (%d) has been indexing project %s since %s", "项目 %[2]s 自 %[3]s 起正在被另一个进程（%[1]d）索引"},
		{"this process has been indexing project %s since %s", "项目 %[1]s 自 %[2]s 起正在被本进程索引"},
		{"%s; after %s it is still at work", "%s；等待 %s 后仍未完成"},
		{"the data folder %s cannot be written", "数据文件夹 %s 不可写"},
		{"set REVERSE_SPEC_HOME to a folder that can be written", "请把 REVERSE_SPEC_HOME 设为可写的文件夹"},
		{"%s since, and it cannot be renewed: %v", "此后%s，且无法更新：%v"},
		{"%d files have changed", "有 %d 个文件变更"},
		{"the report was not written: %v", "报告未写入：%v"},
		{"front matter left as it is: %v", "front matter 未作改动：%v"},
		{"tests far from the target may be missing: %s has so many files other than code that not all of it was read; a .reverse-specignore with its name leaves it out", "可能缺少远离目标的测试：%s 含有过多非代码文件，未全部读取；在 .reverse-specignore 中写入其名称即可排除"},
		{"try again when it is done", "请在其完成后重试"},
		{"how `long` to wait for another process that is indexing the project; 0 for not at all", "等待另一个正在索引该项目的进程的`时长`；0 表示不等待"},
	}
}
