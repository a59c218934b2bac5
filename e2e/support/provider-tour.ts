import assert from 'node:assert/strict'
import { createPool } from '@purlin/server/foundation/platform/index.ts'
import { codeNow } from '@purlin/services/identity-provider/second-factor.ts'
import type { Locator, Page } from 'playwright-core'
import { linkIn, mailsTo } from './mailbox.ts'
import type { StateChecks } from './page-states.ts'
import type { Visitor } from './visitor.ts'

/** The provider's pages in their order for somebody who opens an account, forgets the password, and secures the account. */

export interface ProviderTour {
  visitor: Visitor
  realm: 'b2c' | 'b2b'
  checks: StateChecks
  shop: { origin: string }
}

const passwords = { first: 'seven quiet kettles on the hob', next: 'nine loud kettles on the shelf', last: 'four old spoons in a drawer' }

/** Requests of other journeys count for the same network. */
export async function forgetAttempts(databaseUrl: string): Promise<void> {
  const pool = createPool({ connectionString: databaseUrl, sizes: { commands: 1, single: 1 } })
  try {
    await pool.query('delete from identity.attempt')
  } finally {
    await pool.end()
  }
}

/** The provider's account page for a signed-in person; its sign-in page for everybody else. */
export function accountOf({ origin }: Pick<Visitor, 'origin'>, realm: string): string {
  const { port } = new URL(origin)
  return `http://id.localhost:${Number(port) + 2}/realms/${realm}/account?shop=${encodeURIComponent(origin)}`
}

async function fill({ page }: Visitor, values: Record<string, string>): Promise<void> {
  for (const [name, value] of Object.entries(values)) {
    const field = page.locator(`main [name="${name}"]`)
    if ((await field.evaluate((each) => each.tagName)) === 'SELECT') await field.selectOption(value)
    else await field.fill(value)
  }
}

/** Sends the page's first form with these values; the browser's own checks are off, as they are without scripts on some phones. */
async function send(visitor: Visitor, values: Record<string, string> = {}): Promise<void> {
  await fill(visitor, values)
  await visitor.page.locator('main form:has(button)').first().locator('button').click()
  await visitor.page.locator('main h1').waitFor()
}

/** Does what makes the provider write a mail, and returns its link. */
async function linkAfter(tour: ProviderTour, email: string, act: () => Promise<void>): Promise<string> {
  const known = await mailsTo(tour.shop.origin, email)
  await act()
  return linkIn(tour.shop.origin, email, /http:\/\/id\.localhost[^"\s<]+\/link\/[\w-]+(?:\?[^"\s<]+)?/, known)
}

/** Registration, the confirmed address, and what the links of mails show. Returns the account's address. */
export async function register(tour: ProviderTour, other: ProviderTour): Promise<string> {
  const { visitor, realm, checks } = tour
  const { page, t } = visitor
  const email = `${realm}.${crypto.randomUUID().slice(0, 8)}@mail.example`
  await page.goto(accountOf(visitor, realm))
  const start = page.url()
  await checks.look('id-sign-in')
  await send(visitor)
  await checks.look('id-sign-in-empty', { failing: true })
  await send(visitor, { email, password: 'not the password' })
  await checks.look('id-sign-in-wrong', { failing: true })
  assert.equal(await page.locator('[name="email"]').inputValue(), email, 'the address is kept')

  await page.goto(`${start}/register`)
  await checks.look('id-register')
  await send(visitor)
  await checks.look('id-register-empty', { failing: true })
  const person = { given_name: 'Ottilie', family_name: 'Quarrier' }
  const company = { company: 'Quarrier & Sons', trade: 'roofer', vat_number: 'FR12345678901', role: 'owner' }
  await send(visitor, { ...(realm === 'b2b' && company), ...person, email: 'ottilie@', password: 'short' })
  await checks.look('id-register-wrong', { failing: true })
  assert.equal(await page.locator('[name="given_name"]').inputValue(), person.given_name, 'what was entered is kept')
  const vat = 'FR65000040402'
  const link = await linkAfter(tour, email, () =>
    send(visitor, { ...(realm === 'b2b' && { vat_number: vat }), email, password: passwords.first }),
  )
  await checks.look('id-mail-sent')

  await other.visitor.page.goto(link)
  await other.checks.look('id-confirm-elsewhere')
  await send(other.visitor)
  await other.checks.look('id-confirm-elsewhere-empty', { failing: true })
  await page.goto(link)
  await checks.look('id-confirm')
  await page.getByRole('button', { name: t('identity.confirm.submit') }).click()
  await page.waitForURL(/\/account/)
  await checks.look('id-account')
  await other.visitor.page.goto(link)
  await other.checks.look('id-link-old')
  return email
}

