package message

import "slices"

// zhReview is what packages review and claimcheck say, and their tools.
func zhReview() []Entry {
	return slices.Concat(zhReviewText(), zhReviewRisk(), zhClaimCheck(), zhReviewTools(), zhReviewHelp())
}

func zhReviewText() []Entry {
	return []Entry{
		{"Risk: %s — %s", "风险：%s——%s"},
		{"No longer as it was", "与以前不同"},
		{"New, and no requirement states it", "新增，且没有需求陈述"},
		{"Tests to run", "应运行的测试"},
		{"Also changed", "其他改变"},
		{"Remarks", "说明"},
		{"… and %d more: --json has them", "……另有 %d 项：见 --json"},
		{"`%s` → `%s`", "`%s` → `%s`"},
		{"was: `%s` (%s)", "原为：`%s`（%s）"},
		{"says otherwise: %s “%s” (%s)", "与之不符：%s “%s”（%s）"},
		{"shown by the tests: %s", "相关测试：%s"},
		{"named by, and not touched: %s", "以下位置提到它，且未被改动：%s"},
		{"used by, and not touched: %s", "以下位置使用它，且未被改动：%s"},
		{"all uses are part of the change: %s", "所有使用处都在此更改中：%s"},
		{"passed", "通过"},
		{"failed: %s", "失败：%s"},
		{"could not be run: %s", "无法运行：%s"},
		{", and %d more", "，另有 %d 处"},
		{"since %s", "自 %s 起"},
		{"%d files of code", "%d 个代码文件"},
		{"%d of tests", "%d 个测试文件"},
		{"%d of specs", "%d 个规格文件"},
		{"%d manifests", "%d 个依赖清单"},
		{"%d others", "%d 个其他文件"},
		{"no such level: %q (low, medium, high, breaking or never)", "没有这样的级别：%q（low、medium、high、breaking 或 never）"},
		{"a statement has at most %d bytes, this one has %d", "一条陈述最多 %d 字节，此条有 %d 字节"},
		{"no such format: %s (text, md, json, sarif or github)", "没有这种格式：%s（可用 text、md、json、sarif 或 github）"},
		{"there is no code graph of the project, so users are found by name: reverse-spec index makes one", "项目没有代码图，使用处按名称查找：reverse-spec index 可构建代码图"},
		{"the code graph cannot be read, so users are found by name: %v", "无法读取代码图，使用处按名称查找：%v"},
		{"the code graph is not of the files as they are: %s", "代码图与当前文件不一致：%s"},
		{"No longer true: %v; diff --update rewrites these alone.", "不再成立：%v；diff --update 只改写这些陈述。"},
		{"review says what the change breaks and which tests to run.", "review 说明此更改破坏什么、应运行哪些测试。"},
	}
}

func zhReviewRisk() []Entry {
	return []Entry{
		{"high", "高"},
		{"medium", "中"},
		{"low", "低"},
		{"none", "无"},
		{"tests fail: %s", "测试失败：%s"},
		{"%d places that use what changed are not touched", "使用处中有 %d 处未被改动"},
		{"%v: %v, some in other repositories", "%v：%v，部分在其他仓库"},
		{"%v, and all uses in this repository are part of the change", "%v，本仓库的所有使用处都在此更改中"},
		{"%v for users outside this repository", "%v，影响本仓库之外的使用者"},
		{"%d behaviours are not as they were", "%d 项行为与以前不同"},
		{"%v, and %v", "%v，%v"},
		{"%d statements of specs say otherwise", "规格中 %d 条陈述与之不符"},
		{"%d errors, checks or effects are gone", "%d 项错误、检查或效果已消失"},
		{"%d new behaviours or declarations that no requirement states", "%d 项新增的行为或声明没有需求陈述"},
		{"the implementation alone changed, and tests reach %v", "仅实现改变，测试覆盖%v"},
		{"all %d functions that changed", "全部 %d 个改变的函数"},
		{"the implementation alone changed", "仅实现改变"},
		{"no test is known to reach %v that changed: %s", "已知没有测试覆盖改变的%v：%s"},
		{"%d functions", "%d 个函数"},
		{"no test changed with the code", "代码改变而测试未变"},
		{"code outside of declarations changed, which is not compared: %s", "声明之外的代码有改变，未加比较：%s"},
		{"`%s` is used in %d places", "`%s` 有 %d 处使用"},
		{"dependencies or their versions changed", "依赖或其版本改变"},
		{"the code means what it did: formatting, comments or names of locals changed", "代码含义未变：仅格式、注释或局部变量名改变"},
		{"only tests changed", "仅测试改变"},
		{"no code changed", "代码未变"},
		{"nothing changed", "没有改变"},
	}
}

