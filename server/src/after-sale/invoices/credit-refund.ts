import { wordsFor } from '@purlin/words/catalogues.ts'
import { localDay } from '#pricing'
import { lockPart, quantityStates, readOrder } from '#orders'
import { readRefund, readRefundsOf, type Refund } from '#refunds'
import { creditedShare, shareAgain, type Invoiced } from './credited-share.ts'
import { seriesOf, sumUp } from './invoice.ts'
import { issue, sentPieces, type Issuing } from './issue-invoice.ts'
import { hashOfEmail, lockSeries, readInvoiced, readInvoiceFor, readInvoicesOfOrder, type Invoice } from './store.ts'

/**
 * Issues the credit note of a refund, which names the invoice it corrects. Undefined when nothing of it was invoiced, and
 * when the marketplace bears it: then the sale stands, and the money is a compensation.
 */
export async function creditRefund(scope: Issuing, refundId: string): Promise<Invoice | undefined> {
  const { db } = scope
  const refund = await readRefund(db, refundId)
  if (!refund || refund.bornBy === 'marketplace' || refund.state === 'not-owed') return undefined
  const first = (await readPart(db, refund)).sales[0]
  if (!first) return undefined
  // Cancelled before there was an invoice: the invoice was made without it.
  if (refund.cause === 'cancellation' && refund.requestedAt <= first.issuedAt) return undefined
  const { market } = first
  const day = localDay(market, scope.now)
  return issue(scope, { issuer: first.issuer, kind: 'credit-note', day }, async () => {
    const source = `refund:${refundId}`
    if (await readInvoiceFor(db, source)) return undefined
    const { sales, credits, issued } = await readPart(db, refund)
    const invoices = documentsOf(sales)
    const reduction = wordsFor(market)('invoice.pdf.reduction')
    const bought = refund.cause === 'cancellation' ? await boughtBefore(db, refund) : undefined
    const before = { invoices, credits: documentsOf(credits), issued: documentsOf(issued), reduction, ...(bought && { bought }) }
    const { lines, charges } = creditedShare(refund, before)
    if (lines.length === 0 && charges.length === 0) return undefined
    const { vatRows, totals } = sumUp(lines, charges, true)
    const corrected = invoices.find((invoice) => invoice.lines.some(({ id }) => lines.some((line) => line.id === id))) ?? first.document
    return {
      source,
      sellerId: first.sellerId,
      customerOrderId: first.customerOrderId,
      sellerOrderId: first.sellerOrderId,
      owner: first.owner,
      emailHash: first.emailHash ?? (corrected.buyer.email === null ? null : hashOfEmail(corrected.buyer.email)),
      companyId: first.companyId,
      ...commissionOn({ sales, issued }, totals.gross - sumOf(credits, grossOf)),
      commissionTreatment: first.commissionTreatment,
      commissionVatBp: first.commissionVatBp,
      document: {
        ...corrected,
        kind: 'credit-note',
        buyer: { ...corrected.buyer, email: null },
        issuedOn: day,
        suppliedOn: corrected.suppliedOn,
        lines,
        charges,
        vatRows,
        totals,
        credits: { number: corrected.number, issuedOn: corrected.issuedOn },
      },
    }
  })
}

const droppedSource = 'refund-dropped:'

/** The documents of a seller's part, oldest first. */
interface Part {
  sales: Invoice[]
  /** Credit notes in force: without those of refunds that were not owed. */
  credits: Invoice[]
  /** Every credit note, and the invoices that take some of them back. */
  issued: Invoice[]
}

async function readPart(db: Issuing['db'], of: Pick<Invoice, 'customerOrderId' | 'sellerOrderId'>): Promise<Part> {
  const every = of.customerOrderId === null ? [] : await readInvoicesOfOrder(db, of.customerOrderId)
  const all = every.filter(({ sellerOrderId }) => sellerOrderId === of.sellerOrderId)
  const again = all.filter(({ source }) => source.startsWith(droppedSource))
  const takenBack = new Set(again.map(({ source }) => `refund:${source.slice(droppedSource.length)}`))
  const notes = all.filter(({ kind }) => kind === 'credit-note')
  return {
    sales: all.filter((each) => each.kind === 'sale' && !again.includes(each)),
    credits: notes.filter(({ source }) => !takenBack.has(source)),
    issued: [...notes, ...again],
  }
}

const documentsOf = (invoices: readonly Invoice[]) => invoices.map(({ document }) => document)
const grossOf = ({ gross }: Pick<Invoice, 'gross'>): number => gross
const sumOf = (invoices: readonly Invoice[], amount: (invoice: Invoice) => number): number =>
  invoices.reduce((all, invoice) => all + amount(invoice), 0)

/**
 * The commission of a document after which `credited` of what was sold is credited, in minor units: the difference to all that was
 * credited before. So credit notes for everything take back the whole commission to the cent.
 */
