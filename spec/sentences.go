package spec

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/evidence"
	"github.com/reverse-spec/reverse-spec/internal/lang"
	"github.com/reverse-spec/reverse-spec/internal/wording"
	"github.com/reverse-spec/reverse-spec/spec/markdown"
	"github.com/reverse-spec/reverse-spec/spec/prose"
)

// sentence is how claims of one kind are put into words.
type sentence struct {
	section Section
	en, zh  string // formats of the words
	words   func(c *evidence.Claim, lang string) []any
}

// sentences has a row for each kind of claim.
var sentences = map[evidence.Kind]sentence{
	evidence.Route: {SecRequirements, "%s SHALL be served", "必须提供 %s", name},
	evidence.Refusal: {SecRequirements, "Requests SHALL be refused with %s by %s", "请求必须以 %s 拒绝（%s）", func(c *evidence.Claim, lang string) []any {
		return []any{outcome(c.Outcome), cmp.Or(codeSpan(c.Subject), wording.In(lang, "the framework", "框架"))}
	}},
	evidence.Input: {SecIntent, "%s SHALL read %s", "%s 必须读取 %s", func(c *evidence.Claim, _ string) []any {
		return []any{codeSpan(c.Of), codeSpan(strings.TrimSpace(c.Role + " " + c.Name))}
	}},
	evidence.AnswerBody: {SecIntent, "The body %s SHALL have the fields that its table lists", "应答体 %s 必须包含其表格列出的字段", func(c *evidence.Claim, _ string) []any {
		return []any{codeSpan(strings.TrimSpace(c.Name + " " + c.Of))}
	}},
	evidence.Stored: {SecIntent, "%s SHALL %s rows of %s", "%s 必须对数据行执行 %s：%s", func(c *evidence.Claim, _ string) []any {
		return []any{codeSpan(c.Of), c.Role, codeSpan(c.Name)}
	}},
	evidence.Hazard: {SecDebt, "%s has the hazard %s on %s", "%s 存在风险 %s：%s", func(c *evidence.Claim, _ string) []any {
		return []any{codeSpan(c.Of), c.Role, codeSpan(strings.TrimSpace(c.Name + " " + strings.Join(c.Values, ", ")))}
	}},
	evidence.TableKey: {SecConstraints, "The key %s of the table %s is %s", "表的键 %s（%s）为 %s", func(c *evidence.Claim, _ string) []any {
		return []any{listed(c.Values), codeSpan(c.Name), strings.TrimSpace(c.Role + " " + codeOf(c.Of))}
	}},
	evidence.Request: {SecIntent, "%s is asked by the test %s", "%s 由测试 %s 请求", func(c *evidence.Claim, _ string) []any {
		return []any{codeSpan(c.Name), codeSpan(c.Of)}
	}},
	evidence.Service: {SecRequirements, "The gRPC service %s SHALL be served", "必须提供 gRPC 服务 %s", name},
	evidence.Topic: {SecRequirements, "Messages of the topic %s SHALL be %s", "必须%[2]s主题 %[1]s 的消息", func(c *evidence.Claim, lang string) []any {
		if c.Role == evidence.Sent {
			return []any{codeSpan(c.Name), wording.In(lang, "sent", "发送")}
		}
		return []any{codeSpan(c.Name), wording.In(lang, "handled", "处理")}
	}},
	evidence.CacheKey:    {SecConstraints, "The cache keeps %s", "缓存保存 %s", name},
	evidence.Command:     {SecRequirements, "%s SHALL be a command", "必须提供命令 %s", name},
	evidence.Environment: {SecRequirements, "The environment variable %s SHALL be honoured", "必须遵循环境变量 %s", name},
	evidence.Setting: {SecRequirements, "The %s %s SHALL be honoured", "必须遵循%s %s", func(c *evidence.Claim, lang string) []any {
		if c.Role == evidence.SettingsFile {
			return []any{wording.In(lang, "settings file", "配置文件"), codeSpan(c.Name)}
		}
		return []any{wording.In(lang, "setting", "配置项"), codeSpan(c.Name)}
	}},
	evidence.Flag: {SecRequirements, "The option %s SHALL be accepted", "必须接受选项 %s", name},
	evidence.ExitStatus: {SecIntent, "%s ends the process with status %s", "%s 以状态 %s 结束进程", func(c *evidence.Claim, _ string) []any {
		return []any{codeSpan(c.Subject), codeSpan(c.Name)}
	}},
	evidence.Signal:        {SecIntent, "%s handles the signal %s", "%s 处理信号 %s", subjectAndName},
	evidence.StandardInput: {SecIntent, "%s reads the standard input by %s", "%s 通过 %s 读取标准输入", subjectAndName},
	evidence.Argument:      {SecIntent, "The argument %s SHALL be accepted", "必须接受参数 %s", name},
	evidence.Field:         {SecIntent, "%s SHALL accept %s", "%s 必须接受 %s", subjectAndName},
	evidence.Sentinel:      {SecIntent, "%s SHALL be told apart", "%s 必须可识别", subject},
	evidence.ErrorField:    {SecIntent, "%s SHALL have %s", "%s 必须包含 %s", subjectAndName},
	evidence.ErrorText:     {SecIntent, "%s SHALL read %s", "%s 的文本必须为 %s", subjectAndValues},
	evidence.ErrorMade:     {SecIntent, "%s SHALL be made with %s", "%s 必须以 %s 构造", subjectAndValues},
	evidence.CallOrder:     {SecIntent, "%s demands %s", "%s 要求调用 %s", subjectAndName},
	evidence.Usage:         {SecIntent, "%s is used by %s", "%s 的用法：%s", subjectAndValues},
	evidence.ZeroValue:     {SecIntent, "The zero value of %s lacks %s", "%s 的零值缺少 %s", subjectAndValues},
	evidence.PropertyOf: {SecIntent, "%s holds by %s", "%s 的性质由 %s 验证", func(c *evidence.Claim, _ string) []any {
		return []any{codeSpan(c.Subject), codeSpan(c.Of)}
	}},
	evidence.Predicate: {SecIntent, "%s reports whether %s", "%s 判断 %s", subjectAndValues},
	evidence.DocGap:    {SecIntent, "The documentation of %s leaves out %s", "%s 的文档未提及 %s", subjectAndValues},
	evidence.Exit:      {SecRequirements, "%s SHALL fail with %s", "%s 必须以 %s 拒绝", subjectAndOutcome},

	evidence.DocumentedParameter: {SecRequirements, "The argument %s of %s SHALL be as documented", "%s（%s 的参数）必须符合文档要求", nameAndSubject},
	evidence.DocumentedError:     {SecRequirements, "%s SHALL fail with %s as documented", "%s 必须按文档以 %s 失败", subjectAndName},
	evidence.DocumentedFailure:   {SecRequirements, "%s SHALL return an error as documented", "%s 必须按文档返回错误", subject},
	evidence.DocumentedPanic:     {SecRequirements, "%s panics only as documented", "%s 仅在文档所述情形下崩溃", subject},
	evidence.DocumentedSafety:    {SecRequirements, "Callers of %s SHALL keep its safety contract", "%s 的调用方必须遵守其安全约定", subject},

	evidence.Choice: {SecLogic, "%s decides by %s: %s", "%s 依据 %s 分支：%s", func(c *evidence.Claim, _ string) []any {
		return []any{codeSpan(c.Subject), codeSpan(c.Name), listed(c.Values)}
	}},
	evidence.Effect: {SecLogic, "%s %s %s", "%s %s %s", func(c *evidence.Claim, lang string) []any {
		verb := wording.In(lang, "sets", "设置")
		if c.Role == evidence.Called {
			verb = wording.In(lang, "calls", "调用")
		}
		if c.Role == evidence.Answered {
			verb = strings.TrimSpace(wording.In(lang, "answers ", "回答 ")+c.Name) + wording.In(lang, ", by", "，经由")
		}
		return []any{codeSpan(c.Subject), verb, listed(c.Values)}
	}},
	evidence.Built:  {SecIntent, "%s builds its result of %s", "%s 由 %s 构成结果", subjectAndValues},
	evidence.Result: {SecIntent, "%s returns %s", "%s 返回 %s", subjectAndValues},
	evidence.Smell: {SecDebt, "%s: %s", "%s：%s", func(c *evidence.Claim, lang string) []any {
		return []any{codeSpan(c.Subject), smell(c, lang)}
	}},
	evidence.Call: {SecLogic, "%s calls %s", "%s 调用 %s", subjectAndValues},
	evidence.Lookup: {SecConstraints, "%s decides by %s", "%s 依据 %s 判定", func(c *evidence.Claim, _ string) []any {
		return []any{codeSpan(c.Subject), listed(c.Values)}
	}},
	evidence.Limit:      {SecConstraints, "Limit: %s = %s", "限制：%s = %s", subjectAndValues},
	evidence.Enum:       {SecConstraints, "%s is one of %s", "%s 取值为 %s", subjectAndValues},
	evidence.ConstGroup: {SecConstraints, "%s has the named values %s", "%s 的具名取值为 %s", subjectAndValues},
	evidence.Default:    {SecConstraints, "%s, where not given: %s", "%s 的默认参数：%s", subjectAndValues},
	evidence.Table:      {SecConstraints, "The database table %s is kept", "使用数据库表 %s", name},
	evidence.Resource: {SecConstraints, "%s uses %s (%s)", "%s 使用 %s（%s）", func(c *evidence.Claim, _ string) []any {
		return []any{codeSpan(c.Subject), codeSpan(c.Name), c.Role}
	}},
	evidence.Constant: {SecConstraints, "%s = %s", "%s = %s", subjectAndValues},
	evidence.Platform: {SecConstraints, "%s is built only for %s", "%s 仅在 %s 下构建", func(c *evidence.Claim, _ string) []any {
		return []any{codeSpan(c.Name), codeSpan(c.Text)}
	}},
	evidence.Entry: {SecLogic, "%s", "%s", func(c *evidence.Claim, lang string) []any {
		return []any{cmp.Or(codeSpan(c.Subject), wording.In(lang, "the file's own statements", "文件自身的语句"))}
	}},
	evidence.ErrorValue: {SecEdgeCases, "%s · %s", "%s · %s", func(c *evidence.Claim, _ string) []any {
		return []any{codeSpan(c.Subject), c.Role}
	}},
	evidence.DeclaredErrors: {SecEdgeCases, "%s %s", "%s %s", func(c *evidence.Claim, _ string) []any {
		return []any{codeSpan(c.Subject), codeSpan(c.Text)}
	}},
	evidence.FailureNote: {SecEdgeCases, "%s: %s", "%s：%s", func(c *evidence.Claim, _ string) []any {
		return []any{codeSpan(c.Subject), markdown.QuotedRow(c.Text)}
	}},
	evidence.Deprecation: {SecInterface, "%s: %s", "%s：%s", func(c *evidence.Claim, lang string) []any {
		text := markdown.Clip(prose.Writer{Lang: lang, Code: sourceLanguage(c)}.Inline(c.Text), 2*markdown.TitleBytes)
		return []any{codeSpan(c.Subject), cmp.Or(text, codeOf(c.Name), wording.In(lang, "deprecated", "已弃用"))}
	}},
	evidence.Note: {SecDebt, "**%s** %s", "**%s** %s", func(c *evidence.Claim, _ string) []any {
		return []any{c.Role, markdown.QuotedRow(markdown.Cell(c.Text))}
	}},
	evidence.DeprecatedUse: {SecDebt, "%s uses %s, which is deprecated", "%s 使用了已弃用的 %s", subjectAndName},
	evidence.Complex: {SecDebt, "%s branches %s times in %s lines", "%s 有 %s 处分支，共 %s 行", func(c *evidence.Claim, _ string) []any {
		return []any{codeSpan(c.Subject), c.Values[0], c.Values[1]}
	}},
}

