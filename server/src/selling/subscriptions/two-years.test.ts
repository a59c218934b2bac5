import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { channel } from 'node:diagnostics_channel'
import { testMember } from '@purlin/contract/testing.ts'
import { testDatabase } from '#platform/testing'
import { checkCompanies } from '../../../../e2e/company-invariants.ts'
import { ProviderRefusal } from '#payments'
import { handlers as invoiceHandlers } from '../../after-sale/invoices/jobs.ts'
import { runWork } from '../../edges/worker/testing.ts'
import { fillShop } from '../checkout/testing.ts'
import { usePaymentProvider } from '../payments/settings.ts'
import type { PaymentProvider, ProviderPayment } from '../payments/provider.ts'
import { attemptCharge, noteAttempt, renewDue } from './charge.ts'
import { cancelSubscription, changeCard, changePeriod, resumeSubscription, withdrawSubscription } from './change-subscription.ts'
import { isEntitled } from './dunning.ts'
import { dayMs, trialDays } from './plan.ts'
import { noteRefunded, noteVoided, refundCharge, voidCharge } from './refund-charge.ts'
import { applySetup } from './set-up-card.ts'
import { showSubscription } from './show-subscription.ts'
import { startSubscription } from './start-subscription.ts'
import { readEntitlement } from './store.ts'
import { addSubscriber } from './testing.ts'

const database = await testDatabase()
before(() => fillShop(database))
after(() => usePaymentProvider())

/** Deterministic: the same seed, the same two years. */
function random(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296
    return state / 4_294_967_296
  }
}

interface Taken {
  id: string
  amount: number
  captures: number
  refunded: number
  isVoid: boolean
}

/** It declines, its responses are lost after their effect, and it would capture an intent twice if it were told to. */
function unreliableProvider(chance: () => number) {
  const intents = new Map<string, Taken>()
  const done = new Map<string, unknown>()
  const once = <Value>(key: string, effect: () => Value): Value => {
    if (!done.has(key)) done.set(key, effect())
    if (chance() < 0.15) throw new Error('The response was lost')
    return done.get(key) as Value
  }
  const show = (intent: Taken): ProviderPayment => ({
    reference: intent.id,
    paymentId: intent.id,
    status: intent.captures > 0 ? 'captured' : intent.isVoid ? 'voided' : 'failed',
    amount: intent.amount,
    currency: 'GBP',
    captured: intent.captures * intent.amount,
    refunded: intent.refunded,
    failureCode: 'declined',
    card: null,
    frameUrl: null,
  })
  const find = (reference: string): Taken => intents.get(reference) ?? assert.fail('unknown intent')
  const no = () => assert.fail('not expected')
  const provider: PaymentProvider = {
    name: 'unreliable',
    createIntent: async ({ amount }, { key }) =>
      once(key, () => {
        const intent = { id: key, amount, captures: 0, refunded: 0, isVoid: false }
        intents.set(key, intent)
        return show(intent)
      }),
    chargeSaved: async (reference, _card, { key }) =>
      once(key, () => {
        const intent = find(reference)
        if (intent.isVoid) throw new ProviderRefusal('voided', 'The intent is voided')
        if (chance() < 0.6) intent.captures++
        return show(intent)
      }),
    void: async (reference, { key }) =>
      once(key, () => {
        const intent = find(reference)
        if (intent.captures === 0) intent.isVoid = true
        return show(intent)
      }),
    refund: async (reference, amount, { key }) =>
      once(key, () => {
        const intent = find(reference)
        intent.refunded += amount
        return show(intent)
      }),
    retrieve: async (reference) => show(find(reference)),
    capture: no,
    transfer: no,
    payOut: no,
    retrievePayout: no,
    list: no,
    createCustomer: no,
    createSetup: no,
    retrieveSetup: no,
    listCards: no,
    preferCard: no,
    detachCard: no,
    deleteCustomer: no,
    verifyWebhook: no,
  }
  return { provider, intents }
}

interface ChargeRow {
  id: string
  state: string
  period: 'monthly' | 'yearly'
  attempts: number
  gross: number
  reference: string | null
  period_start: Date | null
  period_end: Date | null
  paid_at: Date | null
  refunded_at: Date | null
  subscription_id: string
}

// `SEED=70003 npm test -- subscriptions/two-years` lives another pair of years as well.
const others = process.env['SEED'] === undefined ? [] : [Number(process.env['SEED'])]
let paidBack = 0

