import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import type { Market } from '@purlin/contract/markets.ts'
import { createPool, newId } from '@purlin/server/foundation/platform/index.ts'
import { actForCompany } from '@purlin/server/people/accounts/index.ts'
import { addCompany, addCustomer, addMembership, signIn } from '@purlin/server/people/accounts/testing.ts'
import { mailTo } from './mailbox.ts'
import type { StateChecks } from './page-states.ts'
import { patient } from './patience.ts'
import { people, type Visitor } from './visitor.ts'

/** The pages of the account and of a company in the states that an empty or a filled account does not show by itself. */

export interface StateTour {
  visitor: Visitor
  checks: StateChecks
}

/** Numbers that the embedded registers do not know, and that they are too busy for. */
const vatNumbers: Partial<Record<Market, { unknown: string; busy: string }>> = {
  gb: { unknown: 'GB004040057', busy: 'GB004290027' },
  fr: { unknown: 'FR65000040402', busy: 'FR02000042903' },
}

export interface Entered {
  customerId: string
  companyId: string | null
}

/** Signs a new person in, as a consumer or as a member of a new company. */
export async function enter(
  databaseUrl: string,
  { page, origin, market, mode }: Visitor,
  { role = 'admin' }: { role?: string } = {},
): Promise<Entered> {
  const pool = createPool({ connectionString: databaseUrl, sizes: { commands: 1, single: 1 } })
  try {
    const { id } = await addCustomer(pool.db, { market })
    const company = mode === 'b2b' ? await addCompany(pool.db, { country: market.toUpperCase() }) : null
    if (company) await addMembership(pool.db, id, company.id, role)
    const { token } = await signIn(pool.db, { customerId: id, family: mode, ...(company && { companyId: company.id }) })
    // A professional's first visits begin with notes, which have a journey of their own.
    await page.addInitScript(() => ['b2b_welcome', 'b2b_vat_modal'].forEach((name) => sessionStorage.setItem(`purlin.${name}`, 'closed')))
    const domain = new URL(origin).hostname
    await page
      .context()
      .addCookies([{ name: '__Host-purlin', value: token, domain, path: '/', secure: true, httpOnly: true, sameSite: 'Lax' }])
    return { customerId: id, companyId: company?.id ?? null }
  } finally {
    await pool.end()
  }
}

/** Opens a page and sends the form of a field, a name or a selector, without the browser's own checks. */
async function send({ page, origin }: Visitor, path: string | null, field: string, values: Record<string, string>): Promise<void> {
  if (path !== null) await page.goto(origin + path)
  const form = page.locator(`main form:has(${field.includes('[') ? field : `[name="${field}"]`})`).first()
  await form.evaluate((element: HTMLFormElement) => {
    element.noValidate = true
    const around = element.closest('details')
    if (around) around.open = true
  })
  for (const [name, value] of Object.entries(values)) {
    const input = form.locator(`[name="${name}"]:not([type="hidden"])`).first()
    if ((await input.getAttribute('type')) === 'checkbox') await input.check()
    else await input.fill(value)
  }
  const answered = page.waitForResponse((sent) => sent.request().method() === 'POST' && sent.request().isNavigationRequest())
  await form.locator('button').last().click()
  await answered
  await page.waitForLoadState()
}

async function open({ visitor: { page, origin }, checks }: StateTour, name: string, path: string, status = 200): Promise<void> {
  const response = await page.goto(origin + path)
  assert.equal(response?.status(), status, `${name} (${path})`)
  await checks.look(name)
}

/** Pages that need no account. */
export async function lookAsGuest(tour: StateTour): Promise<void> {
  await open(tour, 'forgot-password', '/forgot-password')
  await open(tour, 'convert-guest', '/convert-guest')
  await open(tour, 'auth-error-denied', '/auth/error-page?error=AccessDenied')
  await open(tour, 'office-nobody', '/office')
  await open(tour, 'unsubscribe', '/unsubscribe?list=of-nobody')
  await open(tour, 'unsubscribe-done', '/unsubscribe?done=1')
  await open(tour, 'wishlist-link-unknown', '/wishlists/of-nobody', 404)
  await open(tour, 'invitation-unknown', '/company-invitation/of-nobody', 404)
}

