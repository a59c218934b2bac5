import { quantityStates, readOrder } from '#orders'
import { enqueue, settings, type JobScope, type Scope } from '#platform'
import { acceptSale } from './handle-sale.ts'
import { shipLines } from './ship-lines.ts'

/** Sellers who accept and ship by themselves: those of the demo shop, who have no staff. */
export interface AutomaticSellers {
  /** Time from payment to acceptance, and from acceptance to the parcel; give or take a third. */
  acceptAfterMs: number
  shipAfterMs: number
}

let sellers: AutomaticSellers | null = null

/** Set once by the worker process, in the demo alone. */
export function connectAutomaticSellers(port: AutomaticSellers | null): void {
  sellers = port
}

export interface SellerAct {
  sellerOrderId: string
  act: 'accept' | 'ship'
}

export async function planSellerAct({ db, now }: Pick<JobScope, 'db' | 'now'>, { sellerOrderId, act }: SellerAct): Promise<void> {
  if (!sellers) return
  const after = (act === 'accept' ? sellers.acceptAfterMs : sellers.shipAfterMs) * (0.7 + Math.random() * 0.6)
  const runAt = new Date(now.getTime() + after)
  await enqueue(db, { name: 'fulfilment.act-as-seller', key: `${sellerOrderId}/${act}`, payload: { sellerOrderId, act }, runAt })
}

/** By the sellers' own calls; pieces that the buyer has cancelled in the meantime are left alone. */
export async function actAsSeller(scope: JobScope, { sellerOrderId, act }: SellerAct): Promise<void> {
  const order = sellers && (await readOrder(scope.db, sellerOrderId.replace(/-\d+$/, '')))
  const part = order?.sellerOrders.find(({ id }) => id === sellerOrderId)
  if (!order || !part) return
  const { market, mode } = order
  const { sellerId } = part
  const roles = [{ role: 'seller' as const, market: null }]
  const asSeller: Scope = {
    ...scope,
    market,
    mode,
    origin: settings().hosts.site(market, mode).origin,
    prefersVat: false,
    session: null,
    principal: { kind: 'sellerMember', id: `automatic-${sellerId}`, email: '', name: '', sellerId, roles },
  }
  if (act === 'accept') {
    const accepted = await acceptSale(asSeller, { sellerOrderId, lines: null })
    if (accepted.ok) await planSellerAct(scope, { sellerOrderId, act: 'ship' })
    return
  }
  const pieces = (await quantityStates(scope.db, [sellerOrderId]))
    .map(({ offerId, quantities }) => ({ offerId, quantity: quantities.accepted ?? 0 }))
    .filter(({ quantity }) => quantity > 0)
  // Different articles seldom lie on the same shelf: the first one travels in a parcel of its own.
  const parcels = pieces.length > 1 ? [pieces.slice(0, 1), pieces.slice(1)] : [pieces]
  for (const [index, lines] of parcels.entries())
    if (lines.length > 0)
      await shipLines(asSeller, { sellerOrderId, lines, carrier: null, idempotencyKey: `automatic-${sellerOrderId}-${index}` })
}
