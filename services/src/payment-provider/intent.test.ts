import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { ChargedCard } from './saved-cards.ts'
import { testCards, type TestCard } from './demo-cards.ts'
import {
  answerChallenge,
  asWire,
  capture,
  challengeTries,
  newIntent,
  Refusal,
  refund,
  takesCard,
  useCard,
  voidIntent,
  type Intent,
  type IntentStatus,
} from './intent.ts'

const fresh = (): Intent =>
  newIntent(
    {
      amount: 12_345,
      currency: 'GBP',
      reference: 'payment-1',
      description: 'Order 1',
      market: 'gb',
      payLabel: 'Pay £123.45',
      returnUrl: 'http://gb.localhost:3000/order/1',
      frameOrigin: 'http://gb.localhost:3000',
      customer: null,
    },
    0,
  )
const cardThat = (kind: TestCard['behaviour']['kind']): TestCard => testCards.find(({ behaviour }) => behaviour.kind === kind)!

const now = new Date('2026-11-22T12:00:00Z')
const charged = ({ number, ...card }: TestCard): ChargedCard => ({ ...card, last4: number.slice(-4), expiry: { year: 2030, month: 4 } })

type Step = (intent: Intent) => { intent: Intent; events: string[] }
const steps: fc.Arbitrary<{ name: string; step: Step }> = fc.oneof(
  fc.constantFrom(...testCards).map((card) => ({
    name: `card ${card.shows}`,
    step: ((intent) => (takesCard(intent) ? useCard(intent, charged(card), now) : { intent, events: [] })) satisfies Step,
  })),
  fc
    .constantFrom(true, false, 'cancelled' as const)
    .map((right) => ({ name: `answer ${right}`, step: ((intent) => answerChallenge(intent, right)) satisfies Step })),
  fc.constant({ name: 'capture', step: capture }),
  fc.constant({ name: 'void', step: voidIntent }),
  fc
    .integer({ min: -1, max: 13_000 })
    .map((amount) => ({ name: `refund ${amount}`, step: ((intent) => refund(intent, amount, 0)) satisfies Step })),
)

const taken: IntentStatus[] = ['captured', 'part_refunded', 'refunded']

test('after any sequence of operations, a payment’s amounts and its status are consistent', () => {
  fc.assert(
    fc.property(fc.array(steps, { maxLength: 14 }), (plan) => {
      let intent = fresh()
      for (const { step } of plan) {
        const before = structuredClone(intent)
        let next: ReturnType<Step>
        try {
          next = step(intent)
        } catch (error) {
          assert.ok(error instanceof Refusal)
          assert.deepEqual(intent, before)
          continue
        }
        assert.deepEqual(intent, before, 'an intent is never changed in place')
        intent = next.intent
        assert.equal(intent.captured, taken.includes(intent.status) ? intent.amount : 0)
        assert.ok(intent.refunded >= before.refunded && intent.refunded <= intent.captured)
        assert.equal(intent.status === 'refunded', intent.captured > 0 && intent.refunded === intent.captured)
        assert.equal(intent.failure !== null && intent.status !== 'voided', intent.status === 'declined')
        assert.equal(intent.challenge !== null, intent.status === 'requires_action')
        if (before.captured > 0) assert.ok(intent.captured > 0, 'money that was taken stays taken until it is refunded')
        if (before.status === 'voided') assert.equal(intent.status, 'voided')
        if (next.events.length > 0) assert.equal(next.events.at(-1), intent.status)
        else assert.equal(intent.status, before.status)
      }
    }),
    { numRuns: 1_000 },
  )
})

test('a bank that never receives the answer accepts none, right or wrong', () => {
  const silent = useCard(fresh(), charged(cardThat('abandon')), now).intent
  assert.equal(answerChallenge(silent, true).intent.status, 'requires_action')
  assert.equal(answerChallenge(silent, 'cancelled').intent.status, 'declined')
})

test('a card can be charged until the end of its month, saved or not', () => {
  const card = { ...charged(cardThat('approve')), expiry: { year: 2026, month: 11 } }
  assert.equal(useCard(fresh(), card, now).intent.status, 'authorised')
  const late = useCard(fresh(), card, new Date('2026-12-02T00:00:00Z')).intent
  assert.deepEqual([late.status, late.failure], ['declined', 'expired-card'])
})

test('a card is saved only for a customer who requested it', () => {
  const card = charged(cardThat('approve'))
  const known = { ...fresh(), customer: 'cus_1' }
  assert.equal(useCard(known, card, now).intent.keeping, null)
  assert.equal(useCard(fresh(), card, now, true).intent.keeping, null)
  assert.deepEqual(useCard(known, card, now, true).intent.keeping, card)
})

test('three wrong answers end the challenge', () => {
  let { intent } = useCard(fresh(), charged(cardThat('challenge')), now)
  for (let tries = 1; tries < challengeTries; tries += 1) {
    intent = answerChallenge(intent, false).intent
    assert.equal(intent.status, 'requires_action')
  }
  intent = answerChallenge(intent, false).intent
  assert.deepEqual([intent.status, intent.failure], ['declined', 'authentication-failed'])
  assert.equal(answerChallenge(intent, true).intent.status, 'declined')
})

test('only a card’s brand and last digits are stored, and responses reveal no secret except in the page’s address', () => {
  const { intent } = useCard(fresh(), charged(cardThat('approve')), now)
  assert.ok(!JSON.stringify(intent).includes(cardThat('approve').number))
  const { frame_url: frameUrl, ...told } = asWire(intent, 'http://pay.localhost') as { frame_url: string }
  assert.ok(frameUrl.includes(intent.secret))
  assert.ok(!JSON.stringify(told).includes(intent.secret))
})
