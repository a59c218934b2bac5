import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Market } from '@purlin/contract/markets.ts'
import { keepClosedNumber } from '#accounts'
import { balanceOf } from '#ledger'
import { testDatabase } from '#platform/testing'
import { testGateway, type TestGateway } from '../../edges/gateway/testing.ts'
import type { InvoiceDocument } from '../../after-sale/invoices/invoice.ts'
import { taxNotes } from '../../after-sale/invoices/invoice-text.ts'
import { loadJobs } from '../../edges/worker/load-jobs.ts'
import { runWork } from '../../edges/worker/testing.ts'
import { addresses } from '../../people/addresses/testing.ts'
import { addOffer, fillShop } from '../checkout/testing.ts'
import { closeSubscriptionOf } from './change-subscription.ts'
import { renewDue, remindOfTrials } from './charge.ts'
import { addSubscriber, connectProvider, proHost } from './testing.ts'

const database = await testDatabase()
let gateway: TestGateway
let provider: Awaited<ReturnType<typeof connectProvider>>
const { handlers, jobs } = await loadJobs()
before(async () => {
  await fillShop(database)
  await addOffer(database, { id: '1', stock: 1000 })
  gateway = await testGateway(database.pool)
  provider = await connectProvider(`${gateway.url}/webhooks/payment`)
})
after(() => provider.server.close())
const work = () => runWork(database, handlers, jobs)

type Person = Awaited<ReturnType<typeof addSubscriber>> & { market?: Market }
async function ask<Value>(
  { cookie, market = 'gb' }: Pick<Person, 'cookie' | 'market'>,
  document: string,
  variables: object = {},
): Promise<Value> {
  const { body } = await gateway.post(document, variables, { cookie, host: proHost(market) })
  const { data, errors } = body as { data: { answer: Value } | null; errors?: { extensions: { code: string } }[] }
  assert.ok(data, JSON.stringify(body))
  return errors ? (errors[0]?.extensions.code as Value) : data.answer
}
interface Seen {
  state: string | null
  period: string | null
  nextPeriod: string | null
  isEntitled: boolean
  cancelsAtEnd: boolean
  canWithdraw: boolean
  hasTrial: boolean
  failure: string | null
  retryAt: string | null
  endReason: string | null
  nextCharge: { formatted: string } | null
  prices: { period: string; gross: { formatted: string } }[]
  card: { last4: string } | null
  setup: { frameUrl: string | null } | null
}
const see = (who: Person) =>
  ask<Seen>(
    who,
    `{ answer: mySubscription { state period nextPeriod isEntitled cancelsAtEnd canWithdraw hasTrial failure retryAt endReason nextCharge { formatted } prices { period gross { formatted } } card { last4 } setup { frameUrl } } }`,
  )
const change = async (who: Person, call: string) =>
  (await ask<{ refusal: { reason: string } | null }>(who, `mutation { answer: ${call} { refusal { reason } } }`)).refusal?.reason ?? 'ok'

