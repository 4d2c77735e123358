package message

// zhFormats is what package format, propose and their tool say.
func zhFormats() []Entry {
	return append([]Entry{
		{"%s: unchanged", "%s：未变"},
		{"%s: %s in %s", "%s：%s，共 %s"},
		{"%d requirement", "%d 项需求"},
		{"%d file", "%d 个文件"},
		{"%s was removed: nothing of it is left in the code", "已删除 %s：代码中已无其内容"},
		{"the requirements are the same: no change was written", "需求没有变化：未写入任何更改"},
		{"%s: %d added, %d modified, %d removed, %d renamed", "%s：新增 %d，修改 %d，删除 %d，改名 %d"},
		{"propose needs the revision that the change begins at: --base", "propose 需要更改起始的版本：--base"},
		{"%s exists with other contents; it was not changed", "%s 已存在且内容不同，未作改动"},
		{"choose another id with --id, or replace the change with --force", "用 --id 另选编号，或用 --force 替换该更改"},
		{"%s is no id of a change: small letters, digits and hyphens", "%s 不能作为更改的编号：只用小写字母、数字和连字符"},
		{
			"%s was not written by reverse-spec, so the change does not touch it; name another capability for %s with --capabilities",
			"%s 不是 reverse-spec 写的，因此该更改不涉及它；请用 --capabilities 为 %s 指定另一个能力",
		},
		{"%s was changed by hand and stays as it is; remove it to have it written anew", "%s 已被手工修改，保持原样；删除它即可重新生成"},
		{"remove %s: %w", "删除 %s：%w"},
		{"no such format of specs: %s (%s)", "没有这种规格格式：%s（%s）"},
		{"%s is no name of a capability: small letters, digits and hyphens", "%s 不能作为能力的名称：只用小写字母、数字和连字符"},
		{"%s: the pattern %s cannot be read", "%s：无法解析模式 %s"},
		{
			"%s was not written by reverse-spec and stays as it is; name another capability for %s with --capabilities",
			"%s 不是 reverse-spec 写的，保持原样；请用 --capabilities 为 %s 指定另一个能力",
		},
		{"“%s” was changed by hand and stays as it is", "“%s”已被手工修改，保持原样"},
		{"“%s” is not written: the spec has a requirement of that name that a person wrote", "未写入“%s”：规格中已有手写的同名需求"},
		{
			"%s was written from %s, of which there is no *.spec.md with a lock to compare with: write it with reverse-spec generate",
			"%s 由 %s 生成，但没有带锁的 *.spec.md 可供比较：请用 reverse-spec generate 写出",
		},
	}, zhFormatsHelp()...)
}

func zhFormatsHelp() []Entry {
	return []Entry{
		{"also write requirements in a `form`: openspec, speckit or ears; reverse-spec for the pages alone (default what the project uses)", "同时以某种`格式`写出需求：openspec、speckit 或 ears；reverse-spec 表示只写页面（默认为项目所用的格式）"},
		{"`file` that groups modules into capabilities, for --format", "把模块归入能力的`文件`，用于 --format"},
		{"`file` that groups modules into capabilities", "把模块归入能力的`文件`"},
		{"`id` of the change", "更改的`编号`"},
		{"replace a change of that id", "替换该编号的更改"},
		{"Write what a branch did as a change of OpenSpec", "把分支所做的写成 OpenSpec 的更改"},
		{
			`Propose compares what the code does with what it did at a git revision, and writes the
difference as a change of OpenSpec: openspec/changes/<id>/ with proposal.md, tasks.md and
the requirements that are added, modified, renamed or removed. openspec archive then makes
of the specs what generate --format openspec would write.

The deltas apply to the specs in openspec/specs that reverse-spec wrote. A spec or a
requirement that a person wrote or changed is left alone, and named. Both sides are read
whole, so it takes twice as long as batch.

The id of the change is the name of the branch, or else made of the revision. A change
of that id which says something else is replaced only with --force.`,
			`propose 比较代码现在的行为与某个 git 版本时的行为，并把差异写成 OpenSpec 的更改：
openspec/changes/<id>/，含 proposal.md、tasks.md 以及新增、修改、改名或删除的需求。之后
openspec archive 得到的规格与 generate --format openspec 写出的相同。

差异针对 openspec/specs 中由 reverse-spec 写的规格。手写或手工修改过的规格和需求保持
原样，并会列出。两侧都完整读取，因此耗时为 batch 的两倍。

更改的编号取分支名，否则由版本得出。同一编号而内容不同的更改只有加 --force 才会被替换。`,
		},
		{
			"Write what the code did since a git revision as a change of OpenSpec, openspec/changes/<id>. Use it when the code is written; only in a project with openspec/.",
			"把某个 Git 版本以来代码的变化写成 OpenSpec 的变更 openspec/changes/<id>。代码写好后使用；仅用于有 openspec/ 的项目。",
		},
		{"Git revision", "Git 版本"},
		{"By default the branch's name", "默认为分支名"},
		{"Replace one that exists", "替换已有的变更"},
		{"Requirements for another tool, too", "同时写入其他工具的需求"},
		{"File that groups modules", "将模块分组的文件"},
	}
}
