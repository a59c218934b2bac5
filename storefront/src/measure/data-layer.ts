import { eventNames } from '@purlin/contract/event-names.ts'
import type { ConsentPurpose } from '@purlin/contract/consent.ts'
import { browserConsent } from '../consent/browser-consent.ts'
import type { RefererInfo } from '../referer/referer.ts'
import type { PageData } from './page-data.ts'

/** Everything the shop tells the data layer, and what listens to it. */
export type DataLayerEvent =
  | ({ event: 'page_view'; isAuthenticated: boolean; cluster?: string } & PageData & Partial<RefererInfo>)
  | { event: 'client_page_change'; code: number; method: string; to: string; from: string }
  | ({ event: 'add_to_cart' } & AddedToCart)
  | { event: 'login'; method: string | null }
  | ({ event: 'recommendation_view' } & RecommendedRow)
  | ({ event: 'recommendation_click'; productId: number; position: number } & RecommendedRow)

/** Payload of the event `shop:added`: the product and its quantity. */
export interface AddedToCart {
  productId?: number
  quantity: number
}

/** A row of recommendations: where it stands and why. */
export interface RecommendedRow {
  placement: string
  source: string
}

/** Takes events to where they are stored or used, under one purpose. */
export interface Adapter {
  purpose: ConsentPurpose
  take(event: DataLayerEvent): void
}

export function say(event: DataLayerEvent): void {
  ;(window.dataLayer ??= []).push(event)
}

/**
 * Delivers what is said from now on, and before that from the entry `from` on: scripts that every page needs say things before
 * anything is measured.
 */
export function followDataLayer(adapters: readonly Adapter[], from: number): void {
  /** Measuring must never be noticed: an adapter that fails is silent. */
  const deliver = (said: object) => {
    if (!isEvent(said)) return
    for (const { purpose, take } of adapters)
      try {
        if (browserConsent().allows(purpose)) take(said)
      } catch {}
  }
  const layer = (window.dataLayer ??= [])
  const push = layer.push
  layer.push = (...said) => {
    const length = push.apply(layer, said)
    said.forEach(deliver)
    return length
  }
  layer.slice(from).forEach(deliver)
}

/** Tags may use the data layer, too, and the collector refuses a batch with an event of theirs. */
const isEvent = (said: object): said is DataLayerEvent => 'event' in said && (eventNames as readonly unknown[]).includes(said.event)
