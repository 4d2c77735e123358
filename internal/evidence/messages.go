package evidence

import (
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/evidence/settings"
)

// messageUse is a call that sends a message, or asks for those of a topic.
type messageUse struct {
	languages []string
	imports   string // a word in a module that the file imports; "" for none
	of        string // the callee: its last name after "."
	topic     int    // the argument with the topic; -1 if it is what the method is called on, of which the name is the task
	named     []string
	payload   int // the argument with what is sent; -1 for all arguments
	with      []string
	sent      bool
}

var messageUses = []messageUse{
	{goLanguage, "nats", ".Publish", 0, nil, 1, nil, true},
	{goLanguage, "nats", ".Subscribe", 0, nil, -2, nil, false},
	{goLanguage, "nats", ".QueueSubscribe", 0, nil, -2, nil, false},
	{goLanguage, "kafka", "kafka.Message", -2, []string{"Topic"}, -2, []string{"Value"}, true},
	{goLanguage, "kafka", "kafka.ReaderConfig", -2, []string{"Topic"}, -2, nil, false},
	{goLanguage, "sarama", "sarama.ProducerMessage", -2, []string{"Topic"}, -2, []string{"Value"}, true},
	{goLanguage, "amqp", ".PublishWithContext", 2, nil, 5, []string{"Body"}, true},
	{goLanguage, "amqp", ".Publish", 1, nil, 4, []string{"Body"}, true},
	{goLanguage, "amqp", ".Consume", 0, nil, -2, nil, false},
	{goLanguage, "asynq", "asynq.NewTask", 0, nil, 1, nil, true},
	{goLanguage, "asynq", ".HandleFunc", 0, nil, -2, nil, false},
	{pythonLanguage, "kafka", ".send", 0, []string{"topic"}, 1, []string{"value"}, true},
	{pythonLanguage, "kafka", ".produce", 0, []string{"topic"}, 1, []string{"value"}, true},
	{pythonLanguage, "kafka", ".send_and_wait", 0, []string{"topic"}, 1, []string{"value"}, true},
	{pythonLanguage, "pika", ".basic_publish", 1, []string{"routing_key"}, 2, []string{"body"}, true},
	{pythonLanguage, "boto", ".send_message", -2, []string{"QueueUrl"}, -2, []string{"MessageBody"}, true},
	{pythonLanguage, "boto", ".publish", -2, []string{"TopicArn"}, -2, []string{"Message"}, true},
	{pythonLanguage, "", ".delay", -1, nil, -1, nil, true},
	{pythonLanguage, "", ".apply_async", -1, nil, 0, []string{"args", "kwargs"}, true},
	{pythonLanguage, "celery", ".send_task", 0, []string{"name"}, 1, []string{"args"}, true},
	{ecma, "kafka", ".send", -2, []string{"topic"}, -2, []string{"messages"}, true},
	{ecma, "amqp", ".sendToQueue", 0, nil, 1, nil, true},
	{ecma, "amqp", ".publish", 1, nil, 2, nil, true},
	{ecma, "amqp", ".consume", 0, nil, -2, nil, false},
	{ecma, "nats", ".publish", 0, nil, 1, nil, true},
	{ecma, "nats", ".subscribe", 0, nil, -2, nil, false},
	{ecma, "bull", "ueue.add", 0, nil, 1, nil, true},
	{ecma, "bull", "Worker", 0, nil, -2, nil, false},
	{ecma, "client-sqs", "SendMessageCommand", -2, []string{"QueueUrl"}, -2, []string{"MessageBody"}, true},
	{ecma, "client-sns", "PublishCommand", -2, []string{"TopicArn"}, -2, []string{"Message"}, true},
	{ecma, "microservices", "lient.emit", 0, nil, 1, nil, true},
	{ecma, "microservices", "lient.send", 0, nil, 1, nil, true},
	{rubyLanguage, "", ".perform_async", -1, nil, -1, nil, true},
	{rubyLanguage, "", ".perform_later", -1, nil, -1, nil, true},
	{rubyLanguage, "", ".perform_in", -1, nil, -1, nil, true},
	{jvmLanguages, "kafka", "emplate.send", 0, nil, 1, nil, true},
	{jvmLanguages, "amqp", "emplate.convertAndSend", 1, nil, 2, nil, true},
	{phpLanguage, "", ".dispatch", -1, nil, -1, nil, true},
	{phpLanguage, "", ".dispatchSync", -1, nil, -1, nil, true},
}

