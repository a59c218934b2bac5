import { createHash } from 'node:crypto'
import { isClickId } from '@purlin/contract/ad-click.ts'
import type { ConsentPurpose } from '@purlin/contract/consent.ts'
import type { Market, Mode } from '@purlin/contract/markets.ts'
import type { Device } from './event.ts'

/** An event as it is read for another service. */
export interface ForwardedEvent {
  id: string
  name: string
  market: Market
  mode: Mode
  visitorId: string
  visitId: string | null
  pageName: string
  pageType: string
  device: Device
  purposes: readonly ConsentPurpose[]
  data: Readonly<Record<string, unknown>>
  at: Date
  /** Of a receipt whose order has been paid; null for every other event. */
  purchase: { transaction: string; amount: number; currency: string } | null
}

/** Facts that leave the shop. Browsers can write anything into an event, so nothing else does. */
const numbers = ['productId', 'categoryId', 'quantity', 'results', 'page', 'statusCode'] as const

export function factsOf({ data }: Pick<ForwardedEvent, 'data'>): Partial<Record<(typeof numbers)[number], number>> {
  const facts: Partial<Record<(typeof numbers)[number], number>> = {}
  for (const name of numbers) {
    const value = Number(data[name] ?? data[`view_${name}`] ?? data[`page_${name}`])
    if (Number.isSafeInteger(value) && value >= 0) facts[name] = value
  }
  return facts
}

/** The ad click that led to a conversion, as its network named it; only as long as the visitor agrees to personalised advertising. */
export function clickOfEvent({ data, purposes }: Pick<ForwardedEvent, 'data' | 'purposes'>): string | null {
  const { clickId } = data
  return purposes.includes('personalisedAdvertising') && isClickId(clickId) ? clickId : null
}

/** A visitor or visit under a name of its own for each service, so that two services cannot compare what they received. */
export function hashFor(service: string, id: string): string {
  return createHash('sha256').update(`${service}:${id}`).digest('hex')
}
