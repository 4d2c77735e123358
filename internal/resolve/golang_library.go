package resolve

import (
	"strconv"
	"strings"
)

// outline is a method of which only the numbers of parameters and results are known.
type outline struct {
	name            string
	params, results int
}

// goInterfaces returns the methods of commonly embedded interfaces of the standard library.
func goInterfaces() map[string][]outline {
	out := map[string][]outline{}
	for row := range strings.Lines(goInterfaceTable) {
		name, methods, _ := strings.Cut(row, " ")
		for m := range strings.FieldsSeq(methods) {
			f := strings.Split(m, ":")
			params, _ := strconv.Atoi(f[1])
			results, _ := strconv.Atoi(f[2])
			out[name] = append(out[name], outline{f[0], params, results})
		}
	}
	return out
}

// goInterfaceTable has a line per interface: its name, and its methods with the numbers of parameters and results.
const goInterfaceTable = `
container/heap.Interface Len:0:1 Less:2:1 Swap:2:0 Push:1:0 Pop:0:1
context.Context Deadline:0:2 Done:0:1 Err:0:1 Value:1:1
database/sql.Scanner Scan:1:1
encoding.BinaryMarshaler MarshalBinary:0:2
encoding.BinaryUnmarshaler UnmarshalBinary:1:1
encoding.TextMarshaler MarshalText:0:2
encoding.TextUnmarshaler UnmarshalText:1:1
encoding/json.Marshaler MarshalJSON:0:2
encoding/json.Unmarshaler UnmarshalJSON:1:1
error Error:0:1
flag.Value String:0:1 Set:1:1
fmt.Formatter Format:2:0
fmt.GoStringer GoString:0:1
fmt.Stringer String:0:1
hash.Hash Write:1:2 Sum:1:1 Reset:0:0 Size:0:1 BlockSize:0:1
io.ByteReader ReadByte:0:2
io.ByteScanner ReadByte:0:2 UnreadByte:0:1
io.ByteWriter WriteByte:1:1
io.Closer Close:0:1
io.ReadCloser Read:1:2 Close:0:1
io.ReadSeekCloser Read:1:2 Seek:2:2 Close:0:1
io.ReadSeeker Read:1:2 Seek:2:2
io.ReadWriteCloser Read:1:2 Write:1:2 Close:0:1
io.ReadWriteSeeker Read:1:2 Write:1:2 Seek:2:2
io.ReadWriter Read:1:2 Write:1:2
io.Reader Read:1:2
io.ReaderAt ReadAt:2:2
io.ReaderFrom ReadFrom:1:2
io.RuneReader ReadRune:0:3
io.Seeker Seek:2:2
io.StringWriter WriteString:1:2
io.WriteCloser Write:1:2 Close:0:1
io.WriteSeeker Write:1:2 Seek:2:2
io.Writer Write:1:2
io.WriterAt WriteAt:2:2
io.WriterTo WriteTo:1:2
io/fs.DirEntry Name:0:1 IsDir:0:1 Type:0:1 Info:0:2
io/fs.FS Open:1:2
io/fs.File Stat:0:2 Read:1:2 Close:0:1
io/fs.FileInfo Name:0:1 Size:0:1 Mode:0:1 ModTime:0:1 IsDir:0:1 Sys:0:1
io/fs.ReadDirFS Open:1:2 ReadDir:1:2
io/fs.ReadDirFile Stat:0:2 Read:1:2 Close:0:1 ReadDir:1:2
io/fs.ReadFileFS Open:1:2 ReadFile:1:2
io/fs.StatFS Open:1:2 Stat:1:2
net.Addr Network:0:1 String:0:1
net.Conn Read:1:2 Write:1:2 Close:0:1 LocalAddr:0:1 RemoteAddr:0:1 SetDeadline:1:1 SetReadDeadline:1:1 SetWriteDeadline:1:1
net.Listener Accept:0:2 Close:0:1 Addr:0:1
net/http.CloseNotifier CloseNotify:0:1
net/http.FileSystem Open:1:2
net/http.Flusher Flush:0:0
net/http.Handler ServeHTTP:2:0
net/http.Hijacker Hijack:0:3
net/http.Pusher Push:2:1
net/http.ResponseWriter Header:0:1 Write:1:2 WriteHeader:1:0
net/http.RoundTripper RoundTrip:1:2
os.DirEntry Name:0:1 IsDir:0:1 Type:0:1 Info:0:2
os.FileInfo Name:0:1 Size:0:1 Mode:0:1 ModTime:0:1 IsDir:0:1 Sys:0:1
sort.Interface Len:0:1 Less:2:1 Swap:2:0
sync.Locker Lock:0:0 Unlock:0:0
`
