import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import type { Assets } from './assets.ts'
import type { FormFields } from './form.ts'
import type { TakenFile } from './form-files.ts'
import type { Outcome, Redirect } from './outcomes.ts'
import type { LayoutModule, Loaded, PageModule, RequestContext } from './page.ts'
import type { Route } from './route-table.ts'

/** Where a host leads: the shop's own facts, and what the page layer must know. */
export interface Site {
  /** Tells two sites apart in the cache. */
  key: string
  /** Scheme and host links and canonical addresses are made with. */
  origin: string
  /** Rows with `only` are those of this variant. */
  variant?: string
}

export interface PageLog {
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}

/** The React part of a shop, loaded from its bundle. */
export interface Bundle<Context> {
  /** By file, as the route table names it. */
  pages: Record<string, PageModule<Context>>
  layouts: Record<string, LayoutModule<Context>>
  /** For addresses whose page comes later. */
  laterPage: PageModule<Context>
  /** For everything that is no page: 404, 410, 500 and the rest. Its data is an `ErrorData`. */
  errorPage: PageModule<Context>
}

export interface ErrorData {
  status: number
  requestId: string
  /** Alternatives for a 410 page. */
  instead: unknown
}

export interface ContextRequest<AnySite> {
  site: AnySite
  base: RequestContext
  /** Empty while a page for everybody is made. */
  cookies: Record<string, string>
  cookieHeader: string
  headers: IncomingMessage['headers']
  /** Where the request comes from, behind the proxies that are trusted. */
  remoteAddress: string
  /** Set-Cookie lines that go out with the answer. */
  setCookies: string[]
}

/** A kind of visitor that sees the same pages. */
export interface Variation {
  key: string
  /** The cookies that make the kind; all a page for everybody gets to see. */
  cookieHeader: string
  /** May a cache outside keep it, which knows nothing of cookies? */
  shareable: boolean
}

export interface PagesOptions<AnySite extends Site, Row extends Route, Context extends RequestContext> {
  routes: readonly Row[]
  bundle: Bundle<Context>
  site(host: string): AnySite | null
  /** A further part of the cache key; null when this visitor's pages must not be cached. */
  variation(site: AnySite, cookieHeader: string | undefined): Variation | null
  context(request: ContextRequest<AnySite>): Context
  /** May this visitor see this row? Answers what they get instead, or null. */
  guard(row: Row, context: Context): Promise<Outcome | null> | Outcome | null
  /** Takes a file of a form; without it forms have none. */
  takeFile?(context: Context, name: string, source: Readable): Promise<TakenFile>
  /** Where a request comes from; default: the address of its connection. */
  remoteAddress?(req: IncomingMessage): string
  /** The finished document. */
  document(request: DocumentInput<Row, Context>): string
  headers(site: AnySite): Record<string, string>
  assets: Assets
  /** Cookie that carries a flash over a redirect. */
  flashCookie(site: AnySite, flash: NonNullable<Redirect['flash']>): string
  log: PageLog
  /** Memory for finished pages. */
  cacheBytes?: number
  /** Pages made at the same time; more are answered 503. */
  maximumAtOnce?: number
  /** Clock of the cache, in milliseconds. */
  now?(): number
  /** A page not made within this time is 504. */
  longestMs?: number
  /** Told of every answer that was not simply taken from the cache; those are in `cache.stats()`. */
  observe?(answer: { route: string; status: number; seconds: number }): void
}

export interface DocumentInput<Row, Context> {
  row: Row | null
  context: Context
  page: PageModule<Context>
  layout: LayoutModule<Context> | null
  loaded: Loaded<unknown>
  layoutData: unknown
  refusal?: unknown
  typed?: FormFields
  status: number
}
