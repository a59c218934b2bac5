import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startJourney } from '../support/journey.ts'
import { forgetAttempts, register, type ProviderTour } from '../support/provider-tour.ts'
import type { Visitor } from '../support/visitor.ts'

/** A customer chooses a new password in the settings of the shop. */

const journey = startJourney({ pictures: false })
const [first, next] = ['seven quiet kettles on the hob', 'nine loud kettles on the shelf']

async function change({ page }: Visitor, current: string, chosen: string): Promise<void> {
  await page.locator('[name="currentPassword"]').fill(current)
  await page.locator('[name="newPassword"]').fill(chosen)
  await page.locator('#credentials button').click()
}

for (const javaScript of [true, false])
  test(`R-425 ${javaScript ? 'with' : 'without'} scripts a refused new password says why at its field, and the mark is gone once one is accepted`, async () => {
    await forgetAttempts(journey.shop.databaseUrl())
    const visitor = await journey.visit({ market: 'gb', javaScript })
    const { page, origin, t } = visitor
    const unseen = { look: async () => undefined, faults: [], seen: [] }
    const tour: ProviderTour = { visitor, realm: 'b2c', checks: unseen, shop: journey.shop }
    const elsewhere = await journey.visit({ market: 'gb' })
    const email = await register(tour, { ...tour, visitor: elsewhere })
    const signedIn = `${origin}/settings`
    await page.goto(`${origin}/api/auth/pre-login?callbackUrl=${encodeURIComponent('/settings')}`)
    await page.waitForURL(signedIn)

    await change(visitor, 'not the password', next)
    await page.getByText(t('credentials.fault.current-wrong', { minutes: 1 })).waitFor()
    assert.equal(await page.locator('[name="currentPassword"]').getAttribute('aria-invalid'), 'true')
    await change(visitor, first, 'short')
    await page.getByText(t('credentials.fault.too-short', { minutes: 1 })).waitFor()
    assert.equal(await page.locator('[name="newPassword"]').getAttribute('aria-invalid'), 'true')
    assert.equal(await page.locator('[name="currentPassword"]').getAttribute('aria-invalid'), null)
    await change(visitor, first, next)
    await page.getByText(t('flash.password-changed')).first().waitFor()
    assert.equal(await page.locator('main [aria-invalid]').count(), 0, 'nothing is marked any more')
    assert.equal(await page.getByText(t('credentials.fault.too-short', { minutes: 1 })).count(), 0)

    await elsewhere.page.goto(`${origin}/api/auth/pre-login?callbackUrl=${encodeURIComponent('/settings')}`)
    await elsewhere.page.locator('[name="email"]').fill(email)
    await elsewhere.page.locator('[name="password"]').fill(next)
    await elsewhere.page.getByRole('button', { name: t('identity.sign-in.submit'), exact: true }).click()
    await elsewhere.page.waitForURL(signedIn)
    await visitor.leave()
    await elsewhere.leave()
  })
