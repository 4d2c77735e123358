package message

import "slices"

// zhHelp is the help of the commands that make specs, ask the graph and serve.
func zhHelp() []Entry { return slices.Concat(zhHelpLines(), zhHelpTexts()) }

// zhHelpLines are the texts of a line: what a command does, what a flag means.
func zhHelpLines() []Entry {
	return []Entry{
		{"Turns code into specs that stay true", "把代码变成始终与代码一致的规格"},
		{"`language` of messages and of what is written: en or zh (default: REVERSE_SPEC_LANG, the configuration, the locale)", "消息和所写文件的`语言`：en 或 zh（默认依次取 REVERSE_SPEC_LANG、配置、系统区域设置）"},
		{"the project's `folder` (default: the nearest one around with .git or a package manifest)", "项目的`文件夹`（默认：最近的含有 .git 或包清单的上级文件夹）"},
		{"Write the specs of a whole project", "生成整个项目的规格"},
		{"first specs of examples, benchmarks, test support and documentation, too", "也为示例、基准测试、测试支持与文档首次生成规格"},
		{"only modules that changed since a git `revision`", "只处理自某个 git `版本`以来有变化的模块"},
		{"first write tests of error exits that no test asserts on", "先为没有测试断言的错误出口写测试"},
		{"run the contract tests, and write those that do not fail", "运行契约测试，只写入未失败的测试"},
		{"the model sees functions in full", "模型可以看到完整的函数体"},
		{"say what would be written, and what a model would read and cost", "只说明将写什么，以及模型需要读取的内容和费用"},
		{"write every spec anew, changed or not", "重新写出所有规格，无论有无变化"},
		{"modules to work on at once (default 2)", "同时处理的模块数（默认 2）"},
		{"`folder` for specs, within the project", "存放规格的`文件夹`，须在项目内"},
		{"what the model costs, for --dry-run: `IN,OUT` in dollars for a million tokens", "模型的价格，用于 --dry-run：每百万 token 的美元价 `IN,OUT`"},
		{"write a summary of the run to batch-summary-<time>.md beside the specs", "把运行摘要写入规格旁的 batch-summary-<时间>.md"},
		{"Show who calls a symbol, and what it calls, step by step", "逐级显示谁调用某个符号，以及它调用什么"},
		{"which `way`: callers, callees, both", "`方向`：callers、callees、both"},
		{"most `calls` to show each way", "每个方向最多显示的`调用`数"},
		{"Generate the autocompletion script for the specified shell", "生成指定 shell 的自动补全脚本"},
		{"Generate the autocompletion script for bash", "生成 bash 的自动补全脚本"},
		{"disable completion descriptions", "不生成补全项的说明"},
		{"Generate the autocompletion script for fish", "生成 fish 的自动补全脚本"},
		{"Generate the autocompletion script for powershell", "生成 powershell 的自动补全脚本"},
		{"Generate the autocompletion script for zsh", "生成 zsh 的自动补全脚本"},
		{"write the report to drift-logs/, too", "同时把报告写入 drift-logs/"},
		{"Write the spec of a file or folder", "生成一个文件或文件夹的规格"},
		{"all files below the folder", "文件夹下的所有文件"},
		{"print the spec and write no file", "打印规格，不写文件"},
		{"pages of any length, with everything that is known", "页面不限长度，包含全部已知内容"},
		{"Print a spec, with --all everything that is known", "打印规格；使用 --all 打印全部已知内容"},
		{"everything, as the code is now", "按当前代码给出全部内容"},
		{"Find the code that a question is about, with its neighbours", "查找与问题相关的代码及其邻近代码"},
		{"most `tokens` of the answer", "回答的最大 `token` 数"},
		{"`steps` to callers and callees that are shown, at most 5", "所示调用者和被调用者的最大`步数`，至多 5"},
		{"`form`: text or json", "输出`格式`：text 或 json"},
		{"`steps` from what the search finds, 0-5", "从搜索结果出发的图扩展`步数`，0-5"},
		{"with vendored and generated code, as far as it is indexed", "包括已索引的第三方代码和生成代码"},
		{"follow edges into other repositories", "包含指向其他仓库的边"},
		{"leave out what is less relevant, from 0 to 1", "最低相关度，0 到 1"},
		{"the `question`", "查询`内容`"},
		{"judge the candidates again", "对候选结果重排序"},
		{"most `candidates` of each source", "每个来源的最大`候选数`"},
		{"Help about any command", "查看任意命令的帮助"},
		{"Serve the tools to a coding agent over stdio", "通过 stdio 向编程代理提供工具"},
		{"let verify, generate and batch run contract tests", "允许 verify、generate 和 batch 运行契约测试"},
		{"connect to no other servers", "不连接其他服务器"},
		{"offer the tools of the servers in .mcp.json, too", "同时提供 .mcp.json 中各服务器的工具"},
		{"offer only these `names` of tools, with commas between them: orient,review,verify_claim", "只提供这些`名称`的工具，以逗号分隔：orient,review,verify_claim"},
		{"without the tools that write: generate, batch, delete_project, wipe_database, write_file, surgical_replace_code", "不提供会写入的工具：generate、batch、delete_project、wipe_database、write_file、surgical_replace_code"},
		{"Show the code as the parser sees it", "显示解析器读到的代码"},
		{"with the bodies of functions", "包含函数体"},
		{"`form`: md or json", "输出`格式`：md 或 json"},
		{"the whole result as JSON", "以 JSON 输出完整结果"},
		{"most `tokens` to print, estimated; 0 for all", "最多打印的 `token` 数（估算）；0 表示全部"},
		{"with --json: skip as many `symbols` of a result that was cut, to read on; with the same --max-tokens", "与 --json 合用：跳过被截断结果中的若干`符号`以便续读；--max-tokens 须相同"},
		{"list the secrets that were removed, by type, file and line", "按类型、文件和行列出已删除的敏感信息"},
		{"Ask the code graph, in plain words or in Cypher", "用自然语言或 Cypher 查询代码图"},
		{"print how the query would run, and do not run it", "打印查询的执行计划，不执行"},
		{"most `rows`, up to 100000 (default: 50 for a question, 500 for Cypher)", "最大`行数`，不超过 100000（默认：问题 50，Cypher 500）"},
		{"`rows` to skip", "跳过的`行数`"},
		{"most `time` that the query may take", "查询的最长`时间`"},
		{"Remove the code graphs of all projects", "删除所有项目的代码图"},
		{"Wipe-database removes every code graph. The projects' files stay as they are.", "wipe-database 删除所有代码图。项目的文件保持不变。"},
		{"do it", "确认执行"},
	}
}

