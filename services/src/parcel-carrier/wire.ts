import type { Detail } from './plan.ts'
import type { Shipment } from './store.ts'

/** What has happened until now. */
export function happened({ plan }: Pick<Shipment, 'plan'>, now: number): Detail[] {
  return plan.filter(({ datetime }) => Date.parse(datetime) <= now)
}

export function trackerWire(shipment: Shipment, now: number) {
  const tracking_details = happened(shipment, now)
  const last = tracking_details.at(-1)
  return {
    id: `trk_${shipment.id.slice(4)}`,
    object: 'Tracker',
    tracking_code: shipment.code,
    carrier: 'PurlinPost',
    status: last?.status ?? 'unknown',
    status_detail: last?.status_detail ?? 'unknown',
    est_delivery_date: shipment.estimate,
    hold_until: holdUntilOf(shipment, tracking_details),
    shipment_id: shipment.id,
    tracking_details,
  }
}

/** Until when the point holds a parcel that has arrived there: the embedded carrier says so, unlike an aggregator. */
function holdUntilOf({ heldMs }: Shipment, details: readonly Detail[]): string | null {
  const ready = details.findLast(({ status }) => status === 'available_for_pickup')
  return ready && heldMs ? new Date(Date.parse(ready.datetime) + heldMs).toISOString() : null
}

/** Euros, by weight: to two, five, ten and thirty kilograms, then for freight. */
function rateOf(grams: number): string {
  return grams <= 2_000 ? '4.90' : grams <= 5_000 ? '5.90' : grams <= 10_000 ? '8.90' : grams <= 30_000 ? '14.90' : '49.00'
}

export function shipmentWire(shipment: Shipment, origin: string, now: number) {
  const { id, reference, code, service, daysMax } = shipment
  return {
    id,
    object: 'Shipment',
    reference,
    tracking_code: code,
    rates: [
      {
        id: `rate_${id.slice(4)}`,
        carrier: 'PurlinPost',
        service,
        rate: rateOf(shipment.grams ?? 0),
        currency: 'EUR',
        delivery_days: Math.ceil(daysMax),
      },
    ],
    postage_label: code === null ? null : { label_file_type: 'application/pdf', label_pdf_url: `${origin}/labels/${id}.pdf` },
    tracker: code === null ? null : trackerWire(shipment, now),
  }
}