// sourceLanguage returns the language of the file that a claim is about; "" if it is not known.
func sourceLanguage(c *evidence.Claim) string {
	if len(c.At) > 0 {
		if l, ok := lang.ByPath(c.At[0].File); ok {
			return l.Name
		}
	}
	return ""
}

// smell says what surprises readers of a function.
func smell(c *evidence.Claim, lang string) string {
	if c.Role == evidence.LateGuard {
		return fmt.Sprintf(wording.In(lang, "%[1]s is read before the guard on %[2]s: without %[2]s that read fails first", "在检查 %[2]s 之前已读取 %[1]s：缺少 %[2]s 时，先失败的是该读取"), listed(c.Values), codeSpan(c.Name))
	}
	if len(c.Values) < 2 {
		return codeSpan(c.Name)
	}
	return fmt.Sprintf(wording.In(lang, "%[1]s is spread after %[2]s, so a %[2]s in it replaces %[3]s", "%[1]s 在 %[2]s 之后展开，其中的 %[2]s 会替换 %[3]s"), codeSpan(c.Values[1]), codeSpan(c.Name), codeSpan(c.Values[0]))
}

func name(c *evidence.Claim, _ string) []any    { return []any{codeSpan(c.Name)} }
func subject(c *evidence.Claim, _ string) []any { return []any{codeSpan(c.Subject)} }
func subjectAndName(c *evidence.Claim, _ string) []any {
	return []any{codeSpan(c.Subject), codeSpan(c.Name)}
}

