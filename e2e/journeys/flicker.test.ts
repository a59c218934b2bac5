import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { createCanvas, loadImage } from '@napi-rs/canvas'
import { consentCookie, visitorCookie } from '@purlin/contract/consent.ts'
import type { Browser, Page, Route } from 'playwright-core'
import { ask } from '../support/ask.ts'
import { launchBrowser, standStill } from '../support/browser.ts'
import { shopForTests } from '../support/shop.ts'
import { visit, type Visitor } from '../support/visitor.ts'

/** Pages with an experiment look the same before their scripts run and after: the variation is in the page that was sent. */

const shop = await shopForTests()
let browser: Browser
before(async () => {
  browser = await launchBrowser()
})
after(async () => {
  await browser.close()
  await shop.stop()
})

interface Part {
  /** From the top of the page, in CSS pixels. */
  top: number
  height: number
  /** Its beginning, to recognise it. */
  text: string
}
interface Look {
  parts: Part[]
  picture: Buffer
}

/** A visitor id that is given this variation, and the variation's name in the page. */
async function visitorsOf(origin: string, path: string): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  for (let tries = 0; tries < 60 && found.size < 2; tries++) {
    const visitorId = randomUUID()
    const { body } = await ask(shop.origin, {
      path,
      headers: { host: new URL(origin).host, cookie: `${consentCookie}=v1:statistics; ${visitorCookie}=${visitorId}` },
    })
    const [, variation] = /data-variation="([^"]+)"/.exec(body.toString()) ?? []
    if (variation !== undefined && !found.has(variation)) found.set(variation, visitorId)
  }
  return found
}

/** The parts of the page that an experiment may reorder: what follows its mark, without what scripts fill in later. */
async function look(page: Page): Promise<Look> {
  await standStill(page)
  const parts = await page.evaluate(() => {
    const mark = document.querySelector('[data-experiment]')
    const from = mark?.closest('page-island') ?? mark
    const boxed = (element: Element): Element => {
      let inner = element
      while (inner.matches('page-island') && inner.firstElementChild) inner = inner.firstElementChild
      return inner
    }
    const siblings = [...(from?.parentElement?.children ?? [])]
    return siblings
      .slice(siblings.indexOf(from as Element) + 1)
      .filter((element) => !element.matches('[data-history], :has([data-history])'))
      .map(boxed)
      .map((element) => ({ box: element.getBoundingClientRect(), text: (element.textContent ?? '').trim().slice(0, 40) }))
      .filter(({ box }) => box.height > 0)
      .map(({ box, text }) => ({ top: Math.round(box.top + scrollY), height: Math.round(box.height), text }))
  })
  // Arrows beside rows appear with the script that moves them.
  const picture = await page.screenshot({ fullPage: true, style: 'button { visibility: hidden !important }' })
  return { parts, picture }
}

/** The share of pixels that differ in the parts of a page, which start where they started before. */
async function shareThatDiffers(one: Look, other: Look, width: number): Promise<number> {
  const [first, second] = await Promise.all([loadImage(one.picture), loadImage(other.picture)])
  let [all, different] = [0, 0]
  for (const { top, height } of one.parts) {
    const [a, b] = [first, second].map((image) => {
      const canvas = createCanvas(width, height)
      const context = canvas.getContext('2d')
      context.drawImage(image, 0, -top)
      return context.getImageData(0, 0, width, height).data
    })
    if (!a || !b) throw new Error('no picture')
    for (let at = 0; at < a.length; at += 4) {
      all++
      const distance = [0, 1, 2].reduce((sum, channel) => sum + Math.abs((a[at + channel] ?? 0) - (b[at + channel] ?? 0)), 0)
      if (distance > 48) different++
    }
  }
  return different / all
}

/** The page before any script of ours has run, and after all have. */
async function beforeAndAfter({ page, origin }: Visitor, path: string, visitorId: string): Promise<{ sent: Look; run: Look }> {
  await page.context().addCookies(
    Object.entries({ [consentCookie]: 'v1:statistics', [visitorCookie]: visitorId }).map(([name, value]) => ({
      name,
      value,
      url: origin,
    })),
  )
  const held: Route[] = []
  let holds = true
  await page.route(
    (url) => url.pathname.endsWith('.js'),
    (route) => (holds ? void held.push(route) : route.continue()),
  )
  await page.goto(origin + path, { waitUntil: 'commit' })
  await page.locator('footer').waitFor()
  // Pictures further down are loaded when they come near.
  const seeAll = () =>
    page.evaluate(async () => {
      for (const image of document.images) image.loading = 'eager'
      await Promise.all([...document.images].map((image) => image.decode().catch(() => undefined)))
    })
  await seeAll()
  assert.equal(await page.locator('[data-experiment][data-tag]').count(), 0, 'a script has run already')
  assert.ok(held.length > 0, 'the page has scripts')
  const sent = await look(page)
  holds = false
  for (const route of held) await route.continue()
  await page.locator('[data-experiment][data-tag="loaded"]').waitFor({ state: 'attached' })
  await page.waitForLoadState('networkidle')
  await seeAll()
  return { sent, run: await look(page) }
}

async function productPath(origin: string): Promise<string> {
  const { body } = await ask(shop.origin, { path: '/great-deals', headers: { host: new URL(origin).host } })
  const [path] = /\/p\/[\w-]+-\d+/.exec(body.toString()) ?? []
  if (path === undefined) throw new Error('no product on offer')
  return path
}

test('both variations of an experiment look the same before the scripts of the page have run and after', async () => {
  const orders = new Map<string, string[][]>()
  // With `--all` on a desk as well.
  for (const width of process.env['ALL_STATES'] === undefined ? [390] : [390, 1440])
    for (const kind of ['home', 'product']) {
      const open = () => visit(browser, shop.origin, { market: 'gb', viewport: { width, height: 900 } })
      const first = await open()
      const path = kind === 'home' ? '/' : await productPath(first.origin)
      const visitors = await visitorsOf(first.origin, path)
      await first.leave()
      assert.equal(visitors.size, 2, `${kind}: both variations are given`)
      for (const [variation, visitorId] of visitors) {
        const about = `${kind}, ${variation}, ${width} px`
        const visitor = await open()
        const { sent, run } = await beforeAndAfter(visitor, path, visitorId)
        assert.ok(sent.parts.length >= 2, about)
        assert.deepEqual(run.parts, sent.parts, `${about}: parts moved`)
        const share = await shareThatDiffers(sent, run, width)
        assert.ok(share < 0.002, `${about}: ${(100 * share).toFixed(2)} % of the pixels differ`)
        orders.set(kind, [...(orders.get(kind) ?? []), sent.parts.map(({ text }) => text)])

        // Simulates a client-side A/B tool, which reorders the page after rendering.
        await visitor.page.evaluate(() => {
          const mark = document.querySelector('[data-experiment]')
          const from = mark?.closest('page-island') ?? mark
          const moved = from?.nextElementSibling
          moved?.parentElement?.append(moved)
        })
        const flickered = await look(visitor.page)
        assert.notDeepEqual(flickered.parts, sent.parts, `${about}: a planted flicker is seen`)
        assert.ok((await shareThatDiffers(sent, flickered, width)) > 0.02, `${about}: a planted flicker is in the picture`)
        await visitor.leave()
      }
    }
  for (const [kind, [one, other]] of orders) assert.notDeepEqual(one, other, `${kind}: the variations differ`)
})
