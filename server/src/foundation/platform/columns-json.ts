/** Rows by column: as JSON they name each column once, not once in every row. */
export type ColumnsOf<Row> = { [Name in keyof Row]: Row[Name][] }

/** SQL: the rows of a `from` as one JSON value, by column; `rowsOf` makes rows of it. */
export function columnsJson(names: readonly string[]): string {
  return `json_build_object(${names.map((name) => `'${name}', coalesce(json_agg("${name}"), '[]')`).join(', ')})`
}

export function rowsOf<Row extends object>(columns: ColumnsOf<Row>): Row[] {
  const names = Object.keys(columns) as (keyof Row)[]
  const [first] = names
  if (first === undefined) return []
  return columns[first].map((_, at) => {
    const row: Partial<Row> = {}
    for (const name of names) row[name] = columns[name][at]
    return row as Row
  })
}
