import type { ComponentType, ReactNode } from 'react'
import type { FormAction } from './form-action.ts'
import type { FormFields } from './form.ts'
import type { Outcome } from './outcomes.ts'
import type { QueryValues } from './query-text.ts'
import type { ViewAllowance } from './security.ts'

/** The request as every page sees it; a shop adds its own fields. */
export interface RequestContext {
  method: 'GET' | 'HEAD' | 'POST'
  /** Scheme and host of the site this host belongs to, never what a header claims. */
  origin: string
  /** The requested address, without its query. */
  pathname: string
  /** In front of the pathname, of pages in the bare layout; else empty. */
  prefix: string
  /** The query behind the address, with its question mark; on a cached page only what the route allows. */
  search: string
  /** Path parameters, decoded. */
  params: Record<string, string>
  /** Query within the limits of spec §9; on a cached page only what the route allows. */
  query: QueryValues
  requestId: string
  /** True while a shared page is rendered: nothing personal may be requested. */
  shared: boolean
  /** Keys of the messages that redirects to this page may leave, as its row declares them. */
  flashes: readonly string[]
}

/** The data of a page, plus what its head and the cache need. */
export interface Loaded<Data> {
  data: Data
  title: string
  description?: string
  /** Path of the canonical address; by default the page's own. */
  canonical?: string
  /** Paths of this page on the sites of other markets, by market; the canonical one on all of them when left out. */
  alternates?: Readonly<Record<string, string>>
  /** Path or address of the picture that shared links show. */
  picture?: string
  /** "noindex" and so on; a route that is not indexable adds noindex itself. */
  robots?: string
  status?: number
  /** Purge tags of this page, in addition to those of its route. */
  tags?: string[]
  /** False for a temporary fallback (a service did not respond), which must not be cached. */
  keep?: boolean
  /** For page views: facts about this view, and those that also matter beyond it; the same for every visitor. */
  pageData?: { view?: Readonly<Record<string, string | number>>; custom?: Readonly<Record<string, string | number>> }
  /** Beyond the site's headers; a page that is shared between visitors has none. */
  allows?: ViewAllowance
  /** Structured data, one script each. */
  jsonLd?: object[]
}

export type LoadAnswer<Data> = Loaded<Data> | Outcome

/** The data variant of `load`'s result. */
export type DataOf<Load> = Load extends (...args: never[]) => infer Answer
  ? Extract<Awaited<Answer>, { data: unknown; title: string }>['data']
  : never

export interface PageViewProps<Context, Data, Refusal = unknown> {
  data: Data
  context: Context
  /** Set when an action refused; the page is then shown with status 409, 422 or 429. */
  refusal?: Refusal
  /** The entered values, to fill the fields again. */
  typed?: FormFields
}

export interface LayoutProps<Context> {
  context: Context
  /** The result of the layout's own `load`; null when it failed: a menu must never cost a page. */
  layoutData: unknown
  children: ReactNode
}

export interface LayoutModule<Context> {
  /** The data of the layout; `keep: false` marks a fallback that must not be cached. */
  load?(context: Context): Promise<unknown>
  Layout: ComponentType<LayoutProps<Context>>
}

/** One page file. `load` and `action` run on the server only. */
export interface PageModule<Context = never> {
  load?(context: Context): Promise<LoadAnswer<unknown>> | LoadAnswer<unknown>
  Page: ComponentType<PageViewProps<Context, never, never>>
  action?: FormAction<Context>
  /** Needed by layout `custom`. */
  Layout?: ComponentType<LayoutProps<Context>>
}
