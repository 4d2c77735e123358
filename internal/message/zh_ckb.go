package message

// zhCKB is what is said of CKB.
func zhCKB() []Entry {
	return []Entry{
		{"CKB is not available", "CKB 不可用"},
		{"no answer within the time-out of %dms", "%dms 的时限内没有答复"},
		{"no CKB server is configured, and there is no ckb on PATH", "CKB 未配置，且 PATH 中没有 ckb"},
		{"the server ckb that is configured: %w", "已配置的服务器 ckb：%v"},
		{"ckb on PATH: %w", "PATH 中的 ckb：%v"},
		{"there is a ckb on PATH, but no index of it for this project: run ckb init and ckb index", "PATH 中有 ckb，但没有该项目的索引：请运行 ckb init 和 ckb index"},
		{"CKB has no index: %s", "CKB 没有索引：%s"},
		{"CKB cannot use its index: %s", "CKB 无法使用其索引：%s"},
		{"CKB is not healthy: status %q", "CKB 状态异常：%q"},
		{"CKB serves another project: %s", "CKB 服务于另一个项目：%s"},
		{"the answer is not a JSON object: %.80q", "答复不是 JSON 对象：%.80q"},
		{"the answer has no data", "答复中没有数据"},
		{"the answer is not in the form of CKB: %w", "答复不符合 CKB 的格式：%v"},
		{"CKB is busy with other questions", "CKB 正忙"},
		{"%s: %w%s", "%s：%v%s"},
		{"%s: the output is not a JSON object: %.80q", "%s：输出不是 JSON 对象：%.80q"},
		{"%s: the output has neither nodes nor expanded_nodes", "%s：输出中既没有 nodes 也没有 expanded_nodes"},
		{"Connection timeout after %dms", "连接在 %dms 后超时"},
	}
}
