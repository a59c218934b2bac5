import type { SiteSettings } from '@purlin/contract/site-settings.ts'
import type { Principal } from '@purlin/contract/principal.ts'
import type { UploadAnswer } from '@purlin/contract/gateway.ts'
import type { ApiDocument, VariablesOf } from '@purlin/contract/document.ts'
import type { PageWords } from '@purlin/web/words.ts'
import type { catalogues, Messages, RichMessages } from '@purlin/words/catalogues.ts'
import type { DataOf, LoadAnswer, PageModule, PageViewProps, RequestContext } from '@purlin/web/page.ts'
import type { ErrorData } from '@purlin/web/pages-options.ts'
import type { Formats } from './formats.ts'

/** Facts of the site: the same for everybody who sees the page. */
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

/** Calls of a page to the gateway, in the name of whoever asked for the page. */
export interface GatewayClient {
  /** Data of a query; throws with status 504 or 500 when it failed and 404 when there is none. */
  query<Data, Variables extends object>(document: ApiDocument<Data, Variables>, ...variables: VariablesOf<Variables>): Promise<Data>
  /** Takes a file that a form sends. It is whoever's who asks, and used by its id. */
  upload(name: string, source: AsyncIterable<Uint8Array>): Promise<UploadAnswer>
  /** Data of a mutation, or null when it gave none. Cookies it sets go out with the page's answer. */
  mutate<Data, Variables extends object>(document: ApiDocument<Data, Variables>, ...variables: VariablesOf<Variables>): Promise<Data | null>
}

/** What every page of the shop gets. */
export interface ShopContext extends RequestContext, SiteFacts {
  /** The same page in each market, for the switcher and hreflang. */
  alternates(pathname?: string): { market: SiteSettings['market']; locale: string; url: string }[]
  /** The site of the other mode; null where there is none. */
  otherModeUrl(pathname?: string): string | null
  t: PageWords<Messages, RichMessages>
  /** For islands and scripts, which are handed the few messages they need. */
  catalogue: (typeof catalogues)['en']
  formats: Formats
  client: GatewayClient
  /** Who acts. Asked for once per request; on a page made for everybody always a stranger. */
  principal(): Promise<Principal>
  /** Cookies of the request; none but the display choice on a page made for everybody. */
  cookies: Readonly<Record<string, string>>
  setCookie(line: string): void
  /** Origins outside that the settings name. */
  settings: { paymentOrigin: string | null }
  /** Set for the error page alone. */
  errorData?: ErrorData
}

export type ShopPage = PageModule<ShopContext>
export type ShopAnswer<Data> = LoadAnswer<Data>

/** Props of a page from its `load`: `function Page({ data, context }: PageProps<typeof load>)`. */
export type PageProps<Load = () => { data: null; title: string }, Refusal = unknown> = PageViewProps<ShopContext, DataOf<Load>, Refusal>
