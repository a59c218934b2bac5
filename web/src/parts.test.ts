import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import type { Browser, Page as BrowserPage } from 'playwright-core'
import { launchBrowser } from '../../e2e/support/browser.ts'
import { createAssets } from './assets.ts'
import { ensureBuilt } from './build.ts'
import { documentOf } from './document.ts'
import { readManifest, type ClientManifest } from './manifest.ts'
import type { PageModule } from './page.ts'
import type { Render } from './render.tsx'
import { securityHeaders } from './security.ts'
import { listen, type TestServer } from './testing.ts'

const dist = mkdtempSync(join(tmpdir(), 'parts-'))
let manifest: ClientManifest
let server: TestServer
let browser: Browser
let bundle: { render: Render; pages: Record<string, PageModule> }
let blocked: RegExp | null = null

before(async () => {
  const app = join(import.meta.dirname, '../fixture')
  await ensureBuilt({
    app,
    dist,
    sources: ['src', '../src'],
    client: 'src/client.ts',
    server: 'src/bundle.tsx',
    styles: 'src/styles.ts',
    publicDir: 'public',
  })
  bundle = await import(join(dist, 'server/bundle.js'))
  manifest = readManifest(join(dist, 'client'))
  const assets = createAssets(join(dist, 'client'))
  server = await listen((req, res) => {
    const [pathname = '/'] = (req.url ?? '/').split('?')
    if (blocked?.test(pathname)) return void res.writeHead(500).end()
    if (assets(req, res, pathname)) return
    // The icon every browser requests.
    if (!bundle.pages[pathname.slice(1)]) return void res.writeHead(204).end()
    if (req.method === 'POST') return void res.writeHead(200, { 'content-type': 'text/plain' }).end('posted by the browser')
    res.writeHead(200, { 'content-type': 'text/html; charset=utf-8', ...securityHeaders() }).end(htmlOf(pathname.slice(1)))
  })
  browser = await launchBrowser()
})
after(async () => {
  await browser?.close()
  await server?.close()
  rmSync(dist, { recursive: true, force: true })
})

function htmlOf(name: string): string {
  return documentOf({
    language: 'en',
    loaded: { title: 'T </title><script>', jsonLd: [{ name: '</script><!--\u2028' }] },
    canonicalUrl: null,
    alternates: [],
    robots: null,
    siteName: 'S',
    html: bundle.render({ page: bundle.pages[name]!, layout: null, context: {}, data: null, layoutData: null }),
    manifest,
    attributes: {},
  })
}

async function open(
  name: string,
  options: { javaScriptEnabled?: boolean } = {},
): Promise<{ page: BrowserPage; scripts: string[]; errors: string[]; close(): Promise<void> }> {
  const context = await browser.newContext(options)
  const page = await context.newPage()
  page.setDefaultTimeout(10_000)
  const scripts: string[] = []
  const errors: string[] = []
  page.on('request', (request) => request.resourceType() === 'script' && scripts.push(new URL(request.url()).pathname))
  page.on('pageerror', (error) => errors.push(error.message))
  page.on('console', (message) => message.type() === 'error' && !message.text().includes('favicon') && errors.push(message.text()))
  await page.goto(`http://localhost:${server.port}/${name}`)
  return { page, scripts, errors, close: () => context.close() }
}