/** Enters a card in the provider's frame; `code` answers the bank. */
async function enterCard(who: Person, number: string, code?: string): Promise<void> {
  await work()
  const frame = String((await see(who)).setup?.frameUrl).replace('pay.localhost', '127.0.0.1')
  const send = (to: string, fields: Record<string, string>) => fetch(to, { method: 'POST', body: new URLSearchParams(fields) })
  const page = await (await send(frame, { number, expiry: '04 / 39', code: '123' })).text()
  const challenge = /action="(\/pay\/[^"]+\/challenge[^"]*)"/.exec(page)?.[1]
  if (code !== undefined && challenge) await send(new URL(challenge, frame).href, { answer: code })
}
async function until(who: Person, state: string): Promise<Seen> {
  for (const end = Date.now() + 5000; Date.now() < end; await new Promise((resolve) => setTimeout(resolve, 20))) {
    await work()
    const seen = await see(who)
    if (seen.state === state) return seen
  }
  assert.fail(`The subscription did not become ${state}: ${JSON.stringify(await see(who))}`)
}
async function subscribed(
  options: Parameters<typeof addSubscriber>[1] & { market?: Market; card?: string; period?: string } = {},
): Promise<Person> {
  const { market = 'gb', card = '4000000000000002', period = 'MONTHLY', ...rest } = options
  const who = { ...(await addSubscriber(database, rest)), market }
  assert.equal(await change(who, `startSubscription(period: ${period})`), 'ok')
  await enterCard(who, card)
  await until(who, 'TRIALING')
  return who
}
/** Moves what is next to now, and lets the worker do it. */
async function pass({ companyId }: Person): Promise<void> {
  await database.pool.query(
    `update subscriptions.subscription set due_at = now() - interval '1 minute', paid_until = now() - interval '1 minute' where company_id = $1 and state in ('trialing', 'active')`,
    [companyId],
  )
  await database.pool.query(
    `update subscriptions.charge c set next_attempt_at = now() - interval '1 second' where state = 'due' and subscription_id in (select id from subscriptions.subscription where company_id = $1)`,
    [companyId],
  )
  await database.command({}, renewDue)
  await work()
}
const rows = async <Row>(text: string, values: unknown[] = []) => (await database.pool.query(text, values)).rows as Row[]
const chargesOf = ({ companyId }: Person) =>
  rows<{ state: string; gross: number; attempts: number }>(
    `select c.state, c.gross, c.attempts from subscriptions.charge c join subscriptions.subscription s on s.id = c.subscription_id where s.company_id = $1 order by s.created_at, c.sequence`,
    [companyId],
  )
/** How the provider's intent of the only charge stands. */
async function intentOf({ companyId }: Person): Promise<string> {
  const [charge] = await rows<{ reference: string }>(
    'select c.reference from subscriptions.charge c join subscriptions.subscription s on s.id = c.subscription_id where s.company_id = $1',
    [companyId],
  )
  return (await provider.client.retrieve(charge?.reference ?? '', { signal: new AbortController().signal })).status
}
const mailsTo = async ({ customer }: Person) =>
  (await rows<{ template: string }>('select template from mail.mail where recipient = $1 order by id', [customer.email])).map(
    ({ template }) => template,
  )

test('R-256 plans are the same for everybody: net and gross by the market’s VAT, monthly and yearly', async () => {
  const expected: Record<Market, [string, string]> = {
    gb: ['£8.90', '£10.68'],
    de: ['9,90 €', '11,78 €'],
    fr: ['9,90 €', '11,88 €'],
    es: ['9,90 €', '11,98 €'],
    it: ['9,90 €', '12,08 €'],
  }
  for (const [market, [net, gross]] of Object.entries(expected)) {
    const { body } = await gateway.post(
      '{ plans: subscriptionPlans { period net { formatted } gross { formatted } trialDays } }',
      {},
      { host: `${market}.localhost:3000` },
    )
    const { plans } = (
      body as { data: { plans: { period: string; net: { formatted: string }; gross: { formatted: string }; trialDays: number }[] } }
    ).data
    const monthly = plans.find(({ period }) => period === 'MONTHLY')
    assert.deepEqual(
      [monthly?.net.formatted, monthly?.gross.formatted].map((text) => text?.replace(/\s/g, ' ')),
      [net, gross],
      market,
    )
    assert.equal(monthly?.trialDays, 30)
  }
})

