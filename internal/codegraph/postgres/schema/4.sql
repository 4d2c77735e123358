-- Version 4: edges by contracts between projects.
--
-- provides has the names under which uses of a project's contracts are found, uses those of what it may use itself, both hashed; was is
-- provides when the edges into the project were last set. trace is what finding uses needs of its code, opaque here. surface is a hash of
-- what edges into the project depend on, linked the one that they are of, state a hash of all that edges from it depend on.

CREATE TABLE reverse_spec.contract(
	key text COLLATE "C" PRIMARY KEY, provides bigint[] NOT NULL, uses bigint[] NOT NULL, was bigint[] NOT NULL DEFAULT '{}', trace bytea NOT NULL,
	surface text NOT NULL, linked text NOT NULL DEFAULT '', state text NOT NULL);
CREATE INDEX contract_by_provides ON reverse_spec.contract USING gin(provides);
CREATE INDEX contract_by_uses ON reverse_spec.contract USING gin(uses);

ALTER TABLE reverse_spec.link ADD contract boolean NOT NULL DEFAULT false;