func nameAndSubject(c *evidence.Claim, _ string) []any {
	return []any{codeSpan(c.Name), codeSpan(c.Subject)}
}

func subjectAndOutcome(c *evidence.Claim, _ string) []any {
	return []any{codeSpan(c.Subject), outcome(c.Outcome)}
}

func subjectAndValues(c *evidence.Claim, _ string) []any {
	return []any{codeSpan(c.Subject), listed(c.Values)}
}

// sayable reports whether a claim has what its sentence needs. One that was read from a spec may
// lack it.
func sayable(c *evidence.Claim) bool {
	_, known := sentences[c.Kind]
	return known && (c.Kind != evidence.Exit && c.Kind != evidence.Refusal || c.Outcome != nil) && (c.Kind != evidence.Complex || len(c.Values) > 1)
}

// Say puts a claim into a sentence in Markdown; lang is "en" or "zh".
func Say(c *evidence.Claim, lang string) string {
	s := sentences[c.Kind]
	return fmt.Sprintf(wording.In(lang, s.en, s.zh), s.words(c, lang)...)
}

// outcome describes an error by its name, its message or else its details, and its status.
func outcome(o *evidence.Outcome) string {
	var out []string
	if o.Error != "" {
		out = append(out, codeSpan(o.Error))
	}
	if o.Member != "" {
		out = append(out, codeSpan(o.Member))
	}
	if o.Status != "" {
		out = append(out, codeSpan(o.Status))
	}
	if o.Message != "" {
		out = append(out, "«"+escaped(o.Message)+"»")
	}
	for _, text := range o.Details {
		out = append(out, "«"+escaped(text)+"»")
	}
	return strings.Join(out, " ")
}

