import assert from 'node:assert/strict'
import { test } from 'node:test'
import { enter } from '../support/account-states.ts'
import { cardFrame, typeCard } from '../support/buying.ts'
import { startJourney } from '../support/journey.ts'
import { mailsTo } from '../support/mailbox.ts'
import { stateChecks, type StateChecks } from '../support/page-states.ts'
import {
  acceptedVatNumber,
  lookUntil,
  marketsOf,
  proMarkets,
  runSchedule,
  withDatabase,
  withoutNotes,
  type ProMarket,
} from '../support/professionals.ts'
import { people, type Visitor } from '../support/visitor.ts'

/** A company's subscription from its trial through a renewal and a failed payment to its end. */

const journey = startJourney({ pictures: process.env['PICTURES'] !== undefined })
const approved = '4000 0000 0000 0002'
/** Can be saved; what is charged to it later is declined. */
const declinedLater = '4000 0000 0000 0168'

interface Subscriber {
  visitor: Visitor
  checks: StateChecks
  companyId: string
}

const management = '/subscription-management'

/** The plan is chosen, the missing invoice address filled in, and the card entered. */
async function subscribe({ visitor, checks }: Subscriber, period: 'MONTHLY' | 'YEARLY' = 'MONTHLY'): Promise<void> {
  const { page, origin, t, market } = visitor
  await page.goto(`${origin}/subscription`)
  await checks.look('subscription-plans')
  const plan = period === 'YEARLY' ? 'yearly' : 'other'
  await page.getByRole('link', { name: t('subscription.choose', { period: plan }) }).click()
  await page.getByRole('button', { name: t('subscription.checkout.next') }).click()
  await page.getByText(t('subscription.refusal.billing-details-missing')).waitFor()
  await checks.look('subscription-no-address')
  await page.getByRole('link', { name: t('subscription.checkout.billing') }).click()
  const { line1, postcode, city } = people[market]
  const details = { legalName: 'Lee Building Ltd', line1, postcode, city }
  for (const [name, value] of Object.entries(details)) await page.locator(`main [name="${name}"]`).fill(value)
  await page.getByRole('button', { name: t('tax.save') }).click()
  await page.getByText(t('flash.tax-saved')).first().waitFor()
  await page.goto(`${origin}/subscription-checkout?period=${period}`)
  await checks.look('subscription-choice')
  await page.getByRole('button', { name: t('subscription.checkout.next') }).press('Enter')
  await page.locator('iframe').waitFor()
  await checks.look('subscription-card')
  await typeCard(visitor, approved)
  await stateIs(visitor, 'trialing')
}

type State = 'trialing' | 'active' | 'due' | 'ended'

/** The page of the card leads to the management once the worker has heard of the card. */
async function stateIs({ page, origin, t }: Visitor, state: State): Promise<void> {
  const shown = page.locator('main').getByText(t('subscription.state', { state }), { exact: true })
  await page.waitForURL(origin + management)
  await lookUntil(page, async () => (await shown.count()) > 0)
}

/** Moves what the company has paid for into the past, until its next charge is due, and lets the worker see it. */
async function reachDueDate({ companyId }: Subscriber): Promise<void> {
  await withDatabase(journey.shop.databaseUrl(), async (pool) => {
    await pool.query(
      `with moved as (
         update subscriptions.subscription set created_at = created_at - (due_at - now()), paid_until = paid_until - (due_at - now()), due_at = now()
           where company_id = $1 and state <> 'ended' returning id
       ), earlier as (select id, due_at - now() as by from subscriptions.subscription where company_id = $1 and state <> 'ended')
       update subscriptions.charge c set paid_at = paid_at - by, period_start = period_start - by, period_end = period_end - by
         from earlier where c.subscription_id = earlier.id and state = 'paid'`,
      [companyId],
    )
    await runSchedule(pool, 'subscriptions.renew')
  })
}

