package mcpclient_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/reverse-spec/reverse-spec/internal/mcpclient"
)

// TestMain is the tests, or in a process that a test starts the server or the
// client that the test wants to see.
func TestMain(m *testing.M) {
	switch mode := os.Getenv("FAULTY"); mode {
	case "":
		m.Run()
	case "parent":
		parent()
	default:
		(&faulty{mode: mode, out: os.Stdout, cancelled: map[string]chan struct{}{}, seen: make(chan string, 100)}).run()
	}
}

// parent is a process of ours that connects to a server, which breeds, and waits
// to be killed.
func parent() {
	program := must(os.Executable())
	s := mcpclient.Server{Name: "it", Type: mcpclient.TypeStdio, Command: program, Env: map[string]string{"FAULTY": "grandchild"}}
	must(mcpclient.Dial(context.Background(), s, mcpclient.Options{}))
	fmt.Fprintln(os.Stdout, "ready")
	stubborn()
}

// faultyServer is the configuration of a server with a fault, "sound" for none.
func faultyServer(t testing.TB, mode string, env ...string) mcpclient.Server {
	t.Helper()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	s := mcpclient.Server{Name: "it", Type: mcpclient.TypeStdio, Command: program, Env: map[string]string{"FAULTY": mode}}
	for _, pair := range env {
		name, value, _ := strings.Cut(pair, "=")
		s.Env[name] = value
	}
	return s
}

// faulty is an MCP server over standard streams, small enough to do wrong what it
// is told to.
type faulty struct {
	mode  string
	calls int
	lists int

	mu        sync.Mutex
	out       *os.File
	cancelled map[string]chan struct{} // by id; closed by notifications/cancelled
	seen      chan string              // the ids of calls that were cancelled
}

// request is what comes in.
type request struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params struct {
		Name      string          `json:"name"`
		URI       string          `json:"uri"`
		Cursor    string          `json:"cursor"`
		RequestID json.RawMessage `json:"requestId"`
		Arguments json.RawMessage `json:"arguments"`
		Meta      struct {
			Token json.RawMessage `json:"progressToken"`
		} `json:"_meta"`
	} `json:"params"`
}

// run answers until the input ends.
func (f *faulty) run() {
	switch f.mode {
	case "dies":
		fmt.Fprintln(os.Stderr, "there is no database here")
		os.Exit(3) //nolint:forbidigo // the fault
	case "deaf":
		stubborn()
	case "flood":
		for range 50_000 {
			fmt.Fprintln(os.Stderr, strings.Repeat("x", 100))
		}
	case "grandchild":
		f.breed()
	}
	in := bufio.NewReader(os.Stdin)
	for {
		line, err := in.ReadBytes('\n')
		if err != nil {
			break
		}
		var r request
		if err := json.Unmarshal(line, &r); err != nil {
			panic(err)
		}
		f.handle(r)
	}
	if f.mode == "stubborn" || f.mode == "grandchild" {
		stubborn()
	}
}

// breed starts a process that stays when it is asked to go. It holds the pipe
// that a test reads open, as this one does, so that the test sees the end of both.
func (f *faulty) breed() {
	held := must(os.OpenFile(os.Getenv("FIFO"), os.O_WRONLY, 0))
	child := exec.Command(must(os.Executable()))
	child.Env = append(os.Environ(), "FAULTY=deaf")
	child.ExtraFiles = []*os.File{held}
	if err := child.Start(); err != nil {
		panic(err)
	}
}

// stubborn ignores every request to end.
func stubborn() {
	signal.Ignore(syscall.SIGTERM, syscall.SIGINT)
	r, w, err := os.Pipe()
	defer func() { _, _ = w, err }()
	_, _ = r.Read(make([]byte, 1))
}

func (f *faulty) send(format string, args ...any) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.mode == "garbage" {
		fmt.Fprintln(f.out, "Loading model... {not json")
	}
	fmt.Fprintf(f.out, format+"\n", args...)
}

func (f *faulty) answer(r request, result string) {
	id := string(r.ID)
	if f.mode == "wrongid" {
		id = "1000000"
	}
	f.send(`{"jsonrpc":"2.0","id":%s,"result":%s}`, id, result)
}

func (f *faulty) refuse(r request, code int, message, data string) {
	f.send(`{"jsonrpc":"2.0","id":%s,"error":{"code":%d,"message":%q,"data":%s}}`, r.ID, code, message, data)
}

func (f *faulty) handle(r request) {
	switch r.Method {
	case "initialize":
		if f.mode != "mute" {
			f.answer(r, `{"protocolVersion":"2025-11-25","capabilities":{"tools":{"listChanged":true},"resources":{}},"serverInfo":{"name":"faulty","version":"1.2.3"},"instructions":"ask"}`)
		}
	case "notifications/cancelled":
		f.mu.Lock()
		if done := f.cancelled[string(r.Params.RequestID)]; done != nil {
			close(done)
		}
		f.mu.Unlock()
	case "ping":
		f.refuse(r, -32601, "what is a ping", "null")
	case "tools/list":
		f.list(r)
	case "tools/call":
		f.calls++
		f.call(r)
	case "resources/list":
		f.answer(r, `{"resources":[{"uri":"mem://a","name":"a","title":"A","description":"the a","mimeType":"text/plain","size":5,"_meta":{"x":1}}]}`)
	case "resources/read":
		if r.Params.URI != "mem://a" {
			f.refuse(r, -32002, "no such resource", `{"uri":"`+r.Params.URI+`"}`)
			return
		}
		f.answer(r, `{"contents":[{"uri":"mem://a","mimeType":"text/plain","text":"hello"},{"uri":"mem://b","mimeType":"image/png","blob":"AAEC"}]}`)
	}
}

