/** The table of actions, written a second time: a changed permission must be changed here too. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { accessOf, actions, isAnonymous, reachOf, stageOf, type Action, type PersonalAction } from './actions.ts'
import type { Actor } from './principal.ts'
import { testCustomer, testGuest, testMember, testOperator, testSellerMember } from './testing.ts'

const people: Record<string, Actor> = {
  stranger: testGuest(),
  visitor: testGuest({ id: 's1' }),
  named: testGuest({ id: 's1', email: 'ann@example.com' }),
  customer: testCustomer(),
  buyer: testMember({ role: 'buyer' }),
  approver: testMember({ role: 'approver' }),
  admin: testMember({ role: 'admin' }),
  accountant: testMember({ role: 'accountant' }),
  viewer: testMember({ role: 'viewer' }),
}
const all = 'own own own own own own own own own'
const signedIn = '- - - own own own own own own'
/** Visitors to whom a link has opened an order; companies see those of their members. */
const ofOrder = 'shared shared shared shared shared company company shared shared'
/** Access of an anonymous visitor, a visitor with a session, a guest with an e-mail address, a customer, and a company's buyer, approver, admin, accountant and viewer. */
const rights: Record<string, string> = {
  'cart.see': all,
  'cart.change': all,
  'quick-order.use': all,
  'your-price.see': all,
  'checkout.see': all,
  'checkout.begin': '- own own own own own own - -',
  'checkout.enter': '- - own own own own own - -',
  'guest.continue': 'own own own - - - - - -',
  'order.draft': 'own own own own own own own - -',
  'order.change': 'own own own own own own own - -',
  'order.place': 'own own own own own own own - -',
  'order.open-link': all,
  'order.request-link': all,
  'orders.enter': '- shared shared shared company company company company company',
  'orders.list': '- - - own own company company company company',
  'bought.list': '- - - own company company company company company',
  'order.see': 'shared shared shared shared shared company company company company',
  'order.refer': '- - - - own company company company -',
  'message.send': all,
  'invoice.see': 'shared shared shared shared shared company company company company',
  'invoice.request': 'shared shared shared shared shared company company company shared',
  'invoices.list': '- - - - own company company company company',
  'statement.see': '- - - - own company company company company',
  'statement.choose': '- - - - - - company - -',
  'mandate.change': '- - - - - - company - -',
  'punch-out.manage': '- - - - - - company - -',
  'punch-out.return': '- - - - own own own own own',
  'refund.change': 'own own own own own own company own own',
  'order.cancel': 'own own own own own company company own own',
  'delivery.schedule': ofOrder,
  'return.ask': ofOrder,
  'conversation.list': '- - - own own company company own own',
  'conversation.see': ofOrder,
  'conversation.write': ofOrder,
  'dispute.see': ofOrder,
  'dispute.open': ofOrder,
  'review.see': 'shared shared shared shared shared shared shared shared shared',
  'review.write': 'shared shared shared shared shared shared shared shared shared',
  'review.vote': all,
  'question.ask': all,
  'question.answer': signedIn,
  'survey.answer': all,
  'return.follow-link': all,
  'newsletter.join': all,
  'push.join': all,
  'pro-event.send': signedIn,
  'history.see': all,
  'history.change': signedIn,
  'file.upload': all,
  'address.see': '- - - own own own own own own',
  'address.change': '- - - own own own own own own',
  'card.see': '- - - own own own own own own',
  'card.change': '- - - own own own own own own',
  'account.see': '- - - own own own own own own',
  'account.convert': '- - own own own own own own own',
  'wishlist.see': all,
  'wishlist.change': all,
  'data.request': '- - - own own own own own own',
  'account.erase': '- - - own own own own own own',
  'profile.change': '- - - own own own own own own',
  'pro.see': '- - - - own own own own own',
  'credit.see': '- - - - company company company company company',
  'quote.see': '- - - - company company company company company',
  'quote.decide': '- - - - own own company - -',
  'credit.check': '- - - - company company company company company',
  'company.see': '- - - - company company company company company',
  'company.manage': '- - - - - - company - -',
  'subscription.change': '- - - - - - company - -',
  'subscription.see': '- - - - company company company company company',
  'company.switch': '- - - - own own own own own',
  'member.remove': '- - - - own own company own own',
  'site-list.use': '- - - - company company company - -',
  'site-list.manage': '- - - - - company company - -',
  'building-site.manage': '- - - - - company company - -',
  'cost-centre.manage': '- - - - - - company company -',
  'budget.manage': '- - - - - - company - -',
  'spending.see': '- - - - - company company company -',
  'approval.request': '- - - - own own own - -',
  'approval.see': '- - - - own company company own own',
  'approval.decide': '- - - - - company company - -',
  'approval.open-link': all,
  'invitation.open': all,
  'invitation.accept': '- - - own own own own own own',
  'conversion.see': '- - - own own own own own own',
  'conversion.request': '- - - own - - own - -',
  'tax.see': '- - - own company company company company company',
  'tax.change': '- - - own - - company - -',
}
const none = '- - - - - - - - -'
/** Actions open to the staff of a seller, on the objects of their seller. */
const ofSellers: Record<string, string> = {
  'office.see': 'own',
  'sellerInvoice.see': 'seller',
  'refund.give': 'seller',
  'return.handle': 'seller',
  'conversation.serve': 'seller',
  'dispute.serve': 'seller',
  'payout.see': 'seller',
  'review.answer': 'seller',
  'question.reply': 'seller',
  'sellerOrder.see': 'seller',
  'sellerOrder.handle': 'seller',
  'sellerOffer.move': 'seller',
  'sellerPrice.set': 'seller',
  'sellerQuote.answer': 'seller',
}
/** Of an owner who does not handle sales: what money there is, where it goes, and the keys. */
const ofOwners: Record<string, string> = {
  'office.see': 'own',
  'sellerInvoice.see': 'seller',
  'payout.see': 'seller',
  'payout.change-account': 'seller',
  'sellerKey.manage': 'seller',
}
const machines = { system: { kind: 'system' }, provider: { kind: 'provider' } } as const
const named = Object.keys(actions) as Action[]
const personal = named.filter((action): action is PersonalAction => !isAnonymous(action))

