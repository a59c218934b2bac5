import assert from 'node:assert/strict'
import { test } from 'node:test'
import { demoPassword, demoPeople, type DemoPerson } from '@purlin/demo/people.ts'
import { faultsOf } from '../support/axe.ts'
import { startJourney } from '../support/journey.ts'
import type { Visitor } from '../support/visitor.ts'

/** Members of staff sign in at the door of the offices, with a password and the code of an authenticator app. */

const journey = startJourney({ pictures: false })
const isStaff = ({ kind }: DemoPerson) => kind === 'seller' || kind === 'operator'
const staff = demoPeople.filter(isStaff)

async function open({ page, origin, t }: Visitor): Promise<void> {
  await page.goto(`${origin}/office`)
  await page.getByText(t('office.nobody')).waitFor()
  await page.getByRole('link', { name: t('office.sign-in') }).click()
}

async function enterPassword({ page, t }: Visitor, email: string): Promise<void> {
  await page.getByLabel(t('identity.field.email')).fill(email)
  await page.getByLabel(t('identity.field.password'), { exact: true }).fill(demoPassword)
  await page.getByRole('button', { name: t('identity.sign-in.submit'), exact: true }).click()
  await page.getByRole('heading', { level: 1, name: t('identity.second.title') }).waitFor()
}

/** The code that the page shows to demo accounts; one that has been used is followed by another within half a minute. */
async function currentCode({ page }: Visitor): Promise<string> {
  const code = /\b\d{6}\b/.exec(await page.getByRole('status').innerText())?.[0]
  assert.ok(code, 'the code of the demo account is shown')
  return code
}

async function enterCode({ page, t }: Visitor, code: string): Promise<void> {
  await page.getByLabel(t('identity.field.code')).fill(code)
  await page.getByRole('button', { name: t('identity.second.submit') }).click()
}

for (const [at, person] of staff.entries()) {
  const javaScript = at % 2 === 0
  test(`R-290 ${person.kind} ${person.givenName} signs in at the door of the offices with password and code, ${javaScript ? 'with' : 'without'} scripts, sees who they are and what they may do, and signs out`, async () => {
    const visitor = await journey.visit({ market: 'gb', javaScript })
    const { page, origin, t } = visitor
    await open(visitor)
    await enterPassword(visitor, person.email)

    // The password alone opens nothing.
    const beside = await page.context().newPage()
    await beside.goto(`${origin}/office`)
    await beside.getByText(t('office.nobody')).waitFor()
    await beside.close()

    const right = await currentCode(visitor)
    await enterCode(visitor, String((Number(right) + 500_000) % 1_000_000).padStart(6, '0'))
    await page.getByText(t('identity.wrong.code')).first().waitFor()
    await enterCode(visitor, await currentCode(visitor))
    await page.waitForURL(`${origin}/office`)
    await page.getByRole('heading', { level: 1, name: t('office.hello', { name: `${person.givenName} ${person.familyName}` }) }).waitFor()
    const roles = page.getByRole('region', { name: t('office.roles') }).getByRole('listitem')
    const expected = person.kind === 'operator' ? person.roles.length : person.kind === 'seller' && person.isOwner ? 2 : 1
    assert.equal(await roles.count(), expected)
    if (javaScript) assert.deepEqual(await faultsOf(page.mainFrame()), [])

    // The session of the offices is no customer's.
    await page.goto(`${origin}/customer-area`)
    assert.doesNotMatch(page.url(), /\/customer-area$/)
    await page.goto(`${origin}/office`)
    await page.getByRole('button', { name: t('office.sign-out') }).click()
    await page.waitForLoadState()
    await page.goto(`${origin}/office`)
    await page.getByText(t('office.nobody')).waitFor()
    await visitor.leave()
  })
}

test('R-290 a code opens the offices once: in a second browser the same code is refused', async () => {
  const [person] = staff
  assert.ok(person)
  const [one, two] = [await journey.visit({ market: 'gb' }), await journey.visit({ market: 'gb' })]
  for (const visitor of [one, two]) {
    await open(visitor)
    await enterPassword(visitor, person.email)
  }
  const used = await currentCode(one)
  await enterCode(one, used)
  const refused = one.page.getByText(one.t('identity.wrong.code')).first()
  const opened = one.page.getByRole('button', { name: one.t('office.sign-out') })
  // The journey before may have used up this half minute's code.
  await refused.or(opened).waitFor()
  await enterCode(two, used)
  await two.page.getByText(two.t('identity.wrong.code')).first().waitFor()
  await two.page.goto(`${two.origin}/office`)
  await two.page.getByText(two.t('office.nobody')).waitFor()
  for (const visitor of [one, two]) await visitor.leave()
})
