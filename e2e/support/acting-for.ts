import assert from 'node:assert/strict'
import { addCompany, addMembership } from '@purlin/server/people/accounts/testing.ts'
import type { Journey } from './journey.ts'
import { stateChecks, type StateChecks } from './page-states.ts'
import { withDatabase } from './professionals.ts'
import type { Visitor } from './visitor.ts'

interface Member {
  visitor: Visitor
  checks: StateChecks
  email: string
}

/**
 * A buyer who is a member of another company as well acts for it and, in the same session without scripts, for the first one again, to
 * whose site the goods in the basket go.
 */
export async function actForAnother(
  journey: Journey,
  { visitor: { page, origin, t, market }, checks, email }: Member,
  { company, site }: { company: string; site: string },
): Promise<void> {
  const other = `${company} Roofing`
  await withDatabase(journey.shop.databaseUrl(), async (pool) => {
    const { rows } = await pool.query<{ id: string }>('select id from accounts.customer where email = $1', [email])
    const { id } = await addCompany(pool.db, { country: market.toUpperCase() })
    await pool.query('update accounts.company set name = $2 where id = $1', [id, other])
    await addMembership(pool.db, rows[0]?.id ?? assert.fail('no buyer'), id, 'buyer')
  })
  await page.goto(`${origin}/my-account/company`)
  await page.getByText(t('company.acting.text', { company })).waitFor()
  await checks.look('companies-of-member', { byKeyboard: true })
  await page.getByRole('button', { name: t('company.acting.do', { company: other }) }).press('Enter')
  await page.getByRole('heading', { level: 1, name: other }).waitFor()
  await page.getByText(t('company.acting.text', { company: other })).waitFor()
  await checks.look('company-switched')
  await page.goto(`${origin}/checkout/address`)
  await page.locator('main').getByText(other).first().waitFor()
  assert.equal(await page.getByText(site).count(), 0, 'sites are the other company’s')

  const quiet = await journey.visit({ market, mode: 'b2b', javaScript: false, viewport: { width: 390, height: 844 } })
  const without = stateChecks(quiet, { scripts: false })
  await quiet.page.context().addCookies(await page.context().cookies())
  await quiet.page.goto(`${origin}/customer-area`)
  await quiet.page.locator('main a[href$="#companies"]').click()
  await quiet.page.getByText(t('company.acting.text', { company: other })).waitFor()
  await without.look('companies-of-member-without-scripts', { byKeyboard: true })
  await quiet.page.getByRole('button', { name: t('company.acting.do', { company }) }).click()
  await quiet.page.getByText(t('flash.company-switched')).first().waitFor()
  await quiet.page.getByRole('heading', { level: 1, name: company, exact: true }).waitFor()
  await quiet.page.goto(`${origin}/checkout/address`)
  await without.look('checkout-companies')
  await quiet.page.getByRole('button', { name: t('checkout.address.choose-named', { address: site }) }).click()
  await quiet.page.getByRole('heading', { level: 1, name: t('checkout.delivery.title') }).waitFor()
  assert.equal(await quiet.page.getByLabel(t('order-reference.charged-site')).locator('option:checked').innerText(), site)
  assert.deepEqual(without.faults, [])
  await quiet.leave()
}
