import assert from 'node:assert/strict'
import { test } from 'node:test'
import { marketCodes, type Market } from '@purlin/contract/markets.ts'
import type { Page } from 'playwright-core'
import { fillCart, goToAddress, fillAddress, cardFrame } from '../support/buying.ts'
import { startJourney } from '../support/journey.ts'
import { widestPages } from '../support/widest-pages.ts'

const journey = startJourney({ pictures: false })
/** Pages per kind; `WIDEST=20 npm run e2e` checks far more. */
const each = Number(process.env['WIDEST'] ?? 1)

/** Ways to enlarge: a small screen (or a page zoomed until it is as narrow), and text at 200 %. */
const looks = [
  { name: '320 px', width: 320, letters: 1 },
  { name: '320 px, letters doubled', width: 320, letters: 2 },
  { name: '1280 px, letters doubled', width: 1280, letters: 2 },
]

/** Elements that overflow the page to the right, smallest first; empty if the page does not scroll sideways. */
function standingOut(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement
    if (scrollWidth <= clientWidth) return []
    const frames = (element: Element): boolean =>
      element !== document.body &&
      (getComputedStyle(element).overflowX !== 'visible' || (element.parentElement !== null && frames(element.parentElement)))
    const out = [...document.body.querySelectorAll('*')].filter((element) => {
      const { right, width } = element.getBoundingClientRect()
      return width > 0 && right > clientWidth + 0.5 && !(element.parentElement && frames(element.parentElement))
    })
    const named = out.map(
      (element) =>
        `${element.tagName.toLowerCase()}.${element.getAttribute('class') ?? ''}[${Math.round(element.getBoundingClientRect().width)}] "${(element.textContent ?? '').slice(0, 25)}"`,
    )
    return [`${scrollWidth} of ${clientWidth} px`, ...named.slice(0, 12)]
  })
}

async function lookAt(page: Page, where: string): Promise<string[]> {
  const wrong: string[] = []
  for (const { name, width, letters } of looks) {
    await page.setViewportSize({ width, height: 800 })
    await page.evaluate((size) => void (document.documentElement.style.fontSize = `${size * 100}%`), letters)
    const found = await standingOut(page)
    if (found.length > 0) wrong.push(`${where} at ${name}: ${found.join(' | ')}`)
  }
  return wrong
}

async function lookAtAll(market: Market): Promise<{ pages: number; wrong: string[] }> {
  const { page, origin, leave } = await journey.visit({ market })
  const wrong: string[] = []
  const all = await widestPages({ origin }, each)
  for (const path of all) {
    await page.goto(origin + path, { waitUntil: 'domcontentloaded' })
    wrong.push(...(await lookAt(page, `${market} ${path}`)))
  }
  await leave()
  return { pages: all.length, wrong }
}

test('V-25 no page scrolls sideways from 320 px on, nor at 200 % text: the longest words of every language', async () => {
  const found = await Promise.all(marketCodes.map(lookAtAll))
  assert.deepEqual(
    found.flatMap(({ wrong }) => wrong),
    [],
  )
  const pages = found.reduce((all, one) => all + one.pages, 0)
  assert.ok(pages >= 60, `${pages} pages were looked at`)
})

test('V-25 neither does a page of the cart and checkout', async () => {
  const buyer = await journey.visit({ market: 'de' })
  const { page } = buyer
  const wrong: string[] = []
  const look = async (where: string) => {
    wrong.push(...(await lookAt(page, where)))
    await page.setViewportSize({ width: 1280, height: 900 })
  }
  await fillCart(buyer)
  await look('cart')
  await page.goto(`${buyer.origin}/checkout/register`)
  await look('register')
  await page.goto(`${buyer.origin}/cart`)
  await goToAddress(buyer, `a.very.long.name.at.work.${Date.now()}@longest-domain-of-a-buyer.example`)
  await look('address')
  await fillAddress(buyer)
  await (await cardFrame(buyer)).locator('input[name=number]').waitFor()
  await look('payment')
  await page.getByRole('link', { name: buyer.t('checkout.payment.edit') }).click()
  await page.getByRole('heading', { level: 1, name: buyer.t('checkout.delivery.title') }).waitFor()
  await look('delivery')
  await buyer.leave()
  assert.deepEqual(wrong, [])
})
