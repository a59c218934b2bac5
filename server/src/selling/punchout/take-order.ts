import { createHash } from 'node:crypto'
import { markets } from '@purlin/contract/markets.ts'
import { companyOf, ownerOf, readMember } from '#accounts'
import { addLines, changeCartOwner, cartOwnerIn, loadPricedCart, lockCart, systemsCartOwner, type PricedCart } from '#cart'
import { offersForSale } from '#catalogue'
import { chooseSite, findToSell, requestApproval, saveAddress, sell } from '#checkout'
import { readSites } from '#companies'
import { readOrder } from '#orders'
import { isId, newId, type Db, type JobScope, type Scope, type SiteScope } from '#platform'
import { approvalOfOrder, readApproved, saveOrderReference } from '#purchasing'
import { basketItems, deliveryPart, unitPriceOf } from './basket.ts'
import type { Credential } from './credential.ts'
import type { OrderRequest, ShipTo } from './cxml.ts'
import { claimOrder, claimOrderAgain, lockTakenOrder, settleOrder } from './order-store.ts'

const maxItems = 300
/** A unit price is a part of a rounded line: a purchasing system that rounds it to two decimals still agrees. */
const priceTolerance = 0.0051

export type OrderRefusal = {
  ok: false
  code: 400 | 403 | 409 | 417 | 450
  detail: string
}
/** What an order of a purchasing system waits for, if it is not final. */
export type Awaits = 'approval' | 'payment' | null
export type Taken = { ok: true; orderId: string; awaits: Awaits } | OrderRefusal

const refuse = (code: OrderRefusal['code'], detail: string): OrderRefusal => ({ ok: false, code, detail })

/**
 * Takes an order of a purchasing system, in one transaction: it becomes an order of the member, paid by invoice, or a request for
 * approval where it exceeds a budget. The same number returns the same order, and what it waits for; with another content it is refused.
 * Once the order has come to nothing its number may be sent again, as a new order.
 */
export async function takeOrder(
  job: JobScope,
  site: Pick<SiteScope, 'market' | 'origin'>,
  credential: Credential,
  request: OrderRequest,
): Promise<Taken> {
  const invalid = reasonAgainst(request, markets[site.market].currency)
  if (invalid) return invalid
  const { companyId, memberId } = credential
  const number = request.orderNumber
  const contentHash = createHash('sha256').update(JSON.stringify(request)).digest('base64url')
  const claimed = { companyId, number, credentialId: credential.id, contentHash }
  if (!(await claimOrder(job.db, claimed))) {
    const taken = await lockTakenOrder(job.db, companyId, number)
    const orderId = taken?.customerOrderId ?? null
    const awaits = orderId === null ? null : await standingOf(job.db, orderId, companyId)
    if (awaits !== 'nothing') {
      if (orderId === null || taken?.contentHash !== contentHash) return refuse(409, `Order ${number} has been received with other content`)
      return { ok: true, orderId, awaits }
    }
    await claimOrderAgain(job.db, claimed)
  }
  const member = await readMember(job.db, memberId, companyId)
  if (!member) return refuse(403, 'The member in whose name orders arrive has left the company')
  const scope: Scope = {
    ...job,
    db: readingWithin(job.db),
    ...site,
    mode: 'b2b',
    prefersVat: member.prefersVat,
    principal: { ...member, isPurchasingSystem: true },
    session: null,
  }
  const placed = await place(scope, request)
  if (placed.ok)
    await settleOrder(job.db, companyId, number, { customerOrderId: placed.orderId, isPendingApproval: placed.awaits === 'approval' })
  return placed
}

/** `nothing`: it was cancelled unpaid, or its request led to no order. */
async function standingOf(db: Db, orderId: string, companyId: string): Promise<Awaits | 'nothing'> {
  const order = await readOrder(db, orderId)
  if (!order || (order.state === 'cancelled' && order.paidAt === null)) return 'nothing'
  if (order.state === 'awaiting-payment') return 'payment'
  if (order.state !== 'draft') return null
  if (await readApproved(db, orderId)) return 'payment'
  return (await approvalOfOrder(db, orderId, companyId)) === null ? 'nothing' : 'approval'
}

/** Operations read carts beside their command; here the cart exists in this transaction alone. */
function readingWithin(db: Db): Db {
  const own: Db = {
    rows: (statement, values) => db.rows(statement, values),
    row: (statement, values) => db.row(statement, values),
    run: (statement, values) => db.run(statement, values),
    alone: db.alone,
    reports: db.reports,
    get reads() {
      return own
    },
  }
  return own
}

function reasonAgainst({ orderNumber, type, items, currency }: OrderRequest, expected: string): OrderRefusal | null {
  if (type !== 'new') return refuse(450, 'Only new orders are accepted; changes and cancellations are made in the shop')
  if (!/^[^\p{Cc}]{1,40}$/u.test(orderNumber)) return refuse(400, 'orderID needs 1 to 40 characters')
  const goods = items.filter(({ offerId }) => offerId !== deliveryPart)
  if (goods.length === 0 || items.length > maxItems) return refuse(400, `An order has 1 to ${maxItems} items`)
  if (goods.some(({ offerId, quantity }) => !/^\d{1,18}$/.test(offerId) || !Number.isInteger(quantity) || quantity < 1))
    return refuse(400, 'Each item needs our SupplierPartID and a whole quantity')
  if (new Set(items.map(({ offerId }) => offerId)).size < items.length) return refuse(400, 'Each SupplierPartID may occur once')
  if (currency !== expected || items.some((item) => item.currency !== expected)) return refuse(417, `This shop sells in ${expected}`)
  return null
}

