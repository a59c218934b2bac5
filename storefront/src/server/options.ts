import type { IncomingMessage, ServerResponse } from 'node:http'
import type { GatewayExecute, GatewayTakeUpload } from '@purlin/contract/gateway.ts'
import type { Principal } from '@purlin/contract/principal.ts'
import type { SiteHosts, SiteSettings } from '@purlin/contract/site-settings.ts'
import type { BusyAnswer } from '@purlin/web/last-resort.ts'
import type { PageLog } from '@purlin/web/pages-options.ts'

export interface StorefrontOptions {
  gateway: {
    execute: GatewayExecute
    /** Stores uploaded files of forms; without it forms have none. */
    takeUpload?: GatewayTakeUpload
    /** The client's network address, behind trusted proxies. */
    remoteAddress?(req: IncomingMessage): string
    /** The network of that address: an IPv6 line has a whole /64. */
    networkOf?(req: IncomingMessage): string
    /** A turn for a request of this kind; null when the shop is too busy for it. */
    enter?(kind: 'checkout' | 'cart' | 'product' | 'listing', response: ServerResponse): Promise<(() => void) | null>
    /** The response to a page that gets no turn. */
    busyAnswer?: BusyAnswer
    /** Counts a page or a search of this address; returns the seconds to wait if it has used up its quota. */
    admit?(kind: 'page' | 'search', remoteAddress: string): Promise<number | null>
  }
  hosts: SiteHosts
  /** The principal of a session cookie. */
  sessions: { load(cookieHeader: string, site: SiteSettings): Promise<Principal> }
  /** Variations of the experiments running on a site, by name, for a visitor's headers. */
  variations?(site: SiteSettings, visit: { headers: IncomingMessage['headers'] }): Record<string, string>
  log: PageLog
  settings?: StorefrontSettings
  /** Folder of the build, with `client` and `server`. */
  dist?: string
  /** Memory limit of the page cache. */
  cacheBytes?: number
  /** For metrics and traces: the row of the route table that answers. */
  nameRoute?(response: ServerResponse, route: string): void
}

export interface StorefrontSettings {
  /** Origin of the payment provider's page and card fields, for the content security policy. */
  paymentOrigin?: string
  /** Origin of the identity provider, to which signing out redirects. */
  identityOrigin?: string
  /** REQUEST_TIMEOUT: how long browser scripts wait for a response, in milliseconds. */
  requestTimeoutMs?: number
  /** Allowed origins of pictures, besides our own. */
  pictureOrigins?: string[]
}

/** A host's site, in the page layer's terms. */
export interface StorefrontSite {
  key: string
  tag: string
  origin: string
  variant: string
  settings: SiteSettings
}
