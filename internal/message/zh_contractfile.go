package message

// zhContractfile is what package contractfile says of contracts that are files.
func zhContractfile() []Entry {
	return []Entry{
		{"%s `%s` was added", "新增 %s `%s`"},
		{"%s `%s` was removed", "移除了 %s `%s`"},
		{"%s `%s` was renamed to `%s`", "%s `%s` 更名为 `%s`"},
		{"%s of %s `%s` changed: `%s` → `%s`", "%[2]s `%[3]s` 的 %[1]s 变更：`%[4]s` → `%[5]s`"},
		{"`%s`: %s", "`%s`：%s"},
		{"programs built from the former file and from this one misread each other's bytes; code that uses it no longer compiles", "按旧文件与新文件构建的程序会误读彼此的字节；使用它的代码无法编译"},
		{"code generated from the file no longer compiles where it uses it; the bytes stay readable", "由该文件生成、使用它的代码无法编译；字节仍可读"},
		{"programs that exchange it as JSON no longer understand each other", "以 JSON 交换它的程序不再互相理解"},
		{"clients built from the former file call what the server no longer has in this form", "按旧文件构建的客户端会调用服务端已不再以此形式提供的内容"},
		{"programs built from the former file and from this one take an absent value for different ones", "按旧文件与新文件构建的程序对缺省值的理解不同"},
		{"programs built from the former file send messages without it, and those are refused", "按旧文件构建的程序发送的消息不含它，会被拒绝"},
		{"what was reserved may be used again, with data of the former meaning still around", "保留的编号或名称可能被重新使用，而旧含义的数据仍然存在"},
		{": %v", "：%v"},
		{"queries that use it are refused", "使用它的查询会被拒绝"},
		{"queries that send what was accepted before are refused", "发送此前可接受内容的查询会被拒绝"},
		{"clients that read it get what they do not expect", "读取它的客户端会得到意料之外的内容"},
		{"schemas that use the directive there are refused", "在该处使用此指令的 schema 会被拒绝"},
		{"clients that call it fail", "调用它的客户端会失败"},
		{"clients that send what was accepted before are refused, or get something else", "发送此前可接受内容的客户端会被拒绝或得到不同结果"},
		{"clients that read the response get what they do not expect", "读取响应的客户端会得到意料之外的内容"},
		{"data that was valid is refused now", "此前有效的数据现在会被拒绝"},
		{"who checks data against the schema no longer finds it", "按该 schema 校验数据的使用者找不到它了"},
		{"programs that still run with the former tables fail on it, and its data are lost", "仍按旧表运行的程序会在此失败，且其数据丢失"},
		{"programs that still run with the former tables do not find it under its name", "仍按旧表运行的程序以原名找不到它"},
		{"programs that still run insert rows without it, and those are refused; on a table with rows the migration itself fails", "仍在运行的程序插入不含它的行会被拒绝；表中已有行时迁移本身会失败"},
		{"programs that still run write NULL to it, and that is refused; rows that have NULL make the migration fail", "仍在运行的程序向其写入 NULL 会被拒绝；已有 NULL 的行会使迁移失败"},
		{"values that were stored before do not fit", "此前存储的值放不下"},
		{"rows that were allowed are refused; rows that are equal make the migration fail", "此前允许的行会被拒绝；重复的行会使迁移失败"},
		{"state it where specs describe `%s`", "在描述 `%s` 的规格中写明此变更"},
		{
			"keep the former form beside the new one until its users are gone, or publish it as a new version; state it where specs describe `%s`",
			"在使用者迁移完之前同时保留旧形式，或作为新版本发布；在描述 `%s` 的规格中写明",
		},
	}
}