func zhClaimCheck() []Entry {
	return []Entry{
		{"confirmed", "属实"},
		{"refuted", "不实"},
		{"unverifiable", "无法核实"},
		{"  … and %d more", "  ……另有 %d 处"},
		{"the statement is of no form that is understood; these are: %s", "无法理解这种形式的陈述；可用的形式：%s"},
		{"it fails there", "它在该处失败"},
		{"it ends with no error, and calls nothing", "它不以错误结束，也不调用其他代码"},
		{"no error is in it; what it calls may fail", "其中没有错误；它调用的代码可能失败"},
		{"the code does so there", "代码在该处如此"},
		{"in that case it returns `%s`", "此时它返回 `%s`"},
		{"what it returns in that case is not known", "此时返回什么不得而知"},
		{"it has no value that is known", "它没有已知的值"},
		{"it begins with `%s`, and may be changed", "它的初值为 `%s`，可能被改变"},
		{"its value is `%s`", "它的值为 `%s`"},
		{"it fails there, but the code does not decide whether it does so in that case", "它在该处失败，但代码不能确定此时是否如此"},
		{"it ends with other errors alone, and calls nothing", "它只以其他错误结束，也不调用其他代码"},
		{"no such error is in it; what it calls may fail", "其中没有这种错误；它调用的代码可能失败"},
		{"a call may lead there, but the code does not decide whether it does", "可能有调用通向该处，但代码不能确定"},
		{"%d calls are there", "有 %d 处调用"},
		{"it names it, but no call that is resolved leads there", "它提到该名称，但没有已解析的调用通向该处"},
		{"nothing in it names it, but what `%s` calls is not known", "其中没有提到该名称，但 `%s` 调用什么不得而知"},
		{"nothing in it names `%s`; what it calls may", "其中没有提到 `%s`；它调用的代码可能提到"},
		{"its declaration is exported", "它的声明是导出的"},
		{"its declaration is not exported", "它的声明不是导出的"},
		{"it is declared there", "它声明于该处"},
		{"no declaration has the name, and no file has the word", "没有声明使用该名称，也没有文件含有该词"},
		{"no declaration that is known has the name, but it is in the code", "没有已知的声明使用该名称，但代码中有该词"},
		{"%d tests reach it", "有 %d 个测试到达它"},
		{"no test is known to reach it; whether one does through other code is not decided", "已知没有测试到达它；是否经由其他代码到达不能确定"},
		{"%d places outside it use it", "它之外有 %d 处使用它"},
		{"no resolved call or use leads there from it", "没有从它通向该处的已解析调用或使用"},
		{"no resolved call or use leads to it from elsewhere, but its name is in the code, where it may be meant", "没有来自别处的已解析调用或使用，但代码中有该名称，可能是指它"},
		{"nothing else in this repository uses or names it", "本仓库中没有其他代码使用或提到它"},
		{"all that it extends is known, and this is not of it", "它继承的一切均已知，其中没有这一个"},
		{"no error is among its results", "它的返回值中没有错误"},
		{"it does", "确实如此"},
		{"no declaration says so; whether it fits is not decided", "没有声明如此说明；是否符合不能确定"},
		{"%d places use it", "有 %d 处使用它"},
		{"calls may lead to it, but the code does not decide whether they do", "可能有调用通向它，但代码不能确定"},
		{"no resolved call or use leads to it, but its name is in the code, where it may be meant", "没有已解析的调用或使用通向它，但代码中有它的名称，可能指它"},
		{"nothing in this repository uses or names it besides its declaration", "除声明外，本仓库没有代码使用或提到它"},
		{"nothing in this repository uses or names it besides its declaration; it is exported, so that others may", "除声明外，本仓库没有代码使用或提到它；它是导出的，其他仓库可能使用"},
	}
}

