package message

import "slices"

// zhDrift is what package drift says: its rules, its report and its errors.
func zhDrift() []Entry {
	return slices.Concat(zhDriftProposals(), zhDriftExports(), zhDriftMembers(), zhDriftWords(), zhDriftDetection(), zhDriftReport())
}

// zhDriftWords are parts of descriptions.
func zhDriftWords() []Entry {
	return []Entry{
		{"field `{symbol}` was added to a type whose values users write: every such value lacks it", "使用者可直接书写其值的类型新增字段 `{symbol}`：这些值都缺少它"},
		{"the parts of `{symbol}` are in another order, by which its values compare: {old} → {new}", "`{symbol}` 各部分的顺序改变，其值按此顺序比较：{old} → {new}"},
		{"update the order of the parts of `{symbol}` in data structures", "更新数据结构中 `{symbol}` 各部分的顺序"},
		{"add the field `{what}` of `{symbol}` to its data structure", "在 `{symbol}` 的数据结构中加入字段 `{what}`"},
		{"`{symbol}` is deprecated now: {what}", "`{symbol}` 已标为弃用：{what}"},
		{"state that `{symbol}` is deprecated, and what replaces it", "写明 `{symbol}` 已弃用及其替代"},
		{"`{symbol}` is no longer deprecated: {what}", "`{symbol}` 不再标为弃用：{what}"},
		{"delete the statement that `{symbol}` is deprecated", "删除 `{symbol}` 已弃用的说明"},
		{"static", "静态"},
		{"instance", "实例"},
		{"abstract", "抽象"},
		{"concrete", "具体"},
		{"read-only", "只读"},
		{"writable", "可写"},
		{"async", "异步"},
		{"sync", "同步"},
		{"keyword", "关键字"},
		{"positional", "位置"},
		{"positional or keyword", "位置或关键字"},
		{", which shifts the positional parameters after it", "，其后的位置参数随之后移"},
		{", still re-exported by another file", "，仍由其他文件再导出"},
		{", declared in %s", "，声明于 %s"},
		{", seen on `%s`", "，影响 `%s`"},
		{", now on %s only", "，现仅存在于 %s"},
		{", now in %s", "，现位于 %s"},
		{": its signature", "：签名"},
		{": its body", "：实现"},
		{": its value", "：值"},
		{" [inferred: the baseline was rebuilt from the spec's text]", " [推断：基线由规格正文重建]"},
		{" [unclear: near a syntax error]", " [不明确：附近有语法错误]"},
	}
}

// zhDriftDetection is what can go wrong, and what to do about the items.
func zhDriftDetection() []Entry {
	return []Entry{
		{"name a spec or a git revision to compare with", "未指定规格或基准版本"},
		{"name the source: the spec does not say what it was written from", "未指定源代码路径：规格没有写明它由哪些代码生成"},
		{"the spec describes %s, but %s is compared", "规格描述的是 %s，而比较的是 %s"},
		{
			"[unclear: the spec has no baseline; it was rebuilt from the headings of the interface section, and only the texts of signatures are compared]",
			"[不明确：规格中没有基线，已由接口定义的标题重建，只能比较签名文本]",
		},
		{"[unclear: %v in the code; results near them may be wrong]", "[不明确：代码中有%v，其附近的结果可能不准]"},
		{"%d syntax errors", " %d 处语法错误"},
		{"write the report: %w", "写入报告：%v"},
		{"no such level: %q (high, medium, low or breaking)", "没有这个级别：%q（可用 high、medium、low 或 breaking）"},
		{"no drift: the spec and the code agree", "未检测到漂移，规格与代码保持同步。"},
		{
			"%v, %d of them HIGH: confirm that the removals and incompatibilities are intended, then update the spec and tell its users",
			"检测到 %v（其中 %d 处 HIGH）：请先确认移除与不兼容是否有意，再更新规格并通知使用者。",
		},
		{"%d breaking changes", "%d 处破坏性变更"},
		{"%v: check behaviour and constraints, then update the spec as proposed", "检测到 %v：请核对行为与约束，按建议更新规格。"},
		{"%d MEDIUM changes", "%d 处 MEDIUM 变更"},
		{"%v and nothing else: regenerate the spec when convenient", "仅检测到 %v：下次重新生成规格时一并更新即可。"},
		{"%d LOW changes", "%d 处 LOW 变更"},
	}
}

