import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Market } from '@purlin/contract/markets.ts'
import { testMember } from '@purlin/contract/testing.ts'
import { testDatabase } from '#platform/testing'
import * as invoiceJobs from '../../after-sale/invoices/jobs.ts'
import { runJobsAt, runWork } from '../../edges/worker/testing.ts'
import { fillShop } from '../checkout/testing.ts'
import type { PaymentProvider, ProviderPayment } from '../payments/provider.ts'
import { usePaymentProvider } from '../payments/settings.ts'
import * as subscriptionJobs from './jobs.ts'
import { applySetup } from './set-up-card.ts'
import { startSubscription } from './start-subscription.ts'
import { addSubscriber } from './testing.ts'

const database = await testDatabase()
before(async () => {
  await fillShop(database)
  usePaymentProvider(approving())
})
after(() => usePaymentProvider())

/** Its cards are never declined. */
function approving(): PaymentProvider {
  const intents = new Map<string, ProviderPayment>()
  const find = (reference: string) => intents.get(reference) ?? assert.fail(`unknown intent ${reference}`)
  const provider: Partial<PaymentProvider> = {
    name: 'approving',
    createIntent: async ({ paymentId, amount, currency }, { key }) => {
      const none = { captured: 0, refunded: 0, failureCode: null, card: null, frameUrl: null }
      const made: ProviderPayment = { reference: key, paymentId, status: 'initiated', amount, currency, ...none }
      intents.set(key, made)
      return made
    },
    retrieve: async (reference) => find(reference),
    chargeSaved: async (reference) => {
      const intent = find(reference)
      const paid = { ...intent, status: 'captured', captured: intent.amount } as const
      intents.set(reference, paid)
      return paid
    },
  }
  return provider as PaymentProvider
}

const rows = async <Row>(text: string, values: unknown[]) => (await database.pool.query(text, values)).rows as Row[]

/** The worker at an instant: the schedule of renewals, and the jobs that it has planned. */
async function work(now: Date): Promise<void> {
  const renew = subscriptionJobs.schedules.find(({ name }) => name === 'subscriptions.renew')
  await database.command({ now }, (scope) => renew?.run(scope) ?? assert.fail('nothing renews'))
  const charge = subscriptionJobs.jobs.filter(({ name }) => name === 'subscriptions.charge')
  await runJobsAt(database, charge, now)
}

interface Life {
  market: Market
  /** When the card is entered. */
  begun: string
  /** Minutes by which the worker is late at each renewal. */
  late?: readonly number[]
  renewals: number
}
async function live({ market, begun, late = [], renewals }: Life) {
  const country = market.toUpperCase()
  const { companyId, customer } = await addSubscriber(database, { country })
  const principal = testMember({ id: customer.id, role: 'admin', company: { id: companyId, country } })
  const now = new Date(begun)
  const begin = { principal, market, mode: 'b2b', now } as const
  await database.command(begin, (scope) => startSubscription(scope, 'monthly'))
  const [setup] = await rows<{ id: string }>(
    'select u.id from subscriptions.setup u join subscriptions.subscription s on s.id = u.subscription_id where s.company_id = $1',
    [companyId],
  )
  const card = { reference: 'card', brand: 'visa', last4: '0002', expiryYear: 2099, expiryMonth: 4, savedAt: now }
  const seen = { reference: 'setup', status: 'done', failureCode: null, card, frameUrl: null } as const
  await database.command(begin, (scope) => applySetup(scope, setup?.id ?? '', seen))
  const due = async () => {
    const [found] = await rows<{ at: Date }>('select due_at as at from subscriptions.subscription where company_id = $1', [companyId])
    return found?.at ?? assert.fail('nothing is due')
  }
  const days = [(await due()).toISOString()]
  for (let renewal = 0; renewal < renewals; renewal++) {
    const at = await due()
    await work(new Date(at.getTime() - 60_000))
    assert.deepEqual(await due(), at, 'nothing is charged before its day')
    await work(new Date(at.getTime() + (late[renewal] ?? 1) * 60_000))
    days.push((await due()).toISOString())
  }
  await database.pool.query(`delete from platform.job where name like 'subscriptions.%'`)
  await runWork(database, invoiceJobs.handlers)
  const invoices = await rows<{ title: string }>(
    `select document -> 'lines' -> 0 ->> 'title' as title from invoices.invoice where company_id = $1 order by number`,
    [companyId],
  )
  const mails = await rows<{ text: string }>('select body_text as text from mail.mail where recipient = $1', [customer.email])
  return { days, invoices: invoices.map(({ title }) => title), started: mails[0]?.text ?? '', companyId, due }
}
const atTen = (...days: string[]) => days.map((day) => new Date(`${day}:00Z`).toISOString())

