package schema_test

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// Shop is encoded by encoding/json and validated by the schema of this file.
type Shop struct {
	head
	*Address
	Name   string             `json:"name"`
	Open   *time.Time         `json:"open"`
	Shut   *time.Time         `json:"shut,omitempty"`
	Stock  map[string]Article `json:"stock"`
	Orders []*Shop            `json:"orders"`
	Count  int64              `json:"count,string"`
	Codes  [2]int             `json:"codes"`
	Raw    json.RawMessage    `json:"raw,omitempty"`
	Blob   []byte             `json:"blob"`
	Any    any                `json:"any"`
	Pages  Leaf[Article]      `json:"pages"`
	Due    time.Duration      `json:"due"`
	Skip   func()             `json:"-"`
}

type head struct {
	ID   int    `json:"id"`
	Name string `json:"name"` // hidden by Shop's Name
}

// Address is embedded by a pointer.
type Address struct {
	Street string `json:"street"`
	Zip    *int   `json:"zip,omitempty"`
}

// Article has a named string type.
type Article struct {
	Kind  Kind    `json:"kind"`
	Price float64 `json:"price"`
}

// Leaf is generic.
type Leaf[T any] struct {
	Of   []T      `json:"of"`
	Next *Leaf[T] `json:"next,omitzero"`
}

// Kind is an enumeration.
type Kind string

// Kinds.
const (
	Old Kind = "old"
	New Kind = "new"
)

// TestGoJSONIsValid validates the output of encoding/json for full and empty values.
func TestGoJSONIsValid(t *testing.T) {
	source, err := os.ReadFile("roundtrip_test.go")
	if err != nil {
		t.Fatal(err)
	}
	doc := schemaOf(t, map[string][]byte{"shop.go": source})
	at, zip := time.Date(2026, 11, 21, 8, 30, 0, 0, time.UTC), 8000
	full := Shop{
		head: head{ID: 1, Name: "no"}, Address: &Address{"Main", &zip}, Name: "yes", Open: &at, Shut: &at,
		Stock: map[string]Article{"a": {New, 1.5}}, Orders: []*Shop{nil, {Address: &Address{}}}, Count: 7, Raw: json.RawMessage(`[1]`),
		Blob: []byte("x"), Any: map[string]int{"a": 1}, Pages: Leaf[Article]{[]Article{{Old, 0}}, &Leaf[Article]{}}, Due: time.Second,
	}
	for _, value := range []Shop{full, {Address: &Address{}}} {
		text, err := json.Marshal(value)
		if err != nil {
			t.Fatal(err)
		}
		if err := validate(t, doc, "Shop", string(text)); err != nil {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// TestGoListJSONIsValid validates the output of "go list -json" with the schema of the struct
// in the go command's source.
func TestGoListJSONIsValid(t *testing.T) {
	goroot, err := exec.CommandContext(t.Context(), "go", "env", "GOROOT").Output()
	if err != nil {
		t.Skipf("there is no go command: %v", err)
	}
	dir := filepath.Join(string(bytes.TrimSpace(goroot)), "src", "cmd", "go", "internal", "load")
	source, err := os.ReadFile(filepath.Join(dir, "pkg.go"))
	if err != nil {
		t.Skipf("the go command's source is not installed: %v", err)
	}
	doc := schemaOf(t, map[string][]byte{"load/pkg.go": source})
	out, err := exec.CommandContext(t.Context(), "go", "list", "-json", "std").Output()
	if err != nil {
		t.Fatal(err)
	}
	s := compiled(t, doc, "PackagePublic")
	n := 0
	for dec := json.NewDecoder(bytes.NewReader(out)); ; n++ {
		var value any
		if err := dec.Decode(&value); err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		if err := s.Validate(value); err != nil {
			t.Fatalf("%v: %v", value, err)
		}
	}
	if n < 100 {
		t.Errorf("only %d packages were listed", n)
	}
}

const models = `
import dataclasses, enum, json, typing

class Color(enum.Enum):
    RED = "red"

@dataclasses.dataclass
class User:
    name: str
    nick: typing.Optional[str]
    scores: dict[str, list[float]]
    pos: tuple[int, str]
    friend: "User | None" = None
    kind: typing.Literal["a", "b"] = "a"

class Film(typing.TypedDict):
    title: str

class Point(typing.NamedTuple):
    x: int
    y: float
`

// TestPythonJSONIsValid validates Python's output for values of its own classes.
func TestPythonJSONIsValid(t *testing.T) {
	doc := schemaOf(t, map[string][]byte{"models.py": []byte(models)})
	for name, expression := range map[string]string{
		"User":  `dataclasses.asdict(User("a", None, {"x": [1, 2.5]}, (1, "z"), User("b", "c", {}, (0, ""))))`,
		"Film":  `Film(title="x")`,
		"Point": `Point(1, 2.5)`,
	} {
		cmd := exec.CommandContext(t.Context(), "python3", "-c", models+"\nprint(json.dumps("+expression+"))")
		out, err := cmd.Output()
		if err != nil {
			t.Skipf("there is no python3 of 3.10 or later: %v", err)
		}
		if err := validate(t, doc, name, string(out)); err != nil {
			t.Errorf("%s: %s: %v", name, out, err)
		}
	}
}
