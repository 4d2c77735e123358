package llm

import "context"

// NoModel is what results say when nothing was found to ask: the contract's words.
const NoModel = "未检测到 ANTHROPIC_API_KEY，spec 仅含代码可证明的内容 (no model was asked: the spec holds what the code proves)"

// none is no model.
type none struct{ message string }

func noneUsable(context.Context, *Settings) (ok bool, why string) {
	return true, "nothing else is usable"
}

// noneComplete warns when nobody asked for none.
func noneComplete(_ context.Context, _ *Settings, c *Choice) error {
	if len(c.Looked) > 0 {
		c.Warnings = append(c.Warnings, NoModel)
	}
	return nil
}

func openNone(c *Choice, _ Options) asker {
	if len(c.Warnings) > 0 {
		return none{c.Warnings[0]}
	}
	return none{"未使用模型 (provider none: no model is asked)"}
}

func (n none) ask(context.Context, Request, func(string)) (*Answer, error) {
	return nil, &Error{Kind: KindMissing, Message: n.message, hint: "reverse-spec auth shows what there is"}
}
