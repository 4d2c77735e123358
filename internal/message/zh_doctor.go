package message

// zhDoctor is what the commands doctor, clean and orient say.
func zhDoctor() []Entry {
	return []Entry{
		{"Tell where to begin with a task: places, callers, requirements, tests", "说明一项任务从哪里入手：位置、调用者、需求与测试"},
		{
			`Orient takes a task in words and tells where it is done: the places in the code, who
calls them, what the specs require of them, which tests to run, where new code belongs,
and the code of the first places, all within --tokens.`,
			`orient 接受用一句话说明的任务，并指出从哪里入手：代码中的位置、调用者、规格对它们的要求、要运行的
测试、新代码应放在哪里，以及最相关位置的代码，总量不超过 --tokens。`,
		},
		{"most `tokens` of the text", "文本最多的 `token` 数"},
		{"`places` to skip", "要跳过的`位置`数"},
		{"nothing in the code was found for it", "在代码中没有找到与之相关的内容"},
		{"Places", "位置"},
		{"%d more: offset %d", "另有 %d 处：offset %d"},
		{"New code belongs beside", "新代码应放在这些文件旁"},
		{"Requirements that apply", "适用的需求"},
		{"Tell what is installed, wired and up to date, and how to repair the rest", "说明什么已安装、已接入、是最新的，以及如何修复其余部分"},
		{
			`Doctor looks at the program, git, the project's files, its code graph and specs, the
tools that run their contract tests, the coding agents on this machine, the model and
CKB, and names the command that repairs what is not well. It changes nothing.

EXIT STATUS
  3 when something is broken; what is optional and absent is not`,
			`doctor 检查本程序、git、项目的文件、代码图与规格、运行契约测试的工具、本机的编码智能体、模型
和 CKB，并给出修复问题的命令。它不改变任何东西。

退出状态
  3 有东西损坏；可选而缺少的不算`,
		},
		{"Remove what is kept about the project outside it", "删除在项目之外保存的关于该项目的数据"},
		{
			`Clean removes the project's code graph, the results of its contract tests, and notes of
what was written for other tools. All of it is made again when it is needed. Specs, their
locks and everything else in the project stay as they are.`,
			`clean 删除项目的代码图、契约测试的结果，以及为其他工具写过什么的记录。需要时都会重新生成。
规格、锁文件以及项目中的其他一切保持不变。`,
		},
		{"of all projects", "所有项目的"},
		{"show what would be removed, and remove nothing", "只显示将删除什么，不删除"},
		{"nothing is kept", "没有保存任何数据"},
		{"removed", "已删除"},
		{"would remove", "将删除"},
		{"absent", "缺少"},
		{"ok", "正常"},
		{"note", "提示"},
		{"broken", "损坏"},
		{"program", "程序"},
		{"%s (%s and %d more)", "%s（%s，另有 %d 处）"},
		{"not on this machine; it would know reverse-spec by %s", "本机未安装；它会通过 %s 使用 reverse-spec"},
		{"git", "git"},
		{"specs", "规格"},
		{"contract tests", "契约测试"},
		{"agent", "智能体"},
		{"CKB", "CKB"},
		{"results of contract tests", "契约测试的结果"},
		{"what was written for other tools", "为其他工具写过的内容"},
		{"what was derived from shared graphs", "由共享图派生的内容"},
		{"installed", "已安装"},
		{"installed, with an index of this project", "已安装，并有该项目的索引"},
		{"installed, without an index of this project", "已安装，但没有该项目的索引"},
		{"none; the code graph is made here", "没有；代码图由本程序生成"},
		{"none yet", "尚无"},
		{"none: specs hold what the code proves", "没有：规格只包含代码所能证明的内容"},
		{"%s %s", "%s %s"},
		{"%s at %s", "%s，位于 %s"},
		{"add %s to PATH", "把 %s 加入 PATH"},
		{"version %s, not on PATH: agents that call it by its name do not find it", "版本 %s，不在 PATH 中：按名称调用它的智能体找不到它"},
		{"installed, and does not know reverse-spec", "已安装，但没有接入 reverse-spec"},
		{"knows reverse-spec by %s", "通过 %s 接入了 reverse-spec"},
		{"no coding agent was found that reverse-spec init knows", "没有找到 reverse-spec init 支持的编码智能体"},
		{"%s cannot run: %s", "%s 无法运行：%s"},
		{"%s runs those of %s", "%s 运行 %s的契约测试"},
		{"git is not installed: install it, to list files as it does and to compare revisions", "没有安装 git：安装后才能按它的方式列出文件并比较修订"},
		{"%s has no source file in a language that is read here", "%s 中没有本程序所支持语言的源文件"},
		{"%s, source files: %s", "%s，源文件：%s"},
		{"not built yet; the first question builds it", "尚未建立；第一个问题会建立它"},
		{"%d files changed since %s; the next question brings it up to date", "自 %[2]s 以来有 %[1]d 个文件改变；下一个问题会更新它"},
		{"up to date: %s", "是最新的：%s"},
		{"%s: %d active, %d unverified, %d drifted, %d failing", "%s：%d 个有效，%d 个未验证，%d 个已漂移，%d 个失败"},
	}
}
