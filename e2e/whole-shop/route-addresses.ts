import { buildUrl } from '@purlin/contract/path-helper.ts'
import type { PageName } from '@purlin/storefront/routes.ts'
import type { Belongings } from './visitors.ts'

/** An address of each row of the route table, about an owner's objects. */

const stateOf: Partial<Record<PageName, 'draft' | 'placed'>> = { delivery: 'draft', payment: 'placed' }
/** Pages whose id is that of a personal object. */
const thingOf: Partial<Record<PageName, keyof Belongings>> = {
  refundForm: 'refund',
  wishlist: 'wishlist',
  approval: 'approval',
  invoiceStatement: 'statement',
  quote: 'quote',
}
const idsOf: Partial<Record<PageName, string>> = { category: '11', brand: '1', seller: '1', sellerReviews: '1' }
const slugsOf: Partial<Record<PageName, string>> = { auth: 'session', category: 'drills', brand: 'tarvok' }

export function addressFor(pattern: string, name: PageName, things: Belongings): string {
  const order = things[stateOf[name] ?? 'paid']
  const thing = thingOf[name]
  const slug = slugsOf[name] ?? 'cordless-drill'
  const address = buildUrl(pattern, {
    slug,
    category: slug,
    brand: slug,
    path: slug,
    query: 'drill',
    type: 'flash',
    pageType: 'trade',
    id: (thing ? things[thing] : idsOf[name]) ?? '41',
    token: 'a-token-of-nobody',
    pageNumber: '1',
    customerOrderId: order,
    sellerOrderId: `${order}-1`,
    orderId: `${order}-1`,
    messageId: things.message,
    requestId: things.return,
  })
  return name === 'spartacuxPayment' ? `${address}?order=${order}` : address
}