test('a page without enhancements ships no script at all', async () => {
  assert.doesNotMatch(htmlOf('plain'), /<script(?! type="application\/ld)/)
  const { scripts, errors, close } = await open('plain')
  assert.deepEqual([scripts, errors], [[], []])
  await close()
})

test('the styles of a server-rendered page reach the browser', async () => {
  const { page, close } = await open('plain')
  assert.equal(await page.locator('p').evaluate((element) => getComputedStyle(element).fontWeight), '900')
  await close()
})

test('elements are enhanced once, when they are due, and a failing one does not affect the others', async () => {
  const { page, scripts, errors, close } = await open('enhanced')
  await page.getByText('Hello!', { exact: true }).waitFor()
  assert.deepEqual(errors, ['broken on purpose'])
  assert.deepEqual(scripts, [manifest.client], 'one file')
  assert.equal(await page.getByText('Deep!').count(), 0, 'not before it is seen')
  await page.getByText('Deep').scrollIntoViewIfNeeded()
  await page.getByText('Deep!', { exact: true }).waitFor()
  await close()
})

test('V-40 a page rendered ahead runs no script until it is opened', async () => {
  const context = await browser.newContext()
  const page = await context.newPage()
  await page.addInitScript(() => Object.defineProperty(document, 'prerendering', { value: true, configurable: true }))
  await page.goto(`http://localhost:${server.port}/enhanced`)
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 300))))
  assert.equal(await page.getByText('Hello!', { exact: true }).count(), 0)
  await page.evaluate(() => document.dispatchEvent(new Event('prerenderingchange')))
  await page.getByText('Hello!', { exact: true }).waitFor()
  await context.close()
})

test('the first click on a pending element is not lost, and counts once', async () => {
  const { page, close } = await open('enhanced')
  const button = page.getByRole('button', { name: 'Count' })
  // A click by a script or a screen reader: no other event comes before it.
  await button.evaluate((element: HTMLElement) => element.click())
  await page.getByText('1 clicks').waitFor()
  await page.getByText('1 clicks').click()
  await page.getByText('2 clicks').waitFor()
  await close()
})

test('a form is submitted by its script from the first time, with the entered values', async () => {
  const { page, close } = await open('enhanced')
  await page.getByLabel('text').fill('good day')
  await page.getByRole('button', { name: 'Send' }).click()
  await page.locator('output', { hasText: 'good day' }).waitFor()
  await close()
})

test('if the script cannot be loaded, or JavaScript is off, the browser submits the form itself', async () => {
  blocked = /\.js$/
  const { page, close } = await open('enhanced')
  await page.getByRole('button', { name: 'Send' }).click()
  await page.getByText('posted by the browser').waitFor()
  await close()
  blocked = null
  const without = await open('enhanced', { javaScriptEnabled: false })
  await without.page.getByRole('button', { name: 'Send' }).click()
  await without.page.getByText('posted by the browser').waitFor()
  await without.close()
})

