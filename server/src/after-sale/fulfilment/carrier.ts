import type { Market } from '@purlin/contract/markets.ts'
import type { Address } from '#orders'
import type { ParcelEvent } from './parcel.ts'

/** The carrier reached through the port, as parcels name it. */
export const connectedCarrier = 'Purlin Post'

export interface Consignment {
  /** Our id of the parcel: the idempotency key of its booking. */
  parcelId: string
  market: Market
  sender: { name: string; country: string }
  recipient: Pick<Address, 'firstName' | 'lastName' | 'company' | 'line1' | 'line2' | 'postcode' | 'city' | 'country'>
  service: string
  daysMin: number
  daysMax: number
}

export interface Booked {
  trackingNumber: string
  expectedBy: Date
  /** A PDF to print and stick on the parcel. */
  label: Uint8Array
}

export interface CarrierNews {
  trackingNumber: string
  expectedBy: Date | null
  events: ParcelEvent[]
}

/** A message that the carrier did not sign. */
export class ForgedNews extends Error {}

/** A parcel carrier, or an aggregator of carriers. Called by the worker alone, except for the verification of its messages. */
export interface Carrier {
  book(consignment: Consignment, options: { signal: AbortSignal }): Promise<Booked>
  track(trackingNumber: string, options: { signal: AbortSignal }): Promise<CarrierNews>
  /** @throws ForgedNews */
  verify(rawBody: string, headers: Readonly<Record<string, string | string[] | undefined>>): CarrierNews
}
