package drift

// Rule is one kind of change that [Compare] knows.
type Rule struct {
	ID         string     `json:"id"`
	Severity   Severity   `json:"severity"`
	Breaking   bool       `json:"breaking"` // unless Depends says otherwise
	Category   Category   `json:"category"`
	ChangeType ChangeType `json:"changeType"`
	// Words is the description of an item, Update what to do with the spec.
	// Both may hold {symbol}, {what}, {old}, {new}, {signature} and {more}.
	Words  string `json:"words"`
	Update string `json:"update"`
	// Depends says when the verdict differs from Breaking; "" when it never does.
	Depends string `json:"depends,omitempty"`
}

// Rules returns the rule table, for help and documentation.
func Rules() []Rule { return append([]Rule(nil), rules...) }

// Proposals that several rules share.
const (
	updateSignature = "把接口定义中 `{symbol}` 的签名改为 `{signature}` (set the signature of `{symbol}` in the interface section to `{signature}`)"
	updateRemoved   = "从接口定义中删除 `{symbol}`，在兼容性一节写明移除与替代方案 (delete `{symbol}` from the interface section; state the removal and its replacement under compatibility)"
	updateMember    = "从 `{symbol}` 所属类型的接口定义中删除该成员，并写明移除 (delete the member `{symbol}` from its type in the interface section and state the removal)"
	updateAdded     = "在接口定义中补充 `{signature}` (add `{signature}` to the interface section)"
	updateModifier  = "在接口定义中更新 `{symbol}` 的修饰：{what} (update the modifiers of `{symbol}` in the interface section: {what})"
	updateValue     = "把约束条件与数据结构中 `{symbol}` 的值由 `{old}` 改为 `{new}` (change the value of `{symbol}` from `{old}` to `{new}` in constraints and data structures)"
	updateBehavior  = "重读 `{symbol}` 的实现，更新业务逻辑、边界条件与契约测试 (re-read the body of `{symbol}`; update business logic, edge cases and contract tests)"
	updateBase      = "在接口定义中更新 `{symbol}` 的继承关系 (update what `{symbol}` extends or implements in the interface section)"
)

