import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
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

const dist = mkdtempSync(join(tmpdir(), 'islands-'))
const catalogue = {
  'counter.start': 'Count {count}',
  'counter.later': '{count, plural, one {# click} other {# clicks}}',
  secret: 'not for the browser',
}
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
    // The icon every browser asks for.
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
  const rendered = bundle.render({
    page: bundle.pages[name]!,
    layout: null,
    context: {},
    data: null,
    layoutData: null,
    locale: 'en-GB',
    catalogue,
    site: {},
  })
  return documentOf({
    language: 'en',
    loaded: { title: 'T </title><script>', jsonLd: [{ name: '</script><!--\u2028' }] },
    canonicalUrl: null,
    alternates: [],
    robots: null,
    siteName: 'S',
    rendered,
    state: { locale: 'en-GB', site: { note: '</script><!--' } },
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
  const scripts: string[] = []
  const errors: string[] = []
  page.on('request', (request) => request.resourceType() === 'script' && scripts.push(new URL(request.url()).pathname))
  page.on('pageerror', (error) => errors.push(String(error)))
  page.on('console', (message) => message.type() === 'error' && !message.text().includes('favicon') && errors.push(message.text()))
  await page.goto(`http://localhost:${server.port}/${name}`)
  return { page, scripts, errors, close: () => context.close() }
}

const isReact = (path: string) => path.includes('/hydrate')

test('a page without islands ships no script at all', async () => {
  assert.doesNotMatch(htmlOf('plain'), /<script(?! type="application\/ld)/)
  const { scripts, errors, close } = await open('plain')
  assert.deepEqual([scripts, errors], [[], []])
  await close()
})

test('the style of a page that only the server renders reaches the browser', async () => {
  const { page, close } = await open('plain')
  assert.equal(await page.locator('p').evaluate((element) => getComputedStyle(element).fontWeight), '900')
  await close()
})

test('islands come alive when their time has come: at once, when seen, when touched; the words travel along', async () => {
  const { page, errors, close } = await open('islands')
  const now = page.getByLabel('Now')
  await now.click()
  await page.getByText('2 clicks').waitFor()
  await page.getByText('Hello!').waitFor()
  const seen = page.locator('page-island', { hasText: 'Seen' }).locator('button')
  await seen.scrollIntoViewIfNeeded()
  await seen.click()
  await page.getByText('10 clicks').waitFor()
  assert.deepEqual(errors, [], 'no mismatch, no policy broken')
  await close()
})

test('the first click on a sleeping island is not lost', async () => {
  const { page, errors, close } = await open('islands')
  await page.getByLabel('Touched').click()
  await page.getByText('6 clicks').waitFor()
  assert.deepEqual(errors, [])
  await close()
})

test('a form sent before its island is alive is sent by the island, with what was typed', async () => {
  const { page, close } = await open('islands')
  await page.getByLabel('text').fill('good day')
  await page.getByRole('button', { name: 'Send' }).click()
  await page.locator('output', { hasText: 'good day' }).waitFor()
  await close()
})

test('when the script of an island cannot be had, or JavaScript is off, the browser sends the form itself', async () => {
  blocked = /counter\.island/
  const { page, close } = await open('islands')
  await page.getByRole('button', { name: 'Send' }).click()
  await page.getByText('posted by the browser').waitFor()
  await close()
  blocked = null
  const without = await open('islands', { javaScriptEnabled: false })
  await without.page.getByText('Count 1').waitFor()
  await without.page.getByRole('button', { name: 'Send' }).click()
  await without.page.getByText('posted by the browser').waitFor()
  await without.close()
})

test('A54 props and words cannot end their element; other words stay on the server', () => {
  const html = htmlOf('islands')
  assert.equal(html.split('</script>').length - 1, (html.match(/<script/g) ?? []).length)
  assert.doesNotMatch(html, /<!--|\u2028/)
  assert.deepEqual(JSON.parse(/ld\+json">(.*?)<\/script>/.exec(html)![1]!), { name: '</script><!--\u2028' })
  assert.doesNotMatch(html, /not for the browser/)
})

test('the script every page with an island starts with is small, and React comes in a file of its own', async () => {
  const size = (path: string) => gzipSync(Buffer.from(readAsset(path))).length
  assert.ok(size(manifest.client) < 3000, `${size(manifest.client)} bytes`)
  const react = manifest.islands[Object.keys(manifest.islands)[0]!]!.find(isReact)!
  assert.ok(size(react) < 75_000, `${size(react)} bytes`)
})

function readAsset(path: string): string {
  return readFileSync(join(dist, 'client', path), 'utf8')
}
