import { creditedShare, isMoreToInvoice } from '@purlin/server/after-sale/invoices/credited-share.ts'
import { sumUp, type Charge, type InvoiceDocument, type InvoiceLine } from '@purlin/server/after-sale/invoices/invoice.ts'
import { shareOf, type Pieces } from '@purlin/server/after-sale/invoices/sold-share.ts'
import type { SellerOrder } from '@purlin/server/selling/orders/index.ts'
import type { LineQuantities } from '@purlin/server/selling/orders/line-moves.ts'
import type { RefundedLine, RefundLine } from '@purlin/server/selling/refunds/refund-rule.ts'

/** A refund as given, and whether a credit note states it. */
export interface Given {
  cause: 'cancellation' | 'return' | 'goodwill' | 'dispute' | 'lost'
  bornBy: 'seller' | 'marketplace'
  amount: number
  recovered: number
  lines: RefundLine[]
  isCredited: boolean
  requestedAt: Date
}

type Paper = Pick<InvoiceDocument, 'kind' | 'lines' | 'charges' | 'totals'>

const grossOf = (papers: readonly Paper[]): number => papers.reduce((all, { totals }) => all + totals.gross, 0)
const paperOf = (kind: Paper['kind'], share: { lines: InvoiceLine[]; charges: Charge[] }): Paper => ({
  kind,
  ...share,
  totals: sumUp(share.lines, share.charges, true).totals,
})

/** Invoices and credit notes of a seller's part, made by the rules of the shop. */
export class Papers {
  readonly #part: SellerOrder
  #invoices: Paper[] = []
  #credits: Paper[] = []

  constructor(part: SellerOrder) {
    this.#part = part
  }

  get invoiced(): number {
    return grossOf(this.#invoices)
  }

  get credited(): number {
    return grossOf(this.#credits)
  }

  /** Invoiced and not credited. */
  get open(): number {
    return this.invoiced - this.credited
  }

  /** Pieces invoiced, by offer. */
  #pieces(): Map<string, number> {
    const rows = this.#invoices.flatMap(({ lines }) => lines)
    return new Map(
      this.#part.lines.map(({ offerId }) => [offerId, rows.reduce((all, line) => all + (line.id === offerId ? line.quantity : 0), 0)]),
    )
  }

  /** Invoices the pieces that were sent and have no invoice yet. */
  invoice(sent: Pieces, refunded: readonly RefundedLine[]): void {
    const before = this.#pieces()
    const now = new Map([...sent].map(([id, pieces]) => [id, Math.max(0, pieces - (before.get(id) ?? 0))]))
    const deliveryBack = refunded.reduce((all, { cancelledDelivery = 0 }) => all + cancelledDelivery, 0)
    const share = shareOf(this.#part, { before, now, deliveryBack }, 'domestic')
    if (share.lines.length > 0) this.#invoices.push(paperOf('sale', share))
  }

  /** Credits a refund unless it waits for the next invoice. `before`: what earlier refunds have given back of each line. */
  credit(refund: Given, states: readonly LineQuantities[], before: readonly RefundedLine[]): void {
    const bought = new Map(
      this.#part.lines.map(({ offerId, quantity, total, discount }) => [
        offerId,
        { quantity, paid: total - discount, cancelled: before.find((line) => line.offerId === offerId)?.cancelled ?? 0 },
      ]),
    )
    const [invoices, credits] = [this.#invoices, this.#credits]
    const credited = creditedShare(refund, { invoices, credits, issued: credits, reduction: 'less', bought })
    if (credited.lines.length === 0 && credited.charges.length === 0) return
    if (credited.missing > 0 && isMoreToInvoice(states, this.#pieces())) return
    refund.isCredited = true
    this.#credits.push(paperOf('credit-note', credited))
  }
}