test('R-254 a subscription that renews on the last of January keeps the 31st through February and the months of thirty days', async () => {
  const { days, invoices } = await live({ market: 'gb', begun: '2026-01-01T10:00Z', renewals: 5 })
  assert.deepEqual(
    days,
    atTen('2026-01-31T10:00', '2026-02-28T10:00', '2026-03-31T09:00', '2026-04-30T09:00', '2026-05-31T09:00', '2026-06-30T09:00'),
  )
  assert.deepEqual(invoices.slice(0, 2), [
    'Purlin Pro, monthly, 31 Jan 2026 to 28 Feb 2026',
    'Purlin Pro, monthly, 28 Feb 2026 to 31 Mar 2026',
  ])
})

test('R-254 a renewal in February that is charged hours late keeps its day; one that is charged days late begins a period on the day of the payment', async () => {
  const hour = 60
  const { days } = await live({ market: 'gb', begun: '2026-01-01T10:00Z', late: [1, 23 * hour, 5 * 24 * hour], renewals: 4 })
  // Due on 31 March, paid on 5 April.
  assert.deepEqual(days, atTen('2026-01-31T10:00', '2026-02-28T10:00', '2026-03-31T09:00', '2026-05-05T09:00', '2026-06-05T09:00'))
})

test('R-254 trial, renewals and invoices of a card entered half an hour after midnight in Madrid go by the days of Madrid', async () => {
  const { days, invoices, started } = await live({ market: 'es', begun: '2026-01-29T23:30Z', renewals: 2 })
  // 1 March, 1 April in summer time, 1 May.
  assert.deepEqual(days, atTen('2026-02-28T23:30', '2026-03-31T22:30', '2026-04-30T22:30'))
  assert.match(started, /1 de marzo/)
  assert.deepEqual(invoices, ['Purlin Pro, mensual, del 1 mar 2026 al 1 abr 2026', 'Purlin Pro, mensual, del 1 abr 2026 al 1 may 2026'])
})

test('R-254 half past eleven by UTC is the next day in London in summer and the same in winter', async () => {
  const summer = await live({ market: 'gb', begun: '2026-06-30T23:30Z', renewals: 3 })
  // 31 July, 31 August, 30 September, 31 October in winter time.
  assert.deepEqual(summer.days, atTen('2026-07-30T23:30', '2026-08-30T23:30', '2026-09-29T23:30', '2026-10-31T00:30'))
  assert.equal(summer.invoices[0], 'Purlin Pro, monthly, 31 Jul 2026 to 31 Aug 2026')
  const winter = await live({ market: 'gb', begun: '2026-01-01T23:30Z', renewals: 2 })
  assert.deepEqual(winter.days, atTen('2026-01-31T23:30', '2026-02-28T23:30', '2026-03-31T22:30'))
  assert.equal(winter.invoices[0], 'Purlin Pro, monthly, 31 Jan 2026 to 28 Feb 2026')
})

test('R-254 a trial lasts thirty days by the market’s clocks, also when they change meanwhile', async () => {
  const { days } = await live({ market: 'es', begun: '2026-03-14T23:30Z', renewals: 0 })
  assert.deepEqual(days, atTen('2026-04-13T22:30'))
})

test('R-254 a day of the month that was kept by UTC gives no second month for free', async () => {
  const { companyId, due } = await live({ market: 'es', begun: '2026-01-29T23:30Z', renewals: 0 })
  // 28 February by UTC, 1 March in Madrid.
  await database.pool.query('update subscriptions.subscription set anchor_day = 28 where company_id = $1', [companyId])
  await work(new Date('2026-02-28T23:31Z'))
  assert.deepEqual(await due(), new Date('2026-03-31T22:30Z'))
})
