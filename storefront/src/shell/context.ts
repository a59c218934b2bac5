import type { SiteSettings } from '@purlin/contract/site-settings.ts'
import type { Principal } from '@purlin/contract/principal.ts'
import type { UploadAnswer } from '@purlin/contract/gateway.ts'
import type { ApiDocument, VariablesOf } from '@purlin/contract/document.ts'
import type { PageWords } from '@purlin/web/words.ts'
import type { catalogues, Messages, RichMessages } from '@purlin/words/catalogues.ts'
import type { DataOf, LoadAnswer, PageModule, PageViewProps, RequestContext } from '@purlin/web/page.ts'
import type { ErrorData } from '@purlin/web/pages-options.ts'
import type { Formats } from './formats.ts'

/** Site data: the same for every visitor of the page. */
interface SiteFacts {
  market: SiteSettings['market']
  mode: SiteSettings['mode']
  language: SiteSettings['language']
  locale: string
  currency: SiteSettings['currency']
  country: string
  timeZone: string
  origin: string
  /** Prices with VAT on a professional storefront, by choice. */
  prefersVat: boolean
}

/** A page's calls to the gateway, on behalf of its visitor. */
export interface GatewayClient {
  /**
   * Data of a query; throws with status 504 or 500 when it failed and 404 when there is none. A field of a system that the shop can do
   * without is null while that fails, unless the query has nothing else: null must not be shown as an answer.
   */
  query<Data, Variables extends object>(document: ApiDocument<Data, Variables>, ...variables: VariablesOf<Variables>): Promise<Data>
  /** Stores a file sent with a form. It belongs to the visitor and is used by its id. */
  upload(name: string, source: AsyncIterable<Uint8Array>): Promise<UploadAnswer>
  /** Data of a mutation, or null when it returned none. Cookies it sets are sent with the page's response. */
  mutate<Data, Variables extends object>(document: ApiDocument<Data, Variables>, ...variables: VariablesOf<Variables>): Promise<Data | null>
}

/** The context of every page of the shop. */
export interface ShopContext extends RequestContext, SiteFacts {
  /** The same page in each market, for the switcher and hreflang. */
  alternates(pathname?: string): { market: SiteSettings['market']; locale: string; url: string }[]
  /** The site of the other mode; null when there is none. */
  otherModeUrl(pathname?: string): string | null
  /** Variations of the experiments this page declares. */
  variations: Readonly<Record<string, string>>
  t: PageWords<Messages, RichMessages>
  /** For islands and scripts, which receive the few messages they need. */
  catalogue: (typeof catalogues)['en']
  formats: Formats
  client: GatewayClient
  /** The principal, resolved once per request; on a shared page always anonymous. */
  principal(): Promise<Principal>
  /** Cookies of the request; on a shared page none but the display choice. */
  cookies: Readonly<Record<string, string>>
  /** The Cookie header; on a shared page as bare as `cookies`. */
  cookieHeader: string
  /** The browser sends Global Privacy Control; unknown on a shared page. */
  hasPrivacySignal: boolean
  setCookie(line: string): void
  /** External origins from the settings. */
  settings: { paymentOrigin: string | null }
  /** Set only for the error page. */
  errorData?: ErrorData
}

export type ShopPage = PageModule<ShopContext>
export type ShopAnswer<Data> = LoadAnswer<Data>

/** Props of a page from its `load`: `function Page({ data, context }: PageProps<typeof load>)`. */
export type PageProps<Load = () => { data: null; title: string }, Refusal = unknown> = PageViewProps<ShopContext, DataOf<Load>, Refusal>
