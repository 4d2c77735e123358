package message

import "slices"

// zhCheck is what the commands diff, verify, view and hook say themselves.
func zhCheck() []Entry {
	return slices.Concat(zhCheckMessages(), zhDiffHelp(), zhVerifyHelp(), zhViewHelp(), zhHookHelp())
}

func zhCheckMessages() []Entry {
	return []Entry{
		{"no such format: %s (text, json or md)", "没有这种格式：%s（可用 text、json 或 md）"},
		{"--all takes every spec: name none with it", "--all 已包含所有规格：不要再指定规格"},
		{"name a spec, or take all with --all", "请指定规格，或用 --all 选择全部"},
		{"--json and --junit - both write to standard output", "--json 与 --junit - 都会写到标准输出"},
		{"the project has no *.spec.md", "项目中没有 *.spec.md"},
		{"no such port: %d", "没有这个端口：%d"},
		{"no browser was opened: %v", "未能打开浏览器：%v"},
	}
}

func zhDiffHelp() []Entry {
	return []Entry{
		{"Find what changed in the code since its specs were written", "找出规格写成之后代码的变化"},
		{"git `revision` to compare with instead of a spec", "用来比较的 git `版本`，代替规格"},
		{"`form` of the report: text, json or md", "报告的`格式`：text、json 或 md"},
		{"the same as --format json", "等同于 --format json"},
		{"lowest `level` for exit status 3: low, medium, high or breaking", "退出状态为 3 的最低`级别`：low、medium、high 或 breaking"},
	}
}

func zhVerifyHelp() []Entry {
	return []Entry{
		{"Run the contract tests of specs", "运行规格中的契约测试"},
		{
			`Verify runs the contract tests of specs: each script with bash -eo pipefail in the
project's root, in a process group of its own and within --timeout. The results are
written to the front matter of the specs, to health (active or failing) and
last_verified, where they have these fields; nothing else in a file changes.

Each contract test runs the project's own tests of the module; the report of their tool
says what became of each, and so of each requirement. A test that is gone is a failure.
A contract test is blocked when something outside the code prevents it: a program, a
module or a network that is missing, a signal. That and a timeout leave the health as it
was. A spec is a program: it can do whatever its author can. --list shows the tests and
runs none.

--mutate finds what the tests do not notice: it copies the project into a temporary
folder, puts one mistake after the other into the code of the spec there (a condition
negated, a boundary moved, another constant, nothing returned, a call removed), runs the
tests of behavior with each, then all tests of the same tools if those notice nothing, and
lists the mistakes with which all pass. The lock of the spec keeps the list, and generate
shows it among the risks. A run that was stopped goes on where it was, as long as the
project is the same. Tests that take longer than --timeout are not run.

EXIT STATUS
  3 when a test failed or took too long; with --mutate, when no test could be run. A
    mistake that no test notices is no failure`,
			`verify 运行规格中的契约测试：每个脚本用 bash -eo pipefail 在项目根目录中运行，有
自己的进程组，时间不超过 --timeout。结果写入规格的 front matter：health（active 或
failing）与 last_verified，前提是有这些字段；文件的其他内容不变。

每个契约测试运行模块在项目中已有的测试；测试工具的报告说明每项测试的结果，从而说明每项
需求的结果。不再存在的测试算作失败。代码之外的原因（缺少程序、模块或网络，收到信号）使契约
测试无法运行时，结果为受阻。受阻与超时都不改变 health。规格就是程序：其作者能做的事它都能做。
--list 只列出测试，不运行。

--mutate 找出测试未发现的错误：把项目复制到临时文件夹，在副本中逐一向规格所述的代码植入
一处错误（条件取反、边界移动、常量改变、返回空值、删除调用），每次运行行为测试；若未发现
错误，再运行同一工具的全部测试；最后列出所有测试仍然通过的错误。规格的锁文件保存这份列表，
generate 把它列入风险一节。中断的运行会在项目不变时从中断处继续。耗时超过 --timeout 的测试
不会运行。

退出状态
  3 有测试失败或超时；使用 --mutate 时，没有测试能够运行。测试未发现的错误不算失败`,
		},
		{"put mistakes into a copy of the code, and list those that no test notices", "在代码的副本中植入错误，列出测试未发现的错误"},
		{"with --mutate, how many mistakes for each spec", "与 --mutate 同用：每份规格植入多少处错误"},
		{"all specs of the project: every *.spec.md", "项目的所有规格：每个 *.spec.md"},
		{"show the tests and what they cover; run none", "列出测试及其覆盖的内容，不运行"},
		{"the `ids` of the tests to run, such as CT-AUTH-001; may be given again", "要运行的测试的`编号`，例如 CT-AUTH-001；可多次给出"},
		{"how many contract tests to run at once; 0 for one of each tool, more than 1 only where they do not disturb each other", "同时运行的契约测试数；0 表示每种工具一个，仅当测试互不干扰时才大于 1"},
		{"measure which lines run, and say for each error exit whether a test asserts on it, only reaches it, or none does", "测量运行了哪些行，并说明每个错误出口是有测试断言、只有测试到达，还是没有测试"},
		{"write what did not pass as SARIF to a `file`", "把未通过的内容以 SARIF 写入`文件`"},
		{"then run all tests that the same tools have in their folders: those of other code may notice what those of a module do not", "然后运行同一工具在其文件夹中的全部测试：其他代码的测试可能发现模块自己的测试未发现的问题"},
		{"print what did not pass as annotations of GitHub, to standard error", "把未通过的内容以 GitHub 注解输出到标准错误"},
		{"with --all, only the specs that changes since a `revision` touch", "与 --all 同用：只包括自某`修订`以来的更改所涉及的规格"},
		{"run the tests again that passed with the same code, tests and tools", "代码、测试与工具相同而已通过的测试也重新运行"},
		{"--base selects among the specs of --all", "--base 从 --all 的规格中选择"},
		{"how long each test may take", "每个测试的时限"},
		{"do not write to the front matter of the specs", "不写入规格的 front matter"},
		{"the report as JSON", "以 JSON 输出报告"},
		{"write the report as JUnit XML to a `file`; - for standard output", "把报告以 JUnit XML 写入`文件`；- 表示标准输出"},
	}
}

