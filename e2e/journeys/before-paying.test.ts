import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Market } from '@purlin/contract/markets.ts'
import { cardFrame, fillCart, goToPayment } from '../support/buying.ts'
import { startJourney } from '../support/journey.ts'
import { patient } from '../support/patience.ts'
import { variantsOf } from '../support/variants.ts'
import type { Visitor } from '../support/visitor.ts'

const journey = startJourney()

/** Wordings that make the obligation to pay unmistakable. */
const buttons: Record<Market, RegExp> = {
  gb: /^Buy now · £/,
  de: /^Zahlungspflichtig bestellen · /,
  fr: /^Commander avec obligation de paiement · /,
  es: /^Pedido con obligación de pago · /,
  it: /^Ordine con obbligo di pagare · /,
}
const widths = [320, 390, 1440]

interface Place {
  name: string
  top: number
  bottom: number
}

/** Positions of goods, totals, legal text and frame, from top to bottom. */
function seen({ page }: Visitor): Promise<{ places: Place[]; follows: boolean; sideways: number }> {
  return page.evaluate(() => {
    const review = document.querySelector('[aria-labelledby="summary-title"]')
    const legal = document.querySelector('[data-legal]')
    const frame = document.querySelector('iframe')
    if (!review || !legal || !frame) throw new Error('The page has no summary, legal text or frame')
    const parts: [string, Element[]][] = [
      ['goods', [...review.querySelectorAll('li')]],
      ['figures', [...review.querySelectorAll('dl > div')]],
      ['legal', [legal]],
      ['frame', [frame]],
    ]
    const places = parts.flatMap(([name, elements]) =>
      elements.map((element) => {
        const { top, bottom } = element.getBoundingClientRect()
        return { name, top: Math.round(top), bottom: Math.round(bottom) }
      }),
    )
    const inOrder = [review, legal, frame].every(
      (element, index, all) => index === 0 || (all[index - 1]!.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0,
    )
    return { places, follows: inOrder, sideways: document.documentElement.scrollWidth - document.documentElement.clientWidth }
  })
}

async function lookAt(buyer: Visitor): Promise<void> {
  const { page, market } = buyer
  for (const width of widths) {
    await page.setViewportSize({ width, height: 800 })
    const { places, follows, sideways } = await seen(buyer)
    const said = `${market} at ${width}: ${JSON.stringify(places)}`
    assert.ok(places.filter(({ name }) => name === 'goods').length >= 2, said)
    for (const [index, place] of places.entries()) {
      const before = places[index - 1]
      assert.ok(before === undefined || before.bottom <= place.top + 1, said)
    }
    assert.ok(follows, 'the document has them in the same order')
    assert.equal(sideways, 0, `${market} at ${width} scrolls sideways`)
    const button = (await cardFrame(buyer)).locator('form button').first()
    const box = await button.boundingBox()
    assert.ok(box && box.y >= (places.at(-1)?.top ?? Infinity), 'the button is in the frame, below all of it')
    assert.match(await button.innerText(), buttons[market])
    const total = await page.locator('[aria-labelledby="summary-title"] dl > div').last().locator('dd').innerText()
    assert.ok((await button.innerText()).endsWith(total), 'the button names the total that stands above it')
  }
}

for (const market of variantsOf(['it', 'es', 'de', 'fr', 'gb'] as const, 2))
  test(`V-20 in ${market} goods, total and legal text are above the order button, on phones and desktops`, async () => {
    const buyer = await journey.visit({ market })
    await fillCart(buyer)
    await goToPayment(buyer, `review.${market}.${Date.now()}@buyer.example`)
    await (await cardFrame(buyer)).locator('input[name=number]').waitFor()
    await lookAt(buyer)
    await buyer.leave()
  })

test('V-20 without JavaScript goods, total and legal text are above the order button too, and it is reachable', async () => {
  const buyer = await journey.visit({ market: 'de', javaScript: false })
  await fillCart(buyer)
  await goToPayment(buyer, `review.nojs.${Date.now()}@buyer.example`)
  const { page } = buyer
  for (let tries = 0; tries < patient(10) && (await page.locator('iframe').count()) === 0; tries++) {
    await page.waitForTimeout(500)
    await page.reload()
  }
  const button = (await cardFrame(buyer)).locator('form button').first()
  for (const width of widths) {
    await page.setViewportSize({ width, height: 800 })
    const legal = await page.locator('[data-legal]').boundingBox()
    const frame = await page.locator('iframe').boundingBox()
    assert.ok(legal && frame && legal.y + legal.height <= frame.y, `legal text above the frame at ${width}`)
    await button.focus()
    const box = await button.boundingBox()
    assert.ok(box && box.y >= 0 && box.y + box.height <= 800, `the button can be brought into sight at ${width}`)
    assert.match(await button.innerText(), buttons.de)
  }
  await buyer.leave()
})