/** Password and address are changed from the account's pages. */
export async function changeCredentials(tour: ProviderTour, other: ProviderTour, email: string): Promise<string> {
  const { visitor, realm, checks } = tour
  const { page, t } = visitor
  await page.goto(accountOf(visitor, realm))
  await page.getByRole('link', { name: t('identity.account.password') }).click()
  await checks.look('id-password')
  await send(visitor, { old_password: 'not the password', password: passwords.next })
  await checks.look('id-password-wrong', { failing: true })
  await send(visitor, { old_password: passwords.first, password: 'short' })
  await checks.look('id-password-short', { failing: true })
  await send(visitor, { old_password: passwords.first, password: passwords.next })
  await checks.look('id-account-password-changed')

  await page.goto(accountOf(visitor, realm))
  await page.getByRole('link', { name: t('identity.account.email') }).click()
  await checks.look('id-email')
  await send(visitor, { email: 'ottilie@', old_password: passwords.next })
  await checks.look('id-email-wrong', { failing: true })
  const next = `next.${email}`
  const refused = await linkAfter(tour, email, () => send(visitor, { email: next, old_password: passwords.next }))
  await checks.look('id-email-sent')
  await page.goto(accountOf(visitor, realm))
  await checks.look('id-account-email-pending')
  await other.visitor.page.goto(refused)
  await other.checks.look('id-email-answer')
  await other.visitor.page.getByRole('button', { name: other.visitor.t('identity.email.refuse-submit') }).click()
  await other.checks.look('id-email-refused')
  await page.goto(accountOf(visitor, realm))
  await page.getByRole('link', { name: t('identity.account.email') }).click()
  let agree = ''
  const link = await linkAfter(tour, next, async () => {
    agree = await linkAfter(tour, email, () => send(visitor, { email: next, old_password: passwords.next }))
  })
  await page.goto(accountOf(visitor, realm))
  await page.getByRole('link', { name: t('identity.account.email') }).click()
  await checks.look('id-email-pending')
  await other.visitor.page.goto(link)
  await other.checks.look('id-email-elsewhere')
  await send(other.visitor, { present: next })
  await other.checks.look('id-email-elsewhere-wrong', { failing: true })
  await page.goto(link)
  await checks.look('id-email-confirm')
  await send(visitor)
  await checks.look('id-email-confirmed')
  await page.goto(agree)
  const undo = await linkAfter(tour, email, () => send(visitor))
  await checks.look('id-email-done')
  await page.goto(undo)
  await checks.look('id-email-undo')
  await send(visitor)
  await checks.look('id-email-undone')
  return email
}