/** The member's own basket is set aside while the order's is filled, and is untouched afterwards. */
async function place(scope: Scope, request: OrderRequest): Promise<Taken> {
  const { db, market } = scope
  const owner = ownerOf(scope)
  if (owner === null) throw new Error('Orders of purchasing systems belong to members')
  const cartOwner = cartOwnerIn(owner, 'b2b')
  const mark = newId()
  const own = await lockCart(db, cartOwner, market)
  if (own.id !== null) await changeCartOwner(db, own.id, `h:${mark}`)
  const placed = await fillAndSell(scope, owner, request)
  if (!placed.ok) return placed
  // The order keeps its cart until it is paid; an approval has taken it over already.
  const cart = await lockCart(db, cartOwner, market)
  if (cart.id !== null) await changeCartOwner(db, cart.id, systemsCartOwner(mark))
  if (own.id !== null) await changeCartOwner(db, own.id, cartOwner)
  return placed
}

async function fillAndSell(scope: Scope, owner: string, request: OrderRequest): Promise<Taken> {
  const goods = request.items.filter(({ offerId }) => offerId !== deliveryPart)
  const offers = await offersForSale(
    scope.db,
    goods.map(({ offerId }) => offerId),
  )
  const wishes = goods.flatMap(({ offerId, quantity }) => {
    const offer = offers.get(offerId)
    return offer?.onSale && offer.market === scope.market ? [{ offer, quantity }] : []
  })
  const missing = goods.find(({ offerId }) => !wishes.some(({ offer }) => offer.id === offerId))
  if (missing) return refuse(417, `Item ${missing.offerId} is not sold here`)
  const [left] = await addLines(scope, wishes)
  if (left) return refuse(417, `Item ${left[0]} cannot be ordered in this quantity: ${left[1].reason}`)

  const drafted = await draft(scope, request.shipTo)
  if (!drafted.ok) return refuse(417, `The order cannot be delivered to ShipTo: ${drafted.reason}`)
  const changed = changedPrice(scope, await loadPricedCart(scope), request)
  if (changed) return changed
  const { orderId } = drafted
  const referred = await saveOrderReference(scope, orderId, { purchaseOrder: request.orderNumber, costCentre: request.costCentre })
  if (!referred.ok) return refuse(417, `The cost centre is not accepted: ${referred.reason}`)

  const choices = drafted.priced.sellers.map(({ seller, kind }) => ({ sellerId: seller.id, kind }))
  const sold = await sell(scope, orderId, { choices, method: 'invoice' }, await findToSell(scope, owner, orderId))
  if (sold.ok) return { ok: true, orderId, awaits: 'payment' }
  if (sold.reason !== 'approval-needed') return refuse(417, `The order was refused: ${sold.reason}`)
  const asked = await requestApproval(scope, { customerOrderId: orderId, payBy: 'invoice', note: request.orderNumber })
  return asked.ok ? { ok: true, orderId, awaits: 'approval' } : refuse(417, `Nobody can approve the order: ${asked.reason}`)
}

/** The address: a building site by its id or name, else as written. */
async function draft(scope: Scope, shipTo: ShipTo | null): ReturnType<typeof saveAddress> {
  const companyId = companyOf(scope)
  if (companyId === null || !shipTo) return { ok: false, reason: 'address-missing' }
  const sites = await readSites(scope.db, companyId)
  const named = shipTo.addressId.toLowerCase()
  const site = sites.find(({ id, name }) => named !== '' && ((isId(named) && id === named) || name.toLowerCase() === named))
  if (site) return chooseSite(scope, site.id)
  if (shipTo.country !== '' && shipTo.country !== markets[scope.market].country) return { ok: false, reason: 'delivery-not-available' }
  // The person comes first and the department after; without either the goods go to the company.
  const person = (shipTo.deliverTo[0] || shipTo.name).trim()
  const at = person.lastIndexOf(' ')
  const [line1 = '', line2 = null] = shipTo.streets.filter((street) => street !== '')
  return saveAddress(scope, {
    firstName: at > 0 ? person.slice(0, at) : person,
    lastName: at > 0 ? person.slice(at + 1) : shipTo.name,
    company: shipTo.name || null,
    line1,
    line2,
    postcode: shipTo.postcode,
    city: shipTo.city,
    phone: shipTo.phone || null,
  })
}

/** A purchasing system pays the price that it has approved: a price that went up since is refused, and one that fell as well. */
function changedPrice(scope: Scope, priced: PricedCart, { items }: OrderRequest): OrderRefusal | null {
  const current = new Map(basketItems(scope, priced).map((item) => [item.partId, item]))
  for (const { offerId, unitPrice } of items) {
    const line = current.get(offerId)
    const now = line && unitPriceOf(line)
    const ordered = /^\d{1,9}(?:\.\d{1,6})?$/.test(unitPrice) ? Number(unitPrice) : Number.NaN
    if (now === undefined || !(Math.abs(Number(now) - ordered) < priceTolerance))
      return refuse(417, `The price of item ${offerId} is ${now ?? 'none'} and not ${unitPrice}`)
  }
  const delivery = current.get(deliveryPart)
  return delivery && !items.some(({ offerId }) => offerId === deliveryPart)
    ? refuse(417, `The order needs the item ${deliveryPart} at ${unitPriceOf(delivery)}`)
    : null
}