// rules is the table. HIGH is kept for what was removed (contract of the diff
// tool); a change that breaks callers without removing an export is MEDIUM.
var rules = []Rule{
	// Exports.
	{
		ID: "export-removed", Severity: High, Breaking: true, Category: Interface, ChangeType: Removal,
		Words:  "导出 `{symbol}` 已被移除{more} (export removed)",
		Update: updateRemoved,
	},
	{
		ID: "renamed-symbol", Severity: High, Breaking: true, Category: Interface, ChangeType: Removal,
		Words:  "导出 `{symbol}` 已被移除，改名为 `{what}` (export removed: renamed to `{what}`)",
		Update: "把接口定义中的 `{symbol}` 改名为 `{what}`，并在兼容性一节写明 (rename `{symbol}` to `{what}` in the interface section and state it under compatibility)",
	},
	{
		ID: "visibility-reduced", Severity: High, Breaking: true, Category: Interface, ChangeType: Removal,
		Words:  "`{symbol}` 不再导出，仅在内部可用{more} (no longer exported, internal only)",
		Update: updateRemoved,
	},
	{
		ID: "export-added", Severity: Low, Category: Interface, ChangeType: Addition,
		Words:  "新增导出 `{symbol}`{more} (export added)",
		Update: updateAdded,
	},
	{
		ID: "visibility-widened", Severity: Low, Category: Interface, ChangeType: Addition,
		Words:  "内部符号 `{symbol}` 现已导出{more} (formerly internal, now exported)",
		Update: updateAdded,
	},
	{
		ID: "reexport-removed", Severity: High, Breaking: true, Category: Interface, ChangeType: Removal,
		Words:  "导出 `{symbol}` 已被移除：不再从 `{what}` 再导出 (export removed: no longer re-exported)",
		Update: updateRemoved,
	},
	{
		ID: "reexport-added", Severity: Low, Category: Interface, ChangeType: Addition,
		Words:  "新增导出 `{symbol}`，来自 `{what}` (export added by re-export)",
		Update: updateAdded,
	},
	{
		ID: "default-export-removed", Severity: High, Breaking: true, Category: Interface, ChangeType: Removal,
		Words:  "`{what}` 不再是模块的默认导出 {symbol} (no longer the module's default export)",
		Update: updateRemoved,
	},
	{
		ID: "default-export-added", Severity: Low, Category: Interface, ChangeType: Addition,
		Words:  "`{what}` 现为模块的默认导出 {symbol} (now the module's default export)",
		Update: updateAdded,
	},
	{
		ID: "kind-changed", Severity: Medium, Breaking: true, Category: Interface, ChangeType: Modification,
		Words:   "`{symbol}` 的种类改变：{old} → {new} (kind changed)",
		Update:  updateSignature,
		Depends: "not breaking between forms that are used alike: function and arrow constant, TypeScript interface and object type, property and accessor",
	},
	{
		ID: "file-moved", Severity: Low, Category: Interface, ChangeType: Modification,
		Words:   "`{symbol}` 移到另一个文件：{old} → {new}{more} (moved to another file)",
		Update:  "把 `{symbol}` 的来源改为 {new} (set the source of `{symbol}` to {new})",
		Depends: "breaking where the path is what users import (TypeScript, JavaScript, Python, Rust, Ruby, Dart, C and C++ headers; another package folder in Java, Kotlin, Scala and PHP) and nothing re-exports the symbol",
	},
	// Parameters.
	{
		ID: "param-required-added", Severity: Medium, Breaking: true, Category: Interface, ChangeType: Modification,
		Words:  "`{symbol}` 新增必填参数 `{new}` (required parameter added)",
		Update: updateSignature,
	},
	{
		ID: "param-optional-added", Severity: Low, Category: Interface, ChangeType: Modification,
		Words:   "`{symbol}` 新增可选参数 `{new}`{more} (optional parameter added)",
		Update:  updateSignature,
		Depends: "breaking and MEDIUM in Go, where it changes the function's type, and where it shifts positional parameters after it",
	},
	{
		ID: "param-removed", Severity: Medium, Breaking: true, Category: Interface, ChangeType: Modification,
		Words:  "`{symbol}` 的参数 `{old}` 已被移除 (parameter removed)",
		Update: updateSignature,
	},
	{
		ID: "param-renamed", Severity: Low, Category: Interface, ChangeType: Modification,
		Words:   "`{symbol}` 的参数改名：`{old}` → `{new}` (parameter renamed)",
		Update:  updateSignature,
		Depends: "breaking and MEDIUM where callers may name arguments (Python, Kotlin, C#, Scala, PHP, the labels of Swift, the keywords of Ruby and Dart)",
	},
	{
		ID: "param-reordered", Severity: Medium, Breaking: true, Category: Interface, ChangeType: Modification,
		Words:  "`{symbol}` 的参数顺序改变：({old}) → ({new}) (parameters reordered)",
		Update: updateSignature,
	},
	{
		ID: "param-type-changed", Severity: Medium, Breaking: true, Category: Interface, ChangeType: Modification,
		Words:   "`{symbol}` 的参数 `{what}` 类型改变：`{old}` → `{new}` (parameter type changed)",
		Update:  updateSignature,
		Depends: "not breaking when every old argument is still taken (a wider union, T? for T) or when an annotation appears or disappears",
	},
	{
		ID: "param-default-changed", Severity: Medium, Category: Constraint, ChangeType: Modification,
		Words:  "`{symbol}` 的参数 `{what}` 默认值改变：`{old}` → `{new}` (default value changed)",
		Update: updateSignature,
	},
	{
		ID: "param-became-required", Severity: Medium, Breaking: true, Category: Interface, ChangeType: Modification,
		Words:  "`{symbol}` 的参数 `{what}` 由可选变为必填 (optional parameter became required)",
		Update: updateSignature,
	},
	{
		ID: "param-became-optional", Severity: Low, Category: Interface, ChangeType: Modification,
		Words:  "`{symbol}` 的参数 `{what}` 由必填变为可选 (required parameter became optional)",
		Update: updateSignature,
	},
	{
		ID: "param-variadic-changed", Severity: Medium, Breaking: true, Category: Interface, ChangeType: Modification,
		Words:   "`{symbol}` 的参数 `{what}` 的可变参数形式改变：`{old}` → `{new}` (variadic form changed)",
		Update:  updateSignature,
		Depends: "not breaking in Java and C# when an array became variadic",
	},
	{
		ID: "param-mode-changed", Severity: Medium, Breaking: true, Category: Interface, ChangeType: Modification,
		Words:   "`{symbol}` 的参数 `{what}` 的传递方式改变：{old} → {new} (how the argument is passed changed)",
		Update:  updateSignature,
		Depends: "not breaking when a restriction was lifted",
	},
	// The rest of a signature.
	{
		ID: "return-type-changed", Severity: Medium, Breaking: true, Category: Interface, ChangeType: Modification,
		Words:   "`{symbol}` 的返回类型改变：`{old}` → `{new}` (return type changed)",
		Update:  updateSignature,
		Depends: "not breaking when it became narrower (fewer members of a union; T for T?, except in Swift) or when an annotation appears or disappears",
	},
	{
		ID: "type-changed", Severity: Medium, Breaking: true, Category: Interface, ChangeType: Modification,
		Words:   "`{symbol}` 的类型改变：`{old}` → `{new}` (type changed)",
		Update:  updateSignature,
		Depends: "not breaking when an annotation appears or disappears",
	},
	{
		ID: "type-body-changed", Severity: Medium, Breaking: true, Category: Interface, ChangeType: Modification,
		Words:   "类型 `{symbol}` 的定义改变：`{old}` → `{new}` (type definition changed)",
		Update:  "把数据结构中 `{symbol}` 的定义改为 `{new}` (set the definition of `{symbol}` in data structures to `{new}`)",
		Depends: "not breaking in Go when a number type became wider",
	},
	{
		ID: "alias-effect", Severity: Medium, Breaking: true, Category: Interface, ChangeType: Modification,
		Words:  "`{symbol}` 的文本未变，但其中的名字 `{what}` 已指向别的东西：`{old}` → `{new}` (unchanged text, but the alias `{what}` in it stands for something else now)",
		Update: "核对 `{symbol}` 的实际类型，并在数据结构中更新 `{what}` (check what `{symbol}` takes and returns now; update `{what}` in data structures)",
	},
	{
		ID: "type-parameters-changed", Severity: Medium, Breaking: true, Category: Interface, ChangeType: Modification,
		Words:  "`{symbol}` 的类型参数改变：<{old}> → <{new}> (type parameters changed)",
		Update: updateSignature,
	},
	{
		ID: "async-changed", Severity: Medium, Breaking: true, Category: Interface, ChangeType: Modification,
		Words:   "`{symbol}` 的异步性改变：{old} → {new} (async changed)",
		Update:  updateSignature,
		Depends: "not breaking when the written return type stays a promise, nor when a Kotlin or Swift function ceased to be asynchronous; C# goes by the return type alone",
	},
	{
		ID: "static-changed", Severity: Medium, Breaking: true, Category: Interface, ChangeType: Modification,
		Words:  "`{symbol}` 的静态性改变：{old} → {new} (static changed)",
		Update: updateModifier,
	},
	{
		ID: "abstract-changed", Severity: Medium, Breaking: true, Category: Interface, ChangeType: Modification,
		Words:   "`{symbol}` 的抽象性改变：{old} → {new} (abstract changed)",
		Update:  updateModifier,
		Depends: "not breaking when it ceased to be abstract",
	},
	{
		ID: "readonly-changed", Severity: Medium, Breaking: true, Category: Interface, ChangeType: Modification,
		Words:   "`{symbol}` 的只读性改变：{old} → {new} (read-only changed)",
		Update:  updateModifier,
		Depends: "not breaking when it became writable",
	},
	{
		ID: "receiver-changed", Severity: Medium, Breaking: true, Category: Interface, ChangeType: Modification,
		Words:   "方法 `{symbol}` 的接收者改变：`{old}` → `{new}` (receiver changed)",
		Update:  updateSignature,
		Depends: "not breaking when a Rust receiver asks for less",
	},
	{
		ID: "method-set-reduced", Severity: Medium, Breaking: true, Category: Interface, ChangeType: Removal,
		Words:  "方法 `{symbol}` 不再属于值的方法集：接收者 `{old}` → `{new}` (no longer in the value's method set: value receiver became a pointer)",
		Update: updateSignature,
	},
	{
		ID: "method-set-widened", Severity: Low, Category: Interface, ChangeType: Addition,
		Words:  "方法 `{symbol}` 现也属于值的方法集：接收者 `{old}` → `{new}` (now in the value's method set too: pointer receiver became a value)",
		Update: updateSignature,
	},
	{
		ID: "bases-changed", Severity: Medium, Breaking: true, Category: Interface, ChangeType: Modification,
		Words:   "`{symbol}` 的基类或接口改变：{old} → {new} (bases changed)",
		Update:  updateBase,
		Depends: "not breaking when bases were only added to a type that users do not implement",
	},
	{
		ID: "decorators-changed", Severity: Medium, Category: Constraint, ChangeType: Modification,
		Words:   "`{symbol}` 的装饰器、注解或标签改变：{old} → {new} (decorators, annotations or tags changed)",
		Update:  "在约束条件中更新 `{symbol}` 的装饰器 (update the decorators of `{symbol}` under constraints)",
		Depends: "breaking when Rust's non_exhaustive was added",
	},
	{
		ID: "overload-removed", Severity: Medium, Breaking: true, Category: Interface, ChangeType: Modification,
		Words:  "`{symbol}` 的一个重载已被移除：`{old}` (overload removed)",
		Update: "从接口定义中删除 `{symbol}` 的重载 `{old}` (delete the overload `{old}` of `{symbol}` from the interface section)",
	},
	{
		ID: "overload-added", Severity: Low, Category: Interface, ChangeType: Modification,
		Words:   "`{symbol}` 新增一个重载：`{new}` (overload added)",
		Update:  "在接口定义中补充 `{symbol}` 的重载 `{new}` (add the overload `{new}` of `{symbol}` to the interface section)",
		Depends: "breaking and MEDIUM for a method that users implement",
	},
	{
		ID: "signature-changed", Severity: Medium, Breaking: true, Category: Interface, ChangeType: Modification,
		Words:   "`{symbol}` 的签名改变：`{old}` → `{new}`{more} (signature changed)",
		Update:  updateSignature,
		Depends: "not breaking when only words such as synchronized or inline differ, when a limit fell (sealed, final, mutating, throws) or an offer came (open, virtual, a const method)",
	},
	// Members.
	{
		ID: "member-removed", Severity: Medium, Breaking: true, Category: Interface, ChangeType: Removal,
		Words:  "成员 `{symbol}` 已被移除{more} (member removed)",
		Update: updateMember,
	},
	{
		ID: "member-visibility-reduced", Severity: Medium, Breaking: true, Category: Interface, ChangeType: Removal,
		Words:  "成员 `{symbol}` 的可见性降低：{old} → {new} (member less visible)",
		Update: updateMember,
	},
	{
		ID: "member-added", Severity: Low, Category: Interface, ChangeType: Addition,
		Words:  "新增成员 `{symbol}`{more} (member added)",
		Update: updateAdded,
	},
	{
		ID: "member-visibility-widened", Severity: Low, Category: Interface, ChangeType: Addition,
		Words:  "成员 `{symbol}` 的可见性提高：{old} → {new} (member more visible)",
		Update: updateAdded,
	},
	{
		ID: "required-member-added", Severity: Medium, Breaking: true, Category: Interface, ChangeType: Addition,
		Words:   "`{symbol}` 是新增的必需成员，所有实现者都要补上 (required member added: every implementer must supply it)",
		Update:  updateAdded,
		Depends: "not breaking for TypeScript types, which tsc lets grow for their readers",
	},
	{
		ID: "member-became-required", Severity: Medium, Breaking: true, Category: Interface, ChangeType: Modification,
		Words:  "成员 `{symbol}` 由可选变为必需 (optional member became required)",
		Update: updateSignature,
	},
	{
		ID: "member-became-optional", Severity: Medium, Breaking: false, Category: Interface, ChangeType: Modification,
		Words:   "成员 `{symbol}` 由必需变为可选 (required member became optional)",
		Update:  updateSignature,
		Depends: "breaking in TypeScript, where readers must now expect undefined",
	},
	{
		ID: "embedded-removed", Severity: Medium, Breaking: true, Category: Interface, ChangeType: Removal,
		Words:  "`{symbol}` 不再被嵌入，经它提升的成员一并消失 (no longer embedded; what it promoted is gone too)",
		Update: updateMember,
	},
	{
		ID: "embedded-added", Severity: Low, Category: Interface, ChangeType: Addition,
		Words:   "新嵌入 `{symbol}` (newly embedded)",
		Update:  updateAdded,
		Depends: "breaking and MEDIUM in an interface that users implement",
	},
	{
		ID: "promoted-member-removed", Severity: Medium, Breaking: true, Category: Interface, ChangeType: Removal,
		Words:  "经嵌入提升的成员 `{symbol}` 已不可用{more} (promoted member is gone)",
		Update: updateMember,
	},
	{
		ID: "promoted-member-added", Severity: Low, Category: Interface, ChangeType: Addition,
		Words:  "经嵌入新增成员 `{symbol}`{more} (member added by embedding)",
		Update: updateAdded,
	},
	{
		ID: "comparability-lost", Severity: Medium, Breaking: true, Category: Interface, ChangeType: Modification,
		Words:  "`{symbol}` 不再可比较：字段 `{what}` 的类型是 `{new}` (no longer comparable because of field `{what}`)",
		Update: "在约束条件中写明 `{symbol}` 不能用 == 比较，也不能作 map 的键 (state under constraints that `{symbol}` cannot be compared with == nor be a map key)",
	},
	// Enumerations and values.
	{
		ID: "enum-member-removed", Severity: Medium, Breaking: true, Category: Interface, ChangeType: Removal,
		Words:  "枚举成员 `{symbol}` 已被移除 (enum member removed)",
		Update: updateMember,
	},
	{
		ID: "enum-member-added", Severity: Low, Category: Interface, ChangeType: Addition,
		Words:   "新增枚举成员 `{symbol}` (enum member added)",
		Update:  updateAdded,
		Depends: "breaking and MEDIUM where matches must be exhaustive (Rust without non_exhaustive, Swift, Kotlin)",
	},
	{
		ID: "enum-member-value-changed", Severity: Medium, Category: Constraint, ChangeType: Modification,
		Words:   "枚举成员 `{symbol}` 的值改变：`{old}` → `{new}` (enum member value changed)",
		Update:  updateValue,
		Depends: "breaking in TypeScript, where the value is part of the type",
	},
	{
		ID: "const-value-changed", Severity: Medium, Category: Constraint, ChangeType: Modification,
		Words:   "常量 `{symbol}` 的值改变：`{old}` → `{new}` (constant value changed)",
		Update:  updateValue,
		Depends: "breaking where compilers see the value: Go constants (apidiff), TypeScript constants of a literal type (tsc)",
	},
	{
		ID: "variable-value-changed", Severity: Medium, Category: Behavior, ChangeType: Modification,
		Words:  "变量 `{symbol}` 的初值改变：`{old}` → `{new}` (initial value changed)",
		Update: updateValue,
	},
	// Behaviour.
	{
		ID: "body-changed", Severity: Medium, Category: Behavior, ChangeType: Modification,
		Words:  "`{symbol}` 的签名未变，实现改变 (same signature, changed body)",
		Update: updateBehavior,
	},
	{
		ID: "internal-changed", Severity: Low, Category: Behavior, ChangeType: Modification,
		Words:  "内部符号 `{symbol}` 改变{more} (internal symbol changed)",
		Update: "若业务逻辑或约束条件提到 `{symbol}`，请更新 (update business logic and constraints where they rest on `{symbol}`)",
	},
}

// ruleByID returns the rule called id.
func ruleByID(id string) (Rule, bool) {
	for _, r := range rules {
		if r.ID == id {
			return r, true
		}
	}
	return Rule{}, false
}
