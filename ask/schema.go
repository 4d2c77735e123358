package ask

// Schema tells a [cypher.Translator] what the graph has and how it is asked.
const Schema = `Nodes and their properties:
  Project {name}; Package, Folder {name, path}; File {name, path, extension, language}
  Module, Class, Interface, Enum, Type, Union, Function, Method, Variable
    {name, qualified_name, kind, path, start_line, end_line, signature, docstring, decorators, is_exported, is_test, language}
  ExternalPackage {name, version_spec}
A qualified_name is project.folder.module.Class.method. Paths are relative to the project.

Relationships, with line, count, rule and confidence:
  (:Project|Package|Folder)-[:CONTAINS_PACKAGE|CONTAINS_FOLDER|CONTAINS_FILE|CONTAINS_MODULE]->()
  (:Module|Class|Function)-[:DEFINES]->(); (:Class|Interface)-[:DEFINES_METHOD]->(:Method)
  (:Module)-[:IMPORTS]->(:Module); (:Module)-[:EXPORTS]->()
  (:Class)-[:INHERITS]->(:Class); (:Class)-[:IMPLEMENTS]->(:Interface); (:Method)-[:OVERRIDES]->(:Method)
  (:Function|Method|Module)-[:CALLS]->(:Function|Method|Class); ()-[:REFERENCES]->()
  (:Project)-[:DEPENDS_ON_EXTERNAL]->(:ExternalPackage)

Rules: read only. Return properties under aliases, never whole nodes: name, qualified_name, path, start_line, and
r.line of a relationship. Find a dotted name by qualified_name ENDS WITH '.Class.method', a plain one by name.
Bound variable lengths ([:CALLS*1..5]). ORDER BY something; LIMIT 50. For "how many" return the count alone.
Answer with one query and nothing else.`
