/** The owner's side of `foreign-ids.test.ts`: whoever has an object gets another answer than for an unknown id, or those tests would prove nothing. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Mode } from '@purlin/contract/markets.ts'
import { documentFor } from './foreign-documents.ts'
import {
  besideOf,
  forStaff,
  idsOf,
  named,
  objectOf,
  ofCompanies,
  roots,
  seesAll,
  shop,
  unknownIds,
  type Root,
  type Thing,
} from './foreign-things.ts'
import type { Asker, Belongings } from './visitors.ts'

/** Answered to their owner like unknown ids, and the reason. Each must still be so. */
const exceptions: Record<string, string> = {
  'copyWishlist.id': 'needs another list of one’s own; two are copied in `selling/wishlists/site-lists.test.ts`',
  'copyWishlist.intoId': 'the same',
  'approvalNeed.customerOrderId': 'an order within all limits needs no approval',
  'openDispute.input.attachments': 'there is a dispute about the order already',
  'moveDispute.input.attachments': 'a buyer may only wait in a dispute that is new',
  'answerDispute.input.attachments': 'the files of sellers, who have none here',
  'answerConversation.input.attachments': 'the files of sellers, who have none here',
  'requestReturn.input.photos': 'nothing has been delivered yet',
  'writeReview.input.photos': 'nobody has been invited to a review',
  'changeCostCentre.id': 'says that it is done for any id; that it changes nobody else’s is seen in `foreign-ids.test.ts`',
  'reportParcel.parcelId': 'nothing has been sent yet',
}

/** Orders and requests that members handle themselves, on the professional storefront. */
const ofMembers = new Set([
  'approvalNeed.customerOrderId',
  'requestApproval.customerOrderId',
  'orderReference.customerOrderId',
  'saveOrderReference.customerOrderId',
  'saveOrderReference.input.siteId',
  'setWishlistSite.siteId',
  'orderApproved.id',
  'exchangeApprovalPoints.id',
  'returnApprovalToCart.id',
  'acceptQuote.quoteId',
  'endQuote.quoteId',
])

interface Witness {
  asker: Asker
  mode: Mode
  things: Belongings
  own: string | null
}
/** A new object of this kind, and its owner, or a colleague whose role may do everything with it. */
async function witnessOf(root: Root, path: string, thing: Thing): Promise<Witness> {
  const isOfMembers = ofMembers.has(path)
  if (isOfMembers || ofCompanies.has(thing)) {
    const things = await shop.renew('member')
    return { asker: isOfMembers ? 'member' : 'admin', mode: 'b2b', things, own: objectOf(things, path, thing) }
  }
  const things = await shop.renew('customer')
  const asker = thing === 'sellerOrder' || forStaff.has(path) ? 'seller' : seesAll('operator', root) ? 'operator' : 'customer'
  return { asker, mode: 'b2c', things, own: thing === 'sellerOrder' ? `${things.paid}-1` : objectOf(things, path, thing) }
}

test('every exception is a field', () => {
  const all = roots.flatMap(({ field }) => idsOf(field.name, field.args))
  assert.deepEqual(
    Object.keys(exceptions).filter((path) => !all.includes(path)),
    [],
  )
})

for (const root of roots)
  for (const path of idsOf(root.field.name, root.field.args)) {
    const thing = named[path]
    if (thing === undefined || thing === 'public' || thing === 'secret') continue
    test(`A1 A2 ${path}: the owner of the ${thing} gets another answer than for an unknown id`, async () => {
      const { asker, mode, things, own } = await witnessOf(root, path, thing)
      if (own === null) return assert.ok(exceptions[path], 'an object to ask for')
      const answer = async (id: string) => {
        const { query, variables } = documentFor(root, { [path]: id, ...besideOf(path, things) })
        return (await shop.graphql(asker, mode, query, variables)).body.replaceAll(id, '')
      }
      const unknown = await answer(unknownIds[thing]())
      const mine = await answer(own)
      const isTold = exceptions[path] !== undefined
      assert.equal(mine === unknown, isTold, isTold ? 'no exception any more' : `as for an unknown id: ${mine.slice(0, 300)}`)
    })
  }
