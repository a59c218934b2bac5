import type { IncomingMessage } from 'node:http'
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

export interface RequestOptions<AnySite> {
  req: IncomingMessage
  site: AnySite
  pathname: string
  prefix: string
  search: string
  requestId: string
  /** Name of the row, once known. */
  route?: string
}
