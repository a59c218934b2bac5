import type { QueryValues } from './query-text.ts'

/** The parts of a request that a page may see. */
export interface Visit {
  shared: boolean
  query: QueryValues
  cookies: Record<string, string>
  cookieHeader: string
  variations: Record<string, string>
}
/** Without queues nobody has to leave them. */
export const noTurns = () => undefined
export const nobody: Visit = { shared: true, query: {}, cookies: {}, cookieHeader: '', variations: {} }
