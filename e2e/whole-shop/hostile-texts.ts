/** Means something to SQL, to a query language of JSON, or to the search engine. */
export const hostile = [
  `' or 1=1 --`,
  `1; drop table orders.customer_order; --`,
  `'||(select pg_sleep(4))||'`,
  `\\'; select pg_sleep(4); --`,
  `{"$ne":null}`,
  `x) OR (NOT x`,
]
/** Words of an error of the database, the search engine or the language, which no answer may contain. */
export const internals =
  /syntax error|unterminated|relation "|column "|pg_(?!sleep)|SQLSTATE|invalid input syntax|TypeError|at [\w.]+ \(|node_modules/