test('R-256 a company is shown the price it will be charged before it subscribes: without VAT if it accounts for it itself', async () => {
  const shown = async (who: Person) =>
    (await see(who)).prices.map(({ period, gross }) => `${period} ${gross.formatted.replace(/\s/g, ' ')}`)
  const confirm = ({ companyId }: Person, number = 'FR12345678901') =>
    database.pool.query(`update tax.record set vat_number = $2, vat_state = 'valid' where owner = $1`, [`company:${companyId}`, number])
  const french: Person = { ...(await addSubscriber(database, { country: 'FR' })), market: 'de' }
  assert.deepEqual(await shown(french), ['YEARLY 117,81 €', 'MONTHLY 11,78 €'], 'before its number is confirmed')
  await confirm(french)
  assert.deepEqual(await shown(french), ['YEARLY 99,00 €', 'MONTHLY 9,90 €'])
  assert.equal(await change(french, 'startSubscription(period: MONTHLY)'), 'ok')
  assert.deepEqual(await shown(french), ['YEARLY 99,00 €', 'MONTHLY 9,90 €'], 'while the card is entered')
  await enterCard(french, '4000000000000002')
  await until(french, 'TRIALING')
  await pass(french)
  await until(french, 'ACTIVE')
  assert.deepEqual(
    (await chargesOf(french)).map(({ gross }) => gross),
    [990],
    'and that is charged',
  )
  const german: Person = { ...(await addSubscriber(database, { country: 'DE' })), market: 'de' }
  await confirm(german)
  assert.deepEqual(await shown(german), ['YEARLY 117,81 €', 'MONTHLY 11,78 €'])
  const belgian: Person = { ...(await addSubscriber(database, { country: 'BE' })), market: 'de' }
  await confirm(belgian, 'DE123456789')
  assert.deepEqual(await shown(belgian), ['YEARLY 117,81 €', 'MONTHLY 11,78 €'], 'a number of the market’s own country')
})

test('R-256 a company of another country with a confirmed number is charged no VAT of the market: mails and invoices say why', async () => {
  for (const [market, country, number, gross, reason, mailed, noted] of [
    ['gb', 'FR', 'FR12345678901', 890, 'OUTSIDE_SCOPE', '£8.90 without VAT (outside the scope of VAT)', 'Outside the scope of UK VAT'],
    ['de', 'GB', 'GB123456789', 990, 'OUTSIDE_SCOPE', '9,90 € ohne MwSt. (nicht steuerbar)', 'In der EU nicht steuerbare Leistung'],
    ['de', 'FR', 'FR12345678901', 990, 'REVERSE_CHARGE', '9,90 € ohne MwSt. (Reverse-Charge-Verfahren)', 'Artikel 196'],
  ] as const) {
    const who: Person = { ...(await addSubscriber(database, { country })), market }
    await database.pool.query(`update tax.record set vat_number = $2, vat_state = 'valid' where owner = $1`, [
      `company:${who.companyId}`,
      number,
    ])
    const { prices } = await ask<{ prices: object[] }>(who, '{ answer: mySubscription { prices { vatTreatment } } }')
    assert.deepEqual(prices, [{ vatTreatment: reason }, { vatTreatment: reason }], `${country} in ${market}`)
    assert.equal(await change(who, 'startSubscription(period: MONTHLY)'), 'ok')
    await enterCard(who, '4000000000000002')
    await until(who, 'TRIALING')
    const [mail] = await rows<{ text: string }>(
      `select body_text as text from mail.mail where recipient = $1 and template = 'subscription-started'`,
      [who.customer.email],
    )
    assert.ok(mail?.text.replace(/\u00A0/g, ' ').includes(mailed), JSON.stringify(mail))
    await pass(who)
    assert.deepEqual(
      (await chargesOf(who)).map((charge) => charge.gross),
      [gross],
    )
    const [invoice] = await rows<{ document: InvoiceDocument }>(`select document from invoices.invoice where company_id = $1`, [
      who.companyId,
    ])
    assert.ok(invoice && taxNotes(invoice.document).join().includes(noted), JSON.stringify(invoice))
  }
})