test('A54 data in a page cannot close its element', () => {
  const html = htmlOf('enhanced')
  assert.equal(html.split('</script>').length - 1, (html.match(/<script/g) ?? []).length)
  assert.doesNotMatch(html, /<!--|\u2028/)
  assert.deepEqual(JSON.parse(/ld\+json">(.*?)<\/script>/.exec(html)![1]!), { name: '</script><!--\u2028' })
})

test('an island is the server’s markup until first interaction; then React is loaded once, and the actions are replayed', async () => {
  const { page, scripts, errors, close } = await open('islands')
  await page.getByText('Count 5').waitFor()
  await page.waitForLoadState('networkidle')
  assert.deepEqual(scripts, [manifest.client], 'no React before anything is touched')
  // A click by a script or a screen reader, and twice before React has loaded.
  await page.getByLabel('Touched').evaluate((element: HTMLElement) => (element.click(), element.click()))
  await page.getByText('7 clicks').waitFor()
  await page.getByLabel('Touched').click()
  await page.getByText('8 clicks').waitFor()
  assert.equal(new Set(scripts).size, scripts.length)
  assert.deepEqual(errors, [], 'no mismatch, no policy broken')
  await close()
})

test('an island below the fold is hydrated when visible, another when the browser is idle; props are those of the server', async () => {
  const fetched = (page: BrowserPage) =>
    page.waitForFunction(() => performance.getEntriesByType('resource').some(({ name }) => name.includes('counter.island')))
  const { page, errors, close } = await open('islands')
  const seen = page.getByLabel('Seen </script><!--"')
  await seen.scrollIntoViewIfNeeded()
  await fetched(page)
  await seen.click()
  await page.getByText('10 clicks').waitFor()
  assert.deepEqual(errors, [])
  await close()
  const idle = await open('fragile')
  await fetched(idle.page)
  await idle.close()
})

test('text, ticks, selections and submits before hydration reach the component', async () => {
  const { page, errors, close } = await open('islands')
  const arrived = Promise.withResolvers<void>()
  await page.route(/hydrate/, (route) => arrived.promise.then(() => route.continue()))
  await page.getByLabel('text').fill('good day')
  await page.getByLabel('size').selectOption('large')
  await page.getByLabel('gift').evaluate((element: HTMLElement) => element.click())
  await page.getByLabel('later').evaluate((element: HTMLElement) => element.click())
  await page.getByRole('button', { name: 'Order' }).evaluate((element: HTMLElement) => element.click())
  assert.equal(await page.locator('output', { hasText: 'good' }).count(), 0, 'React is still on its way')
  arrived.resolve()
  await page.getByText('good day gift large later').waitFor()
  assert.equal(await page.getByLabel('text').inputValue(), 'good day')
  assert.deepEqual(errors, [])
  await close()
})

test('values filled in by the browser before any script ran reach the component too', async () => {
  const { page, close } = await open('islands')
  await page.getByLabel('text').evaluate((element: HTMLInputElement) => (element.value = 'kept'))
  await page.getByLabel('gift').evaluate((element: HTMLInputElement) => (element.checked = true))
  await page.getByLabel('later').evaluate((element: HTMLInputElement) => (element.checked = true))
  await page.getByRole('button', { name: 'Order' }).click()
  await page.getByText('kept gift small later').waitFor()
  await close()
})

test('a failing island leaves the server’s markup, and the other islands alone', async () => {
  const { page, errors, close } = await open('fragile')
  await page.getByLabel('once').evaluate((element: HTMLInputElement) => (element.value = 'typed'))
  await page.getByLabel('once').dispatchEvent('pointerdown')
  await page.getByLabel('Idle').click()
  await page.getByText('2 clicks').waitFor()
  await page.getByRole('button', { name: 'Break' }).nth(2).click()
  await page.waitForFunction(() => document.querySelectorAll('form').length === 3)
  assert.deepEqual([...new Set(errors)].sort(), ['There is no missing.island.tsx', 'broken at click', 'broken at once'])
  assert.equal(await page.getByLabel('once').inputValue(), 'typed')
  await page.getByRole('button', { name: 'Send click' }).click()
  await page.getByText('posted by the browser').waitFor()
  await close()
})

test('a form in an island that fails, or whose script cannot be loaded, is submitted by the browser', async () => {
  const broken = await open('fragile')
  await broken.page.getByRole('button', { name: 'Send once' }).evaluate((element: HTMLElement) => element.click())
  await broken.page.getByText('posted by the browser').waitFor()
  await broken.close()
  blocked = /order\.island/
  const { page, close } = await open('islands')
  await page.getByRole('button', { name: 'Order' }).click()
  await page.getByText('posted by the browser').waitFor()
  await close()
  blocked = null
})

test('A54 props cannot close their element; unlisted messages stay on the server, where they fail at once', () => {
  const html = htmlOf('islands')
  assert.equal(html.split('</script>').length - 1, (html.match(/<script/g) ?? []).length)
  assert.doesNotMatch(html, /<!--|\u2028|not for the browser/)
  assert.match(html, /Wordless<\/label><button[^>]*>counter\.start</)
})

test('the script of every page is small; React is in a separate file', () => {
  const assets = readdirSync(join(dist, 'client/assets')).filter((name) => name.endsWith('.js'))
  const read = (name: string) => readFileSync(join(dist, 'client/assets', name))
  const client = assets.find((name) => manifest.client.endsWith(name))!
  assert.ok(gzipSync(read(client)).length < 2000, `${gzipSync(read(client)).length} bytes`)
  const react = assets.filter((name) => /react\.dev/.test(read(name).toString('utf8')))
  assert.deepEqual(
    react.map((name) => name.split('-')[0]),
    ['hydrate'],
  )
  assert.ok(gzipSync(read(react[0]!)).length < 75_000)
})
