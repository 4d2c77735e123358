package drift

import "github.com/reverse-spec/reverse-spec/internal/message"

// Rule is a kind of change that [Compare] reports.
type Rule struct {
	ID         string     `json:"id"`
	Severity   Severity   `json:"severity"`
	Breaking   bool       `json:"breaking"` // unless Depends says otherwise
	Category   Category   `json:"category"`
	ChangeType ChangeType `json:"changeType"`
	// Words describes an item and Update says what to do with the spec; both are keys of the
	// message catalogue. They may contain {symbol}, {what}, {old}, {new}, {signature} and
	// {more}.
	Words  string `json:"words"`
	Update string `json:"update"`
	// Depends says when the verdict differs from Breaking; "" if it never does.
	Depends string `json:"depends,omitempty"`
}

// Proposals shared by several rules.
var (
	updateSignature = message.Key("set the signature of `{symbol}` in the interface section to `{signature}`")
	updateRemoved   = message.Key("delete `{symbol}` from the interface section; state the removal and its replacement under compatibility")
	updateMember    = message.Key("delete the member `{symbol}` from its type in the interface section and state the removal")
	updateAdded     = message.Key("add `{signature}` to the interface section")
	updateModifier  = message.Key("update the modifiers of `{symbol}` in the interface section: {what}")
	updateValue     = message.Key("change the value of `{symbol}` from `{old}` to `{new}` in constraints and data structures")
	updateBehavior  = message.Key("read the body of `{symbol}` again; update requirements, scenarios and contract tests")
	updateBase      = message.Key("update what `{symbol}` extends or implements in the interface section")
)