test('R-256 a card authenticated by the bank starts the trial; nothing is charged, the company has its benefits and its segment', async () => {
  const who: Person = await addSubscriber(database)
  assert.equal((await see(who)).state, null)
  assert.deepEqual(await Promise.all([1, 2, 3].map(() => change(who, 'startSubscription(period: YEARLY)'))), ['ok', 'ok', 'ok'])
  const [{ count } = { count: 0 }] = await rows<{ count: number }>(
    'select count(*)::int from subscriptions.subscription where company_id = $1',
    [who.companyId],
  )
  assert.equal(count, 1, 'a double click begins one subscription')
  await enterCard(who, '4000000000000028', '000000')
  assert.equal((await see(who)).state, 'INCOMPLETE', 'a wrong answer to the bank saves no card')
  await enterCard(who, '4000000000000028', '123456')
  const seen = await until(who, 'TRIALING')
  assert.deepEqual([seen.period, seen.isEntitled, seen.card?.last4, seen.nextCharge?.formatted], ['YEARLY', true, '0028', '£106.80'])
  const prices = seen.prices.map(({ period, gross }) => `${period} ${gross.formatted}`)
  assert.deepEqual(prices, ['YEARLY £106.80', 'MONTHLY £10.68'], 'what a change of plan would cost')
  assert.deepEqual(await chargesOf(who), [])
  assert.deepEqual(await mailsTo(who), ['subscription-started'])
  assert.equal(await change(who, 'startSubscription(period: MONTHLY)'), 'already-subscribed')
  const segments = await ask<{ b2b_subscription: string }>(who, '{ answer: customerSegments { b2b_subscription } }')
  assert.equal(segments.b2b_subscription, 'YEARLY')
  const colleague = await addSubscriber(database, { company: who.companyId, role: 'buyer' })
  assert.equal(
    (await ask<{ b2b_subscription: string }>(colleague, '{ answer: customerSegments { b2b_subscription } }')).b2b_subscription,
    'YEARLY',
  )
})

test('R-254 R-290 each renewal is charged once, invoiced by the marketplace and booked', async () => {
  const who = await subscribed({ country: 'DE', market: 'de' })
  const before = await balanceOf(database.db, 'subscriptions', 'EUR')
  await pass(who)
  await Promise.all([database.command({}, renewDue), database.command({}, renewDue)])
  await work()
  assert.deepEqual(await chargesOf(who), [{ state: 'paid', gross: 1178, attempts: 0 }])
  assert.equal((await see(who)).state, 'ACTIVE')
  const { invoices } = await ask<{ invoices: { number: string; issuer: string; gross: { amount: number } }[] }>(
    who,
    '{ answer: myInvoices(filter: platform) { invoices { number issuer gross { amount } } } }',
  )
  assert.deepEqual([invoices.length, invoices[0]?.issuer, invoices[0]?.gross.amount], [1, 'PLATFORM', 1178])
  assert.match(String(invoices[0]?.number), /^P-\d{4}-\d{6}$/)
  assert.equal((await balanceOf(database.db, 'subscriptions', 'EUR')) - before, -990)
})

test('R-254 declined renewals are tried four times; benefits pause, mails say when, and then the subscription ends', async () => {
  const who = await subscribed({ card: '4000000000000168' })
  await pass(who)
  const overdue = await see(who)
  assert.deepEqual([overdue.state, overdue.isEntitled], ['PAST_DUE', false])
  assert.ok(overdue.failure && overdue.retryAt)
  const days = (Date.parse(overdue.retryAt) - Date.now()) / 86_400_000
  assert.ok(days > 2.9 && days < 3.1, String(days))
  for (const [state, intent] of [
    ['PAST_DUE', 'failed'],
    ['PAST_DUE', 'failed'],
    ['ENDED', 'voided'],
  ]) {
    await pass(who)
    assert.deepEqual([(await see(who)).state, await intentOf(who)], [state, intent], 'nothing can be charged after the last attempt')
  }
  assert.equal((await see(who)).endReason, 'UNPAID')
  assert.deepEqual(await chargesOf(who), [{ state: 'failed', gross: 1068, attempts: 4 }])
  const failed = 'subscription-failed'
  assert.deepEqual(await mailsTo(who), ['subscription-started', failed, failed, failed, 'subscription-ended'])
  assert.equal(await change(who, 'startSubscription(period: MONTHLY)'), 'ok')
  await enterCard(who, '4000000000000002')
  assert.equal((await until(who, 'ACTIVE')).isEntitled, false, 'without a trial nothing applies before the payment')
  await pass(who)
  assert.equal((await see(who)).isEntitled, true)
})

