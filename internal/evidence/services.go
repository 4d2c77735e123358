package evidence

import (
	"cmp"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

// services finds gRPC services.
var services = Rule{
	Kind: Service,
	find: func(m *Module, found func(Claim)) {
		facts(found, func(add func(fact, string, string)) {
			for _, f := range m.Files {
				for _, c := range f.Calls {
					if name := serviceOf(f, c); name != "" {
						add(fact{name: name, on: c.Name, line: c.Line}, c.In, f.Path)
					}
				}
			}
			m.symbols(func(name string, s *code.Symbol) {
				for _, b := range s.Bases {
					if service, ok := strings.CutSuffix(lastName(b), "ImplBase"); ok && service != "" {
						add(fact{name: service, of: name, on: code.ShortName(s.Name), line: cmp.Or(s.NameLine, s.StartLine)}, name, s.File)
					}
				}
			})
		})
	},
}

// serviceOf returns the service that a call of generated code registers; "" for other calls.
func serviceOf(f *code.File, c code.Call) string {
	name := ""
	switch f.Language {
	case "go":
		name = between(c.Name, "Register", "Server")
		if c.Receiver == "" || strings.Contains(c.Receiver, "(") || !importsGRPC(f) {
			return ""
		}
	case "python":
		name = between(c.Name, "add_", "Servicer_to_server")
	}
	return name
}

// importsGRPC reports whether a file uses gRPC, so that an unrelated Register…Server function
// is not mistaken for it.
func importsGRPC(f *code.File) bool {
	return slices.ContainsFunc(f.Imports, func(i code.Import) bool { return strings.Contains(i.Module, "google.golang.org/grpc") })
}

// between returns the part of name between a prefix and a suffix; "" if it lacks one of them.
func between(name, begin, end string) string {
	rest, ok := strings.CutPrefix(name, begin)
	rest, ends := strings.CutSuffix(rest, end)
	if !ok || !ends {
		return ""
	}
	return rest
}

// topics finds subjects, queues and channels of messages.
var topics = Rule{
	Kind: Topic,
	find: func(m *Module, found func(Claim)) {
		known := map[Place]bool{}
		m.messages(func(c Claim) {
			known[c.At[0]] = true
			found(c)
		})
		facts(found, func(add func(fact, string, string)) {
			m.uses(func(u use) {
				if t, ok := topic(u); ok && !known[Place{u.file.Path, t.line, ""}] {
					add(t, u.In, u.file.Path)
				}
			})
			m.symbols(func(name string, s *code.Symbol) {
				for _, t := range listened(s) {
					add(t, name, s.File)
				}
			})
		})
	},
}

// topicUse describes a call that names a topic: its method, the required import, and the
// position of the name.
type topicUse struct {
	method, imports, named string
	place                  int
	sends                  bool
}

var topicUses = []topicUse{
	{method: "Publish", imports: "github.com/nats-io", sends: true},
	{method: "Subscribe", imports: "github.com/nats-io"},
	{method: "QueueSubscribe", imports: "github.com/nats-io"},
	{method: "Request", imports: "github.com/nats-io", sends: true},
	{method: "QueueDeclare", imports: "github.com/rabbitmq"},
	{method: "QueueDeclare", imports: "github.com/streadway"},
	{method: "Consume", imports: "github.com/rabbitmq"},
	{method: "Consume", imports: "github.com/streadway"},
	{method: "Publish", imports: "github.com/redis", place: 1, sends: true},
	{method: "Subscribe", imports: "github.com/redis", place: 1},
	{method: "queue_declare", imports: "pika", named: "queue"},
	{method: "basic_consume", imports: "pika", named: "queue"},
	{method: "basic_publish", imports: "pika", named: "routing_key", sends: true},
	{method: "KafkaConsumer", imports: "kafka"},
	{method: "send", imports: "kafka", sends: true},
	{method: "publish", imports: "redis", sends: true},
	{method: "subscribe", imports: "redis"},
	{method: "subscribe", imports: "kafkajs", named: "topic"},
	{method: "send", imports: "kafkajs", named: "topic", sends: true},
	{method: "assertQueue", imports: "amqplib"},
	{method: "consume", imports: "amqplib"},
	{method: "sendToQueue", imports: "amqplib", sends: true},
	{method: "convertAndSend", imports: "org.springframework.amqp", sends: true},
	{method: "send", imports: "org.springframework.kafka", sends: true},
}

func topic(u use) (fact, bool) {
	_, name := u.of()
	for _, t := range topicUses {
		if t.method != name || !u.imports(t.imports) {
			continue
		}
		a, ok := u.at(t.place)
		if t.named != "" {
			a, ok = u.Named(t.named)
		}
		if !ok || !a.Plain || a.Text == "" || strings.ContainsAny(a.Text, " %{") {
			return fact{}, false
		}
		f := tell(a.Text, a, nil)
		if t.sends {
			f.role = Sent
		}
		return f, true
	}
	return fact{}, false
}

// listeners maps the Spring annotations that bind a method to topics to the argument that
// names them.
var listeners = map[string]string{"KafkaListener": "topics", "RabbitListener": "queues", "JmsListener": "destination"}

func listened(s *code.Symbol) []fact {
	var out []fact
	for _, d := range s.Decorators {
		head, args, _ := strings.Cut(strings.TrimPrefix(d, "@"), "(")
		argument, ok := listeners[head]
		_, rest, named := strings.Cut(args, argument)
		if !ok || !named {
			continue
		}
		rest, _, _ = strings.Cut(strings.TrimLeft(rest, " ="), "}")
		list := quotedIn(rest)
		if !strings.HasPrefix(rest, "{") {
			list = list[:min(len(list), 1)]
		}
		for _, text := range list {
			out = append(out, fact{name: text, on: code.ShortName(s.Name), line: cmp.Or(s.NameLine, s.StartLine)})
		}
	}
	return out
}
