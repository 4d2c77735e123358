-- Version 5: how many edges lead from one project to another, so that lists of projects need not read the edges.

CREATE TABLE reverse_spec.relation(
	source text COLLATE "C", target text COLLATE "C", kind text COLLATE "C", contract boolean NOT NULL, edges int NOT NULL, PRIMARY KEY(source, target, kind));
CREATE INDEX relation_by_target ON reverse_spec.relation(target);

INSERT INTO reverse_spec.relation SELECT source, target, coalesce(substring(content FROM '"contract_type":"([^"]*)"'), ''), bool_or(contract), count(*)
	FROM reverse_spec.link GROUP BY 1, 2, 3;