test('R-254 the mails about a declined charge name its amount, although the company would be charged no VAT by now', async () => {
  const who = await subscribed({ card: '4000000000000168', country: 'FR', market: 'de' })
  await pass(who)
  await database.pool.query(`update tax.record set vat_number = 'FR12345678901', vat_state = 'valid' where owner = $1`, [
    `company:${who.companyId}`,
  ])
  await pass(who)
  const mails = await rows<{ text: string }>(
    `select body_text as text from mail.mail where recipient = $1 and template = 'subscription-failed'`,
    [who.customer.email],
  )
  assert.equal(mails.length, 2)
  for (const { text } of mails) assert.match(text, /11,78/)
})

test('R-254 another card pays what is overdue at once, and benefits come back', async () => {
  const who = await subscribed({ card: '4000000000000168' })
  await pass(who)
  assert.equal((await see(who)).state, 'PAST_DUE')
  assert.equal(await change(who, 'changeSubscriptionCard'), 'ok')
  await enterCard(who, '5200000000000007')
  for (const end = Date.now() + 5000; (await see(who)).card?.last4 !== '0007' && Date.now() < end;) await work()
  await database.command({}, renewDue)
  const seen = await until(who, 'ACTIVE')
  assert.deepEqual([seen.isEntitled, seen.card?.last4], [true, '0007'])
  assert.deepEqual(await chargesOf(who), [{ state: 'paid', gross: 1068, attempts: 1 }])
})

test('R-254 cancelled while a renewal is overdue, or closed with its company, a subscription ends at once, and the overdue charge is voided', async () => {
  for (const how of ['cancelled', 'closed'] as const) {
    const who = await subscribed({ card: '4000000000000168' })
    await pass(who)
    assert.deepEqual([(await see(who)).state, await intentOf(who)], ['PAST_DUE', 'failed'])
    if (how === 'cancelled') assert.equal(await change(who, 'cancelSubscription'), 'ok')
    else await database.command({}, (scope) => closeSubscriptionOf(scope, who.companyId))
    await work()
    assert.deepEqual([(await see(who)).state, (await see(who)).endReason], ['ENDED', 'CANCELLED'], how)
    assert.equal(await intentOf(who), 'voided', how)
    await pass(who)
    assert.deepEqual(await chargesOf(who), [{ state: 'abandoned', gross: 1068, attempts: 1 }], how)
  }
})

test('R-254 a cancelled subscription lasts to the end of its term and is charged no more; before that it can be resumed', async () => {
  const who = await subscribed()
  assert.equal(await change(who, 'cancelSubscription'), 'ok')
  assert.deepEqual([(await see(who)).cancelsAtEnd, (await see(who)).isEntitled, (await see(who)).nextCharge], [true, true, null])
  assert.equal(await change(who, 'resumeSubscription'), 'ok')
  assert.equal((await see(who)).cancelsAtEnd, false)
  assert.equal(await change(who, 'resumeSubscription'), 'not-subscribed')
  assert.equal(await change(who, 'cancelSubscription'), 'ok')
  await pass(who)
  assert.deepEqual([(await see(who)).state, (await see(who)).endReason], ['ENDED', 'CANCELLED'])
  assert.deepEqual(await chargesOf(who), [])
})

test('R-254 a change of period applies from the next charge on; in a trial at once', async () => {
  const who = await subscribed()
  assert.equal(await change(who, 'changeSubscriptionPeriod(period: YEARLY)'), 'ok')
  assert.deepEqual([(await see(who)).period, (await see(who)).nextPeriod], ['YEARLY', null])
  await pass(who)
  assert.equal(await change(who, 'changeSubscriptionPeriod(period: MONTHLY)'), 'ok')
  assert.deepEqual(
    [(await see(who)).period, (await see(who)).nextPeriod, (await see(who)).nextCharge?.formatted],
    ['YEARLY', 'MONTHLY', '£10.68'],
  )
  await pass(who)
  assert.deepEqual(
    (await chargesOf(who)).map(({ gross }) => gross),
    [10_680, 1068],
  )
})

