Feature: Neo4j1 - What Neo4j's manual documents beyond openCypher 9, on a graph of our own

  Background:
    Given having executed:
      """
      CREATE (parse:Function {name: 'parse', lines: 36}), (load:Function {name: 'load', lines: 25}), (run:Function {name: 'run', lines: 35}),
        (parse)-[:CALLS {line: 16}]->(:Method {name: 'parse'}),
        (fetch:Method {name: 'fetch'})<-[:CALLS {line: 10}]-(run)-[:CALLS {line: 18}]->(:Method {name: 'open'}),
        (fetch)-[:USES]->(:Field {name: 'cache'})
      """

  Scenario: EXISTS with a bare pattern
    When executing query:
      """
      MATCH (f:Function) WHERE EXISTS { (f)-[:CALLS]->(:Method) } RETURN f.name AS name
      """
    Then the result should be, in any order:
      | name |
      | 'parse' |
      | 'run' |

  Scenario: EXISTS with WHERE on the outer variable
    When executing query:
      """
      MATCH (f:Function) WHERE EXISTS { MATCH (f)-[:CALLS]->(m:Method) WHERE f.name = m.name } RETURN f.name AS name
      """
    Then the result should be, in any order:
      | name |
      | 'parse' |

  Scenario: EXISTS in EXISTS
    When executing query:
      """
      MATCH (f:Function) WHERE EXISTS { MATCH (f)-[:CALLS]->(m:Method) WHERE EXISTS { MATCH (m)-[:USES]->(x:Field) WHERE x.name = 'cache' } } RETURN f.name AS name
      """
    Then the result should be, in any order:
      | name |
      | 'run' |

  Scenario: EXISTS as a column
    When executing query:
      """
      MATCH (f:Function) RETURN f.name AS name, EXISTS { MATCH (f)-[:CALLS]->(:Method) } AS calls
      """
    Then the result should be, in any order:
      | name | calls |
      | 'parse' | true |
      | 'load' | false |
      | 'run' | true |

  Scenario: EXISTS with UNION
    When executing query:
      """
      MATCH (f:Function) RETURN f.name AS name, EXISTS { MATCH (f)-[:CALLS]->(m {name: 'open'}) RETURN m UNION MATCH (f)-[:USES]->(m) RETURN m } AS either
      """
    Then the result should be, in any order:
      | name | either |
      | 'parse' | false |
      | 'load' | false |
      | 'run' | true |

  Scenario: EXISTS sees the outer variables after WITH
    When executing query:
      """
      MATCH (f:Function) WHERE EXISTS { MATCH (f)-[:CALLS]->(m) WITH count(m) AS n WHERE n * 17 < f.lines AND n > 0 } RETURN f.name AS name
      """
    Then the result should be, in any order:
      | name |
      | 'parse' |
      | 'run' |

  Scenario: EXISTS with an aggregate that has no rows
    When executing query:
      """
      MATCH (f:Function) RETURN f.name AS name, EXISTS { MATCH (f)-[:CALLS]->(m) WITH count(m) AS n WHERE n = 0 AND f.lines = 25 } AS quiet
      """
    Then the result should be, in any order:
      | name | quiet |
      | 'parse' | false |
      | 'load' | true |
      | 'run' | false |

  Scenario: COUNT in WHERE
    When executing query:
      """
      MATCH (f:Function) WHERE COUNT { (f)-[:CALLS]->(:Method) } > 1 RETURN f.name AS name
      """
    Then the result should be, in any order:
      | name |
      | 'run' |

  Scenario: COUNT with a condition
    When executing query:
      """
      MATCH (f:Function) WHERE COUNT { (f)-[:CALLS]->(m:Method) WHERE f.name = m.name } = 1 RETURN f.name AS name
      """
    Then the result should be, in any order:
      | name |
      | 'parse' |

  Scenario: COUNT with UNION
    When executing query:
      """
      MATCH (f:Function) RETURN f.name AS name, COUNT { MATCH (f)-[:CALLS]->(m:Method) RETURN m.name AS n UNION MATCH (f)-[:USES]->(x) RETURN x.name AS n } AS n
      """
    Then the result should be, in any order:
      | name | n |
      | 'parse' | 1 |
      | 'load' | 0 |
      | 'run' | 2 |

  Scenario: COUNT with WITH
    When executing query:
      """
      MATCH (f:Function) WHERE COUNT { WITH 'open' AS wanted MATCH (f)-[:CALLS]->(m:Method) WHERE m.name = wanted } = 1 RETURN f.name AS name
      """
    Then the result should be, in any order:
      | name |
      | 'run' |

  Scenario: COUNT as a key of groups
    When executing query:
      """
      MATCH (f:Function) RETURN COUNT { (f)-[:CALLS]->(:Method) } AS calls, avg(f.lines) AS mean ORDER BY calls
      """
    Then the result should be, in order:
      | calls | mean |
      | 0 | 25.0 |
      | 1 | 36.0 |
      | 2 | 35.0 |

  Scenario: COUNT as a sort key
    When executing query:
      """
      MATCH (f:Function) RETURN f.name AS name ORDER BY COUNT { (f)-[:CALLS]->() } DESC LIMIT 1
      """
    Then the result should be, in order:
      | name |
      | 'run' |

  Scenario: COUNT counts rows, not different rows
    When executing query:
      """
      MATCH (f:Function {name: 'run'}) RETURN COUNT { MATCH (f)-[:CALLS]->() RETURN f } AS all, COUNT { MATCH (f)-[:CALLS]->() RETURN DISTINCT f } AS different
      """
    Then the result should be, in any order:
      | all | different |
      | 2 | 1 |

  Scenario: COUNT with an aggregate of its own
    When executing query:
      """
      MATCH (f:Function) RETURN f.name AS name, count(*) AS n, COUNT { MATCH (f)-[:CALLS]->() RETURN count(*) } AS one ORDER BY name
      """
    Then the result should be, in order:
      | name | n | one |
      | 'load' | 1 | 1 |
      | 'parse' | 1 | 1 |
      | 'run' | 1 | 1 |

  Scenario: COUNT of all nodes
    When executing query:
      """
      RETURN COUNT { (:Method) } AS n
      """
    Then the result should be, in any order:
      | n |
      | 3 |

  Scenario: COUNT in CASE
    When executing query:
      """
      MATCH (f:Function) RETURN f.name AS name, CASE WHEN COUNT { (f)-[:CALLS]->() } > 1 THEN 'many' ELSE 'few' END AS calls
      """
    Then the result should be, in any order:
      | name | calls |
      | 'parse' | 'few' |
      | 'load' | 'few' |
      | 'run' | 'many' |

  Scenario: COLLECT in WHERE
    When executing query:
      """
      MATCH (f:Function) WHERE 'open' IN COLLECT { MATCH (f)-[:CALLS]->(m:Method) RETURN m.name } RETURN f.name AS name
      """
    Then the result should be, in any order:
      | name |
      | 'run' |

  Scenario: COLLECT with a condition
    When executing query:
      """
      MATCH (f:Function) RETURN f.name AS name, COLLECT { MATCH (f)-[r:CALLS]->(m:Method) WHERE r.line > 17 RETURN m.name } AS late
      """
    Then the result should be, in any order:
      | name | late |
      | 'parse' | [] |
      | 'load' | [] |
      | 'run' | ['open'] |

  Scenario: COLLECT keeps the order and null
    When executing query:
      """
      MATCH (f:Function {name: 'run'}) RETURN COLLECT { MATCH (f)-[:CALLS]->(m) RETURN m.name ORDER BY m.name DESC } AS names, COLLECT { MATCH (f)-[:CALLS]->(m) RETURN m.missing } AS nulls
      """
    Then the result should be, in any order:
      | names | nulls |
      | ['open', 'fetch'] | [null, null] |

  Scenario: COLLECT with LIMIT
    When executing query:
      """
      MATCH (f:Function) RETURN f.name AS name, COLLECT { MATCH (f)-[:CALLS]->(m) RETURN m.name ORDER BY m.name LIMIT 1 } AS first
      """
    Then the result should be, in any order:
      | name | first |
      | 'parse' | ['parse'] |
      | 'load' | [] |
      | 'run' | ['fetch'] |

  Scenario: COLLECT of a map with the outer variable and an aggregate
    When executing query:
      """
      MATCH (f:Function) RETURN COLLECT { MATCH (f)-[:CALLS]->(m) RETURN {of: f.name, n: count(m)} } AS it
      """
    Then the result should be, in any order:
      | it |
      | [{of: 'parse', n: 1}] |
      | [{of: 'load', n: 0}] |
      | [{of: 'run', n: 2}] |

  Scenario: COLLECT in COLLECT
    When executing query:
      """
      MATCH (f:Function {name: 'run'}) RETURN COLLECT { MATCH (f)-[:CALLS]->(m) RETURN [m.name] + COLLECT { MATCH (m)-[:USES]->(x) RETURN x.name + f.name } ORDER BY m.name } AS it
      """
    Then the result should be, in any order:
      | it |
      | [['fetch', 'cacherun'], ['open']] |

  Scenario: Map projection of properties
    When executing query:
      """
      MATCH (f:Function {name: 'run'}) RETURN f {.name, .lines} AS f
      """
    Then the result should be, in any order:
      | f |
      | {name: 'run', lines: 35} |

  Scenario: Map projection of a property that is missing
    When executing query:
      """
      MATCH (f:Function {name: 'run'}) RETURN f {.name, .age} AS f
      """
    Then the result should be, in any order:
      | f |
      | {name: 'run', age: null} |

  Scenario: Map projection of all properties
    When executing query:
      """
      MATCH (f:Function {name: 'run'}) RETURN f {.*, kind: labels(f)[0]} AS f
      """
    Then the result should be, in any order:
      | f |
      | {name: 'run', lines: 35, kind: 'Function'} |

  Scenario: Map projection whose last entry counts
    When executing query:
      """
      MATCH (f:Function {name: 'run'}) RETURN f {.*, name: 'other'} AS a, f {name: 'other', .*} AS b
      """
    Then the result should be, in any order:
      | a | b |
      | {name: 'other', lines: 35} | {name: 'run', lines: 35} |

  Scenario: Map projection with a variable
    When executing query:
      """
      MATCH (f:Function {name: 'run'}) WITH f, 7 AS n RETURN f {.name, n} AS f
      """
    Then the result should be, in any order:
      | f |
      | {name: 'run', n: 7} |

  Scenario: Map projection of null
    When executing query:
      """
      OPTIONAL MATCH (f:Nothing) RETURN f {.name, x: 1} AS f
      """
    Then the result should be, in any order:
      | f |
      | null |

  Scenario: Map projection of a map and of a relationship
    When executing query:
      """
      MATCH ()-[r:CALLS {line: 16}]->() WITH r, {a: 1, b: 2} AS m RETURN m {.a} AS m, r {.*} AS r
      """
    Then the result should be, in any order:
      | m | r |
      | {a: 1} | {line: 16} |

  Scenario: Map projection of nothing
    When executing query:
      """
      MATCH (f:Function {name: 'run'}) RETURN f {} AS f
      """
    Then the result should be, in any order:
      | f |
      | {} |

  Scenario: Map projections in an aggregate
    When executing query:
      """
      MATCH (f:Function)-[:CALLS]->(m) WITH f, m ORDER BY m.name RETURN f.name AS f, collect(m {.name}) AS calls
      """
    Then the result should be, in any order:
      | f | calls |
      | 'run' | [{name: 'fetch'}, {name: 'open'}] |
      | 'parse' | [{name: 'parse'}] |

  Scenario: Map projection with an aggregate groups by its subject
    When executing query:
      """
      MATCH (f:Function)-[:CALLS]->(m) WITH f, m ORDER BY m.name RETURN f {.name, calls: collect(m.name)} AS f
      """
    Then the result should be, in any order:
      | f |
      | {name: 'run', calls: ['fetch', 'open']} |
      | {name: 'parse', calls: ['parse']} |

  Scenario: Map projection with a pattern comprehension
    When executing query:
      """
      MATCH (f:Function {name: 'parse'}) RETURN f {.name, calls: [(f)-[:CALLS]->(m) | m.name]} AS f
      """
    Then the result should be, in any order:
      | f |
      | {name: 'parse', calls: ['parse']} |

  Scenario: WHERE in a node
    When executing query:
      """
      MATCH (f:Function WHERE f.lines > 30) RETURN f.name AS name
      """
    Then the result should be, in any order:
      | name |
      | 'parse' |
      | 'run' |

  Scenario: WHERE in a relationship
    When executing query:
      """
      MATCH (f)-[r:CALLS WHERE r.line < 17]->(m) RETURN f.name AS f, r.line AS line
      """
    Then the result should be, in any order:
      | f | line |
      | 'parse' | 16 |
      | 'run' | 10 |

  Scenario: WHERE in both, and behind
    When executing query:
      """
      MATCH (f:Function WHERE f.lines = 35)-[r WHERE r.line > 1]->(m WHERE m.name <> 'open') WHERE f.name = 'run' RETURN m.name AS m
      """
    Then the result should be, in any order:
      | m |
      | 'fetch' |

  Scenario: WHERE in a pattern comprehension
    When executing query:
      """
      MATCH (f:Function {name: 'run'}) RETURN [(f)-[r WHERE r.line > 11]->(m) | m.name] AS names
      """
    Then the result should be, in any order:
      | names |
      | ['open'] |

  Scenario: WHERE in an OPTIONAL MATCH
    When executing query:
      """
      MATCH (f:Function) OPTIONAL MATCH (f)-[:CALLS]->(m WHERE m.name = 'open') RETURN f.name AS f, m.name AS m
      """
    Then the result should be, in any order:
      | f | m |
      | 'parse' | null |
      | 'load' | null |
      | 'run' | 'open' |

  Scenario: WHERE in a pattern as a condition
    When executing query:
      """
      MATCH (f:Function) WHERE (f)-[:CALLS]->(:Method WHERE true) RETURN f.name AS f
      """
    Then the result should be, in any order:
      | f |
      | 'parse' |
      | 'run' |

  Scenario: WHERE in EXISTS
    When executing query:
      """
      MATCH (f:Function) WHERE EXISTS { (f)-[r WHERE r.line = 18]->() } RETURN f.name AS f
      """
    Then the result should be, in any order:
      | f |
      | 'run' |

  Scenario: CALL runs for each row
    When executing query:
      """
      UNWIND [0, 1, 2] AS x CALL () { RETURN 'hello' AS said } RETURN said
      """
    Then the result should be, in any order:
      | said |
      | 'hello' |
      | 'hello' |
      | 'hello' |

  Scenario: CALL without parentheses
    When executing query:
      """
      UNWIND [0, 1, 2] AS x CALL { RETURN 'hello' AS said } RETURN x, said
      """
    Then the result should be, in any order:
      | x | said |
      | 0 | 'hello' |
      | 1 | 'hello' |
      | 2 | 'hello' |

  Scenario: CALL with an importing WITH
    When executing query:
      """
      UNWIND [0, 1, 2] AS x CALL { WITH x RETURN x * 10 AS y } RETURN x, y
      """
    Then the result should be, in any order:
      | x | y |
      | 0 | 0 |
      | 1 | 10 |
      | 2 | 20 |

  Scenario: CALL with a variable in scope
    When executing query:
      """
      MATCH (f:Function) CALL (f) { MATCH (f)-[:CALLS]->(m) RETURN collect(m.name) AS calls } RETURN f.name AS f, size(calls) AS n
      """
    Then the result should be, in any order:
      | f | n |
      | 'parse' | 1 |
      | 'load' | 0 |
      | 'run' | 2 |

  Scenario: CALL that finds nothing drops the row
    When executing query:
      """
      MATCH (f:Function) CALL (f) { MATCH (f)-[:CALLS]->(m) RETURN m.name AS m } RETURN f.name AS f, m
      """
    Then the result should be, in any order:
      | f | m |
      | 'parse' | 'parse' |
      | 'run' | 'fetch' |
      | 'run' | 'open' |

  Scenario: OPTIONAL CALL keeps the row
    When executing query:
      """
      MATCH (f:Function) OPTIONAL CALL (f) { MATCH (f)-[:CALLS]->(m) RETURN m.name AS m } RETURN f.name AS f, m
      """
    Then the result should be, in any order:
      | f | m |
      | 'parse' | 'parse' |
      | 'load' | null |
      | 'run' | 'fetch' |
      | 'run' | 'open' |

  Scenario: CALL with all variables
    When executing query:
      """
      WITH 1 AS a, 2 AS b CALL (*) { RETURN a + b AS c } RETURN a, b, c
      """
    Then the result should be, in any order:
      | a | b | c |
      | 1 | 2 | 3 |

  Scenario: CALL with an importing star
    When executing query:
      """
      WITH 1 AS a, 2 AS b CALL { WITH * RETURN a + b AS c } RETURN a, b, c
      """
    Then the result should be, in any order:
      | a | b | c |
      | 1 | 2 | 3 |

  Scenario: CALL sees its scope after WITH
    When executing query:
      """
      MATCH (f:Function) CALL (f) { MATCH (f)-[:CALLS]->(m) WITH count(m) AS n RETURN f.lines + n AS sum } RETURN f.name AS f, sum
      """
    Then the result should be, in any order:
      | f | sum |
      | 'parse' | 37 |
      | 'load' | 25 |
      | 'run' | 37 |

  Scenario: CALL with LIMIT for each row
    When executing query:
      """
      MATCH (f:Function) CALL (f) { MATCH (f)-[:CALLS]->(m) RETURN m.name AS m ORDER BY m DESC LIMIT 1 } RETURN f.name AS f, m
      """
    Then the result should be, in any order:
      | f | m |
      | 'parse' | 'parse' |
      | 'run' | 'open' |

  Scenario: CALL for work after UNION
    When executing query:
      """
      CALL () { MATCH (f:Function) RETURN f ORDER BY f.lines LIMIT 1 UNION MATCH (f:Function) RETURN f ORDER BY f.lines DESC LIMIT 1 } RETURN f.name AS name, f.lines AS lines ORDER BY lines
      """
    Then the result should be, in order:
      | name | lines |
      | 'load' | 25 |
      | 'parse' | 36 |

  Scenario: CALL with UNION and importing WITHs of its own
    When executing query:
      """
      WITH 1 AS a, 2 AS b CALL { WITH a RETURN a AS x UNION WITH b RETURN b AS x } RETURN x
      """
    Then the result should be, in any order:
      | x |
      | 1 |
      | 2 |

  Scenario: CALL of a CALL
    When executing query:
      """
      UNWIND [1, 2] AS x CALL (x) { UNWIND [10, 20] AS y CALL (x, y) { RETURN x + y AS z } RETURN sum(z) AS s } RETURN x, s
      """
    Then the result should be, in any order:
      | x | s |
      | 1 | 32 |
      | 2 | 34 |

  Scenario: CALL before MATCH
    When executing query:
      """
      CALL { MATCH (f:Function) RETURN max(f.lines) AS most } MATCH (f:Function {lines: most}) RETURN f.name AS name
      """
    Then the result should be, in any order:
      | name |
      | 'parse' |

  Scenario: CALL whose columns are nodes
    When executing query:
      """
      CALL { MATCH (f:Function {name: 'run'}) RETURN f } MATCH (f)-[:CALLS]->(m) RETURN m.name AS m
      """
    Then the result should be, in any order:
      | m |
      | 'fetch' |
      | 'open' |

  Scenario: Labels
    When executing query:
      """
      CALL db.labels() YIELD label RETURN label ORDER BY label
      """
    Then the result should be, in order:
      | label |
      | 'Field' |
      | 'Function' |
      | 'Method' |

  Scenario: Labels alone
    When executing query:
      """
      CALL db.labels()
      """
    Then the result should be, in any order:
      | label |
      | 'Field' |
      | 'Function' |
      | 'Method' |

  Scenario: Labels without brackets, with another name and a condition
    When executing query:
      """
      CALL db.labels YIELD label AS l WHERE l STARTS WITH 'F' RETURN count(l) AS n
      """
    Then the result should be, in any order:
      | n |
      | 2 |

  Scenario: Labels with their numbers
    When executing query:
      """
      CALL db.labels() YIELD label CALL (label) { MATCH (n) WHERE label IN labels(n) RETURN count(*) AS n } RETURN label, n
      """
    Then the result should be, in any order:
      | label | n |
      | 'Field' | 1 |
      | 'Function' | 3 |
      | 'Method' | 3 |

  Scenario: Types
    When executing query:
      """
      CALL db.relationshipTypes()
      """
    Then the result should be, in any order:
      | relationshipType |
      | 'CALLS' |
      | 'USES' |

  Scenario: Keys
    When executing query:
      """
      CALL db.propertyKeys() YIELD propertyKey AS key RETURN key ORDER BY key
      """
    Then the result should be, in order:
      | key |
      | 'line' |
      | 'lines' |
      | 'name' |

  Scenario: Properties of nodes
    When executing query:
      """
      CALL db.schema.nodeTypeProperties()
      """
    Then the result should be, in any order:
      | nodeType | nodeLabels | propertyName | propertyTypes | mandatory |
      | ':`Field`' | ['Field'] | 'name' | ['String'] | true |
      | ':`Function`' | ['Function'] | 'lines' | ['Long'] | true |
      | ':`Function`' | ['Function'] | 'name' | ['String'] | true |
      | ':`Method`' | ['Method'] | 'name' | ['String'] | true |

  Scenario: Properties of relationships
    When executing query:
      """
      CALL db.schema.relTypeProperties()
      """
    Then the result should be, in any order:
      | relType | propertyName | propertyTypes | mandatory |
      | ':`CALLS`' | 'line' | ['Long'] | true |
      | ':`USES`' | null | null | false |

  Scenario: Visualization
    When executing query:
      """
      CALL db.schema.visualization() YIELD relationships UNWIND relationships AS r RETURN r.from AS f, r.type AS t, r.to AS to, r.count AS n
      """
    Then the result should be, in any order:
      | f | t | to | n |
      | 'Function' | 'CALLS' | 'Method' | 3 |
      | 'Method' | 'USES' | 'Field' | 1 |

  Scenario: SHOW with YIELD, a condition and RETURN
    When executing query:
      """
      SHOW FUNCTIONS YIELD name, category WHERE name STARTS WITH 'to' AND category = 'String' RETURN name ORDER BY name
      """
    Then the result should be, in order:
      | name |
      | 'toLower' |
      | 'toUpper' |

  Scenario: SHOW with a condition
    When executing query:
      """
      SHOW PROCEDURES YIELD name ORDER BY name LIMIT 2
      """
    Then the result should be, in order:
      | name |
      | 'db.labels' |
      | 'db.propertyKeys' |

  Scenario: SHOW all columns
    When executing query:
      """
      SHOW CONSTRAINTS YIELD * RETURN type, properties
      """
    Then the result should be, in any order:
      | type | properties |
      | 'UNIQUENESS' | ['qualified_name'] |

  Scenario: CALL must not return a name that is in use
    When executing query:
      """
      UNWIND [1] AS x CALL { RETURN 2 AS x } RETURN x
      """
    Then a SyntaxError should be raised at compile time: VariableAlreadyBound

  Scenario: CALL sees only what it imports
    When executing query:
      """
      UNWIND [1] AS x CALL { RETURN x AS y } RETURN y
      """
    Then a SyntaxError should be raised at compile time: UndefinedVariable

  Scenario: CALL (x) sees only x
    When executing query:
      """
      WITH 1 AS x, 2 AS z CALL (x) { RETURN z AS y } RETURN y
      """
    Then a SyntaxError should be raised at compile time: UndefinedVariable

  Scenario: CALL needs names of its columns
    When executing query:
      """
      CALL { RETURN 1 + 1 } RETURN 1
      """
    Then a SyntaxError should be raised at compile time: NoExpressionAlias

  Scenario: CALL needs a RETURN
    When executing query:
      """
      CALL { MATCH (n) } RETURN 1
      """
    Then a SyntaxError should be raised at compile time: InvalidClauseComposition

  Scenario: CALL within a query needs YIELD
    When executing query:
      """
      CALL db.labels() RETURN label
      """
    Then a SyntaxError should be raised at compile time: InvalidClauseComposition

  Scenario: YIELD of a column that there is not
    When executing query:
      """
      CALL db.labels() YIELD nothing RETURN 1
      """
    Then a SyntaxError should be raised at compile time: UndefinedVariable

  Scenario: YIELD of a name in use
    When executing query:
      """
      MATCH (label) CALL db.labels() YIELD label RETURN label
      """
    Then a SyntaxError should be raised at compile time: VariableAlreadyBound

  Scenario: COLLECT of two columns
    When executing query:
      """
      RETURN COLLECT { MATCH (n) RETURN n.name, n.lines } AS x
      """
    Then a SyntaxError should be raised at compile time: InvalidClauseComposition

  Scenario: A name of the outer query cannot be another in a subquery
    When executing query:
      """
      MATCH (n) RETURN COUNT { MATCH (m) WITH 1 AS n RETURN n } AS x
      """
    Then a SyntaxError should be raised at compile time: VariableAlreadyBound

  Scenario: An aggregate in a pattern
    When executing query:
      """
      MATCH (n WHERE count(n) > 1) RETURN n
      """
    Then a SyntaxError should be raised at compile time: InvalidAggregation

  Scenario: Arguments where there are none
    When executing query:
      """
      CALL db.labels(1)
      """
    Then a SyntaxError should be raised at compile time: InvalidNumberOfArguments
