// Package cypher answers openCypher queries over a graph. It reads and never writes.
package cypher
