import assert from 'node:assert/strict'
import { test } from 'node:test'
import { paths } from '@purlin/storefront/paths.ts'
import { startJourney } from '../support/journey.ts'
import { patient } from '../support/patience.ts'
import { operate } from '../support/shop.ts'

const journey = startJourney({ pictures: false })

test('R-410 main-price takes the price with the other VAT treatment out of sight on the home page and in lists, and back', async () => {
  const visitor = await journey.visit({ market: 'it', mode: 'b2b', javaScript: false })
  const { page, t, origin } = visitor
  // "€ 12,20 IVA inclusa", or the other way round for sellers abroad.
  const words = (['goods.price-with-vat', 'goods.price-without-vat'] as const).map((key) => t(key, { price: '' }).trim())
  const others = page.locator('main p', { hasText: new RegExp(`^[^a-z]*\\d[^a-z]*(?:${words.join('|')})`) })
  const set = async (value: object | null) => {
    const { versions } = await operate<{ versions: { version: number }[] }>(journey.shop.origin, 'GET', 'platform-config/it/b2b/main-price')
    await operate(journey.shop.origin, 'PUT', 'platform-config/it/b2b/main-price', { value, replaces: versions[0]?.version ?? 0 })
  }
  const seen = async (path: string) => {
    await page.goto(origin + path)
    const shown = await others.all()
    assert.ok(shown.length > 0, `${path} has prices with VAT in its markup`)
    return (await Promise.all(shown.map((price) => price.isVisible()))).includes(true)
  }
  const places = ['/', paths.goodDeals()]
  try {
    for (const [value, isSeen] of [
      [null, true],
      [{ withSecondary: false }, false],
      [{ withSecondary: true }, true],
    ] as const) {
      await set(value)
      // The pages are purged within a moment.
      for (let tries = 0; tries < patient(40) && (await seen('/')) !== isSeen; tries++) await page.waitForTimeout(250)
      for (const path of places) assert.equal(await seen(path), isSeen, `${path} ${JSON.stringify(value)}`)
    }
  } finally {
    await set(null)
  }
  await visitor.leave()
})