/** The present card is offered first, another one behind a choice. */
async function changeCard({ visitor, checks }: Subscriber, number: string): Promise<void> {
  const { page, origin, t } = visitor
  await page.goto(origin + management)
  await page.getByRole('button', { name: t('subscription.do.card') }).press('Enter')
  const frame = await cardFrame(visitor)
  const other = frame.locator('details.other')
  await other.locator('summary').click()
  await checks.look('subscription-other-card')
  await other.locator('input[name=number]').fill(number)
  await other.locator('input[name=expiry]').fill('12 / 32')
  await other.locator('input[name=code]').fill('123')
  await other.locator('form button').click()
  await page.waitForURL(origin + management)
}

/** A company that is confirmed, since others have no trial, and its administrator. */
async function newSubscriber(market: ProMarket): Promise<Subscriber & { email: string }> {
  const visitor = await journey.visit({ market, mode: 'b2b' })
  await withoutNotes(visitor.page)
  const { customerId, companyId } = await enter(journey.shop.databaseUrl(), visitor)
  assert.ok(companyId)
  await withDatabase(journey.shop.databaseUrl(), (pool) =>
    pool.query('update accounts.company set vat_number = $2 where id = $1', [companyId, acceptedVatNumber(market)]),
  )
  return { visitor, checks: stateChecks(visitor), companyId, email: `${customerId}@example.com` }
}

/** The day of the next attempt has come. */
async function attemptAgain({ companyId }: Subscriber): Promise<void> {
  await withDatabase(journey.shop.databaseUrl(), async (pool) => {
    await pool.query(
      `update subscriptions.charge set next_attempt_at = now() where state = 'due' and subscription_id in
         (select id from subscriptions.subscription where company_id = $1)`,
      [companyId],
    )
    await runSchedule(pool, 'subscriptions.renew')
  })
}

interface Charged {
  state: string
  attempts: number
  period: string
}

/** The latest charge, once this holds for it. */
async function chargeOf({ visitor: { page }, companyId }: Subscriber, isIt: (charge: Charged) => boolean): Promise<void> {
  const read = async () => {
    const { rows } = await withDatabase(journey.shop.databaseUrl(), (pool) =>
      pool.query<Charged>(
        `select c.state, c.attempts, c.period from subscriptions.charge c join subscriptions.subscription s on s.id = c.subscription_id
           where s.company_id = $1 order by c.sequence desc limit 1`,
        [companyId],
      ),
    )
    return rows[0] !== undefined && isIt(rows[0])
  }
  await lookUntil(page, read)
}

/** Presses a button of the management page. */
async function choose({ visitor: { page } }: Subscriber, name: string): Promise<void> {
  await page.getByRole('button', { name, exact: true }).press('Enter')
}

/** Opens a question of the management page and presses the button below it. */
async function confirm({ visitor: { page } }: Subscriber, question: string): Promise<void> {
  const part = page.locator('main details').filter({ has: page.locator('summary').getByText(question, { exact: true }) })
  await part.locator('summary').press('Enter')
  await part.locator('form button').press('Enter')
}

