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
	}
}
