import type { ComponentType, ReactNode } from 'react'
import type { FormAction } from './form-action.ts'
import type { FormFields } from './form.ts'
import type { Outcome } from './outcomes.ts'
import type { QueryValues } from './query-text.ts'

/** The request as every page sees it; a shop adds its own fields. */
export interface RequestContext {
  method: 'GET' | 'HEAD' | 'POST'
  /** Scheme and host of the site this host belongs to, never what a header claims. */
  origin: string
  /** The address asked for, without its query. */
  pathname: string
  /** The query behind the address, with its question mark; on a cached page only what the route allows. */
  search: string
  /** Path parameters, decoded. */
  params: Record<string, string>
  /** Query within the limits of spec §9; on a cached page only what the route allows. */
  query: QueryValues
  requestId: string
  /** True while a page for everybody is made: nothing personal may be asked for. */
  shared: boolean
}

/** The data of a page, with what its head and the cache need. */
export interface Loaded<Data> {
  data: Data
  title: string
  description?: string
  /** Path of the canonical address; the page's own when left out. */
  canonical?: string
  /** Paths of this page on the sites of other markets, by market; the canonical one on all of them when left out. */
  alternates?: Readonly<Record<string, string>>
  /** Path or address of the picture that shared links show. */
  picture?: string
  /** "noindex" and the like; a route that is not indexable says noindex by itself. */
  robots?: string
  status?: number
  /** Names under which this page is purged, besides those of its route. */
  tags?: string[]
  /** False when this is only the best that could be shown just now (a service did not answer): not for the cache. */
  keep?: boolean
  /** Structured data, one script each. */
  jsonLd?: object[]
}

export type LoadAnswer<Data> = Loaded<Data> | Outcome

/** The data half of what `load` answers. */
export type DataOf<Load> = Load extends (...args: never[]) => infer Answer
  ? Extract<Awaited<Answer>, { data: unknown; title: string }>['data']
  : never

export interface PageViewProps<Context, Data, Refusal = unknown> {
  data: Data
  context: Context
  /** Set when an action said no; the page is then shown with status 409, 422 or 429. */
  refusal?: Refusal
  /** The input as typed, to fill the fields again. */
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