for (const market of marketsOf('gb'))
  test(`in ${market} a subscription begins with a trial, renews, survives a failed payment with another card, and ends when it is cancelled`, async () => {
    const subscriber = await newSubscriber(market)
    const { visitor, checks, email } = subscriber
    const { page, origin, t } = visitor
    await subscribe(subscriber)
    await checks.look('subscription-trial')

    await reachDueDate(subscriber)
    await stateIs(visitor, 'active')
    // Issued by the worker after the charge.
    await lookUntil(page, async () => (await page.locator('main table a').count()) > 0)
    await checks.look('subscription-active', { byKeyboard: true })

    await changeCard(subscriber, declinedLater)
    const mails = await mailsTo(journey.shop.origin, email)
    await reachDueDate(subscriber)
    await stateIs(visitor, 'due')
    await page.getByText(t('subscription.overdue'), { exact: true }).waitFor()
    await checks.look('subscription-overdue')
    assert.ok((await mailsTo(journey.shop.origin, email)).length > mails.length, 'a mail reports the failed payment')
    await changeCard(subscriber, approved)
    await stateIs(visitor, 'active')

    await confirm(subscriber, t('subscription.do.cancel'))
    await page.getByText(t('flash.subscription-cancelled')).first().waitFor()
    await checks.look('subscription-cancelled')
    await reachDueDate(subscriber)
    await stateIs(visitor, 'ended')
    await checks.look('subscription-ended')
    await page.goto(`${origin}/subscription`)
    await page.getByText(t('subscription.no-trial')).waitFor()
    assert.deepEqual(checks.faults, [])
    await visitor.leave()
  })

for (const market of process.env['ALL_MARKETS'] === undefined ? [] : proMarkets) {
  test(`in ${market} a yearly subscription changes to months and back, renews for a year, and is withdrawn from with a refund`, async () => {
    const subscriber = await newSubscriber(market)
    const { visitor, checks } = subscriber
    const { page, t } = visitor
    await subscribe(subscriber, 'YEARLY')
    // Nothing has been paid in a trial: the choice itself changes.
    for (const [period, plan] of [
      ['other', t('subscription.period', { period: 'other' })],
      ['yearly', t('subscription.period', { period: 'yearly' })],
    ] as const) {
      await confirm(subscriber, t('subscription.do.period', { period }))
      await page.locator('main dd').getByText(plan, { exact: true }).waitFor()
    }
    await reachDueDate(subscriber)
    await stateIs(visitor, 'active')
    await chargeOf(subscriber, ({ state, period }) => state === 'paid' && period === 'yearly')
    await confirm(subscriber, t('subscription.do.period', { period: 'other' }))
    await page.getByText(t('subscription.next-plan')).waitFor()
    await checks.look('subscription-next-period')
    await confirm(subscriber, t('subscription.do.keep-period', { period: 'yearly' }))
    await page
      .locator('main summary')
      .getByText(t('subscription.do.period', { period: 'other' }))
      .waitFor()

    await page.locator('main summary').getByText(t('subscription.do.withdraw')).click()
    await page.getByText(t('subscription.do.withdraw.text')).waitFor()
    await checks.look('subscription-withdrawal')
    await choose(subscriber, t('subscription.do.withdraw.confirm'))
    await stateIs(visitor, 'ended')
    await chargeOf(subscriber, ({ state }) => state === 'refunded')
    await checks.look('subscription-withdrawn')
    assert.deepEqual(checks.faults, [])
    await visitor.leave()
  })

  test(`in ${market} a subscription ends unpaid after four declined attempts`, async () => {
    const subscriber = await newSubscriber(market)
    const { visitor, checks, email } = subscriber
    const { page, t } = visitor
    await subscribe(subscriber)
    await changeCard(subscriber, declinedLater)
    await reachDueDate(subscriber)
    await stateIs(visitor, 'due')
    for (const declined of [1, 2, 3]) {
      await chargeOf(subscriber, ({ state, attempts }) => state === 'due' && attempts === declined)
      await attemptAgain(subscriber)
    }
    await chargeOf(subscriber, ({ state, attempts }) => state === 'failed' && attempts === 4)
    await stateIs(visitor, 'ended')
    await page.getByRole('link', { name: t('subscription.do.again') }).waitFor()
    await checks.look('subscription-unpaid')
    const { rows: mails } = await withDatabase(journey.shop.databaseUrl(), (pool) =>
      pool.query(`select 1 from mail.mail where recipient = $1 and template = 'subscription-ended'`, [email]),
    )
    assert.equal(mails.length, 1, 'a mail reports the end')
    assert.deepEqual(checks.faults, [])
    await visitor.leave()
  })
}
