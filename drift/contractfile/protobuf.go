package contractfile

import (
	"bytes"
	"cmp"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/bufbuild/protocompile/ast"
	"github.com/bufbuild/protocompile/parser"
	"github.com/bufbuild/protocompile/reporter"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/descriptorpb"
)

// compareProtobuf compares .proto files. They are parsed, not linked, so that what they import need not be there.
func compareProtobuf(c *comparison) {
	var sides [2][]*node
	for i, s := range []Side{c.old, c.now} {
		for _, name := range c.changed {
			text := read(s, name)
			if text == nil {
				continue
			}
			n, err := readProto(name, text)
			if err != nil {
				c.fail(name, err)
				return
			}
			sides[i] = append(sides[i], n)
		}
	}
	c.trees(protobufPolicy(), sides[0], sides[1])
}

// readProto returns the tree of a file.
func readProto(name string, text []byte) (*node, error) {
	handler := reporter.NewHandler(nil)
	file, err := parser.Parse(name, bytes.NewReader(text), handler)
	if err != nil {
		return nil, err
	}
	result, err := parser.ResultFromAST(file, false, handler)
	if err != nil {
		return nil, err
	}
	r := &protoReader{result: result, file: file, name: name}
	return r.read(), nil
}

// protoReader reads one file.
type protoReader struct {
	result parser.Result
	file   *ast.FileNode
	name   string
}

// line returns the line of a part of the file.
func (r *protoReader) line(m proto.Message) int {
	n := r.result.Node(m)
	if n == nil {
		return 1
	}
	return r.file.NodeInfo(n).Start().Line
}

// fileOptions are the options of a file that decide what generated code looks like.
var fileOptions = []string{
	"go_package", "java_package", "java_outer_classname", "java_multiple_files", "java_string_check_utf8", "csharp_namespace", "objc_class_prefix", "php_class_prefix", "php_namespace",
	"php_metadata_namespace", "ruby_package", "swift_prefix", "cc_enable_arenas", "cc_generic_services", "java_generic_services", "py_generic_services", "php_generic_services", "optimize_for",
}

// usual are the options that are false, and the value that optimize_for has, if they are not written.
func usual(option string) string {
	switch {
	case option == "optimize_for":
		return "SPEED"
	case option == "cc_enable_arenas":
		return "true"
	case strings.HasSuffix(option, "_services"), option == "java_multiple_files", option == "java_string_check_utf8":
		return "false"
	}
	return ""
}

func (r *protoReader) read() *node {
	d := r.result.FileDescriptorProto()
	o := optionsOf(d.GetOptions().GetUninterpretedOption())
	n := &node{kind: "file", key: r.name, name: r.name, file: r.name, line: 1}
	n.set("package", d.GetPackage())
	for _, option := range fileOptions {
		n.set("option "+option, cmp.Or(o[option], usual(option)))
	}
	f := fileFeatures(d).with(o)
	n.set("syntax", syntaxOf(d))
	for _, m := range d.GetMessageType() {
		n.children = append(n.children, r.message(d.GetPackage(), m, f))
	}
	for _, e := range d.GetEnumType() {
		n.children = append(n.children, r.enum(d.GetPackage(), e, f))
	}
	for _, x := range d.GetExtension() {
		n.children = append(n.children, r.extension(d.GetPackage(), x, f))
	}
	for _, s := range d.GetService() {
		n.children = append(n.children, r.service(d.GetPackage(), s))
	}
	return n
}

func syntaxOf(d *descriptorpb.FileDescriptorProto) string {
	if d.GetSyntax() == "editions" {
		return "edition " + strings.TrimPrefix(d.GetEdition().String(), "EDITION_")
	}
	if d.GetSyntax() == "" {
		return "proto2"
	}
	return d.GetSyntax()
}

func (r *protoReader) node(kind, scope, name string, m proto.Message) *node {
	return &node{kind: kind, key: name, name: strings.TrimPrefix(scope+"."+name, "."), file: r.name, line: r.line(m)}
}

func (r *protoReader) message(scope string, m *descriptorpb.DescriptorProto, f features) *node {
	n := r.node("message", scope, m.GetName(), m)
	o := optionsOf(m.GetOptions().GetUninterpretedOption())
	f = f.with(o)
	n.set("JSON format", f.json)
	n.set("message set format", o.flag("message_set_wire_format"))
	n.set("standard accessors", strconv.FormatBool(o["no_standard_descriptor_accessor"] != "true"))
	n.set("deprecation", o.flag("deprecated"))
	n.set("reserved", ranges(m.GetReservedRange(), m.GetReservedName()))
	maps := map[string]*descriptorpb.DescriptorProto{}
	for _, inner := range m.GetNestedType() {
		if inner.GetOptions().GetMapEntry() {
			maps[inner.GetName()] = inner
			continue
		}
		n.children = append(n.children, r.message(n.name, inner, f))
	}
	for _, e := range m.GetEnumType() {
		n.children = append(n.children, r.enum(n.name, e, f))
	}
	for _, x := range m.GetExtension() {
		n.children = append(n.children, r.extension(n.name, x, f))
	}
	for _, field := range m.GetField() {
		n.children = append(n.children, r.field(n, m, field, maps, f))
	}
	used := map[int32]bool{}
	for _, field := range m.GetField() {
		if field.OneofIndex != nil && !field.GetProto3Optional() {
			used[field.GetOneofIndex()] = true
		}
	}
	for i, one := range m.GetOneofDecl() {
		if used[int32(i)] {
			n.children = append(n.children, r.node("oneof", n.name, one.GetName(), one))
		}
	}
	return n
}

