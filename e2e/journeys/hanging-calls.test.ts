import assert from 'node:assert/strict'
import { createServer, request as send, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { consentCookie, consentPurposes, visitorCookie } from '@purlin/contract/consent.ts'
import { fillAddress, goToAddress, offersOfTwoSellers } from '../support/buying.ts'
import { patient } from '../support/patience.ts'
import { startJourney } from '../support/journey.ts'

/**
 * A visitor who has agreed to everything, in a browser whose measuring calls are taken and never answered: they hold the few connections
 * that a browser opens to one host, as calls to a shop do whose systems hang.
 */

const journey = startJourney({ pictures: false })

const measuring =
  /^\/(?:api\/v1\/(?:events|web-vitals|client-page-change|pro-event|referer|experiment-exposures|push|consent\/visitor)|ab-test|search-engine\/1\/events|recently-seen|push-prompt)/
/** Passes every request on to the shop, but those that it lets hang. */
async function proxyTo(lets: RegExp | null): Promise<{ url: string; hung: string[]; close(): void }> {
  const hung: string[] = []
  const proxy: Server = createServer((request, response) => {
    const { pathname, search, port } = new URL(request.url ?? '/', journey.shop.origin)
    if (lets?.test(pathname)) return void hung.push(pathname)
    const on = send(
      {
        host: '127.0.0.1',
        port,
        path: pathname + search,
        method: request.method,
        headers: { ...request.headers, connection: 'keep-alive' },
      },
      (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers)
        answer.pipe(response)
      },
    )
    on.on('error', () => response.destroy())
    response.on('close', () => on.destroy())
    request.pipe(on)
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  const { port } = proxy.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    hung,
    close: () => {
      proxy.closeAllConnections()
      proxy.close()
    },
  }
}

type Times = Map<string, number[]>

/** From the home page to the payment; returns how long each step took, until the visitor could go on. */
async function shopAround(lets: RegExp | null): Promise<{ times: Times; hung: string[] }> {
  const proxy = await proxyTo(lets)
  const visitor = await journey.visit({ market: 'gb', proxy: proxy.url })
  const { page, origin, t } = visitor
  const times: Times = new Map()
  const timed = async (step: string, work: () => Promise<unknown>) => {
    const startedAt = performance.now()
    await work()
    times.set(step, [...(times.get(step) ?? []), performance.now() - startedAt])
    // As long as a page takes to become idle and to send what it has measured.
    await page.waitForTimeout(1_500)
  }
  try {
    await page.goto(`${origin}/privacy-choices`)
    for (const purpose of consentPurposes) await page.locator(`input[value="${purpose}"]`).check()
    await page.getByRole('button', { name: t('consent.page.save') }).click()
    await page.getByText(t('consent.page.saved')).waitFor()
    // An id that the shop did not issue: each page tells it so until it responds.
    await page.context().addCookies([{ name: visitorCookie, value: crypto.randomUUID(), url: origin }])
    const products = await offersOfTwoSellers(visitor)
    const ready = () => page.locator('h1').first().waitFor()
    await timed('home', async () => {
      await page.goto(`${origin}/?referer_id=5&gclid=Cj0_1`)
      await ready()
    })
    await timed('list', async () => {
      await page.goto(`${origin}/great-deals`)
      await ready()
    })
    for (const { url } of products) {
      await timed('product', async () => {
        await page.goto(origin + url)
        await ready()
      })
      await timed('add', async () => {
        const add = page.getByRole('button', { name: t('goods.add'), exact: true }).first()
        const added = page.waitForResponse((response) => /"offerId"/.test(response.request().postData() ?? ''))
        await add.click()
        assert.equal((await added).status(), 200)
      })
    }
    await timed('cart', async () => {
      await page.goto(`${origin}/cart`)
      await page.getByRole('heading', { level: 1, name: t('cart.title'), exact: true }).waitFor()
    })
    await timed('address', () => goToAddress(visitor, `hanging.${Date.now()}@buyer.example`))
    await timed('payment', () => fillAddress(visitor))
    assert.deepEqual(
      visitor.complaints.filter((said) => said.startsWith('error:')),
      [],
    )
    return { times, hung: proxy.hung }
  } finally {
    await visitor.leave()
    proxy.close()
  }
}

test('R-616 R-620 in a browser whose measuring calls hang, a guest shops from the home page to the payment, and no page is slower', async () => {
  const healthy: Times = new Map()
  const hanging: Times = new Map()
  const hung = new Set<string>()
  const merge = (into: Times, times: Times) => {
    for (const [step, taken] of times) into.set(step, [...(into.get(step) ?? []), ...taken])
  }
  // The first visit to a shop that has just started pays for everything that is made once.
  await shopAround(null)
  for (let round = 0; round < 2; round++) {
    merge(healthy, (await shopAround(null)).times)
    const { times, hung: calls } = await shopAround(measuring)
    merge(hanging, times)
    for (const call of calls) hung.add(call.replace(/\/[\da-f-]{36}$/, ''))
  }
  for (const call of [
    '/api/v1/events',
    '/api/v1/referer/visitor',
    '/ab-test/api/v1/user/flags',
    '/recently-seen',
    '/api/v1/consent/visitor',
  ])
    assert.ok(hung.has(call), `${call} hung, beside ${[...hung].join()}`)
  assert.ok(!hung.has('/api/v1/web-vitals/beacon'), 'nothing that outlives its page goes to a shop that does not answer')
  // A call that a page waited for would cost it five seconds or more: each is compared with the slowest of its kind, and the machine is shared.
  for (const [step, taken] of hanging) {
    const most = 2 * Math.max(...(healthy.get(step) ?? [])) + patient(1_500)
    assert.ok(
      Math.max(...taken) <= most,
      `${step}: ${taken.map(Math.round).join()} ms, healthy ${healthy.get(step)?.map(Math.round).join()} ms`,
    )
  }
})

test('R-025 R-620 a visitor whose choice hangs goes on shopping, however often they click; the dialog says that it was not saved, and nothing is stored', async () => {
  const proxy = await proxyTo(/^\/api\/v1\/consent$/)
  const visitor = await journey.visit({ market: 'gb', hasNotChosen: true, proxy: proxy.url })
  const { page, origin, t } = visitor
  try {
    const [product] = await offersOfTwoSellers(visitor)
    await page.goto(origin + (product?.url ?? ''))
    for (let click = 0; click < 8; click++) await page.getByRole('button', { name: t('consent.accept') }).click()
    const clickedAt = performance.now()
    const added = page.waitForResponse((response) => /"offerId"/.test(response.request().postData() ?? ''))
    await page
      .getByRole('button', { name: t('goods.add'), exact: true })
      .first()
      .click()
    assert.equal((await added).status(), 200)
    assert.ok(performance.now() - clickedAt < patient(5_000), 'before the choice is given up')
    await page.getByText(t('consent.failed')).waitFor()
    assert.equal(proxy.hung.length, 8)
    const cookies = (await page.context().cookies()).map(({ name }) => name)
    assert.deepEqual([cookies.includes(consentCookie), cookies.includes(visitorCookie)], [false, false])
    await page.goto(`${origin}/cart`)
    await page.getByRole('heading', { level: 1, name: t('cart.title'), exact: true }).waitFor()
  } finally {
    await visitor.leave()
    proxy.close()
  }
})
