package question

// schema describes the graph and its queries to a model. docs/cypher.md is the version for people.
const schema = `Nodes and their properties. A node has one label:
  Project {name}; Package, Folder {name, path}; File {name, path, extension, language}
  Module (a source file as its language sees it), Class (also struct, object, record), Interface (also trait, protocol), Enum, Type,
  Union, Function, Method (also constructors), Variable (also constants)
    {name, qualified_name, kind, path, start_line, end_line, signature, docstring, decorators, is_exported, is_test, language}
  ExternalPackage {name, version_spec}; ExternalType (a base of others, qualified_name external.io.Reader) {name, qualified_name}
kind is the language's own word ('struct', 'constructor', 'const'). decorators is a list of names, [] for none. is_exported and is_test
are booleans; on nodes without them they are null. A qualified_name is project.folder.module.Class.method. Paths are relative to the
project, with '/'.

Relationships, with line, count, rule and confidence:
  (:Project|Package|Folder)-[:CONTAINS_PACKAGE|CONTAINS_FOLDER|CONTAINS_FILE|CONTAINS_MODULE]->()
  (:Module|Class|Function|Method)-[:DEFINES]->(); (:Class|Interface)-[:DEFINES_METHOD]->(:Method)
  (:Module)-[:IMPORTS]->(:Module|Package|ExternalPackage); (:Module)-[:EXPORTS]->()
  (:Class|Interface)-[:INHERITS]->(:Class|Interface|ExternalType); (:Class)-[:IMPLEMENTS]->(:Interface|ExternalType), one step each:
  use [:INHERITS|IMPLEMENTS*1..20]; (:Method)-[:OVERRIDES]->(:Method)
  (:Function|Method|Module)-[:CALLS]->(:Function|Method|Class); (:Function|Method|Module)-[:REFERENCES]->()
  (:Project)-[:DEPENDS_ON_EXTERNAL]->(:ExternalPackage)
The lines of a thing are n.end_line - n.start_line + 1. There is nothing on complexity, age, authors, speed or runs.

The language is openCypher 9: MATCH, OPTIONAL MATCH, WHERE, WITH, UNWIND, RETURN, DISTINCT, ORDER BY, SKIP, LIMIT, UNION; :A|B for one of
several labels; EXISTS { }, list comprehensions, shortestPath, =~ (RE2, of the whole text). Refused: clauses that write, CALL,
COUNT { }, map projections, dates, APOC.

Return properties under aliases, never whole nodes: name, qualified_name, labels(n) AS type, path, start_line, and r.line of a
relationship. Find a dotted name by qualified_name ENDS WITH '.Class.method', a plain one by name. Bound variable lengths
([:CALLS*1..5]). ORDER BY something; LIMIT 50. For "how many" return the count alone.`
