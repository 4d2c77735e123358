package message

import "slices"

// zhView is what packages view and view/mermaid say: texts of the pages and of pictures.
func zhView() []Entry {
	return slices.Concat(zhViewFrame(), zhViewIndex(), zhViewSpec(), zhViewDrift(), zhViewModules(), zhMermaid())
}

// zhViewFrame is around all pages, and what is wrong with a request.
func zhViewFrame() []Entry {
	return []Entry{
		{"To the text", "跳到正文"},
		{"Pages", "页面"},
		{"Specs", "规格"},
		{"Modules", "模块"},
		{"To all specs", "返回所有规格"},
		{"Not found", "未找到"},
		{"Forbidden", "禁止访问"},
		{"Not a text file", "不是文本文件"},
		{"Too large", "文件过大"},
		{"Not a spec", "不是规格"},
		{"Internal error", "内部错误"},
		{"The page could not be made: %v", "无法生成页面：%v"},
		{"This server answers to 127.0.0.1 and localhost only, not to %s.", "本服务器只应答 127.0.0.1 和 localhost，不应答 %s。"},
		{"There is no page %s.", "没有页面 %s。"},
		{"There is no asset %s.", "没有资源 %s。"},
		{"There is no module in %q.", "%q 中没有模块。"},
		{"The project has no spec %q.", "项目中没有规格 %q。"},
		{"The project has no file %q, or git ignores it.", "项目中没有文件 %q，或 git 忽略了它。"},
		{"The spec %s has no %q.", "规格 %s 中没有 %q。"},
		{"The spec %s has no part %q; it has %d.", "规格 %s 没有第 %q 部分；共有 %d 部分。"},
		{"listen on port %d: %w", "监听端口 %d：%v"},
		{"serve: %w", "提供服务：%v"},
	}
}

// zhViewIndex is the index of the specs.
func zhViewIndex() []Entry {
	return []Entry{
		{"Totals", "合计"},
		{"%d requirements", "%d 个需求"},
		{"%d scenarios", "%d 个场景"},
		{"%d tests", "%d 个测试"},
		{"%d%% of requirements covered", "需求覆盖率 %d%%"},
		{"of %d", "共 %d 个"},
		{"Health of the specs", "规格的健康状况"},
		{"Before", "之前"},
		{"Now", "现在"},
		{"Search", "搜索"},
		{"Search the specs", "搜索规格"},
		{"Words of requirements, names, ids", "需求中的词语、名称、ID"},
		{"Nothing was found.", "没有找到。"},
		{"More were found: add a word.", "结果太多：请添加词语。"},
		{"The search needs scripts.", "搜索需要启用脚本。"},
		{"Filter by name, path or target", "按名称、路径或目标筛选"},
		{"Filter by name", "按名称筛选"},
		{"Filter", "筛选"},
		{"Any health", "所有健康状况"},
		{"Any language", "所有语言"},
		{"Spec", "规格"},
		{"Language", "语言"},
		{"Req.", "需求"},
		{"Scen.", "场景"},
		{"Tests", "测试"},
		{"Coverage", "覆盖率"},
		{"Health", "健康状况"},
		{"Verified", "验证日期"},
		{"Drift", "漂移"},
		{"%d of %d requirements are covered by a contract test", "%[2]d 个需求中有 %[1]d 个被契约测试覆盖"},
		{"compare", "比较"},
		{"No spec matches.", "没有符合条件的规格。"},
		{"Show all %d", "显示全部 %d 个"},
		{"This project has no specs yet. `reverse-spec batch` writes one for each module.", "该项目还没有规格。`reverse-spec batch` 会为每个模块生成一个。"},
		{"active", "正常"},
		{"unverified", "未验证"},
		{"drifted", "已漂移"},
		{"failing", "未通过"},
		{"unreadable", "无法读取"},
		{"no spec", "无规格"},
	}
}

// zhViewSpec is the pages of a spec and of a source file.
func zhViewSpec() []Entry {
	return []Entry{
		{"Contents", "目录"},
		{"Contract tests", "契约测试"},
		{"Source", "源码"},
		{"Confidence", "置信度"},
		{"Written", "写成日期"},
		{"Parts", "分页"},
		{"Part %d", "第 %d 部分"},
		{"part %d of %d", "第 %d 部分，共 %d 部分"},
		{"%d more", "另有 %d 个"},
		{"%d lines", "%d 行"},
		{"Drift since it was written", "写成之后的漂移"},
		{"Shown as text: %v", "以文本显示：%v"},
		{"Kept by hand:", "人工保留："},
		{"no contract test", "无契约测试"},
		{"shown by", "场景"},
		{"covered by", "覆盖它的测试"},
		{"%v on %s", "%v（%s）"},
		{"none failed", "没有失败"},
		{"%v; the code has drifted since", "%v；此后代码已漂移"},
		{"failed", "失败"},
		{"one or more of the spec's tests failed", "该规格有测试失败"},
		{"not run yet", "尚未运行"},
		{"Symbols", "符号"},
		{"lines before", "前面的行"},
		{"lines after", "后面的行"},
	}
}