// maxDocumentation limits quoted documentation, in bytes.
const maxDocumentation = 400

// details says what is known of a claim beyond its sentence; "" for nothing.
func details(c *evidence.Claim, lang string) string {
	switch {
	case c.Kind == evidence.Refusal:
		return wording.In(lang, "At ", "路由：") + listed(c.Values)
	case c.Kind == evidence.Command && c.Option != nil:
		return escaped(c.Option.Help)
	case c.Kind == evidence.Command:
		return ""
	case c.Option != nil:
		return optionWords(c.Option, lang)
	case c.Outcome != nil && c.Outcome.By != "":
		return fmt.Sprintf(wording.In(lang, "Through %s.", "经由 %s。"), codeSpan(c.Outcome.By))
	case c.Role == evidence.Sent && c.Kind != evidence.Topic: // whose sentence says so
		return wording.In(lang, "sent", "发送")
	case c.Role == evidence.Included:
		return wording.In(lang, "below the path at which these are included", "位于引入这些路由的路径之下")
	case c.Kind == evidence.Table && c.Of != "":
		return wording.In(lang, "model ", "模型 ") + codeSpan(c.Of)
	case c.Of != "":
		return wording.In(lang, "by ", "由 ") + codeSpan(c.Of)
	}
	if sentences[c.Kind].section != SecRequirements {
		return ""
	}
	return strings.NewReplacer("<", `\<`, "*", `\*`).Replace(markdown.Clip(c.Text, maxDocumentation))
}

// optionWords gives the type, the default and the help text of an option.
func optionWords(o *evidence.Option, lang string) string {
	var list []string
	if o.Type != "" {
		list = append(list, o.Type)
	}
	if o.Default != "" {
		list = append(list, wording.In(lang, "default ", "默认 ")+codeSpan(o.Default))
	}
	text := strings.Join(list, wording.In(lang, ", ", "，"))
	if o.Help == "" {
		return text
	}
	return strings.TrimPrefix(text+colon(lang)+escaped(o.Help), colon(lang))
}

// maxListed limits a list inside a sentence.
const maxListed = 12

// listed formats the first elements of a list as code and counts the rest.
func listed(list []string) string {
	var out []string
	for _, text := range list[:min(len(list), maxListed)] {
		out = append(out, codeSpan(text))
	}
	text := strings.Join(out, ", ")
	if left := len(list) - maxListed; left > 0 {
		text += fmt.Sprintf(", … +%d", left)
	}
	return text
}

// maxSpan limits text of the source in a sentence, in bytes.
const maxSpan = 120

// codeSpan formats source text as code on one line, cut where it is long.
func codeSpan(text string) string { return markdown.Code(markdown.Clip(text, maxSpan)) }

// escaped formats a message of the source as plain text, cut where it is long.
func escaped(text string) string {
	return strings.NewReplacer("<", `\<`, "*", `\*`, "`", "\\`").Replace(markdown.Clip(text, maxSpan))
}
