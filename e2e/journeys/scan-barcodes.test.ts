import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import bwip from 'bwip-js/node'
import pg from 'pg'
import type { Browser, Page } from 'playwright-core'
import { launchBrowser } from '../support/browser.ts'
import { patient } from '../support/patience.ts'
import { shopForTests } from '../support/shop.ts'
import { originOf } from '../support/visitor.ts'
import { wordsOf } from '../support/words.ts'

/**
 * Barcodes in the quick order: a camera that films a drawn label, pictures, and a camera that is denied or absent. The
 * headless browser captures no video, so that the camera's stream is one of a canvas.
 */

const shop = await shopForTests()
const t = wordsOf('gb')
const pro = originOf(shop.origin, 'gb', 'b2b')
let ean = ''
let browser: Browser
before(async () => {
  const client = new pg.Client({ connectionString: shop.databaseUrl() })
  await client.connect()
  const { rows } = await client.query<{ ean: string }>(
    `select p.ean from catalogue.product p join catalogue.offer o on o.product_id = p.id
      where p.status = 'active' and o.market = 'gb' and p.ean ~ '^[0-9]{13}$' order by p.id limit 1`,
  )
  await client.end()
  ean = rows[0]?.ean ?? ''
  browser = await launchBrowser()
})
after(async () => {
  await browser.close()
  await shop.stop()
})

/** Widths of bars and spaces, in modules, beginning with a bar. */
function barsOf(text: string): number[] {
  const [label] = bwip.raw({ bcid: 'ean13', text, includetext: false }) as unknown as [{ sbs: number[] }]
  return label.sbs
}

/** Replaces the camera: by a label that it films, or by an error of this name. */
function installCamera(camera: { bars: number[] } | { error: string }): void {
  navigator.mediaDevices.getUserMedia = () => {
    if ('error' in camera) return Promise.reject(new DOMException('', camera.error))
    const canvas = Object.assign(document.createElement('canvas'), { width: 640, height: 480 })
    const film = canvas.getContext('2d')
    const draw = () => {
      if (!film) return
      film.fillStyle = '#eee'
      film.fillRect(0, 0, 640, 480)
      film.fillStyle = '#222'
      let at = 170
      for (const [index, bar] of camera.bars.entries()) {
        if (index % 2 === 0) film.fillRect(at, 120, bar * 3, 240)
        at += bar * 3
      }
    }
    setInterval(draw, 100)
    draw()
    return Promise.resolve(canvas.captureStream(10))
  }
}

async function open(camera?: Parameters<typeof installCamera>[0]): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 } })
  const page = await context.newPage()
  page.setDefaultTimeout(patient(20_000))
  if (camera) await page.addInitScript(installCamera, camera)
  await page.goto(`${pro}/quick-order`)
  await page.getByRole('group', { name: t('quick-order.scan.title') }).waitFor()
  return page
}
const codeOf = (page: Page, row: number) => page.getByLabel(t('quick-order.code-of', { row })).inputValue()
const status = (page: Page, text: string) => page.locator('[data-scan-status]', { hasText: text }).waitFor()

test('by keyboard: the camera reads a barcode, the row is checked, and the same label in view is one piece', async () => {
  const page = await open({ bars: barsOf(ean) })
  const requested: string[] = []
  page.on('request', (request) => requested.push(new URL(request.url()).pathname))
  assert.ok(!requested.some((path) => path.includes('decode-barcode')))
  const start = page.getByRole('button', { name: t('quick-order.scan.start') })
  await start.focus()
  await page.keyboard.press('Enter')
  await status(page, t('quick-order.scan.found', { code: ean }))
  assert.equal(await codeOf(page, 1), ean)
  await page.locator('tbody tr').first().locator('[data-found] a').waitFor()
  await page.waitForTimeout(800)
  assert.equal(await page.getByLabel(t('quick-order.quantity-of', { row: 1 })).inputValue(), '1')
  assert.ok(
    requested.some((path) => path.includes('decode-barcode')),
    'the decoder is loaded by the tap, from our own host',
  )
  if (process.env['PICTURES']) await page.screenshot({ path: `${process.env['PICTURES']}/scan-390.png`, fullPage: true })

  await page.keyboard.press('Enter')
  await start.waitFor()
  assert.equal(await page.locator('video').isVisible(), false)
  assert.equal(await page.evaluate(() => document.querySelector('video')?.srcObject ?? null), null, 'the camera is off')
  await page.context().close()
})

test('a picture is read in each format, lying or standing; one without a barcode says so', async () => {
  const page = await open()
  const picture = page.getByLabel(t('quick-order.scan.picture'))
  const cases = [
    ['ean13', '4006381333931', 'N'],
    ['ean8', '96385074', 'N'],
    ['upca', '036000291452', 'N'],
    ['code128', 'GSB-18V-55', 'N'],
    ['ean13', '5901234123457', 'R'],
  ] as const
  for (const [at, [bcid, text, rotate]] of cases.entries()) {
    const buffer = await bwip.toBuffer({ bcid, text, rotate, scale: 3, padding: 12, backgroundcolor: 'FFFFFF' })
    await picture.setInputFiles({ name: 'label.png', mimeType: 'image/png', buffer })
    await status(page, t('quick-order.scan.found', { code: text }))
    assert.equal(await codeOf(page, at + 1), text)
  }
  await picture.setInputFiles({ name: 'notes.png', mimeType: 'image/png', buffer: Buffer.from('no picture at all') })
  await status(page, t('quick-order.scan.nothing'))
  await page.context().close()
})

test('a camera that is denied, in use or absent is reported plainly; other pages may not use it at all', async () => {
  for (const [error, message] of [
    ['NotAllowedError', 'quick-order.scan.denied'],
    ['NotReadableError', 'quick-order.scan.busy'],
    ['NotFoundError', 'quick-order.scan.absent'],
  ] as const) {
    const page = await open({ error })
    const start = page.getByRole('button', { name: t('quick-order.scan.start') })
    await start.click()
    await status(page, t(message))
    assert.equal(await start.getAttribute('aria-expanded'), 'false')
    await page.context().close()
  }
  const page = await open()
  const allowed = async () => ((await page.reload())?.headers()['permissions-policy'] ?? '').includes('camera=(self)')
  assert.equal(await allowed(), true)
  await page.goto(`${pro}/cart`)
  assert.equal(await allowed(), false)
  await page.context().close()
})
