package message

// zhCommand is what the command line says itself.
func zhCommand() []Entry {
	return []Entry{
		{"interrupted", "已中断"},
		{"hint: %s", "提示：%s"},
		{"see: %s", "参见：%s"},
		{"warning: %s", "警告：%s"},
		{"show this help", "显示此帮助"},
		{"show the version", "显示版本"},
		{"Usage:", "用法："},
		{"Examples:", "示例："},
		{"Commands:", "命令："},
		{"Flags:", "选项："},
		{"Global flags:", "全局选项："},
		{"%q tells more about a command.", "用 %q 查看某个命令的详细说明。"},
		{" (default ", "（默认 "},
		{"unknown flag: %s in %s", "未知选项：%[2]s 中的 %[1]s"},
		{"unknown flag: %s", "未知选项：%s"},
		{"flag --%s needs a value", "选项 --%s 需要一个值"},
		{"flag --%s: %q is not %s", "选项 --%s：%q 不是%s"},
		{"not a flag: %s", "不是选项：%s"},
		{"a whole number", "整数"},
		{"a number", "数字"},
		{"true or false", "true 或 false"},
		{"a duration such as 90s or 2m", "时长（例如 90s 或 2m）"},
		{"a value that it takes", "可接受的值"},
		{"%s takes no arguments: %q", "%s 不接受参数：%q"},
		{"%s needs an argument: %s", "%s 缺少参数：%s"},
		{"%s takes %d arguments at most: %q is too many", "%s 最多接受 %d 个参数：%q 多余"},
		{"--%s and --%s exclude each other", "--%s 与 --%s 不能同时使用"},
		{"unknown command %q; did you mean %s?", "未知命令 %q；是否指 %s？"},
		{"unknown command %q", "未知命令 %q"},
		{"put -- before a question that begins with a dash: %s -- -race", "以短横线开头的问题请放在 -- 之后：%s -- -race"},
	}
}