// messageMarks are the annotations of functions that handle messages, with the argument that names them; "" for the first.
var messageMarks = map[string]string{
	"shared_task": "name", "task": "name", "Processor": "", "Process": "", "EventPattern": "", "MessagePattern": "", "SqsListener": "", "actor": "queue_name",
}

// messages finds the messages that the module sends and handles, with what they carry.
func (m *Module) messages(found func(Claim)) {
	m.calls(func(f *code.File, c *code.CallUse) {
		if c.Mark {
			m.markedMessage(f, c, found)
		} else if claim, ok := m.message(f, c); ok {
			found(claim)
		}
	})
}

// message returns the message of a call.
func (m *Module) message(f *code.File, c *code.CallUse) (Claim, bool) {
	of := dotted(c.Value.Text)
	for i := range messageUses {
		u := &messageUses[i]
		if !slices.Contains(u.languages, f.Language) || of != u.of && !strings.HasSuffix(of, u.of) || u.imports != "" && !importsWord(f, u.imports) {
			continue
		}
		args := argumentsOf(&c.Value)
		if u.topic > 0 && len(args.Args) == u.payload { // the overload without an exchange
			short := *u
			short.topic, short.payload = u.topic-1, u.payload-1
			u = &short
		}
		name := m.topicOf(f, u, of, args)
		if name == "" {
			return Claim{}, false
		}
		out := Claim{Subject: c.In, Name: name, Values: u.payloadOf(args), At: []Place{{f.Path, c.Line, ""}}}
		if u.sent {
			out.Role = Sent
		}
		return out, true
	}
	return Claim{}, false
}

// topicOf returns the topic of a call; "" if it is not constant, or the name of no task of the project.
func (m *Module) topicOf(f *code.File, u *messageUse, of string, args *code.Value) string {
	if u.topic == -1 {
		on, _ := cutLast(of)
		if !m.isTask(f, lastName(on)) {
			return ""
		}
		return m.taskName(lastName(on))
	}
	v := args.Named(u.named...)
	for i := 0; v == nil && i < len(args.Args); i++ {
		if args.Args[i].Kind == code.ValueObject && u.topic == -2 {
			v = args.Args[i].Named(u.named...)
		}
	}
	if v == nil && u.topic >= 0 {
		v = args.Arg(u.topic)
	}
	if v != nil && v.Kind == code.ValueName && len(u.named) > 0 && u.topic == -2 {
		text, literal := keyTemplate(f, v, 0)
		if !literal {
			return v.Text // a setting
		}
		return text
	}
	return keyText(f, v)
}

