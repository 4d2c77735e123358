package message

// zhHelpTools is the help of the commands that work on the code graph, on models, on
// files, on other MCP servers and on coding agents.
func zhHelpTools() []Entry {
	return []Entry{
		{"Tell which model would be asked, and why", "显示会使用哪个模型及其原因"},
		{`Auth shows which provider, model, address and key would be used, where each of them was
set, and what was found of the other providers. It asks nobody; --verify makes one tiny
call. Of a key its end is shown.

A provider is taken from --provider, REVERSE_SPEC_PROVIDER, or config.yaml in the user's
folder; the project's .reverse-spec.yaml may say none. Else the first is taken of
  anthropic    when ANTHROPIC_API_KEY is set (ANTHROPIC_BASE_URL: another address)
  openai       when OPENAI_BASE_URL is set: Ollama, vLLM, LM Studio, ... (OPENAI_API_KEY if it wants one)
  claude-cli   when REVERSE_SPEC_CLAUDE_CLI=1 and the claude command is logged in
  client       in mcp-server, when a call asks for prose and the MCP client lends its model
  none         specs then hold what the code proves

EXIT STATUS
  3 when there is no model to ask, though nobody asked for none`, `auth 显示会使用哪个提供方、模型、地址和密钥，它们各在何处设置，以及其他提供方的情况。
它不会调用任何模型；--verify 会发起一次很小的调用。密钥只显示末尾几位。

提供方取自 --provider、REVERSE_SPEC_PROVIDER 或用户文件夹中的 config.yaml；项目的
.reverse-spec.yaml 只能设为 none。否则取下列中第一个可用的：
  anthropic    已设置 ANTHROPIC_API_KEY（ANTHROPIC_BASE_URL：其他地址）
  openai       已设置 OPENAI_BASE_URL：Ollama、vLLM、LM Studio 等（需要时设置 OPENAI_API_KEY）
  claude-cli   REVERSE_SPEC_CLAUDE_CLI=1，且 claude 命令已登录
  client       在 mcp-server 中，调用请求 prose 且 MCP 客户端提供其模型
  none         此时 spec 仅含代码可证明的内容

退出状态
  3 没有可用的模型，而用户并未要求不用模型`},
		{"as JSON", "以 JSON 输出"},
		{"the result, or the error, as JSON", "以 JSON 输出结果或错误"},
		{"make one tiny call", "发起一次很小的调用"},
		{"which `model` is asked (default: REVERSE_SPEC_MODEL, the configuration, the provider's)", "使用哪个`模型`（默认：REVERSE_SPEC_MODEL、配置、提供方的默认值）"},
		{"ask no model: the same as --provider none", "不使用模型：等同于 --provider none"},
		{"who is asked: auto, anthropic, openai, claude-cli, client or none (default: REVERSE_SPEC_PROVIDER, the configuration, auto)", "使用哪个提供方：auto、anthropic、openai、claude-cli、client 或 none（默认：REVERSE_SPEC_PROVIDER、配置、auto）"},
		{"most requests a minute (`number`; default: REVERSE_SPEC_RATE, the configuration, no bound)", "每分钟最多的请求`数`（默认：REVERSE_SPEC_RATE、配置、不限）"},
		{"Remove a project's code graph", "删除项目的代码图"},
		{`Delete-project removes the code graph of a project. The project's files stay as they are.
With --shared, the graph is that in the store that REVERSE_SPEC_STORE names, for everybody.`, `delete-project 删除一个项目的代码图。项目的文件保持不变。使用 --shared 时，删除
REVERSE_SPEC_STORE 指定的存储中的图，对所有人生效。`},
		{"remove it from the shared store", "从共享存储中删除"},
		{"Find what several repositories use of each other", "查找多个仓库之间的相互使用"},
		{`Federate brings the code graphs of the repositories in a federation.yaml up to
date, finds what each uses of the others, and keeps that as virtual edges with the
graph of the one that uses: graph-rag --include-virtual follows them.

It links code across repositories by the packages they publish (Go, npm, Python,
Java), and finds uses of their contracts: protocol buffers, OpenAPI and GraphQL.
Every edge says by which rule it was found and what its confidence is made of;
below 0.5 none is kept.

FILE
  schema_version: 1
  federation:
    repositories:
      - name: api               # by default the folder's
        path: ../api            # relative to this file
        contracts: ["**/*.proto", "**/openapi.yaml"]   # by default the usual names
    auto_discover:              # more repositories, by their place
      enabled: true
      search_paths: [..]
      contract_patterns: ["**/*.proto"]

It is --config, FEDERATION_CONFIG, ./federation.yaml or ./config/federation.yaml.
A contract that several repositories have a copy of is that of the one that serves
it, if that is known, else of the first.`, `federate 更新 federation.yaml 中各仓库的代码图，查找每个仓库使用了其他仓库的哪些内容，
并作为虚拟边与使用方的图一起保存：graph-rag --include-virtual 会沿着它们查找。

它按各仓库发布的包（Go、npm、Python、Java）跨仓库链接代码，并查找对契约的使用：
protocol buffers、OpenAPI 和 GraphQL。每条边都说明由哪条规则找到、置信度如何得出；
低于 0.5 的不保留。

文件
  schema_version: 1
  federation:
    repositories:
      - name: api               # 默认为文件夹名
        path: ../api            # 相对于此文件
        contracts: ["**/*.proto", "**/openapi.yaml"]   # 默认为常用的名称
    auto_discover:              # 按位置查找更多仓库
      enabled: true
      search_paths: [..]
      contract_patterns: ["**/*.proto"]

依次取 --config、FEDERATION_CONFIG、./federation.yaml 或 ./config/federation.yaml。
多个仓库都有副本的契约，归提供该服务的仓库所有（如能判断），否则归第一个仓库所有。`},
		{"find, and store no virtual edges", "只查找，不保存虚拟边"},
		{"the `file` that names the repositories", "列出各仓库的`文件`"},
		{"list the edges at a `symbol`, with what their confidence is made of", "列出某个`符号`处的边及其置信度的构成"},
		{"Write the code graph, or what stands around a symbol", "输出代码图，或某个符号周围的部分"},
		{`Graph writes nodes and edges in a form for other programs: json (as code-graph-rag
exports it), dot (Graphviz), mermaid, graphml. Edges that are less sure than 0.9 are
drawn dashed.`, `graph 以供其他程序使用的格式输出节点和边：json（与 code-graph-rag 的导出相同）、
dot（Graphviz）、mermaid、graphml。置信度低于 0.9 的边画成虚线。`},
		{"only what stands around this `symbol`", "仅输出该`符号`周围的部分"},
		{"`steps` from the symbol", "距该符号的`步数`"},
		{"which way edges are followed: in, out or both", "沿边的哪个方向：in、out 或 both"},
		{"`form`: dot, graphml, json, mermaid", "`格式`：dot、graphml、json、mermaid"},
		{"the answer as JSON", "以 JSON 输出答案"},
		{"most `nodes` around a symbol", "符号周围最多的`节点数`"},
		{"take the stored graph as it is, without a look for changes", "直接使用已保存的图，不检查更改"},
		{"edge `types` to follow, such as CALLS,IMPORTS", "要沿着的边的`类型`，例如 CALLS,IMPORTS"},
		{"List what is affected by a change of a symbol", "列出更改某个符号会影响的内容"},
		{`Impact lists what calls or uses a symbol or is built on it, then what does so of
those, by distance and by how sure it is. Tests are marked.`, `impact 列出调用、使用或建立在某个符号之上的内容，再列出对这些内容如此使用的内容，
按距离和置信度排列。测试会有标记。`},
		{"most `steps` from the symbol", "距该符号最多的`步数`"},
		{"most `symbols` to list", "最多列出的`符号数`"},
		{"leave out what is less sure, from 0 to 1", "略去置信度更低的内容，取值 0 到 1"},
		{"Build the project's code graph, or bring it up to date", "构建项目的代码图，或将其更新"},
		{`Index parses the project's source files and stores which symbol calls, uses and
builds on which. The first run builds the whole graph; later ones take up what
has changed. The graph is kept in the user's data folder (REVERSE_SPEC_HOME, or
the file GRAPH_DB_PATH), nothing is written into the project.

Where a compiler's indexer has written down what names mean (a SCIP index, by
scip-typescript, scip-python, scip-go, scip-java, rust-analyzer, ...), --scip makes
the graph exact: what that index knows wins over what is worked out here, edge by
edge. It counts for files that were not written since it was. The index is
remembered with the graph and used by later runs as long as it is not changed;
--no-scip forgets it.

With --push the graph is that of the commit that is checked out, in the store that
REVERSE_SPEC_STORE names (postgres://user:password@host/database), for everybody who
uses that store: reverse-spec projects lists it, and query --in asks it. CI pushes after each
commit to the main branch. An older commit than that of the shared graph changes
nothing.`, `index 解析项目的源文件，并保存哪个符号调用、使用或建立在哪个符号之上。首次运行构建
完整的图，之后只处理更改的部分。图保存在用户数据文件夹中（REVERSE_SPEC_HOME，或文件
GRAPH_DB_PATH），不向项目写入任何内容。

如果编译器的索引器已写下各名称的含义（SCIP 索引，由 scip-typescript、scip-python、
scip-go、scip-java、rust-analyzer 等生成），--scip 可使图精确：该索引所知的内容逐边
优先于此处推断的结果。它只对在其之后未写入的文件有效。该索引会与图一起被记住，只要
未更改，之后的运行就会使用；--no-scip 可取消。

使用 --push 时，图是当前签出提交的图，保存到 REVERSE_SPEC_STORE 指定的存储
（postgres://用户:密码@主机/数据库），供使用该存储的所有人使用：reverse-spec projects
列出它，query --in 查询它。CI 在主分支的每次提交后推送。比共享图更旧的提交不会作任何
更改。`},
		{"bring the shared graph to the commit that is checked out, instead of the folder's own", "将共享图更新到当前签出的提交，而不是更新文件夹自己的图"},
		{"with --push, the `name` of the project; without it, the remote repository is the project", "与 --push 一起使用：项目的`名称`；不指定时以远程仓库为项目"},
		{"with --push, replace the graph of a newer commit or of another branch, too", "与 --push 一起使用：也替换更新的提交或其他分支的图"},
		{"ask the graph of this `project`, by its name or address in reverse-spec projects", "查询此`项目`的图，按 reverse-spec projects 中的名称或地址指定"},
		{"build the whole graph anew", "重新构建完整的图"},
		{"the summary as JSON", "以 JSON 输出摘要"},
		{"forget the SCIP indexes that the graph was made with", "取消图所用的 SCIP 索引"},
		{"let a SCIP index, this `file`, win over what is worked out here; repeatable", "让 SCIP 索引`文件`优先于此处推断的结果；可重复"},
		{"go on, and index again whenever files change", "持续运行，文件更改时重新索引"},
		{"Register with the coding agents on this machine", "注册到本机上的编程代理"},
		{`Init registers the MCP server and the skills with the coding agents on this machine, or
with those that --target names: for this project, or with --global for all of yours. It
changes the agent's own configuration file, in one step, and leaves every byte in it that
is not about reverse-spec. What is registered already stays as it is; --remove undoes it,
and --check says what is missing and writes nothing.

Where a plugin can be installed, that is better: it has commands and hooks, too.`, `init 将 MCP 服务器和技能注册到本机上的编程代理，或 --target 指定的代理：用于此项目，或用
--global 用于您的所有项目。它一步更改代理自己的配置文件，与 reverse-spec 无关的每个字节
都保持不变。已注册的内容保持原样；--remove 可撤销，--check 只说明缺少什么，不写入。

能够安装插件时，插件更好：它还带有命令和钩子。`},
		{"say which agents are not registered, and write nothing; the exit status is then 1", "说明哪些代理尚未注册，不写入；此时退出状态为 1"},
		{"show what would be written, and write nothing", "只显示将写入的内容，不写入"},
		{"for all projects of the user", "用于该用户的所有项目"},
		{"the server alone", "仅服务器"},
		{"take it out again", "撤销注册"},
		{"the `agents`: claude, codex, copilot, gemini, cursor, vscode, windsurf, zed, opencode (default: those on this machine, else claude)", "`代理`：claude、codex、copilot、gemini、cursor、vscode、windsurf、zed、opencode（默认：本机上的代理，否则 claude）"},
		{"Name what is in a folder of the project", "列出项目某个文件夹中的内容"},
		{`List names what is in a folder, in order, one a line, as the tool list_directory
does: whatever is there, what git ignores and .git too. A name that would not fit
on a line stands in quotes.`, `list 按顺序逐行列出文件夹中的内容，与工具 list_directory 相同：包括其中的一切，
被 git 忽略的内容和 .git 也在内。一行放不下的名称加引号。`},
		{"the result as JSON", "以 JSON 输出结果"},
		{"most `names` to print; 0 for all", "最多输出的`名称数`；0 表示全部"},
		{"Use the tools and resources of other MCP servers", "使用其他 MCP 服务器的工具和资源"},
		{`Mcp connects to the MCP servers that are configured under mcpServers in
~/.kode.json, for all projects, and in .mcp.json and .kode.json of the project, which
replace whole entries of the same name:

  {"mcpServers": {
    "files": {"command": "npx", "args": ["-y", "@modelcontextprotocol/server-filesystem", "."]},
    "docs":  {"type": "http", "url": "https://docs.example.com/mcp",
              "headers": {"Authorization": "Bearer ${DOCS_TOKEN}"}}}}

The type is stdio, sse or http; without one it is stdio for a command and http for a
url. ${VAR} and ${VAR:-default} stand for variables of the environment.

A project's file comes with the project, so nothing in it is started before
reverse-spec mcp approve; when an entry changes, it is asked for again.`, `mcp 连接在 mcpServers 下配置的 MCP 服务器：~/.kode.json 用于所有项目，项目的 .mcp.json
和 .kode.json 会整体替换同名的条目：

  {"mcpServers": {
    "files": {"command": "npx", "args": ["-y", "@modelcontextprotocol/server-filesystem", "."]},
    "docs":  {"type": "http", "url": "https://docs.example.com/mcp",
              "headers": {"Authorization": "Bearer ${DOCS_TOKEN}"}}}}

类型为 stdio、sse 或 http；未给出时，有 command 的为 stdio，有 url 的为 http。
${VAR} 和 ${VAR:-default} 代表环境变量。

项目的文件随项目而来，因此在 reverse-spec mcp approve 之前不会启动其中的任何服务器；
条目更改后需要重新批准。`},
		{"Configure a server", "配置一个服务器"},
		{`Add writes a server into the project's .kode.json, or with --global into
~/.kode.json, in place of one of the same name; the rest of the file stays. What you
add yourself is approved. Texts may hold ${VAR} and ${VAR:-default}, which keeps
secrets out of the file.`, `add 将服务器写入项目的 .kode.json，使用 --global 时写入 ~/.kode.json，替换同名的服务器；
文件的其余部分不变。您自己添加的即视为已批准。文本中可使用 ${VAR} 和 ${VAR:-default}，
以免把机密写入文件。`},
		{"a variable for the command, `NAME=value`; may be repeated", "命令的环境变量，`NAME=value`；可重复"},
		{"for all projects, in ~/.kode.json", "用于所有项目，写入 ~/.kode.json"},
		{"a header for the url, `'Name: value'`; may be repeated", "url 的请求头，`'Name: value'`；可重复"},
		{"`stdio`, sse or http (default stdio for a command, http for a url)", "`stdio`、sse 或 http（命令默认为 stdio，url 默认为 http）"},
		{"Agree to servers of the project's files", "批准项目文件中的服务器"},
		{`Approve lets servers of the project's .mcp.json and .kode.json be started, as they
stand there now. Without a name it lists those that wait for that and approves none.
Look at the command before you agree to it: it runs with your rights.`, `approve 允许启动项目的 .mcp.json 和 .kode.json 中的服务器，以其当前内容为准。不给名称时
列出等待批准的服务器，不批准任何一个。批准前请查看其命令：它将以您的权限运行。`},
		{"all servers of the project", "项目的所有服务器"},
		{"take it back", "撤销批准"},
		{"Call a tool", "调用工具"},
		{`Call calls a tool and prints its result. Arguments are texts, name=text, or any JSON,
name:=json; or one JSON object, --args, "-" for standard input. How far the call is
goes to standard error.`, `call 调用一个工具并输出其结果。参数可以是文本 name=text，任意 JSON name:=json，
或整个 JSON 对象 --args（“-”表示标准输入）。调用的进度输出到标准错误。`},
		{"the arguments as one `JSON` object, - for standard input", "以一个 `JSON` 对象给出参数，- 表示标准输入"},
		{"how `long` a server may take to connect", "服务器连接的`时限`"},
		{"how `long` the call may take (default 10m)", "调用的`时限`（默认 10m）"},
		{"show what the servers write on standard error", "显示服务器写到标准错误的内容"},
		{"Connect to servers and say what is wrong", "连接服务器并说明问题所在"},
		{`Doctor connects to the servers named, to all for none, and says of each whether it
is connected, by which transport and version of the protocol, how many tools it has,
or what is wrong and what to do. The exit status is 3 when one is not connected.`, `doctor 连接指定的服务器（未指定时连接全部），说明每个是否已连接、使用哪种传输方式和
协议版本、有多少工具，或者问题所在及处理方法。有未连接的服务器时退出状态为 3。`},
		{"List the servers that are configured", "列出已配置的服务器"},
		{`List names the servers that are configured, with the file each stands in, and starts
none: "ready" may be started, "unapproved" waits for reverse-spec mcp approve,
"invalid" is told on standard error.`, `list 列出已配置的服务器及其所在的文件，不启动任何服务器：“ready”可以启动，
“unapproved”等待 reverse-spec mcp approve，“invalid”的原因输出到标准错误。`},
		{"Print a resource", "输出资源"},
		{"Read prints what is in a resource, as it is: text, or the bytes of what is none. With --json it is as the server sent it.", "read 原样输出资源的内容：文本，或非文本内容的字节。使用 --json 时按服务器发送的形式输出。"},
		{"Take a server out of the configuration", "从配置中移除服务器"},
		{"Remove takes a server out of the file that it stands in; the rest of the file stays. One of the same name in another file then counts.", "remove 从服务器所在的文件中移除该服务器，文件的其余部分不变。此后另一文件中同名的服务器生效。"},
		{"List the resources of servers", "列出服务器的资源"},
		{"Resources connects to the servers named, to all for none, and lists their resources.", "resources 连接指定的服务器（未指定时连接全部）并列出其资源。"},
		{"List the tools of servers", "列出服务器的工具"},
		{"Tools connects to the servers named, to all for none, and lists their tools: with --json each with its schemas.", "tools 连接指定的服务器（未指定时连接全部）并列出其工具；使用 --json 时附带 schema。"},
		{"only tools that fit `pattern`: server:tool, or the tool's own name; * is any text", "仅限符合`模式`的工具：server:tool 或工具自己的名称；* 为任意文本"},
		{"no tools that fit `pattern`: server:tool, or the tool's own name; * is any text", "排除符合`模式`的工具：server:tool 或工具自己的名称；* 为任意文本"},
		{"Unpack the plugin for coding agents, and print its folder", "解包编程代理的插件，并输出其文件夹"},
		{`Plugin-dir prints the folder of the plugin: manifests, commands, skills, hooks and a
launcher that starts this program. They are in the program; what is not there yet is
unpacked into the user's data folder (REVERSE_SPEC_HOME), under the version.`, `plugin-dir 输出插件的文件夹：清单、命令、技能、钩子和启动本程序的启动器。它们包含在
程序中；尚不存在的会按版本解包到用户数据文件夹（REVERSE_SPEC_HOME）中。`},
		{"List the projects that have a code graph", "列出有代码图的项目"},
		{`Projects lists what has a code graph: its name, when the graph was built, and the folder,
or the repository and commit of one in the shared store (REVERSE_SPEC_STORE), with the
projects there that use it, in code or by its contracts.`, `projects 列出有代码图的项目：名称、图的构建时间和文件夹；共享存储（REVERSE_SPEC_STORE）
中的项目则列出仓库和提交，以及其中通过代码或契约使用它的项目。`},
		{"Print a text file of the project, or some of its lines", "输出项目的文本文件或其中若干行"},
		{`Read-file prints a text file as the tool read_file gives it to an agent: never one
outside the project, and not a binary one. Of a part, which lines it is goes to
standard error.`, `read-file 按工具 read_file 提供给代理的形式输出文本文件：不输出项目之外的文件，
也不输出二进制文件。只输出一部分时，其行号输出到标准错误。`},
		{"most `lines` to print; -1 for all", "最多输出的`行数`；-1 表示全部"},
		{"`lines` to skip", "跳过的`行数`"},
		{"Replace a text that stands in a file exactly once", "替换在文件中恰好出现一次的文本"},
		{`Replace puts one text in the place of another, as the tool surgical_replace_code
does. The target must stand in the file exactly once, to the byte; if it does not,
nothing is changed and you are told where it stands. What is around it stays as it
is, and so do CRLF line ends.`, `replace 用一段文本替换另一段，与工具 surgical_replace_code 相同。目标文本必须逐字节地
在文件中恰好出现一次；否则不作任何更改，并告知它出现的位置。其周围的内容和 CRLF 换行
保持不变。`},
		{"target and replacement are in the files so named", "目标和替换文本在所指定的文件中"},
		{"Print the source of a function, class or method", "输出函数、类或方法的源代码"},
		{`Snippet prints the source of a symbol, found by its qualified name or by the end of
it where only one ends so. Where it stands goes to standard error.`, `snippet 输出符号的源代码，按限定名查找；若只有一个符号以此结尾，也可用限定名的末尾查找。
其位置输出到标准错误。`},
		{"Tell how the project's code graph stands", "显示项目代码图的状态"},
		{`Status tells when the code graph was built, what it holds and how many files have
changed since, which servers keep it current and what they have yet to do, whether one
answers for commands, and how many requirements of adopted specs have code. It changes
nothing. It ends with status 3 when the graph is not that of the files.`, `status 显示代码图的构建时间、内容和此后更改的文件数、使其保持最新的服务器及其待办、
是否有服务器为命令作答，以及已采用的规格中有多少需求对应代码。它不作任何更改。图与文件不一致时以状态 3 结束。`},
		{"Print the version", "显示版本"},
		{"Write standard input to a file of the project", "将标准输入写入项目的文件"},
		{`Write-file makes a file of what it reads on standard input, with the folders it
needs, or replaces the one that is there; its mode stays. At any time the old file
is there or the new one, whole. Nothing outside the project is written, and
nothing into .git.`, `write-file 将从标准输入读取的内容写成文件，并创建所需的文件夹，或替换已有的文件，
其权限不变。任何时刻存在的都是完整的旧文件或新文件。不写入项目之外，也不写入 .git。`},
	}
}
