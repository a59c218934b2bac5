import type { Market } from '@purlin/contract/markets.ts'
import type { ParcelEvent } from './parcel.ts'

/** The carrier reached through the port, as parcels name it. */
export const connectedCarrier = 'Purlin Post'

export interface Place {
  name: string
  company: string | null
  line1: string
  line2: string | null
  postcode: string
  city: string
  country: string
}

export interface Consignment {
  /** Our id of the parcel: the idempotency key of its booking. */
  parcelId: string
  market: Market
  sender: Place
  recipient: Place
  /** The carrier's id of the point that holds the parcel; its address is then the recipient's. */
  pickUpPointId: string | null
  /** When it is to be brought; null to the door at any time, 'later' for a delivery by appointment whose time is to be agreed. */
  appointment: { from: Date; to: Date } | 'later' | null
  daysMin: number
  daysMax: number
  /** With the packaging. */
  grams: number
}

export interface CarrierNews {
  trackingNumber: string
  expectedBy: Date | null
  /** How long the pick-up point holds the parcel; null if it is at none, or the carrier does not say. */
  heldUntil: Date | null
  events: ParcelEvent[]
}

export interface Booked extends CarrierNews {
  /** A PDF to print and stick on the parcel. */
  label: Uint8Array
}

/** Goods that the carrier fetches at somebody's door, at an agreed time. Another time or address is another collection. */
export interface Collection {
  /** Our id: the idempotency key of its booking. */
  reference: string
  address: Place
  phone: string
  from: Date
  to: Date
  instructions: string | null
}
export type CollectionState = 'scheduled' | 'cancelled' | 'collected' | 'missed'
export interface CollectionNews {
  reference: string
  state: CollectionState
}

/** A parcel or a collection, by our reference. */
export interface Forgotten {
  kind: 'parcel' | 'collection'
  reference: string
}

/** A message with the carrier's own id: one that arrives twice counts once. */
export interface CarrierMessage {
  id: string
  /** About a parcel; null for a message about something else. */
  news: CarrierNews | null
  collection: CollectionNews | null
}

/** A message that the carrier did not sign, or signed long ago or for another address. */
export class ForgedNews extends Error {}

/** A parcel carrier, or an aggregator of carriers. Called by the worker alone, except for the verification of its messages. */
export interface Carrier {
  book(consignment: Consignment, options: { signal: AbortSignal }): Promise<Booked>
  /** Null when the carrier does not know the parcel. */
  track(trackingNumber: string, options: { signal: AbortSignal }): Promise<CarrierNews | null>
  /** The buyer has chosen when a booked parcel is to be brought. */
  schedule(trackingNumber: string, appointment: { from: Date; to: Date }, options: { signal: AbortSignal }): Promise<void>
  bookCollection(collection: Collection, options: { signal: AbortSignal }): Promise<void>
  /** Also for one that was never booked. */
  cancelCollection(reference: string, options: { signal: AbortSignal }): Promise<void>
  /** Removes names, addresses and places; number, weight and events stay. One that the carrier does not know has none. */
  forget(forgotten: Forgotten, options: { signal: AbortSignal }): Promise<void>
  /** @throws ForgedNews */
  verify(rawBody: string, headers: Readonly<Record<string, string | string[] | undefined>>, now: Date): CarrierMessage
}
