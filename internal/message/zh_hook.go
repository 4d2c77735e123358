package message

// zhHook is what the plugin's hooks say.
func zhHook() []Entry {
	return []Entry{
		{"reverse-spec: %s belongs to %s; it was not compared.", "reverse-spec：%s 属于 %s；未作比较。"},
		{"reverse-spec: %s belongs to %s; its interface is as the spec says.", "reverse-spec：%s 属于 %s；其接口与规格一致。"},
		{
			"reverse-spec: %s belongs to %s; %v. If this is intended, regenerate the spec (generate %s).",
			"reverse-spec：%s 属于 %s；%v。若属有意，请重新生成规格（generate %s）。",
		},
		{"its interface is as the spec says, its behaviour changed since: %v", "其接口与规格一致，行为此后有改变：%v"},
		{"its interface changed since: %v", "其接口此后有改变：%v"},
		{"%v, %d breaking", "%v，%d 处破坏性"},
		{"%v, %v", "%v、%v"},
		{"%v and %d more", "%v 等，另有 %d 个"},
		{"%v; %v", "%v；%v"},
		{"reverse-spec: %v.", "reverse-spec：%v。"},
		{"read the event: %w", "读取事件：%v"},
		{"list the specs: %w", "列出规格：%v"},
		{"no code graph yet", "尚无代码图谱"},
		{"code graph %v old", "代码图谱建于%v前"},
		{"less than a minute", "不到一分钟"},
		{"%d minutes", " %d 分钟"},
		{"%d hours", " %d 小时"},
		{"%d days", " %d 天"},
		{"%v in %s", "%[2]s 中有 %[1]v"},
		{"drifted: %v", "已漂移：%v"},
		{"contract tests failing: %v", "契约测试未通过：%v"},
		{"%d with newer code, not compared in time", "%d 个的代码较新，未及比较"},
		{"%d not read, because time ran out", "%d 个因时间不足未读取"},
	}
}
