import assert from 'node:assert/strict'
import { test } from 'node:test'
import { actions } from '@purlin/contract/actions.ts'
import fastify from 'fastify'
import { type ActionsOf, type Scope, type SiteScope } from '#platform'
import { checkActions, loadJobs } from '../worker/load-jobs.ts'
import { loadEdges, loadResolvers } from './load-schema.ts'
import { guardRoutes } from './route-actions.ts'

test('A16 V-51: every resolver of Query and Mutation names an action of the table', async () => {
  await loadResolvers()
  await loadJobs()
})

test('A16 V-51: the table contains no unused action', async () => {
  const named = new Set<string | undefined>((await loadEdges()).flatMap((edge) => Object.values(edge.actions ?? {})))
  const { routes } = (await import('../../../../storefront/src/routes.ts')) as { routes: readonly { action: string }[] }
  for (const { action } of routes) named.add(action)
  // Actions of routes outside GraphQL and of jobs, which the process checks at start.
  const others = [
    'graphql.ask',
    'health.see',
    'mailbox.see',
    'search.use',
    'search.tune',
    'price.change',
    'category.change',
    'work.manage',
    'apiKey.manage',
    'payment.report',
    'session.use',
    'file.upload',
    'file.open-link',
    'file.see',
    'retained.see',
    'segment.import',
    'notice.end',
    'content.change',
    'flag.change',
    'experiment.ask',
    'experiment.change',
    'history.change',
    'referer.ask',
    'header.change',
    'conversion.decide',
    'secondStep.remove',
    'consent.choose',
    'event.send',
    'push.join',
    'pro-event.send',
    'review.moderate',
    'dispute.decide',
    'payout.run',
    'conversation.mediate',
    'insights.see',
    'insights.preview',
    // Waits for the carrier's messages.
    'parcel.report',
    'credit.report',
    'sms.report',
    'session.report',
    'sellerPrice.set',
    'sellerOffer.move',
    'offer.move',
    'seller.move',
    'sellerQuote.answer',
    'coupon.change',
    // Decided by commands of wishlists, whose own action also covers lists without a building site.
    'site-list.use',
    'site-list.manage',
  ]
  const unused = Object.keys(actions).filter((action) => !named.has(action) && !others.includes(action) && !action.endsWith('.work'))
  assert.deepEqual(unused, [])
})

test('V-51: a resolver without an action, with an unknown one, or for an unresolved field does not load', async () => {
  const resolvers = { Query: { secret: () => 1 } }
  await assert.rejects(loadResolvers([{ resolvers }]), /Query.secret names no action/)
  for (const action of ['secret.see', 'toString', '__proto__']) {
    const edge = JSON.parse(JSON.stringify({ actions: { 'Query.secret': action } })) as object
    await assert.rejects(loadResolvers([{ resolvers, ...edge }]), /Query.secret names (no|the) action/, action)
  }
  await assert.rejects(loadResolvers([{ resolvers, actions: { 'Query.secret': 'goods.see', 'Query.gone': 'goods.see' } }]), /Query.gone/)
})

test('V-51: a mutation is never anonymous', async () => {
  const edge = { resolvers: { Mutation: { burn: () => 1 } }, actions: { 'Mutation.burn': 'goods.see' as const } }
  await assert.rejects(loadResolvers([edge]), /cannot be anonymous/)
})

test('V-51: a route without an action prevents the start, and one whose action is not permitted does not run', async () => {
  const nameless = fastify()
  guardRoutes(nameless, { scopeOf: () => null })
  nameless.get('/open', () => 'open')
  await assert.rejects(async () => nameless.ready(), /without an action .*\/open/)

  const app = fastify()
  guardRoutes(app, { scopeOf: () => null })
  let ran = 0
  app.get('/tune', { config: { action: 'search.tune' } }, () => String(++ran))
  app.get('/orders', { config: { action: 'order.see' } }, () => 'orders of guests too')
  app.get('/pro', { config: { action: 'pro.see' } }, () => String(++ran))
  for (const url of ['/tune', '/pro']) assert.equal((await app.inject(url)).statusCode, 401, url)
  assert.equal(ran, 0)
  assert.equal((await app.inject('/orders')).statusCode, 200)
})

test('V-51: a job of a module without a work action in the table is refused', () => {
  checkActions(['notify.confirm', 'platform.forget-keys'])
  for (const name of ['nobody.wrap', 'order.place', 'search.tune', 'constructor.x'])
    assert.throws(() => checkActions([name]), /has no action/)
})

test('V-51: a resolver that uses the principal can neither be declared anonymous nor lack an action', () => {
  const sees = (_parent: unknown, _args: unknown, scope: Scope) => scope.principal.kind
  const shows = (_parent: unknown, _args: unknown, scope: SiteScope) => scope.market
  const resolvers = { Query: { sees, shows }, Thing: { sees, shows } }
  type Needed = ActionsOf<typeof resolvers>
  const right: Needed = { 'Query.sees': 'cart.see', 'Query.shows': 'goods.see', 'Thing.sees': 'cart.see' }
  // @ts-expect-error the result of an anonymous action is cached for everybody
  const anonymous: Needed = { ...right, 'Query.sees': 'goods.see' }
  // @ts-expect-error a field of any other type must not use the principal undeclared either
  const hidden: Needed = { 'Query.sees': 'cart.see', 'Query.shows': 'goods.see' }
  // @ts-expect-error a field of Query always names its action
  const missing: Needed = { 'Query.sees': 'cart.see', 'Thing.sees': 'cart.see' }
  // @ts-expect-error an action that is not in the table
  const unknown: Needed = { ...right, 'Query.shows': 'goods.steal' }
  // @ts-expect-error a SiteScope has no principal
  const nobody = (scope: SiteScope) => scope.principal
  assert.equal([anonymous, hidden, missing, unknown, nobody].length, 5)
})