function commissionOn({ sales, issued }: Pick<Part, 'sales' | 'issued'>, credited: number): Pick<Invoice, 'commission' | 'commissionVat'> {
  const share = (amount: (invoice: Invoice) => number): number =>
    0 - Math.floor((sumOf(sales, amount) * credited) / sumOf(sales, grossOf)) - sumOf(issued, amount)
  return { commission: share(({ commission }) => commission), commissionVat: share(({ commissionVat }) => commissionVat) }
}

/**
 * A refund was not owed: what its credit note took back is invoiced again, with the commission on it, by an invoice that names that
 * credit note. VAT and commission are the last share of all that is credited, as the ledger books it.
 */
export async function invoiceDropped(scope: Issuing, refundId: string): Promise<Invoice | undefined> {
  const { db } = scope
  const credit = await readInvoiceFor(db, `refund:${refundId}`)
  if (!credit) return undefined
  const { issuer, market, sellerId, customerOrderId, sellerOrderId, owner, emailHash, companyId, document } = credit
  const day = localDay(market, scope.now)
  return issue(scope, { issuer, kind: 'sale', day }, async () => {
    const source = `${droppedSource}${refundId}`
    if (await readInvoiceFor(db, source)) return undefined
    // No other refund of the part is credited meanwhile.
    await lockSeries(db, { issuer, series: seriesOf('credit-note'), year: Number(day.slice(0, 4)) })
    const { sales, credits, issued } = await readPart(db, credit)
    const about = { source, sellerId, customerOrderId, sellerOrderId, owner, emailHash, companyId }
    const rest = credits.filter(({ id }) => id !== credit.id)
    const before = { invoices: documentsOf(sales), credits: documentsOf(rest), issued: documentsOf(issued) }
    const { lines, charges } = shareAgain(document, { ...before, noReduction: wordsFor(market)('invoice.pdf.no-reduction') })
    return {
      ...about,
      ...commissionOn({ sales, issued }, 0 - sumOf(rest, grossOf)),
      commissionTreatment: credit.commissionTreatment,
      commissionVatBp: credit.commissionVatBp,
      document: {
        ...document,
        kind: 'sale',
        issuedOn: day,
        lines,
        charges,
        ...sumUp(lines, charges, true),
        credits: { number: document.number, issuedOn: document.issuedOn },
      },
    }
  })
}

/** The lines of a cancelled part, with the pieces that earlier cancellations have taken out. */
async function boughtBefore(db: Issuing['db'], { id, customerOrderId, sellerOrderId, number }: Refund): Promise<Invoiced['bought']> {
  const [order, refunds] = await Promise.all([readOrder(db, customerOrderId), readRefundsOf(db, customerOrderId)])
  const earlier = refunds.filter(
    (each) =>
      each.cause === 'cancellation' && each.sellerOrderId === sellerOrderId && each.id !== id && Number(each.number) < Number(number),
  )
  const part = order?.sellerOrders.find((each) => each.id === sellerOrderId)
  return new Map(
    part?.lines.map(({ offerId, quantity, total, discount }) => {
      const cancelled = earlier.flatMap(({ lines }) => lines).reduce((all, line) => all + (line.offerId === offerId ? line.quantity : 0), 0)
      return [offerId, { quantity, paid: total - discount, cancelled }]
    }),
  )
}

/** States in which pieces can still be sent, and so invoiced. */
const unsent = ['pending', 'accepted', 'preparing'] as const

/**
 * Credits the refunds of a part that have no credit note yet, where invoices state the price as sold. A refund has one credit note: one that
 * exceeds what has been invoiced so far waits for the next parcel, until there will be none. Cancelled pieces are never invoiced; what was
 * invoiced before a cancellation is credited by itself.
 */
export async function creditReductions(
  scope: Issuing,
  { customerOrderId, sellerOrderId }: { customerOrderId: string; sellerOrderId: string },
): Promise<void> {
  // Parcels of the part that are being invoiced, and refunds that are being credited, wait for each other: neither misses the other.
  await lockPart(scope.db, sellerOrderId)
  const refunds = (await readRefundsOf(scope.db, customerOrderId)).filter(
    (each) => each.sellerOrderId === sellerOrderId && each.cause !== 'cancellation',
  )
  if (refunds.length === 0) return
  const lines = await quantityStates(scope.db, [sellerOrderId])
  const invoiced = await readInvoiced(scope.db, customerOrderId, sellerOrderId)
  // What has been sent may not be invoiced yet, as that is an event of its own.
  const isOver =
    !lines.some(({ quantities }) => unsent.some((state) => (quantities[state] ?? 0) > 0)) &&
    [...sentPieces(lines)].every(([offerId, pieces]) => pieces <= (invoiced.get(offerId) ?? 0))
  for (const { id, amount } of refunds) {
    const invoices = (await readInvoicesOfOrder(scope.db, customerOrderId)).filter((each) => each.sellerOrderId === sellerOrderId)
    if (invoices.some(({ source }) => source === `refund:${id}`)) continue
    if (isOver || amount <= sumOf(invoices, grossOf)) await creditRefund(scope, id)
  }
}