test('R-290 within fourteen days of the first payment a company withdraws once: paid back, credited, and over', async () => {
  const who = await subscribed()
  assert.equal(await change(who, 'withdrawSubscription'), 'withdrawal-over', 'nothing has been paid')
  await pass(who)
  assert.equal((await see(who)).canWithdraw, true)
  assert.equal(await change(who, 'withdrawSubscription'), 'ok')
  await work()
  assert.deepEqual([(await see(who)).state, (await see(who)).endReason], ['ENDED', 'WITHDRAWN'])
  assert.deepEqual(await chargesOf(who), [{ state: 'refunded', gross: 1068, attempts: 0 }])
  const { invoices } = await ask<{ invoices: { kind: string; gross: { amount: number } }[] }>(
    who,
    '{ answer: myInvoices { invoices { kind gross { amount } } } }',
  )
  assert.deepEqual(
    invoices.map(({ kind, gross }) => [kind, gross.amount]),
    [
      ['CREDIT_NOTE', -1068],
      ['SALE', 1068],
    ],
  )
  assert.equal(await change(who, 'startSubscription(period: MONTHLY)'), 'ok')
  await enterCard(who, '4000000000000002')
  await until(who, 'ACTIVE')
  await pass(who)
  assert.deepEqual([(await see(who)).isEntitled, (await see(who)).canWithdraw], [true, false], 'the second time there is no withdrawal')
})

test('R-290 a company that cancelled its trial may withdraw from its first payment, which a later subscription makes', async () => {
  const who = await subscribed()
  assert.equal(await change(who, 'cancelSubscription'), 'ok')
  await pass(who)
  assert.equal((await see(who)).state, 'ENDED')
  assert.equal(await change(who, 'startSubscription(period: YEARLY)'), 'ok')
  await enterCard(who, '4000000000000002')
  await until(who, 'ACTIVE')
  await pass(who)
  assert.deepEqual(await chargesOf(who), [{ state: 'paid', gross: 10_680, attempts: 0 }])
  assert.equal((await see(who)).canWithdraw, true)
  assert.equal(await change(who, 'withdrawSubscription'), 'ok')
  await work()
  assert.deepEqual(await chargesOf(who), [{ state: 'refunded', gross: 10_680, attempts: 0 }])
})

test('R-290 a company that was closed and opened anew with its number has had its withdrawal: its first payment is not paid back again', async () => {
  const withNumber = async () => {
    const who: Person = await addSubscriber(database)
    await database.pool.query(`update accounts.company set vat_number = 'GB987654321' where id = $1`, [who.companyId])
    assert.equal(await change(who, 'startSubscription(period: MONTHLY)'), 'ok')
    await enterCard(who, '4000000000000002')
    return who
  }
  const first = await withNumber()
  await until(first, 'TRIALING')
  await pass(first)
  assert.equal(await change(first, 'withdrawSubscription'), 'ok')
  await work()
  await keepClosedNumber(database.db, first.companyId, 'GB987654321')

  const again = await withNumber()
  await until(again, 'ACTIVE')
  await pass(again)
  assert.deepEqual(await chargesOf(again), [{ state: 'paid', gross: 1068, attempts: 0 }])
  assert.equal((await see(again)).canWithdraw, false)
  assert.equal(await change(again, 'withdrawSubscription'), 'withdrawal-over')
})

test('R-290 the time to withdraw runs from the first payment ever: it is over after fourteen days, and with a second subscription', async () => {
  const who = await subscribed()
  await pass(who)
  const paidAgo = (days: number) =>
    database.pool.query(
      `update subscriptions.charge set paid_at = now() - make_interval(days => $2, mins => -1)
        where subscription_id in (select id from subscriptions.subscription where company_id = $1)`,
      [who.companyId, days],
    )
  await paidAgo(14)
  assert.equal((await see(who)).canWithdraw, true, 'a minute before the end')
  await paidAgo(15)
  assert.equal(await change(who, 'withdrawSubscription'), 'withdrawal-over')
  assert.equal(await change(who, 'cancelSubscription'), 'ok')
  await pass(who)
  assert.equal(await change(who, 'startSubscription(period: MONTHLY)'), 'ok')
  await enterCard(who, '4000000000000002')
  await until(who, 'ACTIVE')
  await pass(who)
  assert.equal((await see(who)).canWithdraw, false)
  assert.equal(await change(who, 'withdrawSubscription'), 'withdrawal-over')
})

