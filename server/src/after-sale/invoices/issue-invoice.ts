import { quantityStates, readOrder, type CustomerOrder, type PartQuantities, type SellerOrder } from '#orders'
import { localDay } from '#pricing'
import { enqueue, newId, type JobScope } from '#platform'
import { readOrderReference } from '#purchasing'
import { readRefundsOf } from '#refunds'
import { knownSellers } from '#sellers'
import { issuerOf, numberOf, searchText, seriesOf, sumUp, type InvoiceDocument, type InvoiceKind } from './invoice.ts'
import { addressParty, buyerDetails, platformParty, sellerParty } from './parties.ts'
import { shareOf, type Pieces } from './sold-share.ts'
import { commissionOn } from './commission-share.ts'
import {
  hashOfEmail,
  insertInvoice,
  lockSeries,
  readDocumented,
  readInvoiced,
  takeNumber,
  type Invoice,
  type NewInvoice,
  type SeriesKey,
} from './store.ts'
import { treatmentOf } from './tax-treatment.ts'

export type Issuing = Pick<JobScope, 'db' | 'now'>

export interface Sent {
  customerOrderId: string
  sellerOrderId: string
  /** The pieces of one shipment, by offer; everything that was sent when absent. */
  pieces?: Pieces
}

/**
 * Issues the invoice for what a seller has sent, in the seller's name. Only sent pieces are invoiced, and each once, whoever
 * asks in which order. Undefined when there is nothing to invoice.
 */
export async function issueInvoice(
  scope: Issuing & Pick<JobScope, 'emit'>,
  { customerOrderId, sellerOrderId, pieces }: Sent,
): Promise<Invoice | undefined> {
  const { db } = scope
  const order = await readOrder(db, customerOrderId)
  const part = order?.sellerOrders.find(({ id }) => id === sellerOrderId)
  // A replacement is neither sold nor paid again.
  if (!order || !part || order.replaces) return undefined
  const { treatment, ...parties } = await partiesOf(scope, order, part)
  // The supply counts as the marketplace's own: it, not the seller, is the supplier the invoice names.
  const byMandate = treatment !== 'deemed-supplier'
  const { market, currency, owner, companyId } = order
  const day = localDay(market, scope.now)
  const issued = await issue(scope, { issuer: issuerOf(byMandate ? part.sellerId : null), kind: 'sale', day }, async () => {
    const [before, documented, states, refunds, reference] = await Promise.all([
      readInvoiced(db, order.id, part.id),
      readDocumented(db, order.id, part.id),
      quantityStates(db, [part.id]),
      readRefundsOf(db, order.id),
      companyId === null ? undefined : readOrderReference(db, order.id),
    ])
    // All other refunds of delivery are credited: those for other causes, and cancellations requested from now on.
    const cancelled = refunds.filter(({ sellerOrderId: of, cause }) => of === part.id && cause === 'cancellation')
    const deliveryBack = cancelled.flatMap((refund) => refund.lines).reduce((all, { delivery }) => all + delivery, 0)
    const now = uninvoiced(sentPieces(states), before, pieces)
    const { lines, charges } = shareOf(part, { before, now, deliveryBack }, treatment)
    if (lines.length === 0) return undefined
    const { vatRows, totals } = sumUp(lines, charges, true)
    const dates = { issuedOn: day, suppliedOn: day }
    const ids = { orderId: order.id, sellerOrderId: part.id, ...(reference && { reference }) }
    const facts = { kind: 'sale', market, currency, treatment, byMandate, ...dates, ...parties, ...ids } as const
    return {
      source: `${part.id}:${[...before.values()].reduce((all, quantity) => all + quantity, 0)}`,
      sellerId: part.sellerId,
      customerOrderId: order.id,
      sellerOrderId: part.id,
      owner,
      emailHash: hashOfEmail(order.email),
      companyId,
      ...commissionOn(part, documented, totals.gross),
      commissionTreatment: part.commissionTreatment ?? null,
      commissionVatBp: part.commissionVatBp ?? null,
      leftOut: cancelled.map(({ id }) => id),
      document: { ...facts, lines, charges, vatRows, totals, credits: null },
    }
  })
  if (issued) {
    const { id: invoiceId, number, gross } = issued
    scope.emit('invoice.issued', { invoiceId, number, customerOrderId, sellerOrderId, market, gross, issuedOn: day })
  }
  return issued
}

