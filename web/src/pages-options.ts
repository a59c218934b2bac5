import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Readable } from 'node:stream'
import type { Assets } from './assets.ts'
import type { BarePages } from './bare-pages.ts'
import type { FormFields } from './form.ts'
import type { TakenFile } from './form-files.ts'
import type { BusyAnswer } from './last-resort.ts'
import type { ConversionLimits } from './conversions.ts'
import type { Outcome, Redirect } from './outcomes.ts'
import type { LayoutModule, Loaded, PageModule, RequestContext } from './page.ts'
import type { Route } from './route-table.ts'

/** The site of a host: the shop's own data, and what the page layer must know. */
export interface Site {
  /** Distinguishes sites in the cache. */
  key: string
  /** Stands for `{site}` in purge tags; several sites may share one. */
  tag?: string
  /** Scheme and host of links and canonical addresses. */
  origin: string
  /** Rows with `only` appear only in this variant. */
  variant?: string
}

export interface PageLog {
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}

/** The React part of a shop, loaded from its bundle. */
export interface Bundle<Context> {
  /** By file, as named in the route table. */
  pages: Record<string, PageModule<Context>>
  layouts: Record<string, LayoutModule<Context>>
  /** For errors: 404, 410, 500 and the rest. Its data is an `ErrorData`. */
  errorPage: PageModule<Context>
}

export interface ErrorData {
  status: number
  requestId: string
  /** Alternatives for a 410 page, and what is known about a 404. */
  instead: unknown
}

export interface ContextRequest<AnySite> {
  site: AnySite
  base: RequestContext
  /** Empty while a shared page is rendered. */
  cookies: Record<string, string>
  cookieHeader: string
  headers: IncomingMessage['headers']
  /** The client's address, behind trusted proxies. */
  remoteAddress: string
  /** Set-Cookie lines sent with the response. */
  setCookies: string[]
  /** Variations of the experiments the row declares. */
  variations: Readonly<Record<string, string>>
}

/** A group of visitors who see the same pages. */
export interface Variation {
  key: string
  /** The cookies that define the group, the only ones a shared page can see. */
  cookieHeader: string
  /** Whether an external cache, which ignores cookies, may store it. */
  shareable: boolean
  /** Variations of running experiments by name; a page depends on those its row declares, and on no others. */
  experiments?: Readonly<Record<string, string>>
}

export interface PagesOptions<AnySite extends Site, Row extends Route, Context extends RequestContext> {
  routes: readonly Row[]
  bundle: Bundle<Context>
  site(host: string): AnySite | null
  /** A further part of the cache key; null when this visitor's pages must not be cached. */
  variation(site: AnySite, cookieHeader: string | undefined): Variation | null
  context(request: ContextRequest<AnySite>): Context
  /** Whether this visitor may see this row. Returns the response if not, else null. */
  guard(row: Row, context: Context): Promise<Outcome | null> | Outcome | null
  /** Stores a file of a form; without it forms have none. */
  takeFile?(context: Context, name: string, source: Readable): Promise<TakenFile>
  /** The client's address; by default that of its connection. */
  remoteAddress?(req: IncomingMessage): string
  /** Counts a page that has to be rendered, or (without a row) converted, against its sender's quota; returns the seconds to wait beyond it. */
  admit?(row: Row | null, remoteAddress: string): Promise<number | null>
  /** Pages below a prefix, without the layout of their row. */
  bare?: BarePages
  /** A turn for a page that has to be rendered; null when the server is too busy: 503. Cached pages need none. */
  enter?(row: Row | null, response: ServerResponse): Promise<(() => void) | null>
  /** The response to a request that gets no turn. */
  busyAnswer?: BusyAnswer
  /** The finished document. */
  document(request: DocumentInput<Row, Context>): string
  headers(site: AnySite): Record<string, string>
  assets: Assets
  /** Cookie that carries a flash over a redirect. */
  flashCookie(site: AnySite, flash: NonNullable<Redirect['flash']>): string
  log: PageLog
  /** Memory limit of the page cache, including copies of its pages in other encodings: half of it at most. */
  cacheBytes?: number
  /** Limits of converting cached pages for clients that do not accept brotli. */
  conversions?: ConversionLimits
  /** Maximum number of pages rendered concurrently; any more are 503. */
  maximumAtOnce?: number
  /** Clock of the cache, in milliseconds. */
  now?(): number
  /** A page that takes longer than this is 504. */
  maxMs?: number
  /** Tells which row of the route table answers: `cached` for a copy sent before its address was read, `none` if no row does. */
  nameRoute?(response: ServerResponse, route: string): void
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