// zhDriftReport is the report around the items.
func zhDriftReport() []Entry {
	return []Entry{
		{"addition", "新增"},
		{"removal", "移除"},
		{"modification", "修改"},
		{"interface", "接口"},
		{"behaviour", "行为"},
		{"constraint", "约束"},
		{"semantic analysis", "语义分析"},
		{"structural comparison", "结构比较"},
		{"Drift report", "漂移检测报告"},
		{"Counts", "汇总统计"},
		{"Measure", "指标"},
		{"Number", "数量"},
		{"Noise by kind: %s", "噪声分类：%s"},
		{"Drift items", "漂移项"},
		{"Recommendation", "建议"},
		{"total changes", "变更总数"},
		{"breaking", "破坏性"},
		{"noise filtered", "已过滤噪声"},
		{"no", "否"},
		{"yes", "是"},
		{"ID", "ID"},
		{"Breaking", "破坏性"},
		{"Category", "类别"},
		{"Change type", "变更类型"},
		{"Rule", "规则"},
		{"Location", "位置"},
		{"Symbol", "符号"},
		{"Old value", "旧值"},
		{"New value", "新值"},
		{"Detected by", "检测方式"},
		{"Proposed update", "建议更新"},
		{"drift report", "漂移检测"},
		{"%v: %d HIGH, %d MEDIUM, %d LOW", "%v：%d HIGH，%d MEDIUM，%d LOW"},
		{"%d changes", "%d 处变更"},
		{"%d breaking", "%d 处破坏性"},
		{"noise filtered: %d (%s)", "已过滤噪声：%d（%s）"},
		{"report: %s", "报告：%s"},
		{"BREAKING", "破坏性"},
		{"white space", "空白"},
		{"comments", "注释"},
		{"import order", "导入顺序"},
		{"trailing commas", "尾随逗号"},
		{"semicolons", "分号"},
	}
}

// zhDriftProposals are those that several rules share.
func zhDriftProposals() []Entry {
	return []Entry{
		{"set the signature of `{symbol}` in the interface section to `{signature}`", "把接口定义中 `{symbol}` 的签名改为 `{signature}`"},
		{"delete `{symbol}` from the interface section; state the removal and its replacement under compatibility", "从接口定义中删除 `{symbol}`，在兼容性一节写明移除与替代方案"},
		{"delete the member `{symbol}` from its type in the interface section and state the removal", "从 `{symbol}` 所属类型的接口定义中删除该成员，并写明移除"},
		{"add `{signature}` to the interface section", "在接口定义中补充 `{signature}`"},
		{"update the modifiers of `{symbol}` in the interface section: {what}", "在接口定义中更新 `{symbol}` 的修饰：{what}"},
		{"change the value of `{symbol}` from `{old}` to `{new}` in constraints and data structures", "把约束条件与数据结构中 `{symbol}` 的值由 `{old}` 改为 `{new}`"},
		{"read the body of `{symbol}` again; update requirements, scenarios and contract tests", "重读 `{symbol}` 的实现，更新需求、场景与契约测试"},
		{"update what `{symbol}` extends or implements in the interface section", "在接口定义中更新 `{symbol}` 的继承关系"},
	}
}

