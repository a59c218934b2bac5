import { wordsFor } from '@purlin/words/catalogues.ts'
import { localDay } from '#pricing'
import { readOrder } from '#orders'
import { readRefund, readRefundsOf, type Refund } from '#refunds'
import { creditedShare, type Invoiced } from './credited-share.ts'
import { sumUp } from './invoice.ts'
import { issue, type Issuing } from './issue-invoice.ts'
import { hashOfEmail, readInvoiceFor, readInvoicesOfOrder, type Invoice } from './store.ts'

/**
 * Issues the credit note of a refund, which names the invoice it corrects. Undefined when nothing of it was invoiced, and
 * when the marketplace bears it: then the sale stands, and the money is a compensation.
 */
export async function creditRefund(scope: Issuing, refundId: string): Promise<Invoice | undefined> {
  const { db } = scope
  const refund = await readRefund(db, refundId)
  if (!refund || refund.bornBy === 'marketplace' || refund.state === 'not-owed') return undefined
  const read = async () =>
    inForce(await readInvoicesOfOrder(db, refund.customerOrderId)).filter(({ sellerOrderId }) => sellerOrderId === refund.sellerOrderId)
  const first = (await read()).find(({ kind }) => kind === 'sale')
  if (!first) return undefined
  // Cancelled before there was an invoice: the invoice was made without it.
  if (refund.cause === 'cancellation' && refund.requestedAt <= first.issuedAt) return undefined
  const { market } = first
  const day = localDay(market, scope.now)
  return issue(scope, { issuer: first.issuer, kind: 'credit-note', day }, async () => {
    const source = `refund:${refundId}`
    if (await readInvoiceFor(db, source)) return undefined
    const own = await read()
    const sales = own.filter(({ kind }) => kind === 'sale')
    const invoices = sales.map(({ document }) => document)
    const credits = own.filter(({ kind }) => kind === 'credit-note').map(({ document }) => document)
    const reduction = wordsFor(market)('invoice.pdf.reduction')
    const bought = refund.cause === 'cancellation' ? await boughtBefore(db, refund) : undefined
    const { lines, charges } = creditedShare(refund, { invoices, credits, reduction, ...(bought && { bought }) })
    if (lines.length === 0 && charges.length === 0) return undefined
    const { vatRows, totals } = sumUp(lines, charges, true)
    const corrected = invoices.find((invoice) => invoice.lines.some(({ id }) => lines.some((line) => line.id === id))) ?? first.document
    const whole = sales.reduce((all, { gross }) => all + gross, 0)
    const before = credits.reduce((all, credit) => all + credit.totals.gross, 0)
    // Differences of cumulative shares: credit notes for everything take back the whole commission to the cent.
    const upTo = (amount: number, gross: number): number => Math.floor((amount * gross) / whole)
    const share = (amount: number): number => upTo(amount, before) - upTo(amount, before + totals.gross)
    return {
      source,
      sellerId: first.sellerId,
      customerOrderId: first.customerOrderId,
      sellerOrderId: first.sellerOrderId,
      owner: first.owner,
      emailHash: first.emailHash ?? (corrected.buyer.email === null ? null : hashOfEmail(corrected.buyer.email)),
      companyId: first.companyId,
      commission: share(sales.reduce((all, { commission }) => all + commission, 0)),
      commissionVat: share(sales.reduce((all, { commissionVat }) => all + commissionVat, 0)),
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

/** Without credit notes of refunds that were not owed, and the invoices that take them back. */
function inForce(invoices: readonly Invoice[]): Invoice[] {
  const takenBack = invoices.flatMap(({ source }) =>
    source.startsWith(droppedSource) ? [`refund:${source.slice(droppedSource.length)}`] : [],
  )
  return invoices.filter(({ source }) => !source.startsWith(droppedSource) && !takenBack.includes(source))
}

/** A refund was not owed: what its credit note took back is invoiced again, with the commission on it. */
export async function invoiceDropped(scope: Issuing, refundId: string): Promise<Invoice | undefined> {
  const credit = await readInvoiceFor(scope.db, `refund:${refundId}`)
  if (!credit) return undefined
  const { issuer, market, sellerId, customerOrderId, sellerOrderId, owner, emailHash, companyId, document } = credit
  const day = localDay(market, scope.now)
  return issue(scope, { issuer, kind: 'sale', day }, async () => {
    const source = `${droppedSource}${refundId}`
    if (await readInvoiceFor(scope.db, source)) return undefined
    const about = { source, sellerId, customerOrderId, sellerOrderId, owner, emailHash, companyId }
    const { commissionTreatment, commissionVatBp } = credit
    const commission = { commission: -credit.commission, commissionVat: -credit.commissionVat, commissionTreatment, commissionVatBp }
    return { ...about, ...commission, document: { ...document, kind: 'sale', issuedOn: day } }
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

/**
 * Credits price reductions given before there was an invoice, which states the price as sold. Cancelled pieces are never
 * invoiced, so their refunds need no credit note.
 */
export async function creditReductions(
  scope: Issuing,
  { customerOrderId, sellerOrderId }: { customerOrderId: string; sellerOrderId: string },
): Promise<void> {
  for (const { id, cause, amount, sellerOrderId: of } of await readRefundsOf(scope.db, customerOrderId)) {
    if (of !== sellerOrderId || cause === 'cancellation') continue
    const invoices = (await readInvoicesOfOrder(scope.db, customerOrderId)).filter((each) => each.sellerOrderId === sellerOrderId)
    const open = invoices.reduce((all, { gross }) => all + gross, 0)
    // One that exceeds what has been invoiced so far waits for the next parcel: a refund has one credit note.
    if (amount <= open) await creditRefund(scope, id)
  }
}
