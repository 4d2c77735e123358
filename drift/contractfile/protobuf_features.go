package contractfile

import (
	"strings"

	"google.golang.org/protobuf/types/descriptorpb"

	"github.com/reverse-spec/reverse-spec/internal/x/lazyregexp"
)

// options are the options of an element by their names.
type options map[string]string

// aggregate is a property in an option of the form { field_presence: IMPLICIT }.
var aggregate = lazyregexp.New(`([\w().]+)\s*:\s*([\w.]+)`)

func optionsOf(list []*descriptorpb.UninterpretedOption) options {
	out := options{}
	for _, u := range list {
		var parts []string
		for _, p := range u.GetName() {
			name := p.GetNamePart()
			if p.GetIsExtension() {
				name = "(" + name + ")"
			}
			parts = append(parts, name)
		}
		name := strings.Join(parts, ".")
		switch {
		case u.IdentifierValue != nil:
			out[name] = u.GetIdentifierValue()
		case u.StringValue != nil:
			out[name] = string(u.GetStringValue())
		case u.AggregateValue != nil:
			for _, m := range aggregate.FindAllStringSubmatch(u.GetAggregateValue(), -1) {
				out[name+"."+m[1]] = m[2]
			}
		default:
			out[name] = number(u)
		}
	}
	return out
}

func number(u *descriptorpb.UninterpretedOption) string {
	text := u.String()
	text = text[strings.LastIndexByte(text, ' ')+1:]
	return text[strings.LastIndexByte(text, ':')+1:]
}

// flag returns "true" or "false".
func (o options) flag(name string) string {
	if o[name] == "true" {
		return "true"
	}
	return "false"
}

// features are what the syntax, the edition and options decide about an element.
type features struct {
	presence string // EXPLICIT, IMPLICIT, LEGACY_REQUIRED
	enum     string // open, closed
	json     string // ALLOW, LEGACY_BEST_EFFORT
	utf8     string // VERIFY, NONE
	javaUTF8 string
	encoding string // DELIMITED or ""
}

func fileFeatures(d *descriptorpb.FileDescriptorProto) features {
	switch d.GetSyntax() {
	case "proto3":
		return features{presence: "IMPLICIT", enum: "open", json: "ALLOW", utf8: "VERIFY", javaUTF8: "VERIFY"}
	case "editions":
		return features{presence: "EXPLICIT", enum: "open", json: "ALLOW", utf8: "VERIFY", javaUTF8: "DEFAULT"}
	}
	return features{presence: "EXPLICIT", enum: "closed", json: "LEGACY_BEST_EFFORT", utf8: "NONE", javaUTF8: "NONE"}
}

// with returns the features of an element with some options.
func (f features) with(o options) features {
	for name, to := range map[string]*string{
		"features.field_presence": &f.presence, "features.json_format": &f.json, "features.utf8_validation": &f.utf8, "features.message_encoding": &f.encoding,
		"features.(pb.java).utf8_validation": &f.javaUTF8,
	} {
		if v := o[name]; v != "" {
			*to = v
		}
	}
	if v := o["features.enum_type"]; v != "" {
		f.enum = strings.ToLower(v)
	}
	if o["java_string_check_utf8"] == "true" {
		f.javaUTF8 = "VERIFY"
	}
	return f
}

// cardinality returns how many values a field has, and whether it is known to be set.
func (f features) cardinality(d *descriptorpb.FieldDescriptorProto) string {
	message := d.GetTypeName() != "" || d.GetType() == descriptorpb.FieldDescriptorProto_TYPE_GROUP
	switch {
	case d.GetLabel() == descriptorpb.FieldDescriptorProto_LABEL_REPEATED:
		return "repeated"
	case d.GetLabel() == descriptorpb.FieldDescriptorProto_LABEL_REQUIRED, f.presence == "LEGACY_REQUIRED":
		return "required"
	case f.presence == "IMPLICIT" && !d.GetProto3Optional() && d.OneofIndex == nil && !message:
		return "optional without presence"
	}
	return "optional"
}

// typeOf returns the type of a field as written. A group is a message that is delimited on the wire.
func (f features) typeOf(d *descriptorpb.FieldDescriptorProto) string {
	name := d.GetTypeName()
	switch {
	case name == "":
		return strings.ToLower(strings.TrimPrefix(d.GetType().String(), "TYPE_"))
	case d.GetType() == descriptorpb.FieldDescriptorProto_TYPE_GROUP, f.encoding == "DELIMITED":
		return "group " + name
	}
	return name
}