func zhViewHelp() []Entry {
	return []Entry{
		{"Show the specs in a browser", "在浏览器中查看规格"},
		{
			`View shows the specs of the project as a local web site: their coverage, health and
drift, each spec with its links and diagrams, the sources that it names, and the
modules with their dependencies. It reads the files as they are at each request and
writes nothing. Only this machine can reach it, and it needs no network.

The address is printed on standard output; ctrl-c ends it.

With --export it writes the pages into a folder instead, as files that open from disk
and from any web server, such as GitHub Pages. The folder must be missing, empty or of
an earlier export, which it replaces.`,
			`view 把项目的规格展示为本地网站：覆盖率、健康状况与漂移，每个规格及其链接和图，规格
提到的源代码，以及各模块及其依赖。每次请求都读取当时的文件，不写任何东西。只有本机
能访问它，也不需要网络。

地址打印在标准输出上；按 ctrl-c 结束。

使用 --export 时改为把网页写入文件夹，可从磁盘或任何网站服务器（如 GitHub Pages）打开。
该文件夹必须不存在、为空，或是以前导出的；以前导出的内容会被替换。`,
		},
		{"the `port` of this machine to listen on; 0 for any free one", "在本机监听的`端口`；0 表示任一空闲端口"},
		{"write the pages into a `folder`, for a web server or to open from disk", "把网页写入`文件夹`，供网站服务器使用或从磁盘打开"},
		{"%s: %v, %v", "%s：%v，%v"},
		{"%d pages", "%d 页"},
		{"%s has files that are not of an export; name another folder", "%s 中有不属于导出的文件；请指定其他文件夹"},
		{"open the site in the browser, when standard output is a terminal", "标准输出为终端时，在浏览器中打开网站"},
	}
}

func zhHookHelp() []Entry {
	return []Entry{
		{"Tell a coding agent about the specs, as the plugin's hooks do", "向编程智能体说明规格的情况，供插件的钩子调用"},
		{
			`Hook reads an event in Claude Code's form on standard input and prints what the agent
should know. It never fails: where something goes wrong, it says nothing.
REVERSE_SPEC_HOOKS=0, or "hooks: false" in .reverse-spec.yaml, turns it off.`,
			`hook 从标准输入读取 Claude Code 格式的事件，并打印智能体应当知道的内容。它从不失败：
出错时什么也不说。REVERSE_SPEC_HOOKS=0，或 .reverse-spec.yaml 中的 "hooks: false"，
可将其关闭。`,
		},
		{"how `long` comparing code and specs may take (default: so short that nobody waits)", "比较代码与规格的`时限`（默认：短到无须等待）"},
		{"Report the state of the project's specs", "报告项目规格的状况"},
		{"Report what an edit means for the spec of the file", "报告一次编辑对该文件的规格意味着什么"},
	}
}