test('R-254 only admins change a subscription, members see their own company’s, and nobody another’s', async () => {
  const who = await subscribed()
  for (const role of ['approver', 'buyer'] as const) {
    const colleague: Person = await addSubscriber(database, { company: who.companyId, role })
    assert.equal((await see(colleague)).state, 'TRIALING')
    const { body } = await gateway.post(
      'mutation { answer: cancelSubscription { refusal { reason } } }',
      {},
      { cookie: colleague.cookie, host: proHost('gb') },
    )
    assert.match(JSON.stringify(body), /FORBIDDEN|not-subscribed/)
  }
  const stranger: Person = await addSubscriber(database)
  assert.equal((await see(stranger)).state, null)
  assert.equal(await change(stranger, 'cancelSubscription'), 'not-subscribed')
  assert.equal(await change(stranger, 'changeSubscriptionCard'), 'not-subscribed')
  assert.deepEqual([(await see(who)).state, (await see(who)).cancelsAtEnd], ['TRIALING', false])
})

test('R-256 a company without an invoice address is asked for it first', async () => {
  const who: Person = await addSubscriber(database)
  await database.pool.query('update tax.record set line1 = null where owner = $1', [`company:${who.companyId}`])
  assert.equal(await change(who, 'startSubscription(period: MONTHLY)'), 'billing-details-missing')
})

test('R-256 a company that nobody has confirmed pays from the first day and cannot withdraw before it is confirmed; once confirmed, its first subscription has a trial', async () => {
  const who: Person = await addSubscriber(database, { isConfirmed: false })
  const trial = async () => {
    const { body } = await gateway.post(
      '{ mySubscription { hasTrial awaitsConfirmation } }',
      {},
      { cookie: who.cookie, host: proHost('gb') },
    )
    return (body as { data: { mySubscription: unknown } }).data.mySubscription
  }
  assert.deepEqual(await trial(), { hasTrial: false, awaitsConfirmation: true })
  assert.equal(await change(who, 'startSubscription(period: MONTHLY)'), 'ok')
  assert.deepEqual(await trial(), { hasTrial: false, awaitsConfirmation: true })
  // Confirmed before the card is entered: the choice is sent again.
  const confirm = ({ companyId, customer }: Person) =>
    database.pool.query(
      `insert into companies.conversion (id, customer_id, state, company_name, country, register_number, market, mode, origin, company_id, registered_company_id)
       values (gen_random_uuid(), $2, 'converted', 'Lee Building Ltd', 'GB', '01234567', 'gb', 'b2b', 'http://pro.gb.localhost', $1, $1)`,
      [companyId, customer.id],
    )
  await confirm(who)
  assert.equal(await change(who, 'startSubscription(period: MONTHLY)'), 'ok')
  assert.deepEqual(await trial(), { hasTrial: true, awaitsConfirmation: false })

  const other: Person = await addSubscriber(database, { isConfirmed: false })
  assert.equal(await change(other, 'startSubscription(period: MONTHLY)'), 'ok')
  await enterCard(other, '4000000000000002')
  await until(other, 'ACTIVE')
  assert.equal((await see(other)).isEntitled, false, 'nothing is paid yet')
  await pass(other)
  assert.deepEqual(await chargesOf(other), [{ state: 'paid', gross: 1068, attempts: 0 }])
  assert.deepEqual([(await see(other)).isEntitled, (await see(other)).canWithdraw], [true, false])
  assert.equal(await change(other, 'withdrawSubscription'), 'withdrawal-over')
  await confirm(other)
  assert.equal((await see(other)).canWithdraw, true)
  assert.equal(await change(other, 'withdrawSubscription'), 'ok')
})

