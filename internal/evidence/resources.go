package evidence

import (
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

// resources finds uses of system resources and synchronisation.
var resources = Rule{
	Kind: Resource,
	find: func(m *Module, found func(Claim)) {
		for _, f := range m.Files {
			seen := map[string]bool{}
			add := func(in, kind, text, on string, line int) {
				if key := in + " " + text; kind != "" && in != "" && !seen[key] {
					seen[key] = true
					found(Claim{Subject: in, Name: text, Role: kind, At: []Place{{f.Path, line, on}}})
				}
			}
			for _, c := range f.Calls {
				kind, text := resourceOf(f, c)
				add(c.In, kind, text, c.Name, c.Line)
			}
			if f.Bodies == nil {
				continue
			}
			for _, t := range f.Bodies.Resources {
				add(t.In, t.Kind, t.Text, t.Text, t.Line)
			}
		}
	},
}

// taken maps calls that take a resource to its kind, by language: "receiver.name", or ".name"
// for any receiver.
var taken = map[string]map[string]string{
	"go": {
		".Lock": "lock", ".RLock": "lock", "exec.Command": "process", "exec.CommandContext": "process",
		"os.Open": "file", "os.OpenFile": "file", "os.Create": "file", "os.ReadFile": "file", "os.WriteFile": "file",
		"net.Listen": "network", "net.Dial": "network", "net.DialTimeout": "network", "http.Get": "network", "http.Post": "network",
		"http.ListenAndServe": "network", "context.WithTimeout": "time-out", "context.WithDeadline": "time-out",
		"time.AfterFunc": "timer", "time.NewTicker": "timer", "time.NewTimer": "timer", "sql.Open": "database",
		"os.CreateTemp": "temporary file", "os.MkdirTemp": "temporary directory", "net.ListenPacket": "network", "net.ListenUDP": "network",
		"os.StartProcess": "process", "syscall.Mmap": "memory map", "syscall.Flock": "lock", "http.ListenAndServeTLS": "network",
	},
	"python": {
		"open": "file", "io.open": "file", "os.open": "file", "socket.socket": "network", "socket.create_connection": "network",
		"urllib.request.urlopen": "network", "requests.get": "network", "requests.post": "network", "threading.Thread": "thread",
		"threading.Lock": "lock", "threading.RLock": "lock", ".acquire": "lock", "asyncio.create_task": "task", "asyncio.gather": "task",
		"asyncio.wait_for": "time-out", "subprocess.run": "process", "subprocess.Popen": "process", "sqlite3.connect": "database",
		"multiprocessing.Process": "process", "multiprocessing.Pool": "process", "threading.Semaphore": "lock", "threading.Condition": "lock",
		"threading.Event": "lock", "threading.Timer": "timer", "asyncio.Lock": "lock", "asyncio.Semaphore": "lock", "asyncio.open_connection": "network",
		"asyncio.start_server": "network", "asyncio.create_subprocess_exec": "process", "subprocess.check_output": "process",
		"subprocess.check_call": "process", "os.fork": "process", "os.system": "process", "mmap.mmap": "memory map", "ThreadPoolExecutor": "thread",
		"concurrent.futures.ThreadPoolExecutor": "thread", "ProcessPoolExecutor": "process", "queue.Queue": "channel", "fcntl.flock": "lock",
		"tempfile.NamedTemporaryFile": "temporary file", "tempfile.mkstemp": "temporary file", "tempfile.TemporaryFile": "temporary file",
		"tempfile.mkdtemp": "temporary directory", "tempfile.TemporaryDirectory": "temporary directory",
	},
	"typescript": ecmaTaken, "javascript": ecmaTaken,
	"java": {
		"new Thread": "thread", "Executors.newFixedThreadPool": "thread", "new FileInputStream": "file", "new FileOutputStream": "file",
		"Files.newBufferedReader": "file", "Files.readAllBytes": "file", "new Socket": "network", "new ServerSocket": "network",
		".lock": "lock", "DriverManager.getConnection": "database", "new FileReader": "file", "new FileWriter": "file", "Files.newInputStream": "file",
		"Files.newOutputStream": "file", "FileChannel.open": "file", "File.createTempFile": "temporary file", "Files.createTempFile": "temporary file",
		"Files.createTempDirectory": "temporary directory", "Executors.newCachedThreadPool": "thread", "Executors.newSingleThreadExecutor": "thread",
		"Executors.newScheduledThreadPool": "thread", "CompletableFuture.supplyAsync": "task", "CompletableFuture.runAsync": "task",
		"new ProcessBuilder": "process", "new Semaphore": "lock", "new Timer": "timer",
	},
	"csharp": {
		"Task.Run": "task", "new Thread": "thread", "new HttpClient": "network", "File.OpenRead": "file", "File.ReadAllText": "file",
		"Monitor.Enter": "lock", "Process.Start": "process", "new FileStream": "file", "File.WriteAllText": "file", "new TcpClient": "network",
		"new Timer": "timer", "Path.GetTempFileName": "temporary file", "new SemaphoreSlim": "lock",
	},
	"rust": {
		"thread.spawn": "thread", "std::thread.spawn": "thread", "tokio.spawn": "task", "Mutex.new": "lock", "RwLock.new": "lock",
		"File.open": "file", "File.create": "file", "fs.read": "file", "fs.write": "file", "fs.read_to_string": "file",
		"TcpListener.bind": "network", "TcpStream.connect": "network", "UdpSocket.bind": "network", "Command.new": "process",
		"mpsc.channel": "channel", "tokio::time.timeout": "time-out",
	},
	"php": {
		"fopen": "file", "file_get_contents": "file", "file_put_contents": "file", "curl_init": "network", "fsockopen": "network",
		"stream_socket_client": "network", "proc_open": "process", "exec": "process", "shell_exec": "process", "flock": "lock",
		"tempnam": "temporary file", "tmpfile": "temporary file", "new PDO": "database", "set_time_limit": "time-out",
	},
	"ruby": {
		"File.open": "file", "File.read": "file", "File.write": "file", "new Thread": "thread", "new Mutex": "lock", ".synchronize": "lock",
		"TCPSocket.open": "network", "new TCPSocket": "network", "new TCPServer": "network", "Net::HTTP.start": "network", "Net::HTTP.get": "network",
		"Open3.capture3": "process", "Process.spawn": "process", "Timeout.timeout": "time-out", "Tempfile.create": "temporary file",
		"new Tempfile": "temporary file", "new Queue": "channel",
	},
	"kotlin": {
		"synchronized": "lock", ".withLock": "lock", "new Mutex": "lock", "new Thread": "thread", "thread": "thread", "runBlocking": "task",
		"withTimeout": "time-out", "new FileInputStream": "file", "new FileOutputStream": "file", "new Socket": "network", "new Channel": "channel",
	},
	"swift": {
		"Task.detached": "task", "new Task": "task", "new NSLock": "lock", "new Thread": "thread", "FileManager.default.contents": "file",
		"URLSession.shared.dataTask": "network", "URLSession.shared.data": "network", "Timer.scheduledTimer": "timer", "new Process": "process",
		"DispatchQueue.main.async": "task", "DispatchQueue.global().async": "task", "new DispatchSemaphore": "lock",
	},
	"scala": {
		"synchronized": "lock", ".synchronized": "lock", "new Thread": "thread", "new FileInputStream": "file", "new FileOutputStream": "file",
		"Source.fromFile": "file", "new Socket": "network", "Await.result": "time-out",
	},
	"c": cTaken, "cpp": cTaken,
}

var cTaken = map[string]string{
	"fopen": "file", "fdopen": "file", "mmap": "memory map", "socket": "network", "bind": "network", "listen": "network", "getaddrinfo": "network",
	"pthread_create": "thread", "pthread_mutex_lock": "lock", "pthread_rwlock_rdlock": "lock", "pthread_rwlock_wrlock": "lock",
	"fork": "process", "execvp": "process", "execve": "process", "posix_spawn": "process", "popen": "process", "flock": "lock",
	"mkstemp": "temporary file", "tmpfile": "temporary file", "setitimer": "timer", "timer_create": "timer",
	"new lock_guard": "lock", "new unique_lock": "lock", "new scoped_lock": "lock", "new thread": "thread", "async": "task",
	"new ifstream": "file", "new ofstream": "file",
}

var ecmaTaken = map[string]string{
	"fetch": "network", "new WebSocket": "network", "http.createServer": "network", "https.request": "network",
	"fs.readFile": "file", "fs.readFileSync": "file", "fs.writeFile": "file", "fs.writeFileSync": "file", "fs.createReadStream": "file",
	"setTimeout": "timer", "setInterval": "timer", "child_process.spawn": "process", "spawn": "process", "new Worker": "thread",
	"fs.createWriteStream": "file", "fs.mkdtemp": "temporary directory", "fs.mkdtempSync": "temporary directory", "net.createServer": "network",
	"net.connect": "network", "net.createConnection": "network", "http.request": "network", "https.get": "network", "https.createServer": "network",
	"exec": "process", "execFile": "process", "execSync": "process", "spawnSync": "process", "child_process.fork": "process", "cluster.fork": "process",
	"AbortSignal.timeout": "time-out",
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
