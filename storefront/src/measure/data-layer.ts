import type { ConsentPurpose } from '@purlin/contract/consent.ts'
import { browserConsent } from '../consent/browser-consent.ts'
import type { PageData } from './page-data.ts'

/** Everything the shop tells the data layer, and what listens to it. */
export type DataLayerEvent =
  | ({ event: 'page_view'; isAuthenticated: boolean; cluster?: string } & PageData)
  | { event: 'client_page_change'; code: number; method: string; to: string; from: string }
  | { event: 'add_to_cart'; quantity: number }

/** Takes events to where they are stored or used, under one purpose. */
export interface Adapter {
  purpose: ConsentPurpose
  take(event: DataLayerEvent): void
}

const adapters: Adapter[] = []

export function addAdapter(adapter: Adapter): void {
  adapters.push(adapter)
}

/** Measuring must never be noticed: an adapter that fails is silent. */
export function say(event: DataLayerEvent): void {
  ;(window.dataLayer ??= []).push(event)
  const { allows } = browserConsent()
  for (const adapter of adapters) {
    if (!allows(adapter.purpose)) continue
    try {
      adapter.take(event)
    } catch {}
  }
}
