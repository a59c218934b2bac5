import assert from 'node:assert/strict'
import { test } from 'node:test'
import { enter } from '../support/account-states.ts'
import { cardFrame, typeCard } from '../support/buying.ts'
import { startJourney } from '../support/journey.ts'
import { mailsTo } from '../support/mailbox.ts'
import { stateChecks, type StateChecks } from '../support/page-states.ts'
import { acceptedVatNumber, lookUntil, marketsOf, runSchedule, withDatabase, withoutNotes } from '../support/professionals.ts'
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
async function subscribe({ visitor, checks }: Subscriber): Promise<void> {
  const { page, origin, t, market } = visitor
  await page.goto(`${origin}/subscription`)
  await checks.look('subscription-plans')
  await page.getByRole('link', { name: t('subscription.choose', { period: 'other' }) }).click()
  await page.getByRole('button', { name: t('subscription.checkout.next') }).click()
  await page.getByText(t('subscription.refusal.billing-details-missing')).waitFor()
  await checks.look('subscription-no-address')
  await page.getByRole('link', { name: t('subscription.checkout.billing') }).click()
  const { line1, postcode, city } = people[market]
  const details = { legalName: 'Lee Building Ltd', line1, postcode, city }
  for (const [name, value] of Object.entries(details)) await page.locator(`main [name="${name}"]`).fill(value)
  await page.getByRole('button', { name: t('tax.save') }).click()
  await page.getByText(t('flash.tax-saved')).first().waitFor()
  await page.goto(`${origin}/subscription-checkout?period=MONTHLY`)
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

for (const market of marketsOf('gb'))
  test(`in ${market} a subscription begins with a trial, renews, survives a failed payment with another card, and ends when it is cancelled`, async () => {
    const visitor = await journey.visit({ market, mode: 'b2b' })
    const { page, origin, t } = visitor
    await withoutNotes(page)
    const { customerId, companyId } = await enter(journey.shop.databaseUrl(), visitor)
    assert.ok(companyId)
    // Companies that nobody has confirmed have no trial.
    await withDatabase(journey.shop.databaseUrl(), (pool) =>
      pool.query('update accounts.company set vat_number = $2 where id = $1', [companyId, acceptedVatNumber(market)]),
    )
    const subscriber = { visitor, checks: stateChecks(visitor), companyId }
    const { checks } = subscriber
    await subscribe(subscriber)
    await checks.look('subscription-trial')

    await reachDueDate(subscriber)
    await stateIs(visitor, 'active')
    // Issued by the worker after the charge.
    await lookUntil(page, async () => (await page.locator('main table a').count()) > 0)
    await checks.look('subscription-active', { byKeyboard: true })

    await changeCard(subscriber, declinedLater)
    const mails = await mailsTo(journey.shop.origin, `${customerId}@example.com`)
    await reachDueDate(subscriber)
    await stateIs(visitor, 'due')
    await page.getByText(t('subscription.overdue'), { exact: true }).waitFor()
    await checks.look('subscription-overdue')
    assert.ok((await mailsTo(journey.shop.origin, `${customerId}@example.com`)).length > mails.length, 'a mail reports the failed payment')
    await changeCard(subscriber, approved)
    await stateIs(visitor, 'active')

    await page.getByRole('button', { name: t('subscription.do.cancel') }).press('Enter')
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
