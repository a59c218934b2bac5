import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { launchBrowser } from './browser.ts'
import { visit } from './visitor.ts'

const server = createServer((_, response) => {
  response.writeHead(200, { 'content-type': 'text/html', 'content-security-policy': "default-src 'self' 'unsafe-inline'" })
  response.end(`<!doctype html><title>x</title><style>@view-transition { navigation: auto }</style><h1>x</h1><a href="/next">next</a>
    <script>addEventListener('pagereveal', ({ viewTransition }) => (document.title = viewTransition ? 'with' : 'without'))</script>`)
}).listen(0)
const shop = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
const browser = await launchBrowser({ pictures: false })
after(async () => {
  await browser.close()
  server.close().closeAllConnections()
})

for (const [hasTransitions, title] of [
  [false, 'without'],
  [true, 'with'],
] as const)
  test(`pages replace each other ${title} a transition for a visitor for whom the journey ${hasTransitions ? 'wants' : 'does not want'} any`, async () => {
    const visitor = await visit(browser, shop, { market: 'gb', hasTransitions })
    const { page, origin } = visitor
    await page.goto(origin)
    await page.getByRole('link', { name: 'next' }).click()
    await page.waitForURL(`${origin}/next`)
    await page.waitForFunction(() => document.title !== 'x')
    assert.equal(await page.title(), title)
    await visitor.leave()
  })