// zhDriftExports are the descriptions of the rules for exports and signatures.
func zhDriftExports() []Entry {
	return []Entry{
		{"the module `{symbol}` was removed, with {what}{more}", "模块 `{symbol}` 已被移除，含 {what}{more}"},
		{"the module `{symbol}` was added, with {what}{more}", "新增模块 `{symbol}`，含 {what}{more}"},
		{"; its files are in `%s` now", "；其文件现位于 `%s`"},
		{"the project has no *.spec.md to compare with: write specs with reverse-spec batch, or name a git revision with --base", "项目中没有可比较的 *.spec.md：请用 reverse-spec batch 生成 Spec，或用 --base 指定 git 版本"},
		{"%s: no *.spec.md is there; to compare code with a git revision, name it with --base", "%s：其中没有 *.spec.md；若要与 git 版本比较代码，请用 --base 指定版本"},
		{"and %v of code behind the interface; --json lists them", "另有接口背后代码的 %v；--json 列出全部"},
		{"not compared: %s: %v", "未比较：%s：%v"},
		{"%d export", "%d 个导出"},
		{"%d exports", "%d 个导出"},
		{"delete the spec of `{symbol}`; state the removal and its replacement under compatibility", "删除 `{symbol}` 的 Spec；在兼容性中写明移除及替代"},
		{"write a spec of it: reverse-spec generate {symbol}", "为其生成 Spec：reverse-spec generate {symbol}"},
		{"export `{symbol}` was removed{more}", "导出 `{symbol}` 已被移除{more}"},
		{"export `{symbol}` was removed: renamed to `{what}`", "导出 `{symbol}` 已被移除：改名为 `{what}`"},
		{"`{symbol}` is no longer exported, only internal{more}", "`{symbol}` 不再导出，仅在内部可用{more}"},
		{"export `{symbol}` was added{more}", "新增导出 `{symbol}`{more}"},
		{"internal symbol `{symbol}` is now exported{more}", "内部符号 `{symbol}` 现已导出{more}"},
		{"export `{symbol}` was removed: no longer re-exported from `{what}`", "导出 `{symbol}` 已被移除：不再从 `{what}` 再导出"},
		{"export `{symbol}` was added: re-exported from `{what}`", "新增导出 `{symbol}`：从 `{what}` 再导出"},
		{"`{what}` is no longer the module's `{symbol}` export", "`{what}` 不再是模块的默认导出（`{symbol}`）"},
		{"`{what}` is now the module's `{symbol}` export", "`{what}` 现为模块的默认导出（`{symbol}`）"},
		{"the kind of `{symbol}` changed: {old} → {new}", "`{symbol}` 的种类改变：{old} → {new}"},
		{"`{symbol}` moved to another file: {old} → {new}{more}", "`{symbol}` 移到另一个文件：{old} → {new}{more}"},
		{"`{symbol}` has a new required parameter `{new}`", "`{symbol}` 新增必填参数 `{new}`"},
		{"`{symbol}` has a new optional parameter `{new}`{more}", "`{symbol}` 新增可选参数 `{new}`{more}"},
		{"parameter `{old}` of `{symbol}` was removed", "`{symbol}` 的参数 `{old}` 已被移除"},
		{"a parameter of `{symbol}` was renamed: `{old}` → `{new}`", "`{symbol}` 的参数改名：`{old}` → `{new}`"},
		{"the parameters of `{symbol}` were reordered: ({old}) → ({new})", "`{symbol}` 的参数顺序改变：({old}) → ({new})"},
		{"the type of parameter `{what}` of `{symbol}` changed: `{old}` → `{new}`", "`{symbol}` 的参数 `{what}` 类型改变：`{old}` → `{new}`"},
		{"the default value of parameter `{what}` of `{symbol}` changed: `{old}` → `{new}`", "`{symbol}` 的参数 `{what}` 默认值改变：`{old}` → `{new}`"},
		{"optional parameter `{what}` of `{symbol}` became required", "`{symbol}` 的参数 `{what}` 由可选变为必填"},
		{"required parameter `{what}` of `{symbol}` became optional", "`{symbol}` 的参数 `{what}` 由必填变为可选"},
		{"the variadic form of parameter `{what}` of `{symbol}` changed: `{old}` → `{new}`", "`{symbol}` 的参数 `{what}` 的可变参数形式改变：`{old}` → `{new}`"},
		{"the passing mode of parameter `{what}` of `{symbol}` changed: {old} → {new}", "`{symbol}` 的参数 `{what}` 的传递方式改变：{old} → {new}"},
		{"the return type of `{symbol}` changed: `{old}` → `{new}`", "`{symbol}` 的返回类型改变：`{old}` → `{new}`"},
		{"the type of `{symbol}` changed: `{old}` → `{new}`", "`{symbol}` 的类型改变：`{old}` → `{new}`"},
		{"the definition of type `{symbol}` changed: `{old}` → `{new}`", "类型 `{symbol}` 的定义改变：`{old}` → `{new}`"},
		{"the text of `{symbol}` is unchanged, but the name `{what}` in it now means something else: `{old}` → `{new}`", "`{symbol}` 的文本未变，但其中的名字 `{what}` 已指向别的东西：`{old}` → `{new}`"},
		{"the type parameters of `{symbol}` changed: <{old}> → <{new}>", "`{symbol}` 的类型参数改变：<{old}> → <{new}>"},
		{"`{symbol}` changed from {old} to {new}", "`{symbol}` 由{old}变为{new}"},
		{"the receiver of method `{symbol}` changed: `{old}` → `{new}`", "方法 `{symbol}` 的接收者改变：`{old}` → `{new}`"},
		{"method `{symbol}` is no longer in the method set of values: receiver `{old}` → `{new}`", "方法 `{symbol}` 不再属于值的方法集：接收者 `{old}` → `{new}`"},
		{"method `{symbol}` is now in the method set of values, too: receiver `{old}` → `{new}`", "方法 `{symbol}` 现也属于值的方法集：接收者 `{old}` → `{new}`"},
		{"the base types or interfaces of `{symbol}` changed: {old} → {new}", "`{symbol}` 的基类或接口改变：{old} → {new}"},
		{"the decorators, annotations or tags of `{symbol}` changed: {old} → {new}", "`{symbol}` 的装饰器、注解或标签改变：{old} → {new}"},
		{"an overload of `{symbol}` was removed: `{old}`", "`{symbol}` 的一个重载已被移除：`{old}`"},
		{"an overload of `{symbol}` was added: `{new}`", "`{symbol}` 新增一个重载：`{new}`"},
		{"the signature of `{symbol}` changed: `{old}` → `{new}`{more}", "`{symbol}` 的签名改变：`{old}` → `{new}`{more}"},
	}
}

