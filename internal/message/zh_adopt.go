package message

// zhAdopt is what adopt, its packages and its tool say.
func zhAdopt() []Entry {
	return append([]Entry{
		{"--min-confidence takes a number above 0, up to 1", "--min-confidence 的值须大于 0 且不超过 1"},
		{"--interactive needs a terminal; use --yes, or --accept and --reject", "--interactive 需要终端；请使用 --yes，或 --accept 和 --reject"},
		{"[y]es, [n]o, [l]ater, [q]uit?", "[y] 接受，[n] 拒绝，[l] 以后再说，[q] 退出？"},
		{
			"%s: no spec in the form of OpenSpec, Spec Kit or Kiro is there; name a file of Markdown to adopt that",
			"%s：其中没有 OpenSpec、Spec Kit 或 Kiro 形式的规格；如要采用 Markdown 文件，请直接指明该文件",
		},
		{"reverse-spec wrote it, and keeps it true already", "它由 reverse-spec 写成，已在维护之中"},
		{"not Markdown", "不是 Markdown"},
		{"adopted specs: %d; %d of their %d requirements have code", "已采用的规格：%[1]d；其 %[3]d 条需求中有 %[2]d 条对应代码"},
		{"no link has the id %s; adopt lists them", "没有编号为 %s 的关联；adopt 会列出全部关联"},
		{"the name `%s`", "名称 `%s`"},
		{"the file `%s` is named", "指明了文件 `%s`"},
		{"the file name `%s`", "文件名 `%s`"},
		{"the option `%s`", "选项 `%s`"},
		{"the text “%s”", "文本“%s”"},
		{"the command `%s`", "命令 `%s`"},
		{"its file is named after the spec", "文件以规格命名"},
		{"shared words", "共同的用词"},
		{"its file is linked to other requirements of the spec", "所在文件与该规格的其他需求相关联"},
		{"linked code or tests use it", "已关联的代码或测试使用了它"},
		{"the model chose it", "模型选择了它"},
		{"%s: no model chose, the links are those that were found: %v", "%s：没有模型作出选择，关联仍是找到的那些：%v"},
		{"the plan of the requirement names it, or its file", "该需求的计划提到了它或它的文件"},
		{"%v, %v and %v: %d linked, %d to be accepted, %d not implemented or not found", "%v，%v，%v：已关联 %d，待接受 %d，未实现或未找到 %d"},
		{
			"nothing was written; accept the links above with --yes, one after the other with --interactive, or by their ids with --accept and --reject",
			"未写入任何内容；用 --yes 接受以上关联，用 --interactive 逐个确认，或用 --accept 和 --reject 按编号处理",
		},
		{"%s: the spec has no such requirement any more; its links are kept", "%s：规格中已没有这项需求；其关联予以保留"},
		{"its text changed since its links were accepted", "接受关联之后其文字已有改动"},
		{"(it is gone)", "（已不存在）"},
		{"contradicts: %s “%s” (%s)", "矛盾：%s“%s”（%s）"},
		{"touches: %s “%s” (%s)", "涉及：%s“%s”（%s）"},
		{"not read: %v", "未读取：%v"},
		{"%s is gone, or has no requirement any more", "%s 已不存在，或已没有需求"},
		{"the spec has no requirement %s any more; adopt it again", "规格中已没有需求 %s；请重新采用"},
		{
			"%s:%d: the requirement %s changed since its links were accepted; adopt it again",
			"%s:%d：接受关联之后需求 %s 已有改动；请重新采用",
		},
		{"linked tests (%s)", "已关联的测试（%s）"},
		{"no linked test can be run", "没有可运行的已关联测试"},
		{"%s: a person wrote it; mistakes are only put into the code of pages", "%s：它是手写的；只对页面的代码植入错误"},
		{"%d adopted specs", "%d 份已采用的规格"},
		{"contradicts %v", "与 %v 矛盾"},
		{"touches %v", "涉及 %v"},
		{
			"reverse-spec: %s now %v, and %v. Read these requirements; diff has both sides.",
			"reverse-spec：按手写的需求，%s 现在%v，并%v。请阅读这些需求；diff 会给出双方。",
		},
		{
			"reverse-spec: %s now %v. Read these requirements; diff has both sides.",
			"reverse-spec：按手写的需求，%s 现在%v。请阅读这些需求；diff 会给出双方。",
		},
		{"reverse-spec: requirements in %v are linked to %s; it was not compared.", "reverse-spec：%v 中的需求关联到 %s；未作比较。"},
		{"minConfidence takes a number above 0, up to 1", "minConfidence 的值须大于 0 且不超过 1"},
		{"this server proposes links and keeps none: it was started with --read-only", "本服务器只提出关联而不保存：它以 --read-only 启动"},
		{
			"Link requirements that people wrote (OpenSpec, Spec Kit, Kiro) to code and tests; not for specs of generate. Read the code before you accept a link: diff, review and verify rely on it. Without accept, reject or yes nothing is written.",
			"把人写的需求（OpenSpec、Spec Kit、Kiro）链接到代码和测试；不用于 generate 的规格。接受链接之前先读代码：diff、review 和 verify 以它为准。没有 accept、reject 或 yes 时不写入。",
		},
		{"A spec or folder: openspec/specs", "规格或目录：openspec/specs"},
		{"Link ids, comma-separated", "链接 ID，以逗号分隔"},
		{"Link ids, not to propose again", "不再建议的链接 ID"},
		{"Accept all of minConfidence", "接受不低于 minConfidence 的链接"},
		{"linked", "已关联"},
		{"to be accepted", "待接受"},
		{"not implemented or not found", "未实现或未找到"},
		{"unspecified: %d things that linked code does and no requirement is linked to", "未规定：已关联的代码有 %d 项行为没有关联到任何需求"},
		{
			"no requirement was found in it: there is no heading “Requirement: …”, no FR-001, no acceptance criterion, and no sentence with SHALL or MUST",
			"其中没有找到需求：没有“Requirement: …”标题，没有 FR-001，没有验收标准，也没有含 SHALL 或 MUST 的句子",
		},
		{
			"resolve the conflict by hand, entry by entry; or remove the lock and adopt the spec again: reverse-spec adopt %s",
			"请逐条手工解决冲突；或删除该锁并重新采用规格：reverse-spec adopt %s",
		},
	}, zhAdoptHelp()...)
}