/** A forgotten password, and the link that signs in. */
export async function signInByMail(tour: ProviderTour, other: ProviderTour, email: string): Promise<void> {
  const { visitor, realm, checks } = tour
  const { page } = visitor
  await page.goto(accountOf(visitor, realm))
  const start = page.url()
  await page.goto(`${start}/forgotten`)
  await checks.look('id-forgotten')
  await send(visitor, { email: 'ottilie@' })
  await checks.look('id-forgotten-wrong', { failing: true })
  const link = await linkAfter(tour, email, () => send(visitor, { email }))
  await checks.look('id-forgotten-sent')
  await page.goto(link)
  await checks.look('id-reset')
  await send(visitor, { password: 'ottilie ottilie' })
  await checks.look('id-reset-wrong', { failing: true })
  await send(visitor, { password: passwords.last })
  await checks.look('id-reset-done')

  await page.goto(`${start}/by-mail`)
  await checks.look('id-by-mail')
  await send(visitor, { email: '' })
  await checks.look('id-by-mail-empty', { failing: true })
  const signIn = await linkAfter(tour, email, () => send(visitor, { email }))
  await other.visitor.page.goto(signIn)
  await other.checks.look('id-by-mail-elsewhere')
  await page.goto(signIn)
  await checks.look('id-by-mail-link')
  await send(visitor)
  await page.waitForURL(/\/account/)
}

/** Opens the question before what cannot be undone; the button that confirms it. */
export async function askedFirst(page: Page, label: string): Promise<Locator> {
  await page.locator('main summary', { hasText: label }).first().press('Enter')
  return page.locator('main details[open] button')
}

/** The second step: set up, asked for at sign-in, replaced by a recovery code, turned off. */
export async function useSecondStep({ visitor, realm, checks }: ProviderTour, email: string): Promise<void> {
  const { page, t } = visitor
  await page.goto(accountOf(visitor, realm))
  await page.getByRole('link', { name: t('identity.account.second-set-up') }).click()
  await checks.look('id-set-up')
  const secret = (await page.locator('main code').innerText()).replace(/\s/g, '')
  await send(visitor, { code: '12' })
  await checks.look('id-set-up-wrong', { failing: true })
  assert.equal((await page.locator('main code').innerText()).replace(/\s/g, ''), secret, 'the scanned key stays')
  await send(visitor, { code: codeNow(secret) })
  await checks.look('id-codes')
  const [recovery = ''] = await page.locator('main li code').allInnerTexts()
  await page.locator('main a').first().click()
  await checks.look('id-account-second-on')
  const confirm = await askedFirst(page, t('identity.devices.sign-out-all'))
  await checks.look('id-sign-out-asked')
  await confirm.click()
  await page.waitForURL((url) => !url.hostname.startsWith('id.'))
  await page.goto(accountOf(visitor, realm))
  await send(visitor, { email, password: passwords.last })
  await checks.look('id-second')
  await send(visitor, { code: '000000' })
  await checks.look('id-second-wrong', { failing: true })
  await page.getByRole('link', { name: t('identity.second.lost') }).click()
  await checks.look('id-recovery')
  await send(visitor, { code: 'aaaa-bbbb' })
  await checks.look('id-recovery-wrong', { failing: true })
  await send(visitor, { code: recovery })
  await page.waitForURL(/\/account/)
  await page.getByText(t('identity.account.second-on')).waitFor()
  await page.getByRole('link', { name: t('identity.remove-second.title') }).click()
  await checks.look('id-remove-second')
  await page.getByRole('button', { name: t('identity.account.second-remove'), exact: true }).click()
  await page.getByText(t('identity.done.second-off')).waitFor()
}

/** Pages of sign-ins that have expired, and of signing out at the provider. */
export async function meetErrors({ visitor, realm, checks }: ProviderTour): Promise<void> {
  const { page, origin } = visitor
  const base = accountOf(visitor, realm).split('/account')[0]
  await page.goto(`${base}/interaction/of-another-day?shop=${encodeURIComponent(origin)}`)
  await checks.look('id-expired')
  await page.goto(`${base}/protocol/openid-connect/auth?client_id=purlin&redirect_uri=${encodeURIComponent('http://elsewhere.example/')}`)
  await checks.look('id-refused')
  await page.goto(`${base}/protocol/openid-connect/logout?ui_locales=${visitor.market === 'gb' ? 'en' : visitor.market}`)
  await checks.look('id-sign-out')
  await send(visitor)
  await checks.look('id-signed-out')
}
