import type { IncomingMessage } from 'node:http'
import type { GatewayExecute, GatewayTakeUpload } from '@purlin/contract/gateway.ts'
import type { Principal } from '@purlin/contract/principal.ts'
import type { SiteHosts, SiteSettings } from '@purlin/contract/site-settings.ts'
import type { PageLog } from '@purlin/web/pages-options.ts'

export interface StorefrontOptions {
  gateway: {
    execute: GatewayExecute
    /** Takes files of forms; without it forms have none. */
    takeUpload?: GatewayTakeUpload
    /** Where a request comes from, behind the proxies that are trusted. */
    remoteAddress?(req: IncomingMessage): string
  }
  hosts: SiteHosts
  /** Who acts in the session of a cookie. */
  sessions: { load(cookieHeader: string, site: SiteSettings): Promise<Principal> }
  log: PageLog
  settings?: StorefrontSettings
  /** Folder of the build, with `client` and `server`. */
  dist?: string
  /** Memory for finished pages. */
  cacheBytes?: number
  /** For metrics: every page not taken from the cache. */
  observe?(answer: { route: string; status: number; seconds: number }): void
}

export interface StorefrontSettings {
  /** Origin of the payment provider's page and card fields, for the content policy. */
  paymentOrigin?: string
  /** Origin of the identity provider, where signing out leads. */
  identityOrigin?: string
  /** REQUEST_TIMEOUT: how long the browser's scripts wait for an answer, in milliseconds. */
  requestTimeoutMs?: number
  /** Origins pictures may come from, besides our own. */
  pictureOrigins?: string[]
}

/** A host's site, as the page layer knows it. */
export interface StorefrontSite {
  key: string
  origin: string
  variant: string
  settings: SiteSettings
}
