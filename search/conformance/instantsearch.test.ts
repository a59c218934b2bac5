import assert from 'node:assert/strict'
import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { launchBrowser } from '@purlin/e2e/support/browser.ts'
import type { Browser, Page } from 'playwright-core'
import { build } from 'vite'
import { documents } from './shop-data.ts'
import { startUnderTest, type UnderTest } from './under-test.ts'

const here = import.meta.dirname
const all = documents()
let under: UnderTest
let browser: Browser
let page: Page

before(async () => {
  const script = await bundle()
  const html =
    '<!doctype html><html lang="en"><title>Suite</title><link rel="icon" href="data:,"><div id="app"></div><script type="module" src="/app.js"></script>'
  under = await startUnderTest((path) => {
    if (path === '/') return { type: 'text/html; charset=utf-8', body: html }
    return path === '/app.js' ? { type: 'text/javascript', body: script } : undefined
  })
  browser = await launchBrowser()
})

after(async () => {
  await browser?.close()
  await under?.close()
})

async function bundle(): Promise<string> {
  const outDir = await mkdtemp(join(tmpdir(), 'conformance-app-'))
  await build({
    root: here,
    logLevel: 'error',
    configFile: false,
    define: { 'process.env.NODE_ENV': '"production"' },
    build: { outDir, emptyOutDir: true, lib: { entry: join(here, 'instantsearch-app.tsx'), formats: ['es'], fileName: 'app' } },
  })
  const file = (await readdir(outDir)).find((name) => name.endsWith('.js'))
  const text = await readFile(join(outDir, file!), 'utf8')
  await rm(outDir, { recursive: true, force: true })
  return text
}

async function open(): Promise<void> {
  await page?.close()
  page = await browser.newPage()
  page.setDefaultTimeout(10_000)
  await page.goto(under.origin)
  await page.locator('#goods article').first().waitFor()
}

const found = async (): Promise<number> => Number(/[\d,]+/.exec(await page.locator('.ais-Stats').innerText())![0])
async function expectFound(expected: number): Promise<void> {
  await page.waitForFunction((wanted) => document.querySelector('.ais-Stats')?.textContent?.startsWith(`${wanted} results`), expected)
  assert.equal(await found(), expected)
}
const prices = () => page.locator('#goods article').evaluateAll((list) => list.map((one) => Number(one.getAttribute('data-price'))))

test('hits appear, and typing finds matches despite a typo and highlights them', async () => {
  await open()
  assert.equal(await found(), 72)
  await page.locator('input[type=search]').first().fill('lawn mowr')
  await expectFound(12)
  assert.equal(await page.locator('#goods article').first().locator('mark').first().innerText(), 'Lawn')
})

test('a refinement list refines, keeps its own other values, and can be searched', async () => {
  await open()
  await page.locator('#brand .ais-RefinementList-item', { hasText: 'Tarvok' }).locator('input').check()
  await expectFound(18)
  assert.equal(await page.locator('#brand .ais-RefinementList-item').count(), 4)
  await page.locator('#brand .ais-RefinementList-item', { hasText: 'Brexiro' }).locator('input').check()
  await expectFound(36)
  await page.locator('#brand input[type=search]').fill('mal')
  await page.waitForFunction(() => document.querySelectorAll('#brand .ais-RefinementList-item').length === 1)
  assert.match(await page.locator('#brand .ais-RefinementList-item').innerText(), /Malkarin/)
})

test('a hierarchical menu goes down level by level', async () => {
  await open()
  await page.locator('#categories a', { hasText: 'Tools' }).click()
  await expectFound(48)
  await page.locator('#categories a', { hasText: 'Power tools' }).click()
  await expectFound(36)
  await page.locator('#categories a', { hasText: 'Saws' }).click()
  await expectFound(12)
})

test('a range input limits the price', async () => {
  await open()
  await page.locator('#price input').first().fill('100')
  await page.locator('#price input').last().fill('150')
  await page.locator('#price button').click()
  await expectFound(all.filter((good) => good.price >= 100 && good.price <= 150).length)
})

test('sorting and paging show every hit once, in order', async () => {
  await open()
  await page.locator('.ais-SortBy-select').selectOption('goods_price_asc')
  const cheapest = Math.min(...all.map((good) => good.price))
  await page.waitForFunction((price) => document.querySelector('#goods article')?.getAttribute('data-price') === String(price), cheapest)
  const seen = await prices()
  for (let next = 2; next <= 6; next++) {
    await page.locator('.ais-Pagination-link', { hasText: new RegExp(`^${next}$`) }).click()
    await page.waitForFunction((last) => Number(document.querySelector('#goods article')?.getAttribute('data-price')) >= last, seen.at(-1)!)
    await page.locator('.ais-Pagination-item--selected', { hasText: String(next) }).waitFor()
    seen.push(...(await prices()))
  }
  assert.deepEqual(
    seen,
    all.map((good) => good.price).toSorted((a, b) => a - b),
  )
})

test('a toggle, current refinements, and clearing them', async () => {
  await open()
  await page.locator('#stock input').check()
  await expectFound(all.filter((good) => good.inStock).length)
  await page.locator('#colour .ais-RefinementList-item', { hasText: 'red' }).locator('input').check()
  await expectFound(all.filter((good) => good.inStock && good.colour === 'red').length)
  assert.match(await page.locator('.ais-CurrentRefinements').innerText(), /red/)
  await page.locator('.ais-ClearRefinements-button').click()
  await expectFound(72)
})

test('one search box queries two indexes', async () => {
  await open()
  await page.locator('input[type=search]').first().fill('hammer')
  await expectFound(24)
  await page.waitForFunction(() => document.querySelectorAll('#advice li').length === 1)
  assert.match(await page.locator('#advice').innerText(), /Which hammer/)
})
