package message

// zhLock is messages about the locks of specs.
func zhLock() []Entry {
	return []Entry{
		{"not a lock of reverse-spec", "不是 reverse-spec 的锁文件"},
		{"a newer version of reverse-spec wrote it (format %d, this one knows %d)", "由更新版本的 reverse-spec 写入（格式 %d，当前版本支持 %d）"},
		{"update reverse-spec; or delete the lock and generate the spec again", "请更新 reverse-spec；或删除该锁文件后重新生成规格"},
		{"resolve by regenerating: reverse-spec generate %s", "重新生成即可解决：reverse-spec generate %s"},
		{"it is the lock of the spec of %s", "它是 %s 的规格的锁文件"},
		{"git left a merge conflict in the front matter", "git 在 front matter 中留下了合并冲突"},
		{
			"git left a merge conflict in text between keep marks; resolve that by hand, then generate the spec again",
			"git 在 keep 标记之间的文字中留下了合并冲突；请手工解决后重新生成规格",
		},
		{"git left a merge conflict", "git 留下了合并冲突"},
		{"a second value for one entry, as after a merge of two branches that changed it", "同一条目有两个值，可能是合并了两个都改动它的分支"},
		{"the entry %q has no value", "条目 %q 没有值"},
		{"not a line of a lock", "不是锁文件的行"},
		{"no entry of this kind is known: %q", "未知的条目种类：%q"},
		{"the entry %q cannot be read: %v", "条目 %q 无法读取：%v"},
		{"the entry %q is there twice, as after a merge of two branches that changed it", "条目 %q 出现两次，可能是合并了两个都改动它的分支"},
		{"the symbol that %q is a member of is missing", "缺少 %q 所属的符号"},
		{"a file has %d symbols and %d lines", "一个文件有 %d 个符号和 %d 个行号"},
		{"it was written from other code than the spec", "它与规格所依据的代码不同"},
		{"%s exists and is not a lock of reverse-spec; it was not changed", "%s 已存在且不是 reverse-spec 的锁文件，未改动"},
		{"remove the locks of specs that are gone: %w", "删除已不存在的规格的锁文件：%v"},
		{"the spec has no lock and shows no signature to rebuild a baseline from; generate it again", "规格没有锁文件，也没有可重建的接口签名；请重新生成规格"},
		{"the spec has no lock (%s)", "规格没有锁文件（%s）"},
		{"the lock %s was written from other code than the spec", "锁文件 %s 与规格所依据的代码不同"},
		{"%v; the baseline was read from commit %.12s", "%v；基线取自提交 %.12s"},
		{
			"%v; no commit has the code that the spec was written from; generate it again: reverse-spec generate %s",
			"%v；没有提交含有规格所依据的代码；请重新生成：reverse-spec generate %s",
		},
	}
}