// The tools of a sound server.
const soundTools = `{"name":"echo","title":"Echo","description":"Says it again.","inputSchema":{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object","properties":{"text":{"type":"string","pattern":"^a"}},"oneOf":[{"required":["text"]}]},"annotations":{"readOnlyHint":true},"_meta":{"k":"v"}},
{"name":"slow","inputSchema":{"type":"object"}},{"name":"fail","inputSchema":{"type":"object"}},{"name":"die","inputSchema":{"type":"object"}}`

func (f *faulty) list(r request) {
	f.lists++
	switch f.mode {
	case "badlist":
		f.refuse(r, -32000, "the list is lost", `"disk full"`)
	case "laterbad":
		if f.lists > 1 {
			f.refuse(r, -32000, "the list is lost", `"disk full"`)
			return
		}
		f.answer(r, `{"tools":[`+oneLine(soundTools)+`]}`)
	case "nolist":
		f.answer(r, `{}`)
	case "samecursor":
		f.answer(r, `{"tools":[{"name":"a"}],"nextCursor":"again"}`)
	case "many":
		page, _ := strconv.Atoi(r.Params.Cursor)
		var tools []string
		for i := range 10 {
			tools = append(tools, fmt.Sprintf(`{"name":"tool%d"}`, 10*page+i))
		}
		next := fmt.Sprintf(`,"nextCursor":"%d"`, page+1)
		if page == 99 {
			next = ""
		}
		f.answer(r, `{"tools":[`+strings.Join(tools, ",")+`]`+next+`}`)
	case "storm":
		f.answer(r, fmt.Sprintf(`{"tools":[{"name":"list%d"},{"name":"storm"}]}`, f.lists))
	case "twice":
		f.answer(r, `{"tools":[{"name":"a","description":"first"},{"name":"a"},{"description":"nameless"},{"name":7}]}`)
	default:
		f.answer(r, `{"tools":[`+oneLine(soundTools)+`]}`)
	}
}

func oneLine(text string) string { return strings.ReplaceAll(text, "\n", "") }

func (f *faulty) call(r request) {
	switch r.Params.Name {
	case "echo":
		f.answer(r, `{"content":[{"type":"text","text":`+strconv.Quote(string(r.Params.Arguments))+`}],"structuredContent":`+string(r.Params.Arguments)+`}`)
	case "env":
		value, _ := json.Marshal(os.Getenv("SECRET") + " in " + must(os.Getwd()))
		f.answer(r, `{"content":[{"type":"text","text":`+string(value)+`}]}`)
	case "fail":
		f.answer(r, `{"content":[{"type":"text","text":"no such table: users"}],"isError":true}`)
	case "refuse":
		f.refuse(r, -32602, "bad arguments", `{"field":"id"}`)
	case "big":
		f.answer(r, `{"content":[{"type":"text","text":"`+strings.Repeat("x", 20<<20)+`"}]}`)
	case "die":
		f.answer(r, `{"content":[{"type":"text","text":"goodbye"}]}`)
		fmt.Fprintln(os.Stderr, "out of memory")
		os.Exit(4) //nolint:forbidigo // the fault
	case "calls":
		f.answer(r, fmt.Sprintf(`{"content":[{"type":"text","text":"%d"}]}`, f.calls))
	case "storm":
		for range 10_000 {
			f.send(`{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`)
		}
		f.answer(r, `{"content":[]}`)
	case "changed":
		f.send(`{"jsonrpc":"2.0","method":"notifications/resources/list_changed"}`)
		f.send(`{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`)
		f.answer(r, `{"content":[]}`)
	case "slow":
		f.slow(r)
	case "seen": // answers when another call was cancelled
		go func() { f.answer(r, `{"content":[{"type":"text","text":"`+<-f.seen+`"}]}`) }()
	case "asks":
		f.send(`{"jsonrpc":"2.0","id":"s1","method":"ping"}`)
		f.send(`{"jsonrpc":"2.0","id":"s2","method":"sampling/createMessage","params":{}}`)
		f.answer(r, `{"content":[]}`)
	}
}

// slow tells how far it is, and answers when it is cancelled, too late for all.
func (f *faulty) slow(r request) {
	done := make(chan struct{})
	f.mu.Lock()
	f.cancelled[string(r.ID)] = done
	f.mu.Unlock()
	for i := range 3 {
		if token := r.Params.Meta.Token; token != nil {
			f.send(`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":%s,"progress":%d,"total":3,"message":"step %d"}}`, token, i+1, i+1)
		}
	}
	go func() {
		<-done
		f.answer(r, `{"content":[{"type":"text","text":"too late"}]}`)
		f.seen <- string(r.ID)
	}()
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
