import pg from 'pg'

/** For tests: counts the statements that this process sends to Postgres, on whichever connection, while something runs alone. */
export async function countStatements<Value>(work: () => Promise<Value>): Promise<{ value: Value; statements: number }> {
  const { query } = pg.Client.prototype
  let statements = 0
  pg.Client.prototype.query = function counted(this: pg.Client, ...given: unknown[]) {
    statements++
    return Reflect.apply(query, this, given) as never
  }
  try {
    const value = await work()
    return { value, statements }
  } finally {
    pg.Client.prototype.query = query
  }
}