// field reads a field. Its number is what it is on the wire.
func (r *protoReader) field(owner *node, m *descriptorpb.DescriptorProto, d *descriptorpb.FieldDescriptorProto, maps map[string]*descriptorpb.DescriptorProto, f features) *node {
	n := r.node("field", owner.name, d.GetName(), d)
	n.key = strconv.Itoa(int(d.GetNumber()))
	r.typed(n, d, maps, f)
	oneof := ""
	if d.OneofIndex != nil && !d.GetProto3Optional() {
		oneof = m.GetOneofDecl()[d.GetOneofIndex()].GetName()
	}
	n.set("oneof", oneof)
	return n
}

// typed sets what fields and extensions have in common.
func (r *protoReader) typed(n *node, d *descriptorpb.FieldDescriptorProto, maps map[string]*descriptorpb.DescriptorProto, f features) {
	o := optionsOf(d.GetOptions().GetUninterpretedOption())
	f = f.with(o)
	n.set("name", d.GetName())
	n.set("number", strconv.Itoa(int(d.GetNumber())))
	kind, cardinality := f.typeOf(d), f.cardinality(d)
	if entry := maps[d.GetTypeName()]; entry != nil {
		kind, cardinality = "map<"+f.typeOf(entry.GetField()[0])+", "+f.typeOf(entry.GetField()[1])+">", "map"
	}
	n.set("type", kind)
	n.set("cardinality", cardinality)
	n.set("JSON name", cmp.Or(o["json_name"], camel(d.GetName())))
	n.set("default value", o["default"])
	n.set("jstype", cmp.Or(o["jstype"], "JS_NORMAL"))
	n.set("C++ string type", cmp.Or(o["features.(pb.cpp).string_type"], o["ctype"], "STRING"))
	if kind == "string" || strings.Contains(kind, "string") && cardinality == "map" {
		n.set("UTF-8 validation", f.utf8)
		n.set("UTF-8 validation in Java", f.javaUTF8)
	}
	n.set("deprecation", o.flag("deprecated"))
}

func (r *protoReader) extension(scope string, d *descriptorpb.FieldDescriptorProto, f features) *node {
	n := r.node("extension", scope, d.GetName(), d)
	r.typed(n, d, nil, f)
	n.set("extended message", d.GetExtendee())
	n.key = d.GetExtendee() + " " + strconv.Itoa(int(d.GetNumber())) // what it is on the wire
	return n
}

func (r *protoReader) enum(scope string, e *descriptorpb.EnumDescriptorProto, f features) *node {
	n := r.node("enum", scope, e.GetName(), e)
	o := optionsOf(e.GetOptions().GetUninterpretedOption())
	f = f.with(o)
	n.set("JSON format", f.json)
	n.set("openness", f.enum)
	n.set("deprecation", o.flag("deprecated"))
	var list []*descriptorpb.DescriptorProto_ReservedRange
	for _, x := range e.GetReservedRange() { // both ends are included
		list = append(list, &descriptorpb.DescriptorProto_ReservedRange{Start: x.Start, End: new(x.GetEnd() + 1)})
	}
	n.set("reserved", ranges(list, e.GetReservedName()))
	byNumber := map[int32]*node{}
	for _, v := range e.GetValue() {
		if first := byNumber[v.GetNumber()]; first != nil { // an alias
			first.facts[0].value += ", " + v.GetName()
			continue
		}
		value := r.node("enum value", n.name, v.GetName(), v)
		value.key = strconv.Itoa(int(v.GetNumber()))
		value.set("name", v.GetName())
		value.set("number", value.key)
		value.set("deprecation", optionsOf(v.GetOptions().GetUninterpretedOption()).flag("deprecated"))
		byNumber[v.GetNumber()] = value
		n.children = append(n.children, value)
	}
	return n
}

func (r *protoReader) service(scope string, s *descriptorpb.ServiceDescriptorProto) *node {
	n := r.node("service", scope, s.GetName(), s)
	n.set("deprecation", optionsOf(s.GetOptions().GetUninterpretedOption()).flag("deprecated"))
	for _, m := range s.GetMethod() {
		o := optionsOf(m.GetOptions().GetUninterpretedOption())
		rpc := r.node("rpc", n.name, m.GetName(), m)
		rpc.set("request type", m.GetInputType())
		rpc.set("response type", m.GetOutputType())
		rpc.set("streaming of the client", strconv.FormatBool(m.GetClientStreaming()))
		rpc.set("streaming of the server", strconv.FormatBool(m.GetServerStreaming()))
		rpc.set("idempotency level", cmp.Or(o["idempotency_level"], "IDEMPOTENCY_UNKNOWN"))
		rpc.set("deprecation", o.flag("deprecated"))
		n.children = append(n.children, rpc)
	}
	return n
}

// ranges shows what is reserved: numbers and names.
func ranges(list []*descriptorpb.DescriptorProto_ReservedRange, names []string) string {
	var out []string
	for _, x := range list {
		text := strconv.Itoa(int(x.GetStart()))
		if x.GetEnd() > x.GetStart()+1 {
			text += "-" + strconv.Itoa(int(x.GetEnd()-1))
		}
		out = append(out, text)
	}
	return strings.Join(append(out, slices.Sorted(slices.Values(names))...), ", ")
}

// camel returns the name that a field has in JSON.
func camel(name string) string {
	var b strings.Builder
	up := false
	for _, c := range name {
		switch {
		case c == '_':
			up = true
		case up:
			b.WriteString(strings.ToUpper(string(c)))
			up = false
		default:
			b.WriteRune(c)
		}
	}
	return b.String()
}

// base returns the last part of a type's name.
func base(name string) string { return path.Ext("." + strings.TrimPrefix(name, ".")) }
