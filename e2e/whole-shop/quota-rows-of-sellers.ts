import { randomUUID } from 'node:crypto'
import { paidOrder } from '@purlin/server/after-sale/fulfilment/testing.ts'
import { enqueueDelivery } from '@purlin/server/after-sale/integrations/send-webhooks.ts'
import { addKey } from '@purlin/server/after-sale/integrations/testing.ts'
import { insertDelivery, insertEndpoint } from '@purlin/server/after-sale/integrations/webhook-store.ts'
import { newId } from '@purlin/server/foundation/platform/index.ts'
import { addOffer, companiesIn } from '@purlin/server/selling/checkout/testing.ts'
import type { QuotaRow, QuotaRows } from './quota-row.ts'
import { type requestsOf, silence, tooMany } from './quota-requests.ts'
import type { VisitorsShop } from './visitors.ts'

type Limited =
  | 'key-call'
  | 'seller-call'
  | 'webhook-replay'
  | 'offer-change'
  | 'seller-offer-change'
  | 'price-list'
  | 'company-group'
  | 'given-refund'
  | 'parcel-report'
  | 'seller-mail'

/** The rows of quotas that sellers' programs use up, each request with a new key. */
export function quotaRowsOfSellers(
  { database }: VisitorsShop,
  { newAddress, asks, leaving, mailsTo }: ReturnType<typeof requestsOf>,
): Pick<QuotaRows, Limited> {
  const { db } = database
  let sellers = 7000
  const sendWith = (
    key: string,
    path: string,
    { method = 'GET', json }: { method?: string; json?: object } = {},
    served: readonly number[] = [200, 201],
  ): Promise<string> =>
    asks(
      `/api/seller/v1${path}`,
      { method, ...(json && { json }), headers: { authorization: `Bearer ${key}`, 'idempotency-key': randomUUID() } },
      served,
    )(newAddress())
  const send = async (sellerId: number, ...[path, options, served]: [string, { method?: string; json?: object }?, number[]?]) =>
    sendWith((await addKey(db, sellerId)).key, path, options, served)
  const row = (newSender: QuotaRow['newSender'], refusal = tooMany): { key: QuotaRow } => ({ key: { refusal, newSender } })

  /** A parcel with a carrier of its seller's own. */
  const newParcel = async () => {
    const { part } = await paidOrder(database, [[1, 1]])
    await send(1, `/orders/${part(1)}/accept`, { method: 'POST' })
    const carrier = { name: 'Own Van', trackingNumber: `VAN${randomUUID().slice(0, 8)}` }
    await send(1, `/orders/${part(1)}/parcels`, { method: 'POST', json: { carrier } })
    const { rows } = await database.pool.query<{ id: string }>('select id::text from fulfilment.parcel where seller_order_id = $1', [
      part(1),
    ])
    return rows[0]?.id ?? ''
  }

  /** An offer that each request pauses or resumes. */
  const newOffer = async (sellerId: number) => {
    const offerId = String(++sellers)
    await addOffer(database, { id: offerId, sellerId, market: 'gb', stock: 5 })
    let isPaused = false
    const turn = () => {
      isPaused = !isPaused
      return send(sellerId, `/offers/gb/${offerId}/state`, { method: 'PUT', json: { state: isPaused ? 'paused' : 'active' } })
    }
    return { id: `${sellerId}/gb/${offerId}`, turn }
  }
  let changing = 2

  return {
    'key-call': row(async () => {
      const { id, key } = await addKey(db, ++sellers)
      return { counted: id, send: () => sendWith(key, '/orders') }
    }),
    'seller-call': row(async () => {
      const sellerId = ++sellers
      return { counted: String(sellerId), send: () => send(sellerId, '/orders') }
    }),
    'webhook-replay': row(async () => {
      const sellerId = ++sellers
      const endpoint = { id: newId(), sellerId, url: 'https://program.example/', events: ['order.paid' as const], createdAt: new Date() }
      await insertEndpoint(db, endpoint, 10)
      const id = newId()
      await insertDelivery(db, { id, endpointId: endpoint.id, event: 'order.paid', body: '{}', createdAt: new Date() })
      await enqueueDelivery({ db }, id, new Date())
      return { counted: String(sellerId), send: () => send(sellerId, `/deliveries/${id}/replay`, { method: 'POST' }) }
    }),
    'offer-change': row(async () => {
      const offer = await newOffer(1)
      return { counted: offer.id, send: offer.turn }
    }),
    // The first seller's offers are used by other rows.
    'seller-offer-change': row(async () => {
      changing = changing === 2 ? 3 : 2
      const offer = await newOffer(changing)
      return { counted: String(changing), send: offer.turn }
    }),
    'price-list': row(async () => {
      const sellerId = ++sellers
      const { id } = await companiesIn(database).newCompany()
      const list = { market: 'gb', name: 'For the best', companies: [{ companyId: id }], rules: [{ productId: '41', price: 100 }] }
      return { counted: String(sellerId), send: () => send(sellerId, '/price-lists', { method: 'POST', json: list }) }
    }),
    'company-group': row(async () => {
      const sellerId = ++sellers
      return {
        counted: String(sellerId),
        send: () => send(sellerId, '/company-groups', { method: 'POST', json: { name: randomUUID(), companies: [] } }),
      }
    }),
    // An order of more lines may have more refunds.
    'given-refund': row(async () => {
      const { part } = await paidOrder(database, [[1, 1]])
      return { counted: part(1), send: () => send(1, `/orders/${part(1)}/refunds`, { method: 'POST', json: { amount: 1 } }) }
    }),
    'parcel-report': row(async () => {
      const parcelId = await newParcel()
      const report = { method: 'POST', json: { kind: 'in-transit' } }
      return { counted: parcelId, send: () => send(1, `/parcels/${parcelId}/events`, report) }
    }),
    'seller-mail': row(async () => {
      const email = `${randomUUID()}@quotas.example`
      const { part } = await paidOrder(database, [[1, 1]], { principal: { kind: 'guest', id: newId(), email } })
      return {
        counted: `1 ${email}`,
        send: () =>
          leaving(mailsTo(email), () =>
            send(1, `/orders/${part(1)}/messages`, { method: 'POST', json: { text: `Your saw is being packed. ${randomUUID()}` } }),
          ),
      }
    }, silence),
  }
}
