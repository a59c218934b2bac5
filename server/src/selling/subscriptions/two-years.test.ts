import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { channel } from 'node:diagnostics_channel'
import { markets, type Market } from '@purlin/contract/markets.ts'
import { testMember } from '@purlin/contract/testing.ts'
import { job } from '#platform'
import { testDatabase } from '#platform/testing'
import { checkCompanies } from '../../../../e2e/company-invariants.ts'
import { ProviderRefusal } from '#payments'
import * as invoices from '../../after-sale/invoices/jobs.ts'
import { claimWork, freeClaims } from '../../edges/worker/claim.ts'
import { loadJobs } from '../../edges/worker/load-jobs.ts'
import { registerSchedules, runSchedules } from '../../edges/worker/schedules.ts'
import { workOnce } from '../../edges/worker/worker.ts'
import { fillShop } from '../checkout/testing.ts'
import { usePaymentProvider } from '../payments/settings.ts'
import type { PaymentProvider, ProviderPayment, ProviderSetup } from '../payments/provider.ts'
import { cancelSubscription, changeCard, changePeriod, resumeSubscription, withdrawSubscription } from './change-subscription.ts'
import { isEntitled } from './dunning.ts'
import { dayMs, trialDays } from './plan.ts'
import * as subscriptions from './jobs.ts'
import { applySetup } from './set-up-card.ts'
import { showSubscription } from './show-subscription.ts'
import { startSubscription } from './start-subscription.ts'
import { readEntitlement } from './store.ts'
import { addSubscriber } from './testing.ts'
import { unreliable } from './test-unreliable-work.ts'

const database = await testDatabase()
const { pool } = database
const all = await loadJobs()
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
  currency: ProviderPayment['currency']
  captures: number
  refunded: number
  isVoid: boolean
}

/** It declines, its responses are lost after their effect, and it would capture an intent twice if it were told to. */
function unreliableProvider(chance: () => number) {
  const intents = new Map<string, Taken>()
  const cards = new Set<string>()
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
    currency: intent.currency,
    captured: intent.captures * intent.amount,
    refunded: intent.refunded,
    failureCode: 'declined',
    card: null,
    frameUrl: null,
  })
  const showSetup = (reference: string): ProviderSetup => {
    const isDone = cards.has(reference)
    const card = { reference: `card-${reference}`, brand: 'visa', last4: '0002', expiryYear: 2039, expiryMonth: 4, savedAt: new Date() }
    return { reference, status: isDone ? 'done' : 'open', failureCode: null, card: isDone ? card : null, frameUrl: 'http://pay.example/' }
  }
  const find = (reference: string): Taken => intents.get(reference) ?? assert.fail('unknown intent')
  const no = () => assert.fail('not expected')
  const provider: PaymentProvider = {
    name: 'unreliable',
    createIntent: async ({ amount, currency }, { key }) =>
      once(key, () => {
        const intent = { id: key, amount, currency, captures: 0, refunded: 0, isVoid: false }
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
    retrieveChargeback: no,
    capture: no,
    transfer: no,
    payOut: no,
    retrievePayout: no,
    list: no,
    createCustomer: async (customerId, { key }) => once(key, () => customerId),
    createSetup: async ({ setupId }, { key }) => once(key, () => showSetup(setupId)),
    retrieveSetup: async (reference) => showSetup(reference),
    listCards: no,
    preferCard: no,
    detachCard: no,
    deleteCustomer: no,
    verifyWebhook: no,
  }
  return { provider, intents, cards }
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

/** A clock of the market, with the months counted through the years. */
function clockOf(market: Market) {
  const { timeZone } = markets[market]
  const clock = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
  })
  return (at: Date) => {
    const parts = Object.fromEntries(clock.formatToParts(at).map(({ type, value }) => [type, value]))
    const month = Number(parts['year']) * 12 + Number(parts['month']) - 1
    return { month, day: Number(parts['day']), time: `${parts['hour']}:${parts['minute']}` }
  }
}

