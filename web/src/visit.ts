import type { IncomingMessage } from 'node:http'
import { parseCookies } from './cookies.ts'
import type { Site } from './pages-options.ts'
import { parseQuery } from './query.ts'
import type { QueryValues } from './query-text.ts'

/** The parts of a request that a page may see. */
export interface Visit {
  shared: boolean
  query: QueryValues
  cookies: Record<string, string>
  cookieHeader: string
  variations: Record<string, string>
}
/** Runs work when it is its turn; `Refused` if it gets none, and the sender has been told so. */
export type Turn<Refused> = <Value>(work: () => Promise<Value>) => Promise<Value | Refused>
export const inThisTurn: Turn<never> = (work) => work()
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
}

/** A page as it is being made. */
export interface Shown<Row, Context> {
  asked: RequestOptions<Site>
  context: Context
  setCookies: string[]
  row: Row | null
}

/** A page for one visitor only, who may be known by their cookies. */
export function personalVisit({ req, search }: Pick<RequestOptions<unknown>, 'req' | 'search'>, variations: Record<string, string>): Visit {
  const cookieHeader = req.headers.cookie ?? ''
  return { shared: false, query: parseQuery(search), cookies: parseCookies(cookieHeader), cookieHeader, variations }
}
