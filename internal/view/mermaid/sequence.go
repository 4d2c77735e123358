package mermaid

import (
	"regexp"
	"strconv"
	"strings"
	"sync"

	"github.com/reverse-spec/reverse-spec/internal/message"
)

// sequence is a sequence diagram: actors and events in order.
type sequence struct {
	caption
	actors       []*actor
	byID         map[string]*actor
	boxes        []*actorBox
	events       []event
	number, step int // number of the next message and increment; no step for none
	openBlocks   []line
	openBox      *actorBox
}

// actor is a participant.
type actor struct {
	id     string
	lines  []string
	person bool
	box    *actorBox
	index  int
}

// actorBox is a box around actors.
type actorBox struct{ lines []string }

// event is an event of one of the kinds below.
type event struct {
	kind     eventKind
	from, to *actor
	lines    []string
	tag      string // of a block: loop, alt, ...
	dotted   bool
	opens    bool   // of a message: its receiver becomes active
	tail     string // keys of heads
	head     string
}

type eventKind uint8

const (
	messageEvent eventKind = iota
	activation
	deactivation
	noteLeft
	noteRight
	noteOver
	blockStart
	blockSection
	blockEnd
)

// sequenceSyntax has the patterns of lines.
type sequenceSyntax struct{ participant, message, note, bar *regexp.Regexp }

var sequenceForms = sync.OnceValue(func() *sequenceSyntax {
	return &sequenceSyntax{
		participant: regexp.MustCompile(`^(?:create\s+)?(participant|actor)\s+(.+?)(?:\s*@\{[^}]*\})?(?:\s+as\s+(.+))?$`),
		message:     regexp.MustCompile(`^([^:]+?)\s*(<<-->>|<<->>|-->>|->>|--x|-x|--\)|-\)|-->|->)\s*([+-]?)\s*([^:]+?)\s*(?::\s*(.*))?$`),
		note:        regexp.MustCompile(`(?i)^note\s+(left of|right of|over)\s+([^:,]+?)\s*(?:,\s*([^:]+?)\s*)?:\s*(.*)$`),
		bar:         regexp.MustCompile(`^(activate|deactivate)\s+(.+)$`),
	}
})

// blockWords maps the keywords that begin or divide a block to the displayed word.
var (
	blockWords   = map[string]bool{"loop": true, "alt": true, "opt": true, "par": true, "critical": true, "break": true, "rect": true, "par_over": true}
	sectionWords = map[string]string{"else": "alt", "and": "par", "option": "critical"}
)

func drawSequence(s *source) (string, error) {
	q := &sequence{caption: s.caption(message.Key("sequence diagram")), byID: map[string]*actor{}}
	for _, l := range s.lines[1:] {
		l.text = ended(l.text)
		if err := q.line(l); err != nil {
			return "", err
		}
		if len(q.events) > maxLines || len(q.actors) > maxActors {
			return "", l.expected(message.New("no more: that is more than is drawn"))
		}
	}
	if n := len(q.openBlocks); n > 0 {
		return "", q.openBlocks[n-1].expected(message.New("an end for this block"))
	}
	return q.svg(), nil
}

// maxActors is the maximum number of participants.
const maxActors = 200

// line parses a line.
func (q *sequence) line(l line) error {
	first, rest := word(l.text)
	switch {
	case first == "title" || first == "title:":
		q.heading = rest
		return nil
	case first == "autonumber":
		return q.autonumber(l, rest)
	case blockWords[first]:
		if len(q.openBlocks) > maxDepth {
			return l.expected(message.New("blocks that are less deep in each other"))
		}
		q.openBlocks = append(q.openBlocks, l)
		q.add(event{kind: blockStart, tag: first, lines: label(rest)})
		return nil
	case sectionWords[first] != "" && len(q.openBlocks) > 0:
		q.add(event{kind: blockSection, lines: label(rest)})
		return nil
	case first == "box":
		return q.box(l, rest)
	case first == "end":
		return q.end(l)
	}
	return q.statement(l, first)
}

func (q *sequence) add(e event) { q.events = append(q.events, e) }

func (q *sequence) autonumber(l line, rest string) error {
	if rest == "off" {
		q.step = 0
		return nil
	}
	q.number, q.step = max(q.number, 1), 1
	for i, f := range strings.Fields(rest) {
		n, err := strconv.Atoi(f)
		if err != nil {
			return l.expected(message.New("autonumber, the first number and the step"))
		}
		if i == 0 {
			q.number = n
		} else {
			q.step = n
		}
	}
	return nil
}