for (const action of personal)
  test(`V-51 V-71 ${action} is open to exactly the intended principals`, () => {
    assert.equal(
      Object.values(people)
        .map((person) => reachOf(person, action, 'gb') ?? '-')
        .join(' '),
      rights[action] ?? none,
    )
    assert.equal(reachOf(machines.system, action, null), action.endsWith('.work') ? 'any' : null)
    assert.equal(
      reachOf(machines.provider, action, null),
      ['payment.report', 'parcel.report', 'credit.report', 'session.report', 'sms.report'].includes(action) ? 'any' : null,
    )
    assert.equal(reachOf(testSellerMember({ roles: [{ role: 'seller', market: null }] }), action, 'gb'), ofSellers[action] ?? null)
    assert.equal(reachOf(testSellerMember({ roles: [{ role: 'owner', market: null }] }), action, 'gb'), ofOwners[action] ?? null)
    assert.equal(reachOf(testSellerMember({ roles: [] }), action, 'gb'), null)
    assert.equal(reachOf(testOperator(), action, 'gb'), null)
  })

test('V-51 V-71 anonymous actions do not depend on the principal', () => {
  assert.deepEqual(named.filter(isAnonymous).toSorted(), [
    'consent.choose',
    'event.send',
    'experiment.ask',
    'file.open-link',
    'goods.see',
    'graphql.ask',
    'health.see',
    'insights.preview',
    'mailbox.see',
    'notice.end',
    'page.see',
    'parcel.track',
    'punch-out.open',
    'referer.ask',
    'search.use',
    'session.use',
    'site.see',
  ])
})

test('V-51 V-71 a staff role permits its actions, in its market', () => {
  const opened = {
    search: ['search.tune', 'insights.see'],
    catalogue: [
      'offer.move',
      'price.change',
      'coupon.change',
      'category.change',
      'content.change',
      'flag.change',
      'experiment.change',
      'header.change',
      'insights.see',
    ],
    jobs: ['work.manage', 'apiKey.manage', 'insights.see', 'payout.run'],
    support: [
      'file.see',
      'retained.see',
      'segment.import',
      'seller.move',
      'conversion.decide',
      'secondStep.remove',
      'sellerInvoice.see',
      'refund.give',
      'return.handle',
      'refund.settle',
      'conversation.serve',
      'conversation.mediate',
      'dispute.decide',
      'review.moderate',
      'sellerOrder.see',
    ],
  } as const
  for (const [role, expected] of Object.entries(opened) as [keyof typeof opened, readonly string[]][]) {
    const other = role === 'jobs' ? 'search' : 'jobs'
    const everywhere = testOperator({ roles: [{ role, market: null }] })
    const inFrance = testOperator({
      roles: [
        { role: other, market: null },
        { role, market: 'fr' },
      ],
    })
    for (const action of personal.filter((each) => each !== 'office.see')) {
      const byOther = opened[other].some((each) => each === action) ? 'any' : null
      const reach = expected.includes(action) ? 'any' : null
      for (const market of ['de', null] as const) {
        assert.equal(reachOf(everywhere, action, market), reach, `${role} ${action}`)
        assert.equal(reachOf(inFrance, action, market), byOther, `${role} ${action}`)
      }
      assert.equal(reachOf(inFrance, action, 'fr'), reach ?? byOther, `${role} ${action}`)
    }
  }
})

test('V-51 a guest is anonymous without a session, a visitor with one, and named with an e-mail address', () => {
  const stages = [testGuest(), testGuest({ id: 's1' }), testGuest({ id: 's1', email: 'a@b.example' })].map(stageOf)
  assert.deepEqual(stages, ['stranger', 'visitor', 'named'])
})

test('pages are public, restricted to signed-in people, or for companies', () => {
  assert.deepEqual((['page.see', 'account.see', 'pro.see', 'orders.enter'] as const).map(accessOf), [
    'public',
    'restricted',
    'b2b',
    'restricted',
  ])
})

test('R-507 an action is granted to buyers or to staff, never to both: it tells whose session counts', () => {
  const mixed = named.filter((name) => {
    const kinds = Object.keys(actions[name])
    const has = (...of: string[]) => of.some((kind) => kinds.includes(kind))
    return has('guest', 'customer', 'member') && has('sellerMember', 'operator')
  })
  assert.deepEqual(mixed, [])
})
