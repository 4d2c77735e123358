package search

import (
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/search/words"
)

// shortened are what programmers write for words in names, each line of a word and what is written for it.
const shortened = `
address addr
allocate alloc
application app
argument arg args
array arr
asynchronous async
attribute attr attrs
authentication auth
authenticate auth
authorization auth
average avg
buffer buf
calculate calc
certificate cert
character char
column col
command cmd
compare cmp
concatenate concat
configuration config conf cfg
connection conn
constructor ctor
context ctx
control ctrl
coordinate coord
copy cp
count cnt
current cur curr
database db
declaration decl
decrement dec
default def
definition def
delete del
description desc
descriptor desc
deserialize de deser
destination dest dst
development dev
dictionary dict
difference diff
directory dir
distance dist
document doc
documentation docs
element elem el
enumeration enum
enumerate enum
environment env
error err
evaluate eval
event evt
exception exc ex
execute exec
expression expr
extension ext
extract ext
field fld
format fmt
frequency freq
function func fn
generate gen
generator gen
hexadecimal hex
identifier id ident
identity id
image img
implementation impl
include incl inc
increment inc
index idx
information info
initialize init
initial init
initialization init
instance inst
instruction instr inst
integer int
iterate iter
iterator iter
language lang
length len
level lvl
library lib
literal lit
location loc
manager mgr
maximum max
memory mem
message msg
metadata meta
minimum min
miscellaneous misc
module mod
namespace ns
number num nr
object obj
operation op
operator op
option opt opts
original orig
package pkg
parameter param params
password pwd passwd
pattern pat
permission perm
pointer ptr
position pos
preference pref
previous prev
procedure proc
process proc
processor proc
project proj
property prop props
protocol proto
prototype proto
query qry
random rand
reader rd
receive recv
receiver recv
record rec
rectangle rect
reference ref
relation rel
relative rel
remove rm
repository repo
request req
required req
resource res
response resp res
return ret
sequence seq
serialize ser
service svc
session sess
signature sig
source src
specification spec
standard std
statement stmt
statistics stats
string str
structure struct
substitute sub subst
synchronize sync
synchronous sync
system sys
table tbl
temporary tmp temp
text txt
timestamp ts
token tok
transaction tx txn
translate trans
truncate trunc
user usr
utility util utils
value val
variable var
vector vec
version ver
warning warn
window win
writer wr
`

// shortForms are the stems of what is written for a word, by the word's stem.
var shortForms = func() map[string][]string {
	forms := map[string][]string{}
	for line := range strings.Lines(shortened) {
		word := ""
		for i, w := range strings.Fields(line) {
			if i == 0 {
				word = words.Stem(w)
				continue
			}
			forms[word] = append(forms[word], words.Stem(w))
		}
	}
	return forms
}()