func zhReviewTools() []Entry {
	return []Entry{
		{
			"What a change does: its risk, what breaks and who uses that, what specs state otherwise, tests to run. Use it after edits and before a commit; for one spec use diff.",
			"一次变更做了什么：风险、破坏了什么及其使用者、规格的不同陈述、要运行的测试。修改之后、提交之前使用；单个规格用 diff。",
		},
		{"Git revision; empty for what is not committed, or the branch", "Git 版本；留空为未提交的内容或当前分支"},
		{"What is staged", "仅暂存的内容"},
		{"Only this file or folder", "仅此文件或目录"},
		{
			"Confirm or refute a statement, with the lines: \"nobody calls X\", \"X throws E on empty input\", \"MAX is 10\". Use it before you rely on one; not for questions (orient).",
			"证实或反驳一个陈述，附代码行：\"nobody calls X\"、\"X throws E on empty input\"、\"MAX is 10\"。依赖它之前使用；提问用 orient。",
		},
	}
}

func zhReviewHelp() []Entry {
	return []Entry{
		{"`form` of the report: text, md, json, sarif or github", "报告`格式`：text、md、json、sarif 或 github"},
		{"rewrite the statements of specs that became untrue, and nothing else", "改写规格中不再成立的陈述，不改动其他内容"},
		{"Brief a reviewer on a change: risk, what it breaks, what to run", "为审阅者概述一次更改：风险、破坏什么、应运行什么"},
		{
			`Review makes one briefing of a change: its risk in one line and why; what breaks users,
with the places in this repository and in those of its federation that use it and that
the change does not touch; behaviour that is not as it was, with the statements of specs
that say otherwise; what is new and stated nowhere; and the tests to run. It needs no
specs. Users and tests come from the code graph if there is one (reverse-spec index),
else from names.

Without --base the change is what is not committed, else what the branch adds to the main
branch, else the last commit.

EXIT STATUS
  3 when the change is at or above the level of --fail-on`,
			`review 概述一次更改：一行风险及其原因；破坏使用者的内容，及本仓库和联邦中其他仓库里
使用它而未被改动的位置；与以前不同的行为，及与之不符的规格陈述；新增而无陈述的内容；
以及应运行的测试。不需要规格。有代码图时（reverse-spec index）使用处和测试来自代码图，
否则按名称查找。

不使用 --base 时，更改为未提交的内容，其次为分支相对主分支的内容，再次为最后一次提交。

退出状态
  3 更改达到 --fail-on 的级别`,
		},
		{"git `revision` that the change begins at", "更改起始的 git `版本`"},
		{"lowest `level` for exit status 3: low, medium, high, breaking or never", "以状态 3 退出的最低`级别`：low、medium、high、breaking 或 never"},
		{"`form` of the review: text, md, json, sarif or github", "概述的`格式`：text、md、json、sarif 或 github"},
		{"run the tests, too; they are code of the project", "同时运行测试；测试是项目的代码"},
		{"review what is staged for the next commit", "审阅已暂存的内容"},
		{"Check a statement about the code: confirmed, refuted or unverifiable", "核实关于代码的陈述：属实、不实或无法核实"},
		{
			`Verify-claim checks a statement about the code, in plain English, against the code, and
shows the lines that decide it. What the code does not decide is unverifiable: nothing
is guessed. It makes the code graph if there is none.

EXIT STATUS
  3 when the statement is refuted or unverifiable`,
			`verify-claim 对照代码核实一条用英语写的陈述，并显示作为依据的代码行。代码不能确定的
即为无法核实：不作猜测。没有代码图时会构建代码图。

退出状态
  3 陈述不实或无法核实`,
		},
	}
}
