import pg from 'pg'

type Callback = (error: Error) => void

/**
 * For tests: lets so many statements of this process pass while something runs alone, and fails all later ones as the driver does when no
 * connection can be had in time. Returns how many were failed. The end of a transaction passes: a connection must not be left inside one.
 */
export async function failStatementsAfter<Value>(passing: number, work: () => Promise<Value>): Promise<{ value: Value; failed: number }> {
  const { query } = pg.Client.prototype
  let seen = 0
  let failed = 0
  pg.Client.prototype.query = function failing(this: pg.Client, ...given: unknown[]) {
    const [statement] = given
    const text = typeof statement === 'string' ? statement : ((statement as { text?: unknown } | undefined)?.text ?? '')
    if (/^\s*rollback/i.test(String(text)) || seen++ < passing) return Reflect.apply(query, this, given) as never
    failed++
    const error = new Error('timeout expired')
    const callback = given.findLast((each): each is Callback => typeof each === 'function')
    if (!callback) return Promise.reject(error) as never
    process.nextTick(callback, error)
    return undefined as never
  }
  try {
    return { value: await work(), failed }
  } finally {
    pg.Client.prototype.query = query
  }
}