// rules is the table. HIGH is reserved for removals (contract of the diff tool); a change that
// breaks callers without removing an export is MEDIUM.
var rules = []Rule{
	// Modules, where several are compared.
	{
		ID: "module-removed", Severity: High, Breaking: true, Category: Interface, ChangeType: Removal,
		Words:   message.Key("the module `{symbol}` was removed, with {what}{more}"),
		Update:  message.Key("delete the spec of `{symbol}`; state the removal and its replacement under compatibility"),
		Depends: "not breaking if other projects cannot import it: internal folders, programs, tests, examples, tools",
	},
	{
		ID: "module-added", Severity: Low, Category: Interface, ChangeType: Addition,
		Words:  message.Key("the module `{symbol}` was added, with {what}{more}"),
		Update: message.Key("write a spec of it: reverse-spec generate {symbol}"),
	},
	// Exports.
	{
		ID: "export-removed", Severity: High, Breaking: true, Category: Interface, ChangeType: Removal,
		Words:  message.Key("export `{symbol}` was removed{more}"),
		Update: updateRemoved,
	},
	{
		ID: "renamed-symbol", Severity: High, Breaking: true, Category: Interface, ChangeType: Removal,
		Words:  message.Key("export `{symbol}` was removed: renamed to `{what}`"),
		Update: message.Key("rename `{symbol}` to `{what}` in the interface section and state it under compatibility"),
	},
	{
		ID: "visibility-reduced", Severity: High, Breaking: true, Category: Interface, ChangeType: Removal,
		Words:  message.Key("`{symbol}` is no longer exported, only internal{more}"),
		Update: updateRemoved,
	},
	{
		ID: "export-added", Severity: Low, Category: Interface, ChangeType: Addition,
		Words:  message.Key("export `{symbol}` was added{more}"),
		Update: updateAdded,
	},
	{
		ID: "visibility-widened", Severity: Low, Category: Interface, ChangeType: Addition,
		Words:  message.Key("internal symbol `{symbol}` is now exported{more}"),
		Update: updateAdded,
	},
	{
		ID: "reexport-removed", Severity: High, Breaking: true, Category: Interface, ChangeType: Removal,
		Words:  message.Key("export `{symbol}` was removed: no longer re-exported from `{what}`"),
		Update: updateRemoved,
	},
	{
		ID: "reexport-added", Severity: Low, Category: Interface, ChangeType: Addition,
		Words:  message.Key("export `{symbol}` was added: re-exported from `{what}`"),
		Update: updateAdded,
	},
	{
		ID: "default-export-removed", Severity: High, Breaking: true, Category: Interface, ChangeType: Removal,
		Words:  message.Key("`{what}` is no longer the module's `{symbol}` export"),
		Update: updateRemoved,
	},
	{
		ID: "default-export-added", Severity: Low, Category: Interface, ChangeType: Addition,
		Words:  message.Key("`{what}` is now the module's `{symbol}` export"),
		Update: updateAdded,
	},
	{
		ID: "kind-changed", Severity: Medium, Breaking: true, Category: Interface, ChangeType: Modification,
		Words:   message.Key("the kind of `{symbol}` changed: {old} → {new}"),
		Update:  updateSignature,
		Depends: "not breaking between forms that are used alike: function and arrow constant, TypeScript interface and object type, property and accessor",
	},
	{
		ID: "file-moved", Severity: Low, Category: Interface, ChangeType: Modification,
		Words:   message.Key("`{symbol}` moved to another file: {old} → {new}{more}"),
		Update:  message.Key("set the source of `{symbol}` to {new}"),
		Depends: "breaking where the path is what users import (TypeScript, JavaScript, Python, Rust, Ruby, Dart, C and C++ headers; another package folder in Java, Kotlin, Scala and PHP) and nothing re-exports the symbol",
	},
	// Parameters.
	{
		ID: "param-required-added", Severity: Medium, Breaking: true, Category: Interface, ChangeType: Modification,
		Words:  message.Key("`{symbol}` has a new required parameter `{new}`"),
		Update: updateSignature,
	},
	{
		ID: "param-optional-added", Severity: Low, Category: Interface, ChangeType: Modification,
		Words:   message.Key("`{symbol}` has a new optional parameter `{new}`{more}"),
		Update:  updateSignature,
		Depends: "breaking and MEDIUM in Go, where it changes the function's type, and where it shifts positional parameters after it",
	},
	{
		ID: "param-removed", Severity: Medium, Breaking: true, Category: Interface, ChangeType: Modification,
		Words:  message.Key("parameter `{old}` of `{symbol}` was removed"),
		Update: updateSignature,
	},
	{
		ID: "param-renamed", Severity: Low, Category: Interface, ChangeType: Modification,
		Words:   message.Key("a parameter of `{symbol}` was renamed: `{old}` → `{new}`"),
		Update:  updateSignature,
		Depends: "breaking and MEDIUM where callers may name arguments (Python, Kotlin, C#, Scala, PHP, the labels of Swift, the keywords of Ruby and Dart)",
	},
	{
		ID: "param-reordered", Severity: Medium, Breaking: true, Category: Interface, ChangeType: Modification,
		Words:  message.Key("the parameters of `{symbol}` were reordered: ({old}) → ({new})"),
		Update: updateSignature,
	},
	{
		ID: "param-type-changed", Severity: Medium, Breaking: true, Category: Interface, ChangeType: Modification,
		Words:   message.Key("the type of parameter `{what}` of `{symbol}` changed: `{old}` → `{new}`"),
		Update:  updateSignature,
		Depends: "not breaking when every old argument is still taken (a wider union, T? for T) or when an annotation appears or disappears",
	},
	{
		ID: "param-default-changed", Severity: Medium, Category: Constraint, ChangeType: Modification,
		Words:  message.Key("the default value of parameter `{what}` of `{symbol}` changed: `{old}` → `{new}`"),
		Update: updateSignature,
	},
	{
		ID: "param-became-required", Severity: Medium, Breaking: true, Category: Interface, ChangeType: Modification,
		Words:  message.Key("optional parameter `{what}` of `{symbol}` became required"),
		Update: updateSignature,
	},
	{
		ID: "param-became-optional", Severity: Low, Category: Interface, ChangeType: Modification,
		Words:  message.Key("required parameter `{what}` of `{symbol}` became optional"),
		Update: updateSignature,
	},
	{
		ID: "param-variadic-changed", Severity: Medium, Breaking: true, Category: Interface, ChangeType: Modification,
		Words:   message.Key("the variadic form of parameter `{what}` of `{symbol}` changed: `{old}` → `{new}`"),
		Update:  updateSignature,
		Depends: "not breaking in Java and C# when an array became variadic",
	},
	{
		ID: "param-mode-changed", Severity: Medium, Breaking: true, Category: Interface, ChangeType: Modification,
		Words:   message.Key("the passing mode of parameter `{what}` of `{symbol}` changed: {old} → {new}"),
		Update:  updateSignature,
		Depends: "not breaking when a restriction was lifted",
	},
	// Other parts of a signature.
	{
		ID: "return-type-changed", Severity: Medium, Breaking: true, Category: Interface, ChangeType: Modification,
		Words:   message.Key("the return type of `{symbol}` changed: `{old}` → `{new}`"),
		Update:  updateSignature,
		Depends: "not breaking when it became narrower (fewer members of a union; T for T?, except in Swift) or when an annotation appears or disappears",
	},
	{
		ID: "type-changed", Severity: Medium, Breaking: true, Category: Interface, ChangeType: Modification,
		Words:   message.Key("the type of `{symbol}` changed: `{old}` → `{new}`"),
		Update:  updateSignature,
		Depends: "not breaking when an annotation appears or disappears",
	},
	{
		ID: "type-body-changed", Severity: Medium, Breaking: true, Category: Interface, ChangeType: Modification,
		Words:   message.Key("the definition of type `{symbol}` changed: `{old}` → `{new}`"),
		Update:  message.Key("set the definition of `{symbol}` in data structures to `{new}`"),
		Depends: "not breaking in Go when a number type became wider",
	},
	{
		ID: "alias-effect", Severity: Medium, Breaking: true, Category: Interface, ChangeType: Modification,
		Words:  message.Key("the text of `{symbol}` is unchanged, but the name `{what}` in it now means something else: `{old}` → `{new}`"),
		Update: message.Key("check what `{symbol}` takes and returns now; update `{what}` in data structures"),
	},
	{
		ID: "type-parameters-changed", Severity: Medium, Breaking: true, Category: Interface, ChangeType: Modification,
		Words:  message.Key("the type parameters of `{symbol}` changed: <{old}> → <{new}>"),
		Update: updateSignature,
	},
	{
		ID: "async-changed", Severity: Medium, Breaking: true, Category: Interface, ChangeType: Modification,
		Words:   message.Key("`{symbol}` changed from {old} to {new}"),
		Update:  updateSignature,
		Depends: "not breaking when the written return type stays a promise, nor when a Kotlin or Swift function ceased to be asynchronous; C# goes by the return type alone",
	},
	{
		ID: "static-changed", Severity: Medium, Breaking: true, Category: Interface, ChangeType: Modification,
		Words:  message.Key("`{symbol}` changed from {old} to {new}"),
		Update: updateModifier,
	},
	{
		ID: "abstract-changed", Severity: Medium, Breaking: true, Category: Interface, ChangeType: Modification,
		Words:   message.Key("`{symbol}` changed from {old} to {new}"),
		Update:  updateModifier,
		Depends: "not breaking when it ceased to be abstract",
	},
	{
		ID: "readonly-changed", Severity: Medium, Breaking: true, Category: Interface, ChangeType: Modification,
		Words:   message.Key("`{symbol}` changed from {old} to {new}"),
		Update:  updateModifier,
		Depends: "not breaking when it became writable",
	},
	{
		ID: "receiver-changed", Severity: Medium, Breaking: true, Category: Interface, ChangeType: Modification,
		Words:   message.Key("the receiver of method `{symbol}` changed: `{old}` → `{new}`"),
		Update:  updateSignature,
		Depends: "not breaking when a Rust receiver asks for less",
	},
	{
		ID: "method-set-reduced", Severity: Medium, Breaking: true, Category: Interface, ChangeType: Removal,
		Words:  message.Key("method `{symbol}` is no longer in the method set of values: receiver `{old}` → `{new}`"),
		Update: updateSignature,
	},
	{
		ID: "method-set-widened", Severity: Low, Category: Interface, ChangeType: Addition,
		Words:  message.Key("method `{symbol}` is now in the method set of values, too: receiver `{old}` → `{new}`"),
		Update: updateSignature,
	},
	{
		ID: "bases-changed", Severity: Medium, Breaking: true, Category: Interface, ChangeType: Modification,
		Words:   message.Key("the base types or interfaces of `{symbol}` changed: {old} → {new}"),
		Update:  updateBase,
		Depends: "not breaking when bases were only added to a type that users do not implement",
	},
	{
		ID: "decorators-changed", Severity: Medium, Category: Constraint, ChangeType: Modification,
		Words:   message.Key("the decorators, annotations or tags of `{symbol}` changed: {old} → {new}"),
		Update:  message.Key("update the decorators of `{symbol}` under constraints"),
		Depends: "breaking in Rust by meaning: non_exhaustive added, a repr that is gone or another alignment, more target features, another exported name",
	},
	{
		ID: "deprecated", Severity: Low, Category: Constraint, ChangeType: Modification,
		Words:  message.Key("`{symbol}` is deprecated now: {what}"),
		Update: message.Key("state that `{symbol}` is deprecated, and what replaces it"),
	},
	{
		ID: "no-longer-deprecated", Severity: Low, Category: Constraint, ChangeType: Modification,
		Words:  message.Key("`{symbol}` is no longer deprecated: {what}"),
		Update: message.Key("delete the statement that `{symbol}` is deprecated"),
	},
	{
		ID: "overload-removed", Severity: Medium, Breaking: true, Category: Interface, ChangeType: Modification,
		Words:  message.Key("an overload of `{symbol}` was removed: `{old}`"),
		Update: message.Key("delete the overload `{old}` of `{symbol}` from the interface section"),
	},
	{
		ID: "overload-added", Severity: Low, Category: Interface, ChangeType: Modification,
		Words:   message.Key("an overload of `{symbol}` was added: `{new}`"),
		Update:  message.Key("add the overload `{new}` of `{symbol}` to the interface section"),
		Depends: "breaking and MEDIUM for a method that users implement",
	},
	{
		ID: "signature-changed", Severity: Medium, Breaking: true, Category: Interface, ChangeType: Modification,
		Words:   message.Key("the signature of `{symbol}` changed: `{old}` → `{new}`{more}"),
		Update:  updateSignature,
		Depends: "not breaking when only words such as synchronized or inline differ, when a limit fell (sealed, final, mutating, throws) or an offer came (open, virtual, a const method)",
	},
	// Members.
	{
		ID: "member-removed", Severity: Medium, Breaking: true, Category: Interface, ChangeType: Removal,
		Words:  message.Key("member `{symbol}` was removed{more}"),
		Update: updateMember,
	},
	{
		ID: "member-visibility-reduced", Severity: Medium, Breaking: true, Category: Interface, ChangeType: Removal,
		Words:  message.Key("member `{symbol}` is less visible: {old} → {new}"),
		Update: updateMember,
	},
	{
		ID: "member-added", Severity: Low, Category: Interface, ChangeType: Addition,
		Words:  message.Key("member `{symbol}` was added{more}"),
		Update: updateAdded,
	},
	{
		ID: "member-visibility-widened", Severity: Low, Category: Interface, ChangeType: Addition,
		Words:  message.Key("member `{symbol}` is more visible: {old} → {new}"),
		Update: updateAdded,
	},
	{
		ID: "required-member-added", Severity: Medium, Breaking: true, Category: Interface, ChangeType: Addition,
		Words:   message.Key("required member `{symbol}` was added: every implementer must supply it"),
		Update:  updateAdded,
		Depends: "not breaking for TypeScript types, which tsc lets grow for their readers",
	},
	{
		ID: "literal-broken", Severity: Medium, Breaking: true, Category: Interface, ChangeType: Addition,
		Words:  message.Key("field `{symbol}` was added to a type whose values users write: every such value lacks it"),
		Update: literalBroken,
	},
	{
		ID: "order-changed", Severity: Medium, Breaking: true, Category: Interface, ChangeType: Modification,
		Words:  message.Key("the parts of `{symbol}` are in another order, by which its values compare: {old} → {new}"),
		Update: message.Key("update the order of the parts of `{symbol}` in data structures"),
	},
	{
		ID: "member-became-required", Severity: Medium, Breaking: true, Category: Interface, ChangeType: Modification,
		Words:  message.Key("optional member `{symbol}` became required"),
		Update: updateSignature,
	},
	{
		ID: "member-became-optional", Severity: Medium, Breaking: false, Category: Interface, ChangeType: Modification,
		Words:   message.Key("required member `{symbol}` became optional"),
		Update:  updateSignature,
		Depends: "breaking in TypeScript, where readers must now expect undefined",
	},
	{
		ID: "embedded-removed", Severity: Medium, Breaking: true, Category: Interface, ChangeType: Removal,
		Words:  message.Key("`{symbol}` is no longer embedded; the members that it promoted are gone, too"),
		Update: updateMember,
	},
	{
		ID: "embedded-added", Severity: Low, Category: Interface, ChangeType: Addition,
		Words:   message.Key("`{symbol}` is newly embedded"),
		Update:  updateAdded,
		Depends: "breaking and MEDIUM in an interface that users implement",
	},
	{
		ID: "throws-changed", Severity: Medium, Breaking: true, Category: Interface, ChangeType: Modification,
		Words:   message.Key("the declared exceptions of `{symbol}` changed: {old} → {new}"),
		Update:  updateSignature,
		Depends: "not breaking when only unchecked exceptions differ, or when each one stands for a type that was declared",
	},
	{
		ID: "promoted-member-removed", Severity: Medium, Breaking: true, Category: Interface, ChangeType: Removal,
		Words:  message.Key("promoted member `{symbol}` is no longer available{more}"),
		Update: updateMember,
	},
	{
		ID: "promoted-member-added", Severity: Low, Category: Interface, ChangeType: Addition,
		Words:  message.Key("member `{symbol}` was added by embedding{more}"),
		Update: updateAdded,
	},
	{
		ID: "comparability-lost", Severity: Medium, Breaking: true, Category: Interface, ChangeType: Modification,
		Words:  message.Key("`{symbol}` is no longer comparable: field `{what}` has the type `{new}`"),
		Update: message.Key("state under constraints that `{symbol}` cannot be compared with == nor be a map key"),
	},
	// Enumerations and values.
	{
		ID: "enum-member-removed", Severity: Medium, Breaking: true, Category: Interface, ChangeType: Removal,
		Words:  message.Key("enum member `{symbol}` was removed"),
		Update: updateMember,
	},
	{
		ID: "enum-member-added", Severity: Low, Category: Interface, ChangeType: Addition,
		Words:   message.Key("enum member `{symbol}` was added"),
		Update:  updateAdded,
		Depends: "breaking and MEDIUM where matches must be exhaustive (Rust without non_exhaustive, Swift, Kotlin)",
	},
	{
		ID: "enum-member-value-changed", Severity: Medium, Category: Constraint, ChangeType: Modification,
		Words:   message.Key("the value of enum member `{symbol}` changed: `{old}` → `{new}`"),
		Update:  updateValue,
		Depends: "breaking in TypeScript, where the value is part of the type, and in Rust, where it is the discriminant",
	},
	{
		ID: "const-value-changed", Severity: Medium, Category: Constraint, ChangeType: Modification,
		Words:   message.Key("the value of constant `{symbol}` changed: `{old}` → `{new}`"),
		Update:  updateValue,
		Depends: "breaking where compilers see the value: Go constants (apidiff), TypeScript constants of a literal type (tsc)",
	},
	{
		ID: "variable-value-changed", Severity: Medium, Category: Behavior, ChangeType: Modification,
		Words:  message.Key("the initial value of variable `{symbol}` changed: `{old}` → `{new}`"),
		Update: updateValue,
	},
	// Behaviour.
	{
		ID: "claim-removed", Severity: Medium, Category: Behavior, ChangeType: Removal,
		Words:   message.Key("the code no longer shows: {what}{more}"),
		Update:  message.Key("delete the statement{more}, or restore the behaviour"),
		Depends: "breaking if users can reach it by name: a route, a service, a command, a command-line option",
	},
	{
		ID: "claim-changed", Severity: Medium, Category: Behavior, ChangeType: Modification,
		Words:   message.Key("no longer as stated: {what}{more}: `{old}` → `{new}`"),
		Update:  message.Key("change `{old}` to `{new}` in the statement{more}"),
		Depends: "breaking if what a route answers loses a field, or one has another type",
	},
	{
		ID: "claim-added", Severity: Low, Category: Behavior, ChangeType: Addition,
		Words:  message.Key("new in the code: {what}"),
		Update: message.Key("generate the spec again to state it"),
	},
	{
		ID: "body-changed", Severity: Low, Category: Behavior, ChangeType: Modification,
		Words:  message.Key("`{symbol}` has the same signature and a changed body"),
		Update: updateBehavior,
	},
	{
		ID: "internal-changed", Severity: Low, Category: Behavior, ChangeType: Modification,
		Words:  message.Key("internal symbol `{symbol}` changed{more}"),
		Update: message.Key("update requirements and scenarios where they depend on `{symbol}`"),
	},
}

// ruleByID returns the rule called id, which must exist.
func ruleByID(id string) Rule {
	for _, r := range rules {
		if r.ID == id {
			return r
		}
	}
	panic("drift: no rule " + id)
}