const clock = new Intl.DateTimeFormat('en-GB', {
  timeZone: 'Europe/London',
  year: 'numeric',
  month: 'numeric',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
})
/** A London clock, with the months counted through the years. */
function inLondon(at: Date) {
  const parts = Object.fromEntries(clock.formatToParts(at).map(({ type, value }) => [type, value]))
  const month = Number(parts['year']) * 12 + Number(parts['month']) - 1
  return { month, day: Number(parts['day']), time: `${parts['hour']}:${parts['minute']}` }
}
for (const seed of [3, 12, ...others]) {
  test(`R-290 two years by the clock with declines, lost responses and killed workers: never charged twice, never a period for free (seed ${seed})`, async () => {
    channel('purlin:job').publish({})
    const chance = random(seed)
    const { provider, intents } = unreliableProvider(chance)
    usePaymentProvider(provider)
    const { companyId, customer } = await addSubscriber(database)
    const principal = {
      kind: 'member',
      id: customer.id,
      email: customer.email,
      name: customer.name,
      market: 'gb',
      role: 'admin',
      company: { id: companyId, country: 'GB' },
    } as const
    const start = Date.UTC(2026, 0, 31, 9)
    let now = new Date(start)
    const command = <Value>(act: (scope: ReturnType<typeof database.scope>) => Promise<Value>) =>
      database.command({ now, principal, mode: 'b2b' }, act)
    /** A command of a process that may be killed before it commits. */
    const risky = (act: (scope: ReturnType<typeof database.scope>) => Promise<unknown>) =>
      command(async (scope) => {
        await act(scope)
        if (chance() < 0.2) throw new Error('killed')
      }).catch((error: Error) => assert.equal(error.message, 'killed'))
    const signal = new AbortController().signal
    const query = async <Row>(text: string, value = companyId) => (await database.pool.query(text, [value])).rows as Row[]
    const charges = () =>
      query<ChargeRow>(
        `select c.* from subscriptions.charge c join subscriptions.subscription s on s.id = c.subscription_id where s.company_id = $1`,
      )
    /** Workers whose calls may fail, and which may die between the call and the note, or within the note. */
    const work = async <Answer>(
      call: () => Promise<Answer | null>,
      note: (answer: Answer) => Promise<void>,
      workers = 1,
    ): Promise<void> => {
      const answers: (Answer | null)[] = []
      for (let worker = 0; worker < workers; worker++)
        answers.push(
          await call().catch((error: Error) => {
            assert.equal(error.message, 'The response was lost')
            return null
          }),
        )
      for (const answer of answers) if (answer !== null && chance() > 0.15) await note(answer)
    }
    const isPlanned = async (name: string, key: string): Promise<boolean> =>
      (await query(`select from platform.job where key = $1::text and name = '${name}'`, key)).length > 0
    /** Voids or refunds a charge whose subscription has ended, as its job says. */
    const settle = async (id: string, state: string): Promise<void> => {
      if (!(await isPlanned(state === 'refunding' ? 'subscriptions.refund' : 'subscriptions.void', id))) return
      if (state === 'abandoned' || state === 'failed')
        await work(
          () => voidCharge(database.db, id, signal),
          (seen) => risky((scope) => noteVoided(scope, id, seen)),
        )
      if (state === 'refunding')
        await work(
          () => refundCharge(database.db, id, signal),
          () => risky((scope) => noteRefunded(scope, id)),
        )
    }
    let setups = 0
    const enterCard = async () => {
      const [setup] = await query<{ id: string }>(
        `select u.id from subscriptions.setup u join subscriptions.subscription s on s.id = u.subscription_id where s.company_id = $1 and u.state = 'requested'`,
      )
      const card = { reference: `card-${++setups}`, brand: 'visa', last4: '0002', expiryYear: 2039, expiryMonth: 4, savedAt: now }
      if (setup)
        await risky((scope) =>
          applySetup(scope, setup.id, { reference: `setup-${setups}`, status: 'done', failureCode: null, card, frameUrl: null }),
        )
    }
    const days: { at: Date; isEntitled: boolean }[] = []
    const live = async (): Promise<void> => {
      const found = await readEntitlement(database.db, companyId)
      days.push({ at: now, isEntitled: found !== undefined && isEntitled(found, now) })
    }
    for (let day = 0; day < 730; day++) {
      now = new Date(start + day * dayMs + Math.floor(chance() * 20) * 3_600_000)
      const act = chance()
      const known = await charges()
      // Whoever withdraws does it soon after the first payment; whose card was declined often brings another.
      if (known.filter(({ paid_at }) => paid_at !== null).length === 1 && chance() < 0.2) await risky(withdrawSubscription)
      if (known.some(({ state }) => state === 'due') && chance() < 0.2) {
        await risky(changeCard)
        await enterCard()
      }
      if (act < 0.3) {
        await risky((scope) => startSubscription(scope, chance() < 0.9 ? 'monthly' : 'yearly'))
        await enterCard()
      } else if (act < 0.31) await risky(cancelSubscription)
      else if (act < 0.33) await risky(resumeSubscription)
      else if (act < 0.34) await risky((scope) => changePeriod(scope, 'monthly'))
      else if (act < 0.345) await risky(withdrawSubscription)
      else if (act < 0.36) {
        await risky(changeCard)
        await enterCard()
      }
      // The worker is down for some days.
      if (chance() < 0.08) {
        await live()
        continue
      }
      await risky(renewDue)
      for (const { id, state } of await charges()) {
        if (state === 'due' && chance() < 0.9) {
          if (await isPlanned('subscriptions.charge', id))
            await work(
              () => attemptCharge(database.db, id, signal),
              (answer) => risky((scope) => noteAttempt(scope, id, answer)),
              2,
            )
        }
        await settle(id, state)
      }
      await database.pool.query(`delete from platform.job where name = 'subscriptions.charge'`)
      await live()
    }
    // Interrupted work is completed.
    await command(renewDue)
    for (let round = 0; round < 60; round++)
      for (const { id, state } of await charges()) {
        if (state === 'due')
          await work(
            () => attemptCharge(database.db, id, signal),
            (answer) => risky((scope) => noteAttempt(scope, id, answer)),
          )
        await settle(id, state)
      }

    const all = await charges()
    const paid = all.filter(({ paid_at }) => paid_at !== null)
    assert.ok(paid.length >= 5, `the years are lived: ${paid.length} payments`)
    assert.ok(
      [...intents.values()].every(({ captures }) => captures <= 1),
      'no card is charged twice for a period',
    )
    assert.ok(intents.size <= all.length, 'a period has one intent')
    const booked = await query<{ id: string; kept: number }>(
      `select b.customer_order_id as id, sum(e.amount)::int as kept from ledger.booking b join ledger.entry e on e.booking_id = b.id
       where e.account like 'provider:%' and $1::uuid is not null group by 1`,
    )
    for (const intent of intents.values()) {
      const charge = all.find(({ id }) => intent.id.includes(id)) ?? assert.fail('an intent without a charge')
      const kept = intent.captures * intent.amount - intent.refunded
      if (charge.state === 'failed' || charge.state === 'abandoned') assert.ok(intent.isVoid, 'what was given up can be charged no more')
      assert.equal(kept, charge.state === 'paid' ? charge.gross : 0, `${charge.state}: what is kept is what was sold`)
      const inLedger = booked.find(({ id }) => id === `subscription:${charge.id}`)
      assert.equal(inLedger?.kept ?? 0, kept, 'ledger and provider agree')
      if (charge.paid_at) assert.ok(inLedger, 'what was paid is booked')
    }

    await database.pool.query(`delete from platform.job where name like 'subscriptions.%'`)
    await runWork(database, invoiceHandlers)
    const invoices = await query<{ source: string; kind: string; gross: number }>(
      `select source, kind, (document ->> 'gross')::int as gross from invoices.invoice where company_id = $1`,
    )
    const sources = (kind: string) => invoices.filter((each) => each.kind === kind).map(({ source }) => source)
    assert.deepEqual(await checkCompanies(database.pool, { now }), [])
    assert.deepEqual(sources('sale').toSorted(), paid.map(({ id }) => `subscription:${id}`).toSorted(), 'each paid period has one invoice')
    const refunded = paid.filter(({ state }) => state === 'refunded')
    paidBack += refunded.length
    assert.equal(sources('credit-note').length, refunded.length, 'each refund has one credit note')
    for (const { id } of refunded) assert.ok(sources('credit-note').some((source) => source.includes(id)))

    // The last declined attempt ends the subscription, which has a mail of its own.
    const mails = await query<{ key: string }>(
      `select key from mail.mail where template = 'subscription-failed' and key like '%' || $1 || '%'`,
      customer.id,
    )
    const declined = all.flatMap(({ id, attempts, state }) =>
      Array.from({ length: state === 'failed' ? attempts - 1 : attempts }, (_, index) => `${id}:${index + 1}`),
    )
    assert.ok(declined.length >= 5, `${declined.length} attempts are declined`)
    assert.deepEqual(
      mails.map(({ key }) => key).toSorted(),
      declined.map((each) => `subscription:subscription-failed:${each}:${customer.id}`).toSorted(),
      'each declined attempt has one mail',
    )

    const periods = paid.flatMap(({ period, period_start, period_end, paid_at, state, subscription_id }) =>
      period_start && period_end && paid_at
        ? [{ period, from: period_start, to: period_end, paidAt: paid_at, state, subscription_id }]
        : [],
    )
    periods.sort((a, b) => a.from.getTime() - b.from.getTime())
    let anchor = 0
    for (const [index, { period, from, to, subscription_id }] of periods.entries()) {
      const last = periods[index - 1]
      const isLater = last?.subscription_id === subscription_id
      if (isLater) assert.ok(from >= last.to, 'no day is paid for twice')
      const [begins, ends] = [inLondon(from), inLondon(to)]
      if (!isLater || from > last.to) anchor = begins.day
      const months = period === 'yearly' ? 12 : 1
      assert.equal(ends.month - begins.month, months, `${from.toISOString()} to ${to.toISOString()} is ${period}`)
      const daysOfMonth = new Date(Date.UTC(0, ends.month + 1, 0)).getUTCDate()
      assert.equal(ends.day, Math.min(anchor, daysOfMonth), 'a period ends on the day on which the first began, or the last of the month')
      assert.equal(ends.time, begins.time, 'a period ends at the time of its beginning')
    }
    const trials = await query<{ id: string }>(
      'select id from subscriptions.subscription where company_id = $1 and has_trial and paid_until is not null',
    )
    assert.equal(trials.length, 1, 'one trial')
    const grace = dayMs
    // It begins with the card, in the hours between two of these looks.
    const trialFrom = days.find(({ isEntitled: has }) => has)?.at.getTime() ?? 0
    for (const { at, isEntitled: has } of days) {
      const isKept = periods.some(({ state, from, to, paidAt }) => state === 'paid' && at >= from && at > paidAt && at < to)
      assert.ok(has || !isKept, `what was paid for on ${at.toISOString()} is given`)
      if (!has) continue
      const isTrial = at.getTime() <= trialFrom + trialDays * dayMs + grace
      const isPaid = periods.some(({ from, to }) => at >= from && at.getTime() <= to.getTime() + grace)
      assert.ok(isTrial || isPaid, `benefits on ${at.toISOString()} were paid for`)
    }
  })
}

