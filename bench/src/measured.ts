import { consentCookie, consentPurposes, consentValue, visitorCookie, type ConsentPurpose } from '@purlin/contract/consent.ts'
import { launchBrowser } from '@purlin/e2e/support/browser.ts'
import { operate } from '@purlin/e2e/support/shop.ts'
import type { Browser } from 'playwright-core'
import { examples, median, phone, slowdown, visitTwice } from './browser.ts'
import { figure, type Figure } from './figures.ts'
import { readTimings, watchTimings, type Timings } from './page-timings.ts'

const rounds = 7
/** Until everything that waits for an idle page has run. */
const settledMs = 3_000
/** A person's: the headless browser's own is a crawler's, and crawlers are not measured. */
const userAgent = 'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36'

/**
 * The price of everything that is done with consent: the same pages by visitors who agreed to every purpose and who refused all,
 * by turns, on a phone four times slower than this machine, with experiments and the prompt for push messages. The page that all
 * get is the same, so the difference is that of the scripts.
 */
export async function benchMeasured(origin: string): Promise<Figure[]> {
  const shop = `http://gb.localhost:${new URL(origin).port}`
  const pages = await examples(origin)
  await operate(origin, 'PUT', 'flags/gb/b2c/batchEnabled', { value: true })
  const browser = await launchBrowser()
  try {
    const figures: Figure[] = []
    for (const [name, path] of Object.entries(pages)) {
      await visitTwice(origin, path)
      const seen: Record<'on' | 'off', Visit[]> = { on: [], off: [] }
      for (let round = 0; round < rounds; round++) {
        // The variant measured first would always run on the colder machine.
        for (const which of round % 2 === 0 ? (['on', 'off'] as const) : (['off', 'on'] as const))
          seen[which].push(await visit(browser, shop, path, which === 'on' ? consentPurposes : []))
      }
      if (seen.on.some(({ sent }) => sent === 0) || seen.off.some(({ sent }) => sent > 0))
        throw new Error(
          `${name}: ${seen.on.map(({ sent }) => sent).join()} calls with consent, ${seen.off.map(({ sent }) => sent).join()} without`,
        )
      const of = (which: 'on' | 'off', what: 'blocking' | 'lcp') => seen[which].map((each) => each[what])
      const more = (what: 'blocking' | 'lcp') => median(of('on', what)) - median(of('off', what))
      figures.push(
        figure(`${name}: blocking time without consent`, median(of('off', 'blocking')), 'ms'),
        figure(`${name}: blocking time, more with everything on`, more('blocking'), 'ms', '<= 10'),
        figure(`${name}: largest contentful paint without consent`, median(of('off', 'lcp')), 'ms'),
        figure(
          `${name}: largest contentful paint, more with everything on`,
          more('lcp'),
          'ms',
          `<= ${noiseOf(of('on', 'lcp'), of('off', 'lcp')).toFixed(0)}`,
        ),
      )
    }
    return figures
  } finally {
    await browser.close()
    await operate(origin, 'PUT', 'flags/gb/b2c/batchEnabled', { value: false })
  }
}

interface Visit extends Timings {
  /** Calls that measure. */
  sent: number
}

const measuring = /\/api\/v1\/(?:events|web-vitals|experiment-exposures|referer)|\/ab-test\//

async function visit(browser: Browser, shop: string, path: string, purposes: readonly ConsentPurpose[]): Promise<Visit> {
  const context = await browser.newContext({ ...phone, userAgent })
  try {
    const cookies = [{ name: consentCookie, value: consentValue(purposes, null), url: shop }]
    if (purposes.length > 0) cookies.push({ name: visitorCookie, value: crypto.randomUUID(), url: shop })
    await context.addCookies(cookies)
    const page = await context.newPage()
    page.setDefaultTimeout(60_000)
    await watchTimings(page)
    let sent = 0
    page.on('request', (request) => void (measuring.test(new URL(request.url()).pathname) && sent++))
    const session = await context.newCDPSession(page)
    await session.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
    await page.goto(shop + path, { waitUntil: 'load' })
    await page.waitForTimeout(settledMs)
    return { ...(await readTimings(page)), sent }
  } finally {
    await context.close()
  }
}

const shuffles = 2_000

/** The difference of medians that chance alone exceeds in one of twenty cases: values shuffled between both sides. */
export function noiseOf(one: readonly number[], other: readonly number[]): number {
  const all = [...one, ...other]
  const random = seeded(7)
  const differences = Array.from({ length: shuffles }, () => {
    const mixed = all.map((value) => ({ value, at: random() })).toSorted((a, b) => a.at - b.at)
    const values = mixed.map(({ value }) => value)
    return Math.abs(median(values.slice(0, one.length)) - median(values.slice(one.length)))
  })
  return differences.toSorted((a, b) => a - b)[Math.floor(shuffles * 0.95)] ?? 0
}

/** The same shuffles at each run (mulberry32). */
function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
}