// box opens a box around actors: box, a colour, which is ignored, and a name.
func (q *sequence) box(l line, rest string) error {
	if q.openBox != nil {
		return l.expected(message.New("an end for the box before"))
	}
	if colour, after := word(rest); names[strings.ToLower(colour)] != "" || after != "" && isColour(colour) {
		rest = after
	} else if i := strings.IndexByte(rest, ')'); strings.HasPrefix(rest, "rgb") && i > 0 {
		rest = strings.TrimSpace(rest[i+1:])
	}
	q.openBox = &actorBox{lines: label(rest)}
	q.boxes = append(q.boxes, q.openBox)
	return nil
}

// isColour reports whether a word is likely to be the colour of a box, such as Aqua.
func isColour(s string) bool {
	return strings.HasPrefix(s, "#") || strings.EqualFold(s, "aqua") || strings.EqualFold(s, "transparent")
}

func (q *sequence) end(l line) error {
	switch {
	case len(q.openBlocks) > 0:
		q.openBlocks = q.openBlocks[:len(q.openBlocks)-1]
		q.add(event{kind: blockEnd})
	case q.openBox != nil:
		q.openBox = nil
	default:
		return l.expected(message.New("a message (there is no block to end)"))
	}
	return nil
}

// statement parses a participant or an event.
func (q *sequence) statement(l line, first string) error {
	f := sequenceForms()
	if m := f.participant.FindStringSubmatch(l.text); m != nil {
		a := q.actor(m[2])
		a.person, a.box = m[1] == "actor", q.openBox
		if m[3] != "" {
			a.lines = label(m[3])
		}
		return nil
	}
	if m := f.note.FindStringSubmatch(l.text); m != nil {
		q.note(m)
		return nil
	}
	if m := f.bar.FindStringSubmatch(l.text); m != nil {
		kind := activation
		if m[1] == "deactivate" {
			kind = deactivation
		}
		q.add(event{kind: kind, from: q.actor(m[2])})
		return nil
	}
	if m := f.message.FindStringSubmatch(l.text); m != nil {
		q.message(m)
		return nil
	}
	switch first {
	case "link", "links", "properties", "details", "destroy":
		return nil
	}
	return l.expected(message.New("a message such as A->>B: text, a note, or a block such as loop"))
}

// actor returns the actor with an id, creating it if needed.
func (q *sequence) actor(id string) *actor {
	id = strings.Trim(strings.TrimSpace(id), "()") // parentheses select the end with a circle
	a := q.byID[id]
	if a == nil {
		a = &actor{id: id, lines: label(unquoted(id)), index: len(q.actors)}
		q.byID[id] = a
		q.actors = append(q.actors, a)
	}
	return a
}

func (q *sequence) note(m []string) {
	e := event{from: q.actor(m[2]), lines: label(unwrap(m[4]))}
	e.to = e.from
	switch strings.ToLower(m[1]) {
	case "left of":
		e.kind = noteLeft
	case "right of":
		e.kind = noteRight
	default:
		e.kind = noteOver
		if m[3] != "" {
			e.to = q.actor(m[3])
		}
	}
	if e.to.index < e.from.index {
		e.from, e.to = e.to, e.from
	}
	q.add(e)
}

// arrowHeads maps the end of an arrow to the head of a message.
var arrowHeads = map[string]string{"->": "", "-->": "", "->>": "arrow", "-->>": "arrow", "-x": "cross", "--x": "cross", "-)": "open", "--)": "open"}

func (q *sequence) message(m []string) {
	arrow, both := strings.CutPrefix(m[2], "<<")
	e := event{
		kind: messageEvent, from: q.actor(m[1]), to: q.actor(m[4]), lines: label(unwrap(m[5])),
		dotted: strings.HasPrefix(arrow, "--"), head: arrowHeads[arrow], opens: m[3] == "+",
	}
	if both {
		e.tail = "arrow"
	}
	if q.step != 0 {
		number := strconv.Itoa(q.number) + "."
		q.number += q.step
		if len(e.lines) == 0 {
			e.lines = []string{""}
		}
		e.lines[0] = strings.TrimSpace(number + " " + e.lines[0])
	}
	q.add(e)
	if m[3] == "-" {
		q.add(event{kind: deactivation, from: e.from})
	}
}

// unwrap returns a text without the prefix that controls line breaks.
func unwrap(text string) string {
	for _, w := range []string{"wrap:", "nowrap:"} {
		if rest, ok := strings.CutPrefix(strings.TrimLeft(text, ": "), w); ok {
			return rest
		}
	}
	return text
}