// zhDriftMembers are those of the rules for members, values and bodies, and proposals of single rules.
func zhDriftMembers() []Entry {
	return []Entry{
		{"member `{symbol}` was removed{more}", "成员 `{symbol}` 已被移除{more}"},
		{"member `{symbol}` is less visible: {old} → {new}", "成员 `{symbol}` 的可见性降低：{old} → {new}"},
		{"member `{symbol}` was added{more}", "新增成员 `{symbol}`{more}"},
		{"member `{symbol}` is more visible: {old} → {new}", "成员 `{symbol}` 的可见性提高：{old} → {new}"},
		{"required member `{symbol}` was added: every implementer must supply it", "`{symbol}` 是新增的必需成员，所有实现者都要补上"},
		{"optional member `{symbol}` became required", "成员 `{symbol}` 由可选变为必需"},
		{"required member `{symbol}` became optional", "成员 `{symbol}` 由必需变为可选"},
		{"`{symbol}` is no longer embedded; the members that it promoted are gone, too", "`{symbol}` 不再被嵌入，经它提升的成员一并消失"},
		{"`{symbol}` is newly embedded", "新嵌入 `{symbol}`"},
		{"promoted member `{symbol}` is no longer available{more}", "经嵌入提升的成员 `{symbol}` 已不可用{more}"},
		{"member `{symbol}` was added by embedding{more}", "经嵌入新增成员 `{symbol}`{more}"},
		{"`{symbol}` is no longer comparable: field `{what}` has the type `{new}`", "`{symbol}` 不再可比较：字段 `{what}` 的类型是 `{new}`"},
		{"enum member `{symbol}` was removed", "枚举成员 `{symbol}` 已被移除"},
		{"enum member `{symbol}` was added", "新增枚举成员 `{symbol}`"},
		{"the value of enum member `{symbol}` changed: `{old}` → `{new}`", "枚举成员 `{symbol}` 的值改变：`{old}` → `{new}`"},
		{"the value of constant `{symbol}` changed: `{old}` → `{new}`", "常量 `{symbol}` 的值改变：`{old}` → `{new}`"},
		{"the initial value of variable `{symbol}` changed: `{old}` → `{new}`", "变量 `{symbol}` 的初值改变：`{old}` → `{new}`"},
		{"the code no longer shows: {what}{more}", "代码不再体现：{what}{more}"},
		{"no longer as stated: {what}{more}: `{old}` → `{new}`", "与陈述不再一致：{what}{more}：`{old}` → `{new}`"},
		{"statements rewritten in %s", "已改写陈述：%s"},
		{"was", "原为"},
		{"is now", "现为"},
		{"says otherwise", "与之不符的陈述"},
		{"may no longer hold", "可能不再成立"},
		{"says something about it", "相关的陈述"},
		{"shown by the tests", "相关测试"},
		{"new in the code: {what}", "代码新增：{what}"},
		{"delete the statement{more}, or restore the behaviour", "删除该陈述{more}，或恢复该行为"},
		{"change `{old}` to `{new}` in the statement{more}", "在该陈述{more}中把 `{old}` 改为 `{new}`"},
		{"generate the spec again to state it", "重新生成规格以写入该陈述"},
		{"`{symbol}` has the same signature and a changed body", "`{symbol}` 的签名未变，实现改变"},
		{"internal symbol `{symbol}` changed{more}", "内部符号 `{symbol}` 改变{more}"},
		{"rename `{symbol}` to `{what}` in the interface section and state it under compatibility", "把接口定义中的 `{symbol}` 改名为 `{what}`，并在兼容性一节写明"},
		{"set the source of `{symbol}` to {new}", "把 `{symbol}` 的来源改为 {new}"},
		{"set the definition of `{symbol}` in data structures to `{new}`", "把数据结构中 `{symbol}` 的定义改为 `{new}`"},
		{"check what `{symbol}` takes and returns now; update `{what}` in data structures", "核对 `{symbol}` 的实际类型，并在数据结构中更新 `{what}`"},
		{"update the decorators of `{symbol}` under constraints", "在约束条件中更新 `{symbol}` 的装饰器"},
		{"delete the overload `{old}` of `{symbol}` from the interface section", "从接口定义中删除 `{symbol}` 的重载 `{old}`"},
		{"add the overload `{new}` of `{symbol}` to the interface section", "在接口定义中补充 `{symbol}` 的重载 `{new}`"},
		{"state under constraints that `{symbol}` cannot be compared with == nor be a map key", "在约束条件中写明 `{symbol}` 不能用 == 比较，也不能作 map 的键"},
		{"update requirements and scenarios where they depend on `{symbol}`", "若需求或场景提到 `{symbol}`，请更新"},
	}
}
