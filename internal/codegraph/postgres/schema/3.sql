-- Version 3: what updates touched, so that readers fetch no more than that.
--
-- touched has the serial of the last update that wrote or deleted rows of a file's nodes, edges or words; file 0 is what belongs to no
-- file. step has the serials of a graph: a reader whose own is not among them fetches all.

CREATE TABLE reverse_spec.touched(graph int, file int, serial bigint NOT NULL, PRIMARY KEY(graph, file));

CREATE TABLE reverse_spec.step(graph int, serial bigint, PRIMARY KEY(graph, serial));