/** Pieces that have left the seller, wherever they are now. */
export function sentPieces(lines: readonly Pick<PartQuantities, 'offerId' | 'quantities'>[]): Map<string, number> {
  const states = ['shipped', 'delivered', 'incident-open', 'closed'] as const
  return new Map(lines.map(({ offerId, quantities }) => [offerId, states.reduce((all, state) => all + (quantities[state] ?? 0), 0)]))
}

function uninvoiced(sent: Pieces, before: Pieces, only: Pieces | undefined): Pieces {
  const left = [...sent].map(([offerId, quantity]) => [offerId, Math.max(0, quantity - (before.get(offerId) ?? 0))] as const)
  return new Map(left.map(([offerId, quantity]) => [offerId, only ? Math.min(quantity, only.get(offerId) ?? 0) : quantity]))
}

async function partiesOf(scope: Issuing, order: CustomerOrder, part: SellerOrder) {
  const [{ buyer, confirmedVatNumber }, sellers] = await Promise.all([buyerDetails(scope.db, order), knownSellers(scope, [part.sellerId])])
  const places = { sellerCountry: part.seller.country, destination: order.address.country }
  const isDeemedSupply = typeof part.withheldVat === 'number'
  const treatment = treatmentOf({ ...places, confirmedVatNumber, isDeemedSupply })
  const seller = treatment === 'deemed-supplier' ? platformParty(order.market) : sellerParty(part.seller, sellers.get(part.sellerId))
  return { treatment, seller, buyer, deliverTo: addressParty(order.address) }
}

type Placed = 'source' | 'sellerId' | 'customerOrderId' | 'sellerOrderId' | 'owner' | 'companyId' | 'commission' | 'commissionVat'
type OfSomeOrders = 'emailHash' | 'commissionTreatment' | 'commissionVatBp' | 'leftOut'
export type Draft = Pick<NewInvoice, Placed> & Partial<Pick<NewInvoice, OfSomeOrders>> & { document: Omit<InvoiceDocument, 'number'> }

/**
 * Numbers and stores an invoice. The number is taken in the transaction that inserts the invoice, under a lock of its
 * series, in which the draft is made, too: no rollback, crash or race leaves a gap or invoices anything twice. The files are
 * made by a job.
 */
export async function issue(
  { db, now }: Issuing,
  { issuer, kind, day }: { issuer: string; kind: InvoiceKind; day: string },
  makeDraft: () => Promise<Draft | undefined>,
): Promise<Invoice | undefined> {
  const key: SeriesKey = { issuer, series: seriesOf(kind), year: Number(day.slice(0, 4)) }
  await lockSeries(db, key)
  const draft = await makeDraft()
  if (!draft) return undefined
  const serial = await takeNumber(db, key)
  const number = numberOf(issuer, key.series, key.year, serial)
  const document: InvoiceDocument = { ...draft.document, number }
  const sign = key.series === 'R' ? -1 : 1
  const { market, currency, totals } = document
  const amounts = { net: sign * totals.net, vat: sign * totals.vat, gross: sign * totals.gross }
  const { emailHash = null, commissionTreatment = null, commissionVatBp = null, leftOut = null } = draft
  const booked = { emailHash, commissionTreatment, commissionVatBp, leftOut }
  const invoice = { ...draft, ...booked, id: newId(), kind, issuer, number, market, currency, issuedAt: now, ...amounts, document }
  await insertInvoice(db, { ...invoice, ...key, serial, search: searchText(document) })
  await enqueue(db, { name: 'invoices.archive', key: invoice.id, payload: { invoiceId: invoice.id } })
  return { ...invoice, isSealed: false, files: {} }
}
