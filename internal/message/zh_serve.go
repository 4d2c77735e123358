package message

// zhServe is what the server of a team says, and the commands that run it.
func zhServe() []Entry {
	return []Entry{
		{"Serve the shared graphs to a team over HTTP", "通过 HTTP 向团队提供共享图"},
		{`Serve answers agents (MCP over streamable HTTP, at /mcp) and people (pages, at /) about the
projects in the shared store that REVERSE_SPEC_STORE names. Nothing can be written.

Each request carries a token: reverse-spec token add makes one, for some projects or for
all. A browser signs in with it. Requests for another host name than that of --url, or
from other web sites, are refused; so are tokens in addresses.

Clients must reach it by https, except on this machine: with --tls-cert and --tls-key, or
through a proxy in front of it, whose address is then --url.

/healthz says that the process answers, /readyz that the store does, /metrics is for
Prometheus, with a token for all projects. A log in JSON goes to standard error.`, `serve 就 REVERSE_SPEC_STORE 所指共享存储中的项目回答代理（/mcp，基于可流式 HTTP 的 MCP）
和用户（/，网页）。不能写入任何内容。

每个请求都带有令牌：reverse-spec token add 可为部分或全部项目生成令牌。浏览器用令牌登录。
主机名与 --url 不同或来自其他网站的请求会被拒绝；地址中的令牌也会被拒绝。

除本机外，客户端必须通过 https 访问：使用 --tls-cert 和 --tls-key，或在前面放置代理，
此时 --url 为代理的地址。

/healthz 表示进程可用，/readyz 表示存储可用，/metrics 供 Prometheus 使用，需要可查看全部
项目的令牌。JSON 日志写到标准错误。`},
		{"the `address` to listen on; :8484 for all of this machine", "监听的 `address`；:8484 表示本机所有地址"},
		{"where clients reach the server: an `address` such as https://code.example.org (default: the address it listens on)", "客户端访问服务器的 `address`，例如 https://code.example.org（默认：监听地址）"},
		{"a `file` with the certificate, in PEM", "PEM 格式证书的 `file`"},
		{"a `file` with its key", "证书密钥的 `file`"},
		{"how many requests a minute a token may make", "每个令牌每分钟可发出的请求数"},
		{"how many questions are answered at once; 0 for four times the cores", "同时回答的问题数；0 表示核心数的四倍"},
		{"Make, list and revoke the tokens of serve", "生成、列出和撤销 serve 的令牌"},
		{`A token lets an agent or a person ask a server that reverse-spec serve runs, about some
projects of the shared store (REVERSE_SPEC_STORE), or all. The store has a hash of it.`, `令牌允许代理或用户向 reverse-spec serve 运行的服务器询问共享存储（REVERSE_SPEC_STORE）中的
部分或全部项目。存储中只有令牌的哈希值。`},
		{"Make a token and print it", "生成并打印令牌"},
		{`Add makes a token and prints it on standard output, once: it is stored nowhere. The name
is for logs, metrics, and revoke.`, `add 生成令牌并在标准输出上打印一次：令牌不会保存在任何地方。名称用于日志、指标和 revoke。`},
		{"a `project` that the token may see, by its name or address in reverse-spec projects; repeatable (default: all)", "令牌可查看的 `project`，使用 reverse-spec projects 中的名称或地址；可重复（默认：全部）"},
		{"how many days it is good; 0 for ever", "有效天数；0 表示永久"},
		{"List the tokens", "列出令牌"},
		{"Revoke a token", "撤销令牌"},
		{"Revoke removes a token. Servers refuse it within five seconds.", "revoke 删除令牌。服务器会在五秒内拒绝它。"},

		{"--rate is at least 1, and --concurrent at least 0", "--rate 至少为 1，--concurrent 至少为 0"},
		{"listen on %s: %w", "监听 %s：%v"},
		{"all projects", "全部项目"},
		{"for ever", "永久"},
		{"expired", "已过期"},
		{"until %s", "至 %s"},
		{"token %s is revoked", "令牌 %s 已撤销"},
		{"--days is 0 to %d", "--days 为 0 到 %d"},
		{"token %s for %s; it is not shown again", "令牌 %s，可查看 %s；不会再次显示"},
		{"none yet: reverse-spec token add NAME makes one", "尚无令牌：用 reverse-spec token add NAME 生成"},
		{"there are only the graphs of the shared store here: name a project", "这里只有共享存储的图：请指定项目"},
		{"%w; there are: %s", "%v；现有：%s"},
		{"add token %s: %w", "添加令牌 %s：%v"},
		{"look up a token: %w", "查找令牌：%v"},
		{"revoke token %s: %w", "撤销令牌 %s：%v"},
		{"the shared graph is read only here", "共享图在此只读"},
		{"the name of a token has 1 to %d letters, digits or the signs - _ . @", "令牌名称由 1 到 %d 个字母、数字或符号 - _ . @ 组成"},
		{"there is no such token", "没有此令牌"},
		{"the name is taken", "名称已被占用"},
		{"send a token: Authorization: Bearer ...", "请发送令牌：Authorization: Bearer ..."},
		{"too many wrong tokens: try again in a minute", "错误令牌过多：请一分钟后重试"},
		{"the store does not answer: try again in a moment", "存储没有响应：请稍后重试"},
		{"this server has another name", "此服务器使用其他名称"},
		{"requests of other sites are not answered", "不回答其他网站的请求"},
		{
			"a token must not be in an address, where it is logged and kept: revoke it, and send the next one in the header Authorization",
			"令牌不得放在地址中，否则会被记录和保存：请撤销它，并在 Authorization 标头中发送新令牌",
		},
		{"a request has at most %d bytes", "请求最多 %d 字节"},
		{"the request ended early", "请求提前结束"},
		{"too many requests with this token: wait, and ask again", "此令牌的请求过多：请稍候再试"},
		{"the server is busy: try again in a moment", "服务器繁忙：请稍后重试"},
		{"the server failed: its log has the request %s", "服务器出错：请在日志中查看请求 %s"},
		{"metrics are for tokens that see all projects", "指标仅供可查看全部项目的令牌使用"},
		{"there is no such token, or it has expired", "没有此令牌，或令牌已过期"},
		{"%d more project matches", "还有 %d 个匹配的项目"},
		{"%d more projects match", "还有 %d 个匹配的项目"},
		{"there is no such project", "没有此项目"},
		{"the page cannot be made", "无法生成页面"},
		{"%q is not an address such as https://code.example.org", "%q 不是 https://code.example.org 形式的地址"},
		{
			"%q is not https, and tokens would be readable on the way: give the server a certificate, or put a proxy with one in front of it",
			"%q 不是 https，令牌会在途中被读取：请为服务器提供证书，或在其前面放置带证书的代理",
		},
		{"no such session", "没有此会话"},
		{"The project to ask, by its name or address in list_projects; needed where there are several. query_code_graph and ci_graph_rag take * for all", "要询问的项目，使用 list_projects 中的名称或地址；有多个项目时必填。query_code_graph 和 ci_graph_rag 可用 * 表示全部"},
		{
			"reverse-spec knows the code of the repositories of this organisation, each at the commit that was pushed last. list_projects names them; a question is about one, which project_name names.",
			"reverse-spec 了解本组织各仓库最近一次推送的提交中的代码。list_projects 列出它们；每个问题针对一个项目，由 project_name 指定。",
		},
		{
			"There is no source code here, only where it is: answers name the repository's commit, the file and the lines.",
			"这里没有源代码，只有其位置：回答会给出仓库的提交、文件和行号。",
		},

		{"keep the specs of a project: %w", "保存项目的 spec：%v"},
		{"store the specs of %s: %w", "存储 %s 的 spec：%v"},
		{"read the specs of %s: %w", "读取 %s 的 spec：%v"},
		{"Sign in", "登录"},
		{"Sign out", "退出"},
		{"Token", "令牌"},
		{"Tokens are made by: reverse-spec token add NAME", "令牌由以下命令生成：reverse-spec token add NAME"},
		{"Projects", "项目"},
		{"Project", "项目"},
		{"Find a project", "查找项目"},
		{"Branch", "分支"},
		{"Commit", "提交"},
		{"Indexed", "索引时间"},
		{"Users", "使用者"},
		{"Uses", "它使用的项目"},
		{"Found by", "依据"},
		{"Who uses its contracts", "谁在使用它的契约"},
		{"Contract", "契约"},
		{"Place", "位置"},
		{"%d more place", "另有 %d 处"},
		{"%d more places", "另有 %d 处"},
		{"used by %s", "使用者：%s"},
		{"used by %s and %d more", "使用者：%s 等，另有 %d 个"},
		{"what projects use of each other is not known now: %v", "目前无法得知各项目之间的使用关系：%v"},
		{"read what projects use of each other: %w", "读取各项目之间的使用关系：%v"},
		{"No project matches.", "没有匹配的项目。"},
		{"A question in words, or Cypher", "用文字或 Cypher 提问"},
		{"Ask", "提问"},
	}
}
