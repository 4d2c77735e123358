package message

// zhAsk is what is said to questions about the code graph.
func zhAsk() []Entry {
	return []Entry{
		{"no rule fits this question and no model is configured; questions like these work: %v", "没有规则适用于这个问题，也未配置模型；可以这样提问：%v"},
		{"no rule fits this question and %v; questions like these work: %v", "没有规则适用于这个问题，且%v；可以这样提问：%v"},
		{"Cypher works, too: %s", "也可以使用 Cypher：%s"},
		{"not understood and left out: %s", "未能理解、已忽略的词：%s"},
		{"I couldn't translate your request into a database query. Error: %s", "无法将请求转换为数据库查询。错误：%s"},
		{"%s (%s)", "%s（%s）"},
		{"There was an error querying the database: %s", "查询数据库时出错：%s"},
		{"Successfully retrieved %d item(s) from the graph.", "已从代码图中取得 %d 项结果。"},
		{"Results truncated: %s more were left out; ask again with offset %d or narrow the question.", "结果已截断：另有 %s 项未列出；请用 offset %d 再次查询，或缩小问题的范围。"},
		{"Results truncated: %s more were left out; ask again with offset %d, raise the limit (at most %d) or narrow the question.", "结果已截断：另有 %s 项未列出；请用 offset %d 再次查询、提高 limit（最多 %d）或缩小问题的范围。"},
		{"at least %d", "至少 %d "},
		{"a limit of %d is more than the most, which is %d", "limit %d 超过上限 %d"},
		{"Imports of a language's own library are not in the graph.", "代码图中没有对语言自带库的导入。"},
		{"Nothing fits the question, though the graph has %s.", "没有符合问题的内容，尽管代码图中有 %s。"},
		{"Nothing is named '%s'.", "没有名为 '%s' 的符号或路径。"},
		{"Nothing is named '%s'; did you mean %s?", "没有名为 '%s' 的符号或路径；是否指 %s？"},
		{"'%s' means %d symbols, each row says which: %s.", "'%s' 对应 %d 个符号，每行注明是哪一个：%s。"},
		{"'%s' means %d symbols, each row says which: %s, and %d more.", "'%s' 对应 %d 个符号，每行注明是哪一个：%s 以及另外 %d 个。"},
		{"the model that is configured cannot be asked: %w", "无法使用已配置的模型：%v"},
		{"%s did not answer within %v", "%s 未在 %v 内答复"},
		{"%s failed: %w", "%s 失败：%v"},
		{"%s gave an answer that cannot be read: %w", "%s 的答复无法读取：%v"},
		{"%s found no query for it: %s", "%s 没有找到对应的查询：%s"},
		{"count the nodes: %w", "统计节点：%v"},
		{"find names: %w", "查找名称：%v"},
		{"read names: %w", "读取名称：%v"},
		{"The query is by %s (%d tokens).", "查询由 %s 生成（%d 个 token）。"},
		{"read the question: %w", "读取问题：%v"},
		{"print the answer: %w", "输出答案：%v"},
		{"more than %d bytes", "超过 %d 字节"},
	}
}
