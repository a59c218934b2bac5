import { settings } from '#platform'
import { aggregatorCarrier } from './aggregator-carrier.ts'
import type { Carrier } from './carrier.ts'

let carrier: Carrier | null | undefined

/** The carrier of the settings; null for a shop without one, whose sellers ship with carriers of their own. */
export function carrierOfShop(): Carrier | null {
  if (carrier === undefined) {
    const { carrier: own } = settings()
    carrier = own.kind === 'none' ? null : aggregatorCarrier(own)
  }
  return carrier
}

/** Replaces the carrier of this process; without an argument restores the configured one. For tests. */
export function useCarrier(other?: Carrier | null): void {
  carrier = other
}
