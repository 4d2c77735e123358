-- Version 1.
--
-- A graph is one build of a project's graph. Its rows have its number in the column graph, and project.graph says which
-- graph is the project's: a full build is a new graph, and an UPDATE of one row makes it the current one. Rows of
-- graphs that no project refers to are deleted when no reader holds the advisory lock of the graph.
--
-- Repeated texts are stored as numbers, as in package sqlite: labels, relationships, languages, kinds, paths of table
-- word, a rule with its confidence of table how. Text that PostgreSQL cannot store (NUL, invalid UTF-8) is escaped by
-- the program. Sizes are in bytes, times in nanoseconds since 1970.
--
-- What grows with the code is partitioned by graph, so that the parts of one graph are together, and vacuum works on
-- parts.

CREATE TABLE reverse_spec.version(number int NOT NULL);

CREATE TABLE reverse_spec.project(
	key text COLLATE "C" PRIMARY KEY, name text COLLATE "C" NOT NULL UNIQUE, graph int,
	branch text NOT NULL DEFAULT '', git_commit text NOT NULL DEFAULT '', committed bigint, pushed bigint);

CREATE TABLE reverse_spec.writer(
	key text COLLATE "C" PRIMARY KEY, host text NOT NULL, pid int NOT NULL, since bigint NOT NULL);

CREATE TABLE reverse_spec.graph(
	id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY, key text COLLATE "C" NOT NULL, project text NOT NULL, built_at bigint,
	git_commit text NOT NULL, program text NOT NULL, facts_schema bigint NOT NULL, next_node bigint NOT NULL, next_file bigint NOT NULL,
	serial bigint NOT NULL, identity text NOT NULL, inputs text NOT NULL);

CREATE TABLE reverse_spec.word(graph int, id int, content text NOT NULL, PRIMARY KEY(graph, id));

CREATE TABLE reverse_spec.how(graph int, id int, rule text NOT NULL, confidence real NOT NULL, PRIMARY KEY(graph, id));

CREATE TABLE reverse_spec.tally(graph int, kind smallint, word int, n bigint NOT NULL, size bigint NOT NULL, PRIMARY KEY(graph, kind, word));

CREATE TABLE reverse_spec.file(
	graph int, id int, path text COLLATE "C" NOT NULL, language text NOT NULL, size bigint NOT NULL, mod_time bigint, hash text NOT NULL,
	parse_errors int NOT NULL, stamp bigint NOT NULL, unresolved text NOT NULL, facts bytea, lookups bytea, words bytea,
	PRIMARY KEY(graph, id)) PARTITION BY HASH(graph);

CREATE TABLE reverse_spec.node(
	graph int, id int, file int NOT NULL, ordinal int NOT NULL, label int NOT NULL, kind int NOT NULL, path int NOT NULL,
	start_line int NOT NULL, end_line int NOT NULL, language int NOT NULL, version int NOT NULL, flags int NOT NULL,
	qualified_name text NOT NULL, name text NOT NULL, signature text NOT NULL, doc text NOT NULL, decorators text NOT NULL,
	PRIMARY KEY(graph, id)) PARTITION BY HASH(graph);

CREATE TABLE reverse_spec.edge(
	graph int, src int, type int, dst int, file int NOT NULL, line int NOT NULL, count int NOT NULL, how int NOT NULL,
	PRIMARY KEY(graph, src, type, dst)) PARTITION BY HASH(graph);

DO $$
BEGIN
	FOR i IN 0..15 LOOP
		EXECUTE format('CREATE TABLE reverse_spec.file_%s PARTITION OF reverse_spec.file FOR VALUES WITH (MODULUS 16, REMAINDER %s)', i, i);
		EXECUTE format('CREATE TABLE reverse_spec.node_%s PARTITION OF reverse_spec.node FOR VALUES WITH (MODULUS 16, REMAINDER %s)', i, i);
		EXECUTE format('CREATE TABLE reverse_spec.edge_%s PARTITION OF reverse_spec.edge FOR VALUES WITH (MODULUS 16, REMAINDER %s)', i, i);
	END LOOP;
END $$;

CREATE INDEX node_by_file ON reverse_spec.node(graph, file, ordinal);
CREATE INDEX edge_by_dst ON reverse_spec.edge(graph, dst);
CREATE INDEX edge_by_file ON reverse_spec.edge(graph, file);

CREATE TABLE reverse_spec.virtual_edge(
	graph int, id text COLLATE "C", source_symbol text COLLATE "C" NOT NULL, target_repo text COLLATE "C" NOT NULL,
	target_symbol text COLLATE "C" NOT NULL, edge_type text COLLATE "C" NOT NULL, contract_type text COLLATE "C" NOT NULL,
	content text NOT NULL, PRIMARY KEY(graph, id));
CREATE INDEX virtual_edge_by_source ON reverse_spec.virtual_edge(graph, source_symbol);