// isTask reports whether a name is that of a class or function that runs later: of a job, a task.
func (m *Module) isTask(f *code.File, name string) bool {
	switch f.Language {
	case "ruby":
		return name != "" && name[0] >= 'A' && name[0] <= 'Z'
	case "php":
		for _, s := range m.namedSymbols(name) {
			if slices.ContainsFunc(s.Bases, func(b string) bool { return lastName(dotted(strings.ReplaceAll(b, `\`, "."))) == "ShouldQueue" }) {
				return true
			}
		}
		return slices.ContainsFunc(f.Imports, func(i code.Import) bool {
			return strings.HasPrefix(i.Module, `App\Jobs\`) && strings.HasSuffix(i.Module, `\`+name)
		})
	}
	for _, s := range m.namedSymbols(name) {
		if s.Kind == code.Function {
			return true
		}
	}
	return slices.ContainsFunc(f.Imports, func(i code.Import) bool { return slices.Contains(i.Named, name) })
}

// payloadOf returns what a call sends, as written.
func (u *messageUse) payloadOf(args *code.Value) []string {
	if u.payload == -1 {
		var out []string
		for i := range args.Args {
			out = append(out, payload(&args.Args[i])...)
		}
		return out
	}
	v := args.Named(u.with...)
	for i := 0; v == nil && i < len(args.Args); i++ {
		if args.Args[i].Kind == code.ValueObject {
			v = args.Args[i].Named(u.with...)
		}
	}
	if v == nil && u.payload >= 0 {
		v = args.Arg(u.payload)
	}
	if v == nil {
		return nil
	}
	given := *v
	given.Name = ""
	return payload(&given)
}

// payload returns the parts of what is sent: the fields of an object, or a value as written.
func payload(v *code.Value) []string {
	if v == nil {
		return nil
	}
	switch {
	case v.Kind == code.ValueObject:
		return fieldsOf(v)
	case v.Kind == code.ValueOther && v.Text == "" && len(v.Args) > 0: // a list
		return payload(&v.Args[0])
	case v.Kind == code.ValueCall && len(v.Args) == 1 && wraps(v.Text):
		return payload(&v.Args[0])
	}
	text := settings.Written(v)
	if v.Name != "" {
		text = v.Name
	}
	if v.Kind == code.ValueCall && text == "" {
		text = v.Text + "(…)"
	}
	if text == "" {
		return nil
	}
	return []string{text}
}

// fieldsOf returns the names of the fields of an object; of a message of Kafka, what its value is.
func fieldsOf(v *code.Value) []string {
	if value := v.Named("value"); value != nil {
		given := *value
		given.Name = ""
		return payload(&given)
	}
	var out []string
	for i := range v.Args {
		if name := v.Args[i].Name; name != "" {
			out = append(out, name)
		} else if v.Args[i].Kind == code.ValueName {
			out = append(out, v.Args[i].Text)
		}
	}
	return out
}

// wraps reports whether a function writes a value in another form.
func wraps(of string) bool {
	return slices.Contains([]string{"JSON.stringify", "json.dumps", "Buffer.from", "json.Marshal", "[]byte", "to_json", "str", "sarama.StringEncoder", "sarama.ByteEncoder"}, dotted(of))
}

// markedMessage finds the messages that an annotated function handles.
func (m *Module) markedMessage(f *code.File, c *code.CallUse, found func(Claim)) {
	name := lastName(dotted(c.Value.Text))
	argument, ok := messageMarks[name]
	if !ok || (name == "task" || name == "shared_task") && !importsWord(f, "celery") && f.Language == "python" || (name == "Process" || name == "Processor") && !importsWord(f, "bull") {
		return
	}
	in := decorated(f, c)
	topic := lastName(in)
	v := c.Value.Arg(0)
	if argument != "" {
		v = c.Value.Named(argument)
	}
	if text := keyText(f, v); text != "" {
		topic = text
	}
	claim := Claim{Subject: in, Name: topic, At: []Place{{f.Path, c.Line, ""}}}
	if list := m.namedSymbols(in); len(list) > 0 && f.Language == "python" {
		for _, p := range list[0].Params {
			if p.Name != "self" {
				claim.Values = append(claim.Values, strings.TrimSuffix(p.Name+": "+p.Type, ": "))
			}
		}
	}
	found(claim)
}

// taskName returns the name of the messages that a task handles: the one that its annotation gives, or its own.
func (m *Module) taskName(task string) string {
	for _, f := range m.Files {
		if f.Whole == nil || f.Language != "python" {
			continue
		}
		for i := range f.Whole.Calls {
			c := &f.Whole.Calls[i]
			if _, ok := messageMarks[lastName(dotted(c.Value.Text))]; !ok || !c.Mark || lastName(decorated(f, c)) != task {
				continue
			}
			if text := keyText(f, c.Value.Named("name")); text != "" {
				return text
			}
		}
	}
	return task
}

// decorated returns the qualified name of what a decorator is on.
func decorated(f *code.File, c *code.CallUse) string {
	name, at := c.In, 0 // a function, or the class of a method
	walk("", f.Symbols, func(path string, s *code.Symbol) {
		inside := c.In == "" || strings.HasPrefix(path, c.In+".")
		if line := max(s.NameLine, s.StartLine); inside && line >= c.Line && (at == 0 || line < at) {
			name, at = path, line
		}
	})
	return name
}
