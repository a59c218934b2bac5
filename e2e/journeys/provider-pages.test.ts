import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { test } from 'node:test'
import { demoPassword, demoPeople } from '@purlin/demo/people.ts'
import type { Page } from 'playwright-core'
import { startJourney } from '../support/journey.ts'
import { askedFirst } from '../support/provider-tour.ts'
import { variantsOf } from '../support/variants.ts'
import type { Visitor } from '../support/visitor.ts'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

const { visit } = startJourney()
const grace = demoPeople.find(({ kind }) => kind === 'consumer')!
const ada = demoPeople.find(({ kind }) => kind === 'operator')!

/** The provider's account page for a signed-in person; its sign-in page for everybody else. */
function accountOf({ origin }: Visitor, realm: string): string {
  const { port } = new URL(origin)
  return `http://id.localhost:${Number(port) + 2}/realms/${realm}/account?shop=${encodeURIComponent(origin)}`
}

async function signIn({ page, t }: Visitor, email: string, password = demoPassword): Promise<void> {
  await page.getByLabel(t('identity.field.email')).fill(email)
  await page.getByLabel(t('identity.field.password'), { exact: true }).fill(password)
  await page.getByRole('button', { name: t('identity.sign-in.submit'), exact: true }).click()
}

async function faultless(page: Page, name: string): Promise<void> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe)
  const found = await page.evaluate(async (runOnly) => {
    const { axe: checker } = window as unknown as { axe: { run(options: object): Promise<{ violations: { id: string }[] }> } }
    return (await checker.run({ runOnly })).violations.map(({ id }) => id)
  }, rules)
  assert.deepEqual(found, [], name)
  for (const width of [320, 390, 1440]) {
    await page.setViewportSize({ width, height: 900 })
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `${name} scrolls sideways at ${width}`)
  }
}

for (const market of variantsOf(['fr', 'gb', 'de'] as const)) {
  test(`R-291 in ${market} the provider's pages are in the language of the shop, have no axe violations and never scroll sideways`, async () => {
    const visitor = await visit({ market })
    const { page, t, complaints } = visitor
    await page.goto(accountOf(visitor, 'b2c'))
    const start = page.url()
    await page.getByRole('heading', { level: 1, name: t('identity.sign-in.title') }).waitFor()
    await faultless(page, 'sign-in')
    await signIn(visitor, grace.email, 'not the password')
    await page.getByText(t('identity.sign-in.wrong')).waitFor()
    await faultless(page, 'sign-in, refused')
    await page.goto(`${start}/register`)
    await page.getByRole('button', { name: t('identity.register.submit') }).click()
    await page.getByRole('heading', { name: t('identity.page.errors') }).waitFor()
    await faultless(page, 'registration, refused')
    await page.goto(`${start}/forgotten`)
    await page.getByLabel(t('identity.field.email')).fill('nobody@example.com')
    await page.getByRole('button', { name: t('identity.forgotten.submit') }).click()
    await page.getByRole('heading', { level: 1, name: t('identity.mail-sent.title') }).waitFor()
    await faultless(page, 'mail sent')
    await page.goto(start)
    await signIn(visitor, grace.email)
    await page.getByRole('heading', { level: 1, name: t('identity.account.title') }).waitFor()
    await faultless(page, 'account')
    // The browser logs the refusals; nothing else may be wrong.
    assert.deepEqual(
      complaints.filter((line) => !/status of 4\d\d/.test(line)),
      [],
    )
    await visitor.leave()
  })
}

test('without scripts and by keyboard alone, a person signs in, sees the device and signs it out', async () => {
  const visitor = await visit({ market: 'gb', javaScript: false })
  const { page, t } = visitor
  await page.goto(accountOf(visitor, 'b2c'))
  await page.getByLabel(t('identity.field.email')).focus()
  await page.keyboard.type(grace.email)
  await page.keyboard.press('Tab')
  await page.keyboard.type(demoPassword)
  await page.keyboard.press('Enter')
  await page.getByText(t('identity.devices.this'), { exact: true }).waitFor()
  const signOut = await askedFirst(page, t('identity.devices.sign-out'))
  await page.getByText(t('identity.devices.sign-out-here-sure')).waitFor()
  await signOut.press('Enter')
  await page.goto(accountOf(visitor, 'b2c'))
  await page.getByLabel(t('identity.field.password'), { exact: true }).waitFor()
  await visitor.leave()
})

test('a passkey can be created and used to sign in without a password', async () => {
  const visitor = await visit({ market: 'gb' })
  const { page, t } = visitor
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  await page.goto(accountOf(visitor, 'b2c'))
  await signIn(visitor, grace.email)
  await page.getByRole('button', { name: t('identity.account.passkey-add') }).click()
  await page.getByText(t('identity.done.passkey')).waitFor()
  await (await askedFirst(page, t('identity.devices.sign-out-all'))).click()
  await page.waitForURL(/gb\.localhost/)
  await page.goto(accountOf(visitor, 'b2c'))
  await page.getByRole('button', { name: t('identity.sign-in.passkey') }).click()
  await page.getByRole('heading', { level: 1, name: t('identity.account.title') }).waitFor()
  const remove = await askedFirst(page, t('identity.account.remove'))
  await page.getByText(t('identity.account.remove-sure')).waitFor()
  await remove.click()
  await page.getByText(t('identity.done.removed')).waitFor()
  await visitor.leave()
})

test('staff must enter a second factor, and demo accounts are shown the code', async () => {
  const visitor = await visit({ market: 'gb' })
  const { page, t } = visitor
  await page.goto(accountOf(visitor, 'staff'))
  await signIn(visitor, ada.email)
  await page.getByRole('heading', { level: 1, name: t('identity.second.title') }).waitFor()
  const code = /\b\d{6}\b/.exec(await page.getByRole('status').innerText())?.[0] ?? ''
  await page.getByLabel(t('identity.field.code')).fill(code)
  await page.getByRole('button', { name: t('identity.second.submit') }).click()
  await page.getByText(t('identity.account.second-on')).waitFor()
  await visitor.leave()
})