// zhViewDrift is the page of a spec's drift.
func zhViewDrift() []Entry {
	return []Entry{
		{"Drift of %s", "%s 的漂移"},
		{"Code", "代码"},
		{"Compared", "比较时间"},
		{"The spec cannot be compared with the code: %v", "无法把该规格与代码比较：%v"},
		{"unknown", "未知"},
		{"in sync", "一致"},
		{"%v in all", "共 %v"},
		{"%d HIGH", "%d HIGH"},
		{"%d MEDIUM", "%d MEDIUM"},
		{"%d LOW", "%d LOW"},
		{"%d noise", "%d 噪声"},
		{"not breaking", "非破坏性"},
		{"found by a model", "由模型发现"},
		{"To do", "待办"},
	}
}

// zhViewModules is the page of the modules.
func zhViewModules() []Entry {
	return []Entry{
		{"Reading the code …", "正在读取代码……"},
		{"Show the modules", "显示模块"},
		{"up", "上一级"},
		{"%d edges", "%d 条边"},
		{"%s, %d left out that follow from these", "%s，省略了可由它们推出的 %d 条"},
		{"%s, %d left out that follow from these or lead back", "%s，省略了可由它们推出或指回的 %d 条"},
		{"Fewer edges", "减少边"},
		{"Show every edge", "显示所有边"},
		{"A picture of the modules that can be moved and scaled", "可移动和缩放的模块图"},
		{"Larger", "放大"},
		{"Smaller", "缩小"},
		{"All of it", "显示全图"},
		{"The picture cannot be drawn: %s", "无法绘制该图：%s"},
		{"Module", "模块"},
		{"Level", "拓扑层级"},
		{"level", "拓扑层级"},
		{"Used by", "被依赖数"},
		{"used by", "被依赖数"},
		{"Depends on", "依赖"},
		{"No module was found: nothing here is in a language that reverse-spec reads.", "未找到模块：这里没有 reverse-spec 能读的语言写成的代码。"},
		{"Modules and their dependencies", "模块及其依赖"},
		{"(root)", "（根目录）"},
	}
}

// zhMermaid is what is said of diagrams.
func zhMermaid() []Entry {
	return []Entry{
		{"graph", "图"},
		{"flowchart", "流程图"},
		{"class diagram", "类图"},
		{"sequence diagram", "时序图"},
		{"state diagram", "状态图"},
		{"entity relationship diagram", "实体关系图"},
		{"two nodes are called %q", "有两个节点都叫 %q"},
		{"an edge from %q to %q: there are no such nodes", "从 %q 到 %q 的边：没有这样的节点"},
		{"%d bytes are more than the %d of a diagram that is drawn", "图有 %d 字节，超过可绘制的 %d 字节"},
		{"%d nodes are more than the %d that are drawn", "有 %d 个节点，超过可绘制的 %d 个"},
		{"%d lines are more than the %d that are drawn", "有 %d 条线，超过可绘制的 %d 条"},
		{"groups are more than %d deep in each other", "分组的嵌套超过 %d 层"},
		{"line %d: expected %v, found the end", "第 %d 行：应为%v，却已结束"},
		{"line %d: expected %v, found %q", "第 %d 行：应为%v，却是 %q"},
		{"} before the end", "结尾之前的 }"},
		{"TB, BT, LR or RL", " TB、BT、LR 或 RL"},
		{"namespace, its name and {", " namespace、其名称和 {"},
		{"a class, a member, or a relation such as <|-- between classes", "类、成员，或类之间如 <|-- 的关系"},
		{"the type and the name of an attribute", "属性的类型和名称"},
		{"an entity, or a relation such as A ||--o{ B : text", "实体，或如 A ||--o{ B : text 的关系"},
		{"an end for this subgraph", "此 subgraph 的 end"},
		{"the end of this statement soon", "此语句及早结束"},
		{"a second quote", "后一个引号"},
		{"a statement (there is no subgraph to end)", "语句（没有可结束的 subgraph）"},
		{"a line such as --> between nodes, or the end of the statement", "节点之间如 --> 的线，或语句的结尾"},
		{"no more lines: there are more than are drawn", "不再有线：线的数目超过可绘制的上限"},
		{"the name of a node", "节点的名称"},
		{"the end of the text that begins with %s", "以 %s 开头的文本的结尾"},
		{"a kind of diagram that is drawn: %s", "可绘制的图的种类：%s"},
		{"a line between nodes of which none holds the other", "互不包含的节点之间的线"},
		{"style, a node and its properties", " style、节点及其属性"},
		{"no more: that is more than is drawn", "不再有内容：已超过可绘制的上限"},
		{"an end for this block", "此块的 end"},
		{"blocks that are less deep in each other", "嵌套较浅的块"},
		{"autonumber, the first number and the step", " autonumber、起始编号和步长"},
		{"an end for the box before", "前一个 box 的 end"},
		{"a message (there is no block to end)", "消息（没有可结束的块）"},
		{"a message such as A->>B: text, a note, or a block such as loop", "如 A->>B: text 的消息、注释，或如 loop 的块"},
		{"the kind of the diagram", "图的种类"},
		{"a } for this state", "此状态的 }"},
		{"a state, a transition such as A --> B, or a note", "状态、如 A --> B 的转换，或注释"},
	}
}