test('R-290 a trial’s end is announced three days before, once', async () => {
  const who = await subscribed()
  await database.pool.query(`update subscriptions.subscription set due_at = now() + interval '2 days' where company_id = $1`, [
    who.companyId,
  ])
  await database.command({}, remindOfTrials)
  await database.command({}, remindOfTrials)
  assert.deepEqual(await mailsTo(who), ['subscription-started', 'subscription-trial-ends'])
})

test('R-290 subscribers’ parcels are free in the cart, whatever they are worth; in another market and after the end they are not', async () => {
  const who = await subscribed()
  const delivery = async () => {
    const cart = await ask<{ totals: { delivery: { amount: number } } }>(who, '{ answer: cart { totals { delivery { amount } } } }')
    return cart.totals.delivery.amount
  }
  await ask(who, 'mutation { answer: addToCart(offerId: "1", quantity: 1) { refusal { reason } } }')
  assert.equal(await delivery(), 0)
  const saved = await ask<{ order: { id: string } }>(
    who,
    'mutation ($input: AddressInput!) { answer: saveAddress(input: $input) { order { id } } }',
    { input: addresses.gb },
  )
  const placed = await ask<{ refusal: object | null; order: { sellerOrders: { delivery: { amount: number } }[] } | null }>(
    who,
    'mutation ($id: ID!) { answer: placeOrder(customerOrderId: $id, idempotencyKey: "0123456789abcdef", choices: [{ sellerId: 1, kind: "standard" }]) { refusal { reason } order { sellerOrders { delivery { amount } } } } }',
    { id: saved.order.id },
  )
  assert.deepEqual([placed.refusal, placed.order?.sellerOrders[0]?.delivery.amount], [null, 0])
  await database.pool.query(`update subscriptions.subscription set market = 'de' where company_id = $1`, [who.companyId])
  assert.ok((await delivery()) > 0, 'its benefits apply in its own market')
  await database.pool.query(
    `update subscriptions.subscription set market = 'gb', paid_until = now() - interval '2 days' where company_id = $1`,
    [who.companyId],
  )
  assert.ok((await delivery()) > 0, 'never a period for free')
})

test('the provider’s button orders a subscription, saves another card, and says that an overdue charge is paid with it', async () => {
  const button = async (who: Person) => {
    await work()
    const frame = String((await see(who)).setup?.frameUrl).replace('pay.localhost', '127.0.0.1')
    return /<button>(.*?)<\/button>/.exec(await (await fetch(frame)).text())?.[1]
  }
  const who: Person = await addSubscriber(database)
  assert.equal(await change(who, 'startSubscription(period: MONTHLY)'), 'ok')
  assert.equal(await button(who), 'Buy now')
  await enterCard(who, '4000000000000168')
  await until(who, 'TRIALING')
  assert.equal(await change(who, 'changeSubscriptionCard'), 'ok')
  assert.equal(await button(who), 'Save card')
  await enterCard(who, '4000000000000168')
  await pass(who)
  assert.equal((await see(who)).state, 'PAST_DUE')
  assert.equal(await change(who, 'changeSubscriptionCard'), 'ok')
  assert.equal(await button(who), 'Save card and pay')
})

test('a company that has closed is charged nothing more; its card is deleted here and at the provider', async () => {
  const who = await subscribed()
  const card =
    'select card_last4 as last4, provider_customer as reference, end_reason as reason from subscriptions.subscription where company_id = $1'
  const [before] = await rows<{ last4: string; reference: string }>(card, [who.companyId])
  assert.equal(before?.last4, '0002')
  await database.command({}, (scope) => closeSubscriptionOf(scope, who.companyId))
  const deleted = await rows(`select 1 from platform.job where name = 'payments.delete-customer' and key = $1`, [before.reference])
  assert.equal(deleted.length, 1)
  await pass(who)
  assert.deepEqual(await chargesOf(who), [])
  assert.deepEqual(await rows(card, [who.companyId]), [{ last4: null, reference: before.reference, reason: 'cancelled' }])
})
