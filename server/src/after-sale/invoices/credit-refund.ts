import { wordsFor } from '@purlin/words/catalogues.ts'
import { localDay } from '#pricing'
import { lockPart, quantityStates, readOrder, type CustomerOrder } from '#orders'
import { readRefund, readRefundsOf, type Refund } from '#refunds'
import { commissionOn, type Sold } from './commission-share.ts'
import { creditedShare, isMoreToInvoice, shareAgain, type CreditedShare, type Invoiced } from './credited-share.ts'
import { seriesOf, sumUp } from './invoice.ts'
import { issue, type Issuing } from './issue-invoice.ts'
import { hashOfEmail, lockSeries, readInvoiced, readInvoiceFor, readInvoicesOfOrder, type Documented, type Invoice } from './store.ts'

/**
 * Issues the credit note of a refund, which names the invoice it corrects. Undefined when nothing of it was invoiced, while the next
 * parcel may bring the rest of it, and when the marketplace bears it: then the sale stands, and the money is a compensation.
 */
export async function creditRefund(scope: Issuing, refundId: string): Promise<Invoice | undefined> {
  const { db } = scope
  const refund = await readRefund(db, refundId)
  const facts = refund && (await readFacts(db, refund))
  const first = facts?.sales[0]
  if (!refund || !first || !creditable(refund, facts)) return undefined
  const { market } = first
  const day = localDay(market, scope.now)
  return issue(scope, { issuer: first.issuer, kind: 'credit-note', day }, async () => {
    const now = await readFacts(db, refund)
    const { sales } = now
    const share = creditable(refund, now)
    if (!share) return undefined
    const { lines, charges } = share
    const invoices = documentsOf(sales)
    const { vatRows, totals } = sumUp(lines, charges, true)
    const corrected = invoices.find((invoice) => invoice.lines.some(({ id }) => lines.some((line) => line.id === id))) ?? first.document
    return {
      source: `refund:${refundId}`,
      sellerId: first.sellerId,
      customerOrderId: first.customerOrderId,
      sellerOrderId: first.sellerOrderId,
      owner: first.owner,
      emailHash: first.emailHash ?? (corrected.buyer.email === null ? null : hashOfEmail(corrected.buyer.email)),
      companyId: first.companyId,
      ...commissionOn(soldIn(now), documentedIn(now), 0 - totals.gross),
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
const sumOf = (invoices: readonly Invoice[], amount: (invoice: Invoice) => number): number =>
  invoices.reduce((all, invoice) => all + amount(invoice), 0)

/** Of these documents together: gross, and the commission on it. Minor units. */
const sumsOf = (invoices: readonly Invoice[]): Documented => ({
  gross: sumOf(invoices, ({ gross }) => gross),
  commission: sumOf(invoices, ({ commission }) => commission),
  commissionVat: sumOf(invoices, ({ commissionVat }) => commissionVat),
})
const documentedIn = ({ sales, issued }: Part): Documented => sumsOf([...sales, ...issued])

/** The part as it was sold; what was invoiced of it, where the order is not known any more. */
function soldIn({ order, sales }: Pick<Facts, 'order' | 'sales'>): Sold {
  const part = order?.sellerOrders.find(({ id }) => id === sales[0]?.sellerOrderId)
  const { gross, ...commissions } = sumsOf(sales)
  return part ?? { total: gross, ...commissions }
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
    const [part, order] = await Promise.all([readPart(db, credit), customerOrderId === null ? undefined : readOrder(db, customerOrderId)])
    const { sales, credits, issued } = part
    const about = { source, sellerId, customerOrderId, sellerOrderId, owner, emailHash, companyId }
    const rest = credits.filter(({ id }) => id !== credit.id)
    const before = { invoices: documentsOf(sales), credits: documentsOf(rest), issued: documentsOf(issued) }
    const { lines, charges } = shareAgain(document, { ...before, noReduction: wordsFor(market)('invoice.pdf.no-reduction') })
    const { vatRows, totals } = sumUp(lines, charges, true)
    return {
      ...about,
      ...commissionOn(soldIn({ order, sales }), documentedIn(part), totals.gross),
      commissionTreatment: credit.commissionTreatment,
      commissionVatBp: credit.commissionVatBp,
      document: {
        ...document,
        kind: 'sale',
        issuedOn: day,
        lines,
        charges,
        vatRows,
        totals,
        credits: { number: document.number, issuedOn: document.issuedOn },
      },
    }
  })
}

interface Facts extends Part {
  order: CustomerOrder | undefined
  /** Owed or made, oldest first. */
  refunds: readonly Refund[]
  isMoreToCome: boolean
}

async function readFacts(db: Issuing['db'], of: Pick<Refund, 'customerOrderId' | 'sellerOrderId'>): Promise<Facts> {
  const { customerOrderId, sellerOrderId } = of
  const [part, order, refunds, states, invoiced] = await Promise.all([
    readPart(db, of),
    readOrder(db, customerOrderId),
    readRefundsOf(db, customerOrderId),
    quantityStates(db, [sellerOrderId]),
    readInvoiced(db, customerOrderId, sellerOrderId),
  ])
  const own = refunds.filter((each) => each.sellerOrderId === sellerOrderId)
  return { ...part, order, refunds: own, isMoreToCome: isMoreToInvoice(states, invoiced) }
}

/** The rows of a refund's credit note; undefined if it needs none, has one, or waits. */
function creditable(refund: Refund, facts: Facts): CreditedShare | undefined {
  const { sales, credits, issued, isMoreToCome } = facts
  const [first] = sales
  if (!first || refund.bornBy === 'marketplace' || refund.state === 'not-owed') return undefined
  if (issued.some(({ source }) => source === `refund:${refund.id}`)) return undefined
  const isCancellation = refund.cause === 'cancellation'
  // Cancelled before there was an invoice: the invoice was made without it.
  if (isCancellation && (first.leftOut?.includes(refund.id) ?? refund.requestedAt <= first.issuedAt)) return undefined
  const reduction = wordsFor(first.market)('invoice.pdf.reduction')
  const before = { invoices: documentsOf(sales), credits: documentsOf(credits), issued: documentsOf(issued), reduction }
  const share = creditedShare(refund, { ...before, ...(isCancellation && { bought: boughtBefore(refund, facts) }) })
  const isEmpty = share.lines.length === 0 && share.charges.length === 0
  return isEmpty || (share.missing > 0 && isMoreToCome) ? undefined : share
}

/** The lines of a cancelled part, with the pieces that earlier cancellations have taken out. */
function boughtBefore({ sellerOrderId, number }: Refund, { order, refunds }: Facts): NonNullable<Invoiced['bought']> {
  const earlier = refunds.filter((each) => each.cause === 'cancellation' && Number(each.number) < Number(number))
  const part = order?.sellerOrders.find((each) => each.id === sellerOrderId)
  return new Map(
    part?.lines.map(({ offerId, quantity, total, discount }) => {
      const cancelled = earlier.flatMap(({ lines }) => lines).reduce((all, line) => all + (line.offerId === offerId ? line.quantity : 0), 0)
      return [offerId, { quantity, paid: total - discount, cancelled }]
    }),
  )
}

/**
 * Credits every refund of a part that can be credited: also those that have waited until the rest of it was invoiced, or until nothing
 * more can be.
 */
export async function creditRefunds(scope: Issuing, of: { customerOrderId: string; sellerOrderId: string }): Promise<void> {
  // Parcels of the part that are being invoiced, and refunds that are being credited, wait for each other: neither misses the other.
  await lockPart(scope.db, of.sellerOrderId)
  const tried = new Set<string>()
  for (;;) {
    const facts = await readFacts(scope.db, of)
    const next = facts.refunds.find((refund) => !tried.has(refund.id) && creditable(refund, facts))
    if (!next) return
    tried.add(next.id)
    await creditRefund(scope, next.id)
  }
}