const lives: [seed: number, market: Market][] = [[3, 'gb'], [12, 'fr'], ...others.map((seed): [number, Market] => [seed, 'de'])]
for (const [seed, market] of lives) {
  test(`R-290 two years in ${market} with declines, lost responses, cut connections and killed workers: never charged twice, never a period for free (seed ${seed})`, async () => {
    channel('purlin:job').publish({})
    const chance = random(seed)
    const { country } = markets[market]
    const { provider, intents, cards } = unreliableProvider(chance)
    usePaymentProvider(provider)
    const { companyId, customer } = await addSubscriber(database, { country })
    const principal = {
      kind: 'member',
      id: customer.id,
      email: customer.email,
      name: customer.name,
      market,
      role: 'admin',
      company: { id: companyId, country },
    } as const
    const start = Date.UTC(2026, 0, 31, 9)
    let now = new Date(start)
    const command = <Value>(act: (scope: ReturnType<typeof database.scope>) => Promise<Value>) =>
      database.command({ now, principal, market, mode: 'b2b' }, act)
    /** A command of a process that may be killed before it commits. */
    const risky = (act: (scope: ReturnType<typeof database.scope>) => Promise<unknown>) =>
      command(async (scope) => {
        await act(scope)
        if (chance() < 0.2) throw new Error('killed')
      }).catch((error: Error) => assert.equal(error.message, 'killed'))
    const query = async <Row>(text: string, value = companyId) => (await database.pool.query(text, [value])).rows as Row[]
    const charges = () =>
      query<ChargeRow>(
        `select c.* from subscriptions.charge c join subscriptions.subscription s on s.id = c.subscription_id where s.company_id = $1`,
      )
    const { signal } = new AbortController()
    const seenByWorker = { cut: 0, frozen: 0, lost: 0, retried: 0 }
    // While this worker is frozen its claim runs out, and another one does the work.
    const frozen = async () => {
      seenByWorker.frozen++
      await pool.query(`update platform.job set locked_until = null where name like 'subscriptions.%'`)
      await workOnce(pool, { handlers, jobs }, 'another', signal)
    }
    const { handlers, jobs, schedules } = unreliable(
      { ...subscriptions, handlers: [...subscriptions.handlers, ...invoices.handlers] },
      { chance, now: () => now, frozen, onCut: () => seenByWorker.cut++ },
    )
    // Mails and the archive of invoices are not of interest here.
    jobs.push(...all.jobs.flatMap(({ name }) => (name.startsWith('subscriptions.') ? [] : job(name, { commit: () => Promise.resolve() }))))
    const daily = schedules.filter(({ name }) => name !== 'subscriptions.remind-of-trials')
    await registerSchedules(pool, daily)
    /** Rounds of the worker, with the pauses between attempts left out. */
    const work = async (rounds: number): Promise<void> => {
      for (let round = 0; round < rounds; round++) {
        const events = await pool.query(
          `update platform.outbox set available_at = now(), locked_until = null where done_at is null and parked_at is null`,
        )
        const { rows } = await pool.query<{ attempts: number }>(
          `update platform.job set run_at = least(run_at, now()), locked_until = null where parked_at is null and name like 'subscriptions.%' returning attempts`,
        )
        if (rows.length === 0 && events.rowCount === 0) return
        seenByWorker.retried += rows.filter(({ attempts }) => attempts > 0).length
        if (chance() < 0.1) {
          // Killed as soon as it has claimed: its successor frees what it has left.
          seenByWorker.lost += (await claimWork(pool.db, 'killed', 64, [...new Set(handlers.map(({ type }) => type))])).length
          if (chance() < 0.5) continue
          await freeClaims(pool.db, 'killed')
        }
        await workOnce(pool, { handlers, jobs }, 'worker', signal)
      }
    }
    const runDue = async () => {
      await pool.query('update platform.schedule set next_run_at = now()')
      await runSchedules(pool, daily)
    }
    const enterCard = async () => {
      await work(2)
      const [setup] = await query<{ id: string }>(
        `select u.id from subscriptions.setup u join subscriptions.subscription s on s.id = u.subscription_id where s.company_id = $1 and u.state = 'open'
          order by u.created_at desc limit 1`,
      )
      if (!setup) return
      cards.add(setup.id)
      await risky((scope) => Promise.resolve(scope.emit('card.set-up-reported', { setupId: setup.id })))
      await work(2)
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
      if (known.filter(({ paid_at }) => paid_at !== null).length === 1 && chance() < 0.4) await risky(withdrawSubscription)
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
      await runDue()
      await work(chance() < 0.2 ? 1 : 4)
      await live()
    }
    // Interrupted work is completed.
    await runDue()
    await work(60)

    const waiting = `select name, key, last_error from platform.job where name like 'subscriptions.%' and $1::uuid is not null`
    assert.deepEqual(await query(waiting), [], 'no dead letter, and nothing left to do')
    for (const [what, times] of Object.entries(seenByWorker)) assert.ok(times >= 3, `${what}: ${times} times`)
    const known = await charges()
    const paid = known.filter(({ paid_at }) => paid_at !== null)
    assert.ok(paid.length >= 5, `the years are lived: ${paid.length} payments`)
    assert.ok(
      [...intents.values()].every(({ captures }) => captures <= 1),
      'no card is charged twice for a period',
    )
    assert.ok(intents.size <= known.length, 'a period has one intent')
    const booked = await query<{ id: string; kept: number }>(
      `select b.customer_order_id as id, sum(e.amount)::int as kept from ledger.booking b join ledger.entry e on e.booking_id = b.id
       where e.account like 'provider:%' and $1::uuid is not null group by 1`,
    )
    for (const intent of intents.values()) {
      const charge = known.find(({ id }) => intent.id.includes(id)) ?? assert.fail('an intent without a charge')
      const kept = intent.captures * intent.amount - intent.refunded
      if (charge.state === 'failed' || charge.state === 'abandoned') assert.ok(intent.isVoid, 'what was given up can be charged no more')
      assert.equal(kept, charge.state === 'paid' ? charge.gross : 0, `${charge.state}: what is kept is what was sold`)
      const inLedger = booked.find(({ id }) => id === `subscription:${charge.id}`)
      assert.equal(inLedger?.kept ?? 0, kept, 'ledger and provider agree')
      if (charge.paid_at) assert.ok(inLedger, 'what was paid is booked')
    }

    const issued = await query<{ source: string; kind: string; gross: number }>(
      `select source, kind, (document ->> 'gross')::int as gross from invoices.invoice where company_id = $1`,
    )
    const sources = (kind: string) => issued.filter((each) => each.kind === kind).map(({ source }) => source)
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
    const declined = known.flatMap(({ id, attempts, state }) =>
      Array.from({ length: state === 'failed' ? attempts - 1 : attempts }, (_, index) => `${id}:${index + 1}`),
    )
    assert.ok(declined.length >= 3, `${declined.length} attempts are declined`)
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
    const clock = clockOf(market)
    let anchor = 0
    for (const [index, { period, from, to, subscription_id }] of periods.entries()) {
      const last = periods[index - 1]
      const isLater = last?.subscription_id === subscription_id
      if (isLater) assert.ok(from >= last.to, 'no day is paid for twice')
      const [begins, ends] = [clock(from), clock(to)]
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