test('in these years a withdrawal was paid back', () => assert.ok(paidBack > 0))

test('a card that is taken over while the page is read has begun the subscription or is still being entered: it never seems to have failed', async () => {
  const { companyId, customer } = await addSubscriber(database)
  const principal = testMember({ id: customer.id, role: 'admin', company: { id: companyId, country: 'GB' } })
  const member = { principal, mode: 'b2b' } as const
  await database.command(member, (scope) => startSubscription(scope, 'monthly'))
  const { rows } = await database.pool.query<{ id: string }>(
    'select u.id from subscriptions.setup u join subscriptions.subscription s on s.id = u.subscription_id where s.company_id = $1',
    [companyId],
  )
  const card = { reference: 'card-now', brand: 'visa', last4: '0002', expiryYear: 2039, expiryMonth: 4, savedAt: new Date() }
  const done = { reference: 'setup-now', status: 'done', failureCode: null, card, frameUrl: null } as const
  let reads = 0
  const shown = await database.command(member, (scope) => {
    const { db } = scope
    const row = async (...read: Parameters<typeof db.row>) => {
      const found = await db.row(...read)
      // Between the first statement about the subscription and whatever is read after it.
      if (found && 'period' in found && reads++ === 0) await database.command({}, (worker) => applySetup(worker, rows[0]?.id ?? '', done))
      return found
    }
    return showSubscription({ ...scope, db: Object.assign(Object.create(db) as typeof db, { row }) })
  })
  assert.equal(reads, 1)
  assert.ok(shown?.state === 'trialing' || (shown?.state === 'incomplete' && shown.setup && !shown.setup.isFailed), JSON.stringify(shown))
})
