-- Version 2: the tokens of serve.
--
-- A token's secret is not stored, only its SHA-256; keys are the projects that it may see, NULL for all. A project that
-- is named need not be pushed yet.

CREATE TABLE reverse_spec.token(
	hash text COLLATE "C" PRIMARY KEY, name text COLLATE "C" NOT NULL UNIQUE, keys text[], created bigint NOT NULL, expires bigint);