/** Refused forms of a consumer's settings, addresses, tax information and wishlists. */
export async function lookAtAccount(tour: StateTour, other: StateTour): Promise<void> {
  const { visitor, checks } = tour
  const { page, origin, market } = visitor
  const fails = { failing: true }
  await send(visitor, '/settings', 'smsPhone', { sms: 'on', smsPhone: '12' })
  await checks.look('settings-offers-wrong', fails)
  await lookAtPhoneCode(tour)
  for (const fault of ['too-short', 'locked']) {
    await page.goto(`${origin}/settings?credentials=${fault}&minutes=5#credentials`)
    await checks.look(`settings-password-${fault}`, fails)
  }
  await send(visitor, '/settings', 'input[type="email"]', { email: 'somebody@else.example' })
  await checks.look('settings-erase-wrong', fails)
  const place = people[market]
  await send(visitor, '/my-account/addresses?add=1', 'line1', { ...place, postcode: '1' })
  await checks.look('address-postcode-wrong', fails)
  assert.equal(await page.locator('[name="city"]').inputValue(), place.city, 'what was entered is kept')
  await send(visitor, '/my-tax-information', 'vatNumber', { vatNumber: 'GB1', legalName: 'Lee & Sons' })
  await checks.look('tax-wrong', fails)
  await lookAtWishlists(tour, other)
  await open(tour, 'orders-none-found', '/orders?search=qqqxxxzzz')
  await open(tour, 'address-of-another', '/my-account/addresses?edit=of-nobody', 404)
}

/** Without their last three digits: a number is sent five codes a day. */
const mobilePhones: Record<Market, string> = { gb: '07700900', fr: '0639980', de: '01713920', es: '600000', it: '3123456' }