func zhAdoptHelp() []Entry {
	return []Entry{
		{"Link specs that people wrote to the code, and keep them true", "把手写的规格关联到代码，并保持其真实"},
		{`Adopt reads specs that people wrote, files or folders of them, in the form of OpenSpec,
Spec Kit or Kiro, or as Markdown with requirements. It links each requirement to the code
and the tests that it is about, says why and how sure it is, and which requirements have
no code. What the linked code does besides is listed as unspecified.

Nothing is written until links are accepted: with --yes those of at least --min-confidence,
with --interactive one after the other, with --accept and --reject by their ids. They are
kept in specs/.adopted/, beside the locks of pages, for the team to commit; the specs
themselves never change. A rejected link is not proposed again, and a later run says what is
new.

Links are found without a model: by names, texts, words, calls, and the proposals, designs
and tasks beside the specs. A model, where one is configured, is asked once for each
requirement without an accepted link, and can only choose among what was found; --no-llm asks
none.

From then on diff and review say which requirements a change contradicts or touches, and
verify runs the tests that are linked.`, `adopt 读取手写的规格（文件或文件夹），形式可以是 OpenSpec、Spec Kit、Kiro，或含有需求的
Markdown。它把每项需求关联到相应的代码和测试，说明理由和把握程度，并指出哪些需求没有代码。
已关联的代码的其他行为列为未规定。

在接受关联之前不写入任何内容：--yes 接受把握不低于 --min-confidence 的关联，--interactive
逐个询问，--accept 和 --reject 按编号处理。关联保存在 specs/.adopted/ 中，与页面的锁相邻，
由团队提交；规格本身从不改动。被拒绝的关联不再提出，以后再次运行会指出新的关联。

寻找关联不需要模型：依据名称、文本、词语、调用，以及规格旁边的提案、设计和任务。如果配置了
模型，则对每项尚无已接受关联的需求询问一次，而模型只能在找到的候选中选择；--no-llm 不询问
任何模型。

此后 diff 和 review 会指出更改与哪些需求矛盾或涉及哪些需求，verify 会运行已关联的测试。`},
		{"accept the links of at least --min-confidence", "接受把握不低于 --min-confidence 的关联"},
		{"how sure a link must be, from 0 to 1", "关联所需的把握程度，0 到 1"},
		{"ask for each link", "逐个询问关联"},
		{"`ids` of links to accept; may be given again", "要接受的关联的`编号`；可重复给出"},
		{"`ids` of links to reject; may be given again", "要拒绝的关联的`编号`；可重复给出"},
	}
}
