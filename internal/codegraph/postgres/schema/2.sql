-- Version 2: the tokens of serve, and edges between projects.
--
-- A token's secret is not stored, only its SHA-256; keys are the projects that it may see, NULL for all. A project that
-- is named need not be pushed yet.

CREATE TABLE reverse_spec.token(
	hash text COLLATE "C" PRIMARY KEY, name text COLLATE "C" NOT NULL UNIQUE, keys text[], created bigint NOT NULL, expires bigint);

-- Edges between projects. Each push replaces those of its project, from and to it; linked is the state of the graph that
-- they are of, surface the hash of what others can use of it.

ALTER TABLE reverse_spec.project ADD surface text NOT NULL DEFAULT '', ADD linked text NOT NULL DEFAULT '';

CREATE TABLE reverse_spec.manifest(key text COLLATE "C", path text COLLATE "C", content bytea NOT NULL, PRIMARY KEY(key, path));

CREATE TABLE reverse_spec.package(name text COLLATE "C", required boolean, key text COLLATE "C", PRIMARY KEY(name, required, key));
CREATE INDEX package_by_key ON reverse_spec.package(key);

CREATE TABLE reverse_spec.link(
	source text COLLATE "C", target text COLLATE "C", id text COLLATE "C", source_symbol text COLLATE "C" NOT NULL,
	target_symbol text COLLATE "C" NOT NULL, content text NOT NULL, PRIMARY KEY(source, target, id));
CREATE INDEX link_by_source ON reverse_spec.link(source, source_symbol);
CREATE INDEX link_by_target ON reverse_spec.link(target, target_symbol);

-- How often a word is in the names of a project's symbols, for questions to all projects.

CREATE TABLE reverse_spec.term(word text COLLATE "C", key text COLLATE "C", n int NOT NULL, PRIMARY KEY(word, key));
CREATE INDEX term_by_key ON reverse_spec.term(key);

-- The specs of a project, as they are in the commit that was pushed last; documents is a hash of them all.

ALTER TABLE reverse_spec.project ADD documents text NOT NULL DEFAULT '';

CREATE TABLE reverse_spec.document(key text COLLATE "C", path text COLLATE "C", content bytea NOT NULL, PRIMARY KEY(key, path));