// zhHelpTexts are the long ones.
func zhHelpTexts() []Entry {
	return []Entry{
		{
			`Query answers a question about the code, in English or Chinese, or an openCypher
query, which can only read. Rules translate a question into Cypher; one that no rule
knows goes to a model, where one is configured, with the names of symbols near it. The
Cypher that ran is printed on standard error. "-" reads the question from standard input.

QUESTIONS THAT WORK
`,
			`query 回答关于代码的问题（中文或英文），或执行只读的 openCypher 查询。问题按规则翻译成
Cypher；没有规则可用时，若配置了模型，则连同附近的符号名交给模型。实际执行的 Cypher
打印到标准错误。"-" 表示从标准输入读取问题。

可用的问题
`,
		},
		{
			`reverse-spec reads any code base and writes Markdown specs with requirements,
scenarios, API contracts and contract tests, every statement with the file and
line it comes from. diff then finds what changed since, and says whether it breaks
users of the code.

EXIT STATUS
  0 done   1 error   2 bad command line   3 done, and the check failed (drift, a failed test)   130 interrupted`,
			`reverse-spec 读取任意代码库，写出 Markdown 规格：需求、场景、API 契约和契约测试，
每条陈述都注明出处的文件和行号。之后用 diff 查看代码有哪些变更，以及是否影响使用者。

退出状态
  0 完成   1 出错   2 命令行有误   3 完成但检查未通过（有漂移或测试失败）   130 被中断`,
		},
		{
			`Batch writes one spec for each folder with source files, dependencies first, and an
index of all specs. Modules that have not changed since their spec was written are
skipped; a run that was killed continues where it stopped. While it runs, a line on
standard error names each module that is written. Folders of examples, benchmarks,
test support and documentation get no spec, unless they have one or --everywhere asks
for it.

With --dry-run it says what it would write and why, and what a model would read for
it and cost. Nothing is written, and no model is asked.

EXIT STATUS
  1 when a module failed; the others are written`,
			`batch 为每个含有源文件的文件夹写一份规格，被依赖者在先，并写出全部规格的索引。
自规格写成以来没有变化的模块会跳过；被终止的运行会从中断处继续。运行时，标准错误
上每写一个模块就输出一行。示例、基准测试、测试支持与文档的文件夹不生成规格，除非
已有规格或使用 --everywhere。

使用 --dry-run 时只说明将写什么、为什么写，以及模型需要读取的内容和费用；
不写任何文件，也不询问模型。

退出状态
  1 有模块失败；其余模块照常写出`,
		},
		{
			`Call-chain follows the calls to a symbol and from it, as a tree. Every line has the
place of the call and its confidence; a call back into the chain is marked as a cycle.`,
			`call-chain 以树的形式列出对某个符号的调用和它发出的调用。每一行给出调用的位置和
置信度；回到链上已有符号的调用标为循环。`,
		},
		{
			`Generate the autocompletion script for reverse-spec for the specified shell.
See each sub-command's help for details on how to use the generated script.
`,
			`生成 reverse-spec 在指定 shell 中的自动补全脚本。
脚本的用法见各子命令的帮助。
`,
		},
		{
			`Generate the autocompletion script for the bash shell.

This script depends on the 'bash-completion' package.
If it is not installed already, you can install it via your OS's package manager.

To load completions in your current shell session:

	source <(reverse-spec completion bash)

To load completions for every new session, execute once:

#### Linux:

	reverse-spec completion bash > /etc/bash_completion.d/reverse-spec

#### macOS:

	reverse-spec completion bash > $(brew --prefix)/etc/bash_completion.d/reverse-spec

You will need to start a new shell for this setup to take effect.
`,
			`生成 bash 的自动补全脚本。

此脚本依赖 bash-completion 软件包。
若尚未安装，可用系统的包管理器安装。

在当前会话中加载：

	source <(reverse-spec completion bash)

让每个新会话都加载，执行一次：

#### Linux：

	reverse-spec completion bash > /etc/bash_completion.d/reverse-spec

#### macOS：

	reverse-spec completion bash > $(brew --prefix)/etc/bash_completion.d/reverse-spec

新开一个 shell 后生效。
`,
		},
		{
			`Generate the autocompletion script for the fish shell.

To load completions in your current shell session:

	reverse-spec completion fish | source

To load completions for every new session, execute once:

	reverse-spec completion fish > ~/.config/fish/completions/reverse-spec.fish

You will need to start a new shell for this setup to take effect.
`,
			`生成 fish 的自动补全脚本。

在当前会话中加载：

	reverse-spec completion fish | source

让每个新会话都加载，执行一次：

	reverse-spec completion fish > ~/.config/fish/completions/reverse-spec.fish

新开一个 shell 后生效。
`,
		},
		{
			`Generate the autocompletion script for powershell.

To load completions in your current shell session:

	reverse-spec completion powershell | Out-String | Invoke-Expression

To load completions for every new session, add the output of the above command
to your powershell profile.
`,
			`生成 powershell 的自动补全脚本。

在当前会话中加载：

	reverse-spec completion powershell | Out-String | Invoke-Expression

要让每个新会话都加载，请把上述命令的输出加入 powershell 配置文件。
`,
		},
		{
			`Generate the autocompletion script for the zsh shell.

If shell completion is not already enabled in your environment you will need
to enable it.  You can execute the following once:

	echo "autoload -U compinit; compinit" >> ~/.zshrc

To load completions in your current shell session:

	source <(reverse-spec completion zsh)

To load completions for every new session, execute once:

#### Linux:

	reverse-spec completion zsh > "${fpath[1]}/_reverse-spec"

#### macOS:

	reverse-spec completion zsh > $(brew --prefix)/share/zsh/site-functions/_reverse-spec

You will need to start a new shell for this setup to take effect.
`,
			`生成 zsh 的自动补全脚本。

若环境中尚未启用补全，请先启用，执行一次：

	echo "autoload -U compinit; compinit" >> ~/.zshrc

在当前会话中加载：

	source <(reverse-spec completion zsh)

让每个新会话都加载，执行一次：

#### Linux：

	reverse-spec completion zsh > "${fpath[1]}/_reverse-spec"

#### macOS：

	reverse-spec completion zsh > $(brew --prefix)/share/zsh/site-functions/_reverse-spec

新开一个 shell 后生效。
`,
		},
		{
			`Diff compares the code with the specs written from it: all of the project, those
named, or those in the folders named. With --base it compares the code with that of
a git revision: every module of which a file changed, or those at the paths; a module
that was removed or added is one change. It says what was removed, changed and added,
how severe it is, and whether it breaks users of the code. Formatting, comments, import
order and the like are noise: counted, not reported. With --report the report is written
to drift-logs/, too.

Of behaviour that changed it says what it was and what it is, in the code of both sides,
which requirements and scenarios of the spec say otherwise, and which tests show these.
With --update it rewrites these statements in the spec and in its lock, and no other byte.

EXIT STATUS
  3 when a change at or above the level of --fail-on was found`,
			`diff 比较代码与据其写成的规格：项目的全部规格、指定的规格，或指定文件夹中的规格。
使用 --base 时与某个 git 版本的代码比较：每个有文件变更的模块，或指定路径下的模块；
移除或新增的模块计为一项变更。报告说明移除、变更和新增了什么，严重程度如何，
是否影响代码的使用者。格式、注释、导入顺序等属于噪声：只计数，不报告。
使用 --report 时报告还会写入 drift-logs/。

行为改变时，说明原为何、现为何及两侧的代码，规格中哪些需求和场景与之不符，哪些测试体现它们。
使用 --update 时只改写规格及其锁中的这些陈述，不改动其他任何字节。

退出状态
  3 发现达到 --fail-on 级别的变更`,
		},
		{
			`Generate writes the spec of a file or folder to specs/<target>.spec.md. A spec
that exists gets the next version; ids stay with their subjects, and text between
<!-- keep --> and <!-- /keep --> is kept.

The spec of a folder is about the files in it, as in batch, which writes the same
spec; without source files of its own, or with --recursive, about everything below.

With --check the contract tests are run before they are written, as verify would run
them: in the project's root, with the project's own tools. One that fails is left out,
and the section on risks says so.

With --write-tests it first writes tests of the error exits that no test asserts on, as far
as their condition is over literals and the parameters of a function that can be called
with simple values: in Go, pytest, unittest, vitest or jest, in a new file beside the tests
of the module. Each test is run in a copy of the project; it is kept if it passes, and fails
when a mistake is put into the exit. Why others were not kept is printed. A model, where
there is one, writes the tests of other exits, which are kept under the same conditions.

A model, where there is one (see auth), adds prose. It is checked against the code:
names, signatures and lines that do not exist are removed, and what no line shows is
marked [inferred]. Without a model the spec has what the code proves. When the model
fails, that spec is written, and the exit status is 1.`,
			`generate 把文件或文件夹的规格写入 specs/<目标>.spec.md。已有的规格得到下一个版本号；
编号不随内容移动而改变，<!-- keep --> 与 <!-- /keep --> 之间的文字会保留。

文件夹的规格说明其中的文件，与 batch 写出的规格相同；若其中没有源文件，或使用
--recursive，则说明其下的全部内容。

使用 --check 时，契约测试在写入之前按 verify 的方式运行：在项目根目录，用项目自己
的工具。失败的测试不写入，风险一节会注明。

使用 --write-tests 时，先为没有测试断言的错误出口写测试，前提是其条件只涉及字面量与可用简单
值调用的函数的参数：Go、pytest、unittest、vitest 或 jest，写入模块测试旁的新文件。每个测试在
项目的副本中运行；通过、且在出口植入错误后失败的才保留，其余未保留的原因会打印。
有模型时，由它为其他出口写测试，按同样的条件保留。

如果有模型（见 auth），它会补充文字说明，并与代码核对：不存在的名称、签名和行号会
删除，没有代码行佐证的内容标为 [推断]。没有模型时，规格只含代码可证明的内容；模型
失败时同样写出这份规格，退出状态为 1。`,
		},
		{
			`Show prints the spec of a file or folder as it was written. A page is short: it shows
what matters most, and counts the rest. With --all everything is printed that the code
shows now: all requirements, scenarios, rows of tables and declarations. No file is
written.`,
			`show 按写成时的样子打印文件或文件夹的规格。页面简短：列出最重要的内容，并给出其余
内容的数量。使用 --all 时打印代码当前所表明的全部内容：所有需求、场景、表格行和声明。
不写任何文件。`,
		},
		{
			`Graph-rag searches the project's symbols, walks the code graph from those it finds,
and prints the best within a budget of tokens: where they are, what they say, who
calls them. graph-rag.sh is the same command under its contract's name.

USAGE
  graph-rag.sh --query <question> [options]

REQUIRED
  --query <string>         the question; it may also be the first argument, behind -- when it begins with a dash

OPTIONS
  --top-k <int>            most candidates of each source (default: 10)
  --depth <int>            steps to the callers and callees that are shown (default: 3, most: 5)
  --budget <int>           most tokens of the answer (default: 8000)
  --format <text|json>     form of the output (default: text: the ten best places)
  --code                   as text, all results with their code, callers and callees
  --fusion-depth <int>     steps in the graph from what the search finds (default: 1, range: 0-5)
  --include-virtual        follow virtual edges, into other repositories; needs reverse-spec federate
  --min-relevance <float>  least relevance (default: 0.0)
  --rerank                 order the candidates again, by the model that is configured; by names without one

ENVIRONMENT
  CKB_UNAVAILABLE=1        do not ask CKB
  GRAPH_RAG_CACHE_ENABLED  whether answers are cached (default: true)

EXIT STATUS
  0   done
  1   wrong argument
  2   something that it needs is missing
  3   the query failed`,
			`graph-rag 搜索项目的符号，从找到的符号出发遍历代码图，在 token 预算内打印最相关的
结果：位置、内容和调用者。graph-rag.sh 是同一命令在契约中的名称。

用法
  graph-rag.sh --query <查询> [选项]

必需参数
  --query <string>         查询内容；也可作为第一个参数，以短横线开头时放在 -- 之后

可选参数
  --top-k <int>            每个来源的返回候选数（默认: 10）
  --depth <int>            所示调用者和被调用者的遍历深度（默认: 3，最大: 5）
  --budget <int>           回答的 token 预算（默认: 8000）
  --format <text|json>     输出格式（默认: text，即最相关的十处）
  --code                   以文本列出全部结果，并显示代码、调用者与被调用者
  --fusion-depth <int>     融合查询图扩展深度（默认: 1，范围: 0-5）
  --include-virtual        包含虚拟边（跨仓库）；需先运行 reverse-spec federate
  --min-relevance <float>  最低相关度阈值（默认: 0.0）
  --rerank                 用所配置的模型重排序；没有模型时按名称排序

环境变量
  CKB_UNAVAILABLE=1        强制禁用 CKB MCP
  GRAPH_RAG_CACHE_ENABLED  缓存开关（默认: true）

退出状态
  0   成功
  1   参数错误
  2   依赖缺失
  3   查询失败`,
		},
		{
			`Help provides help for any command in the application.
Simply type reverse-spec help [path to command] for full details.`,
			`help 显示任意命令的帮助。
输入 reverse-spec help [命令] 查看完整说明。`,
		},
		{
			`The MCP server speaks JSON-RPC on standard input and output and nothing else
there; its log goes to standard error. Its project is --project, TARGET_REPO_PATH or
CLAUDE_PROJECT_ROOT, where one is set; else the folders that the client works in (its
roots, or its working folder with each call); else CLAUDE_PROJECT_DIR or the working
folder. When that is the folder of the plugin itself, the project is the one around the
first absolute path of a call. Outside the project it changes only the store of code
graphs.

Files that programs run, or whose text they obey, are not written by the file tools:
settings of coding agents and editors, workflows, git hooks and the like. With
--allow-write and the name of a place, such as .claude or .github/workflows, they are.
No file of the project can allow it.

With --read-only it does not have the tools that write: generate, batch,
delete_project, wipe_database, write_file and surgical_replace_code; diff writes no
report. With --tools it has only those that are named: their definitions are read with
each task, about 2,500 tokens for all.

It also offers the tools of the servers in .kode.json, the user's and those of the
project that were approved (reverse-spec mcp approve), as server__tool; those that
--allow and --deny let through, and with --read-only those that say that they only
read. With --proxy those in .mcp.json, too, which most clients connect to by
themselves; with --no-proxy none. It does not wait for slow servers: clients are told
when there are more tools, or fewer. A server that it starts and that is this program
connects to no others.

The tool verify lists contract tests. With --allow-run it runs them too, and generate
and batch check those that they write when asked to: a spec is a program, so allow this
only where the specs are as trusted as the code.`,
			`MCP 服务器在标准输入和标准输出上只使用 JSON-RPC，日志写到标准错误。它的项目依次
取自 --project、TARGET_REPO_PATH、CLAUDE_PROJECT_ROOT；否则取客户端所在的文件夹
（客户端的 roots，或每次调用附带的工作文件夹）；再否则取 CLAUDE_PROJECT_DIR 或当前
文件夹。若后者就是插件自身的文件夹，则取第一次调用中绝对路径所属的项目。项目之外，
它只改动代码图的数据库。

文件工具不写入会被程序运行或遵从的文件：编程智能体和编辑器的设置、工作流、git 钩子等。
用 --allow-write 加上位置的名称（如 .claude 或 .github/workflows）可以允许；项目中的
文件不能作此许可。

使用 --read-only 时没有会写入的工具：generate、batch、delete_project、
wipe_database、write_file 和 surgical_replace_code；diff 也不写报告。使用 --tools 时只有
所列出的工具：每项任务都会读入工具的定义，全部约 2,500 个 token。

它还以 server__tool 的名称提供 .kode.json 中各服务器的工具：用户自己的，以及项目中
已批准的（reverse-spec mcp approve），并受 --allow 与 --deny 限制；使用 --read-only
时只提供声明为只读的工具。使用 --proxy 时还包括 .mcp.json 中的服务器（多数客户端会
自行连接它们）；使用 --no-proxy 时一个也不连接。它不等待缓慢的服务器：工具增减时会
通知客户端。由它启动且正是本程序的服务器不再连接其他服务器。

工具 verify 列出契约测试。使用 --allow-run 时也运行它们，generate 和 batch 也可按要求
检查所写的测试：规格就是程序，因此只应在规格与代码同样可信时允许。`,
		},
		{
			`Prepare reads a file or folder and prints its declarations, imports and
documentation: as Markdown for a reader, a person or a model, or with --json the
whole result with every symbol, import and call. For modules that the code imports
it adds the declarations that it names of them; with --deep the bodies of functions,
the tests that reach them and what was found in the code. Secrets are removed everywhere;
--show-redactions prints where they are, and nothing else.`,
			`prepare 读取文件或文件夹，打印其声明、导入和文档：默认为供人或模型阅读的 Markdown，
使用 --json 时为包含全部符号、导入和调用的完整结果。对代码所导入的模块，附上代码引用的
声明；使用 --deep 时还附上函数体、覆盖它们的测试以及从代码中得知的行为。敏感信息一律删除；--show-redactions 只打印它们所在的位置。`,
		},
	}
}
