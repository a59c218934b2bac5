export interface Violation {
  id: 'I1' | 'I2' | 'I3' | 'I4' | 'I5' | 'I6' | 'I7' | 'I8' | 'I9' | 'I10'
  what: string
}

export interface Asks {
  /** Rows of a query, from a pool, a connection or within a transaction. */
  query(text: string, values?: unknown[]): Promise<{ rows: Record<string, unknown>[] }>
}
