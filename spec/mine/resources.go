package mine

import (
	"strings"

	"github.com/reverse-spec/reverse-spec/code"
)

// resources are what the module takes from the machine and shares between
// threads.
var resources = Rule{
	ID: "resource", Evidence: "inferred", Section: Constraint,
	En: "%s uses %s (%s)", Zh: "%s 使用 %s（%s）",
	find: func(m *Module, found func(Finding)) {
		for _, f := range m.Files {
			seen := map[string]bool{}
			for _, c := range f.Calls {
				kind, text := resourceOf(f, c)
				if key := c.In + " " + text; kind != "" && c.In != "" && !seen[key] {
					seen[key] = true
					found(Finding{Symbol: c.In, Words: []string{quote(c.In), quote(text), kind}, At: []Place{{f.Path, c.Line, c.Name}}})
				}
			}
		}
	},
}

// taken are the calls that take something, by language: "receiver.name" or, where
// any receiver will do, ".name".
var taken = map[string]map[string]string{
	"go": {
		".Lock": "lock", ".RLock": "lock", "exec.Command": "process", "exec.CommandContext": "process",
		"os.Open": "file", "os.OpenFile": "file", "os.Create": "file", "os.ReadFile": "file", "os.WriteFile": "file",
		"net.Listen": "network", "net.Dial": "network", "net.DialTimeout": "network", "http.Get": "network", "http.Post": "network",
		"http.ListenAndServe": "network", "context.WithTimeout": "time-out", "context.WithDeadline": "time-out",
		"time.AfterFunc": "timer", "time.NewTicker": "timer", "sql.Open": "database",
	},
	"python": {
		"open": "file", "io.open": "file", "os.open": "file", "socket.socket": "network", "socket.create_connection": "network",
		"urllib.request.urlopen": "network", "requests.get": "network", "requests.post": "network", "threading.Thread": "thread",
		"threading.Lock": "lock", "threading.RLock": "lock", ".acquire": "lock", "asyncio.create_task": "task", "asyncio.gather": "task",
		"asyncio.wait_for": "time-out", "subprocess.run": "process", "subprocess.Popen": "process", "sqlite3.connect": "database",
		"multiprocessing.Process": "process",
	},
	"typescript": ecmaTaken, "javascript": ecmaTaken,
	"java": {
		"new Thread": "thread", "Executors.newFixedThreadPool": "thread", "new FileInputStream": "file", "new FileOutputStream": "file",
		"Files.newBufferedReader": "file", "Files.readAllBytes": "file", "new Socket": "network", "new ServerSocket": "network",
		".lock": "lock", "DriverManager.getConnection": "database",
	},
	"csharp": {
		"Task.Run": "task", "new Thread": "thread", "new HttpClient": "network", "File.OpenRead": "file", "File.ReadAllText": "file",
		"Monitor.Enter": "lock", "Process.Start": "process",
	},
}

var ecmaTaken = map[string]string{
	"fetch": "network", "new WebSocket": "network", "http.createServer": "network", "https.request": "network",
	"fs.readFile": "file", "fs.readFileSync": "file", "fs.writeFile": "file", "fs.writeFileSync": "file", "fs.createReadStream": "file",
	"setTimeout": "timer", "setInterval": "timer", "child_process.spawn": "process", "spawn": "process", "new Worker": "thread",
}

func resourceOf(f *code.File, c code.Call) (kind, text string) {
	table := taken[f.Language]
	text = c.Name
	if c.Receiver != "" {
		text = c.Receiver + "." + c.Name
	}
	if kind = table[text]; kind == "" && c.New {
		kind = table["new "+c.Name]
	}
	if kind == "" && c.Receiver != "" && !strings.ContainsAny(c.Receiver, "()") {
		kind = table["."+c.Name]
	}
	return kind, text
}