/** The form for the code sent to a number: waiting, refused, and refused where no code is valid any more. */
async function lookAtPhoneCode({ visitor, checks }: StateTour): Promise<void> {
  const { page, market } = visitor
  const smsPhone = `${mobilePhones[market]}${String(randomInt(1000)).padStart(3, '0')}`
  await send(visitor, '/settings', 'smsPhone', { sms: 'on', smsPhone })
  await page.waitForURL(/\/settings#code$/)
  await checks.look('settings-code-waiting')
  await send(visitor, null, 'code', { code: 'wrong' })
  await checks.look('settings-code-wrong', { failing: true })
  await optOutInAnotherTab(visitor)
  await send(visitor, null, 'code', { code: '123456' })
  await checks.look('settings-code-expired', { failing: true })
}

/** Ends what waits for a code, as the time does. */
async function optOutInAnotherTab({ page, origin }: Visitor): Promise<void> {
  const tab = await page.context().newPage()
  await tab.goto(`${origin}/settings`)
  const answered = tab.waitForResponse((sent) => sent.request().method() === 'POST' && sent.request().isNavigationRequest())
  // Sent by the form itself, so that the script of the page does not save it without a navigation.
  await tab.locator('main form:has([name="smsPhone"])').evaluate((form: HTMLFormElement) => {
    for (const box of form.querySelectorAll<HTMLInputElement>('[type="checkbox"]')) box.checked = false
    form.submit()
  })
  await answered
  await tab.close()
}

async function lookAtWishlists({ visitor, checks }: StateTour, other: StateTour): Promise<void> {
  const { page, origin, t } = visitor
  await send(visitor, '/my-account/wishlists', 'name', { name: 'Bathroom 2027' })
  await page.waitForURL(/\/my-account\/wishlists\/[\w-]+$/)
  await checks.look('wishlist-empty')
  await send(visitor, new URL(page.url()).pathname, 'name', { name: '' })
  await checks.look('wishlist-rename-wrong', { failing: true })
  await page.goto(page.url())
  await page
    .locator('main details')
    .first()
    .evaluate((each: HTMLDetailsElement) => void (each.open = true))
  await page.getByRole('button', { name: t('wishlist.share'), exact: true }).click()
  const link = (await page.locator('#link').getAttribute('href')) ?? ''
  await other.visitor.page.goto(origin + link)
  await other.checks.look('wishlist-shared-empty')
}

/** The VAT number while its register is asked, unknown, and unanswered; the conversion that waits for it. */
export async function lookAtConversion(tour: StateTour): Promise<void> {
  const { visitor, checks } = tour
  const { page, market } = visitor
  const { unknown, busy } = vatNumbers[market] ?? { unknown: 'FR65000040402', busy: 'FR02000042903' }
  const { line1, postcode, city } = people[market]
  await send(visitor, '/my-tax-information', 'vatNumber', { vatNumber: busy, legalName: 'Lee & Sons', line1, postcode, city })
  await page.locator('#vat').waitFor()
  await checks.look('tax-pending', { waits: true })
  await open(tour, 'conversion', '/pro-account/signup')
  await send(visitor, null, 'companyName', {})
  await checks.look('conversion-empty', { failing: true })
  await send(visitor, null, 'companyName', { companyName: 'Lee & Sons', line1, postcode, city, vatNumber: unknown })
  await checks.look('conversion-checking', { waits: true })
  // The page loads itself anew until the register has answered.
  await page
    .locator('main form')
    .first()
    .waitFor({ timeout: patient(60_000) })
  await checks.look('conversion-refused')
  assert.equal(await page.locator('[name="vatNumber"]').inputValue(), unknown, 'the refused number is there to be corrected')
}

/** A company's pages for its administrator: empty, refused, filled. */
export async function lookAtCompany(tour: StateTour, other: StateTour, shop: { origin: string }): Promise<void> {
  const { visitor, checks } = tour
  const { page, market } = visitor
  const fails = { failing: true }
  const invited = `${crypto.randomUUID().slice(0, 8)}@mail.example`
  await open(tour, 'company', '/my-account/company')
  await send(visitor, null, 'email', { email: 'ottilie@' })
  await checks.look('company-invite-wrong', fails)
  await send(visitor, '/my-account/company', 'email', { email: invited })
  await checks.look('company-invited')
  await lookAtInvitation(other, await mailTo(shop.origin, invited))
  await open(tour, 'sites-empty', '/my-account/company/sites')
  await send(visitor, '/my-account/company/sites?add=1', 'line1', {})
  await checks.look('site-empty', fails)
  await send(visitor, null, 'line1', { name: 'School roof', ...people[market], postcode: '1' })
  await checks.look('site-wrong', fails)
  await send(visitor, null, 'line1', { postcode: people[market].postcode })
  await checks.look('sites')
  await send(visitor, '/my-account/company/sites', 'centreName', {})
  await checks.look('cost-centre-empty', fails)
  await send(visitor, null, 'centreName', { code: 'ROOF-27', centreName: 'Roofs' })
  await open(tour, 'budgets', '/my-account/company/budgets')
  await send(visitor, null, 'monthly', { monthly: 'a lot' })
  await checks.look('budget-wrong', fails)
  assert.equal(await page.locator('[aria-invalid="true"]').inputValue(), 'a lot', 'what was entered is kept')
  for (const [name, path] of Object.entries({
    spending: '/my-account/company/spending',
    approvals: '/my-account/approvals',
    quotes: '/my-account/quotes',
    'quote-request': '/my-account/quotes/request',
    'quick-order': '/quick-order',
    'invoices-empty': '/my-invoices',
    'buy-again-empty': '/buy-again',
    'subscription-none': '/subscription-management',
    'tax-company': '/my-tax-information',
  }))
    await open(tour, name, path)
}

/** The company's page, and where it would pay by invoice, while its registration is checked and after it was refused. */
export async function lookAtReview(tour: StateTour, databaseUrl: string, { customerId, companyId }: Entered): Promise<void> {
  const { visitor, checks } = tour
  const { market, origin } = visitor
  const pool = createPool({ connectionString: databaseUrl, sizes: { commands: 1, single: 1 } })
  try {
    await pool.query(
      `insert into companies.conversion (id, customer_id, state, reason, company_name, country, register_number, market, mode, origin, registered_company_id)
       values ($1, $2, 'lead', 'register-number', 'Quarrier & Sons', $3, '01234567', $4, 'b2b', $5, $6)`,
      [newId(), customerId, market.toUpperCase(), market, origin, companyId],
    )
    await open(tour, 'company-in-review', '/my-account/company')
    await open(tour, 'billie-in-review', '/billie')
    await open(tour, 'conversion-in-review', '/pro-account/signup')
    await pool.query(`update companies.conversion set state = 'refused', reason = 'not-a-company' where customer_id = $1`, [customerId])
    await open(tour, 'company-refused', '/my-account/company')
    await send(visitor, null, 'email', { email: 'kim@mail.example' })
    await checks.look('company-refused-invites', { failing: true })
    await open(tour, 'conversion-refused-company', '/pro-account/signup')
  } finally {
    await pool.end()
  }
}

/** The settings of a company's only admin who closes the account: with the way to its members, and to their companies while they act for another one. */
export async function lookAtLastAdmin(
  { visitor, checks }: StateTour,
  databaseUrl: string,
  { customerId, companyId }: Entered,
): Promise<void> {
  const { page, market, t } = visitor
  const pool = createPool({ connectionString: databaseUrl, sizes: { commands: 1, single: 1 } })
  const close = async (name: string, link: string) => {
    const { rows } = await pool.query<{ email: string }>('select email from accounts.customer where id = $1', [customerId])
    await send(visitor, '/settings', 'input[type="email"]', { email: rows[0]?.email ?? '' })
    await checks.look(name, { failing: true })
    await page.locator('#erase a').click()
    await page.locator(link).waitFor()
  }
  try {
    assert.ok(companyId)
    const colleague = await addCustomer(pool.db, { market })
    await addMembership(pool.db, colleague.id, companyId, 'viewer')
    await pool.query(`update accounts.company set name = 'Quarrier & Sons' where id = $1`, [companyId])
    await close('settings-last-admin', `h2#members:text-is("${t('company.members')}")`)
    const second = await addCompany(pool.db, { country: market.toUpperCase() })
    await addMembership(pool.db, customerId, second.id, 'admin')
    await actForCompany(pool.db, customerId, second.id)
    await close('settings-last-admin-elsewhere', 'h2#companies')
  } finally {
    await pool.end()
  }
}

/** The link of an invitation, for a visitor who is not signed in. */
async function lookAtInvitation(tour: StateTour, mail: string): Promise<void> {
  const [path = ''] = /\/company-invitation\/[\w-]+/.exec(mail) ?? []
  await open(tour, 'invitation', path)
}
