import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Locator } from 'playwright-core'
import { assertFaultless, assertFits } from '../support/axe.ts'
import { searchFor, shownCards } from '../support/finding.ts'
import { startJourney } from '../support/journey.ts'
import { variantsOf } from '../support/variants.ts'
import type { Visitor } from '../support/visitor.ts'

const { visit } = startJourney()

/** Queries with a measure. */
const searches = [
  { market: 'gb', measured: 'cordless drill 18v' },
  { market: 'de', measured: 'akkubohrer 18v' },
  { market: 'fr', measured: 'perceuse sans fil 18v' },
] as const
/** A query with a negation, and what its goods are not. */
const negated = { market: 'gb', query: 'lawn mower not petrol', words: 'not petrol', never: /petrol/i } as const

const chips = ({ page, t }: Visitor): Locator =>
  page.getByRole('list', { name: t('search.understood.label'), exact: true }).getByRole('link')
const chipOf = (visitor: Visitor, words: string): Locator => chips(visitor).filter({ hasText: words })
const again = ({ page, t }: Visitor, words: string): Locator =>
  page.getByRole('link', { name: t('search.understood.again', { words }), exact: true })
const volts = /18\s?V/

for (const { market, measured } of variantsOf(searches)) {
  test(`V-84 in ${market} what was understood is shown as chips, taken off and put back by keyboard`, async () => {
    const visitor = await visit({ market })
    const { page, origin } = visitor
    await page.goto(origin)
    await searchFor(visitor, measured)
    const chip = chips(visitor).filter({ hasText: volts })
    await chip.waitFor()
    for (const { title } of await shownCards(visitor)) assert.match(title, volts, 'the measure is a filter')
    await assertFaultless(visitor, measured)
    await assertFits(visitor, measured, [320, 390, 1440])

    await chip.focus()
    await Promise.all([page.waitForURL(/literal=18v/), page.keyboard.press('Enter')])
    await again(visitor, '18v').waitFor()
    assert.equal(await chips(visitor).filter({ hasText: volts }).count(), 0)
    assert.ok((await shownCards(visitor)).length > 0, 'the words are searched for as typed')
    await assertFaultless(visitor, 'taken off')

    await again(visitor, '18v').focus()
    await Promise.all([page.waitForURL((url) => !url.search.includes('literal')), page.keyboard.press('Enter')])
    await chip.waitFor()
    assert.deepEqual(visitor.complaints, [])
    await visitor.leave()
  })
}

test('V-84 without JavaScript a negation excludes goods, until its chip is taken off', async () => {
  const visitor = await visit({ market: negated.market, javaScript: false })
  const { page, origin } = visitor
  await page.goto(`${origin}/search/${encodeURIComponent(negated.query)}`)
  const shown = await shownCards(visitor)
  assert.ok(shown.length > 0)
  for (const { title } of shown) assert.doesNotMatch(title, negated.never)
  const chip = chips(visitor)
    .and(page.locator(`[href*="${encodeURIComponent(negated.words).replaceAll('%20', '+')}"]`))
    .first()
  await Promise.all([page.waitForURL(/literal=/), chip.click()])
  await again(visitor, negated.words).waitFor()
  assert.equal(await chipOf(visitor, negated.words).count(), 0)
  await visitor.leave()
})
