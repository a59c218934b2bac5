import assert from 'node:assert/strict'
import { test } from 'node:test'
import { enter } from '../support/account-states.ts'
import { startJourney } from '../support/journey.ts'
import { stateChecks } from '../support/page-states.ts'
import { marketsOf, withDatabase, withoutNotes, type ProMarket } from '../support/professionals.ts'

/** A spreadsheet of two hundred lines, twelve of which are wrong. */

const journey = startJourney({ pictures: process.env['PICTURES'] !== undefined })
const wrong = ['NO-SUCH-1', 'NO-SUCH-2', 'NO-SUCH-3', 'NO-SUCH-4', 'NO-SUCH-5', 'NO-SUCH-6'].map((code) => ({ code, quantity: '2' }))
const wrongQuantities = ['zwei', '0', '-3', '1.5', '400000', 'a few']

/** Products of the market, by part number and EAN in turn. */
async function sold(market: ProMarket, count: number): Promise<string[]> {
  const { rows } = await withDatabase(journey.shop.databaseUrl(), (pool) =>
    pool.query<{ code: string }>(
      `select case row_number() over (order by p.id) % 2 when 0 then p.ean else p.mpn end as code from catalogue.product p
         where p.id in (select product_id from catalogue.offer where market = $1 group by product_id
           having bool_and(status = 'active' and not is_sample and bulk is null and max_quantity is null and stock > 3))
         order by p.id limit $2`,
      [market, count],
    ),
  )
  assert.equal(rows.length, count, 'the demo shop has enough products')
  return rows.map(({ code }) => code)
}

for (const market of marketsOf('gb'))
  test(`in ${market} of a spreadsheet of two hundred rows the right ones go into the basket and twelve are left with their errors, without scripts; by keyboard one is corrected`, async () => {
    const visitor = await journey.visit({ market, mode: 'b2b', javaScript: false })
    const { page, origin, t } = visitor
    await withoutNotes(page)
    await enter(journey.shop.databaseUrl(), visitor)
    const checks = stateChecks(visitor, { scripts: false })
    const codes = await sold(market, 195)
    const rows = codes.slice(0, 194).map((code, at) => ({ code, quantity: wrongQuantities[at - 188] ?? '1' }))
    const lines = [...rows.slice(0, 50), ...wrong, ...rows.slice(50)].map(({ code, quantity }) => `${code};${quantity}`)
    assert.equal(lines.length, 200)
    const buffer = Buffer.from(['Article;Quantity', ...lines].join('\r\n'))
    await page.goto(`${origin}/quick-order`)
    await page.locator('#sheet').setInputFiles({ name: 'site.csv', mimeType: 'text/csv', buffer })
    await page.getByRole('button', { name: t('quick-order.sheet.send') }).click()
    await page.getByText(t('quick-order.sheet.read')).waitFor()
    await checks.look('quick-order-read')
    const problems = page.locator('main [aria-invalid="true"]')
    assert.equal(await page.locator('[data-ready]').innerText(), '188')
    assert.equal(await problems.count(), 12)
    for (let at = 0; at < 12; at += 1) {
      const reason = page.locator(`[id="${(await problems.nth(at).getAttribute('aria-describedby')) ?? ''}"]`)
      assert.notEqual((await reason.innerText()).trim(), '', `row ${at} says what is wrong`)
    }

    await page.getByRole('button', { name: t('quick-order.add') }).click()
    await page.getByText(t('quick-order.sheet.left')).waitFor()
    assert.equal(await problems.count(), 12)
    await checks.look('quick-order-left')
    assert.deepEqual(checks.faults, [])

    const scripted = await journey.visit({ market, mode: 'b2b' })
    await withoutNotes(scripted.page)
    await scripted.page.context().addCookies(await page.context().cookies())
    const own = stateChecks(scripted)
    // Typed before the script has arrived, as on a slow connection.
    const typed = Promise.withResolvers<void>()
    await scripted.page.route('**/follow-rows-*.js', async (route) => {
      await typed.promise
      await route.continue()
    })
    await scripted.page.goto(page.url())
    const first = scripted.page.getByLabel(t('quick-order.code-of', { row: 1 }), { exact: true })
    await first.fill(codes[194] ?? '')
    await scripted.page.keyboard.press('Tab')
    typed.resolve()
    await scripted.page.locator('[data-ready]').getByText('1', { exact: true }).waitFor()
    assert.notEqual(await first.getAttribute('aria-invalid'), 'true')
    await own.look('quick-order-typed', { byKeyboard: true })
    await scripted.page.getByRole('button', { name: t('quick-order.add') }).press('Enter')
    await scripted.page.getByText(t('quick-order.sheet.left')).waitFor()
    await scripted.page.goto(`${origin}/cart`)
    await own.look('cart-of-two-hundred')
    const { rows: inCart } = await withDatabase(journey.shop.databaseUrl(), (pool) =>
      pool.query<{ lines: string }>(
        `select count(*) as lines from cart.line l join catalogue.offer o on o.id = l.offer_id
        join catalogue.product p on p.id = o.product_id where p.id::text = any($1) or p.ean = any($1) or p.mpn = any($1)`,
        [codes],
      ),
    )
    assert.ok(Number(inCart[0]?.lines) >= 189)
    assert.deepEqual(own.faults, [])
    await scripted.leave()
    await visitor.leave()
  })

for (const market of marketsOf('de'))
  test(`in ${market} a spreadsheet without a column of quantities says that each is one, and is sent again with the column`, async () => {
    const visitor = await journey.visit({ market, mode: 'b2b' })
    const { page, origin, t } = visitor
    await withoutNotes(page)
    await enter(journey.shop.databaseUrl(), visitor)
    const checks = stateChecks(visitor)
    const [one = '', other = ''] = await sold(market, 2)
    const buffer = Buffer.from(['Artikelnummer;Kolli;Preis', `${one};2,00;9,90`, `${other};3,00;4,50`].join('\r\n'))
    const send = async () => {
      await page.locator('#sheet').setInputFiles({ name: 'baustelle.csv', mimeType: 'text/csv', buffer })
      await page.getByRole('button', { name: t('quick-order.sheet.send') }).click()
    }
    const quantities = () =>
      page.locator('main [name="quantity"]').evaluateAll((fields) => fields.slice(0, 2).map((field) => (field as HTMLInputElement).value))
    await page.goto(`${origin}/quick-order`)
    await send()
    await page.getByText(t('quick-order.sheet.one-each')).waitFor()
    assert.deepEqual(await quantities(), ['1', '1'])
    await checks.look('quick-order-one-each')
    await page.getByLabel(t('quick-order.sheet.column')).selectOption('B')
    await send()
    await page.waitForURL(/sheet=read$/)
    assert.deepEqual(await quantities(), ['2', '3'])
    assert.deepEqual([checks.faults, visitor.complaints], [[], []])
    await visitor.leave()
  })

for (const market of marketsOf('gb'))
  test(`in ${market} rows pasted beyond the limit of an order are said to be missing, and so are quantities; each note goes with the next paste, and one that the page cannot read is left to the server`, async () => {
    const visitor = await journey.visit({ market, mode: 'b2b' })
    const { page, origin, t } = visitor
    await withoutNotes(page)
    await enter(journey.shop.databaseUrl(), visitor)
    const codes = page.locator('main [name="code"]')
    const pasteText = (lines: string) =>
      codes.first().evaluate((field, text) => {
        const clipboardData = new DataTransfer()
        clipboardData.setData('text/plain', text)
        field.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
      }, lines)
    const paste = (count: number) => pasteText(Array.from({ length: count }, (_, at) => `NO-SUCH-${at}\t2`).join('\n'))
    await page.goto(`${origin}/quick-order`)
    // Shown by the script that handles the paste.
    await page.locator('[data-remove]').first().waitFor()
    await paste(320)
    const note = page.locator('[data-cut]', { hasText: t('quick-order.cut', { count: 300 }) })
    await note.waitFor()
    assert.equal(await codes.count(), 300)
    await paste(2)
    await note.waitFor({ state: 'detached' })
    const oneEach = page.locator('[data-one-each]', { hasText: t('quick-order.one-each') })
    assert.equal(await oneEach.count(), 0)
    await pasteText('SKU\tUnits per pack\tPacks\nSKU-1001\t10\t2\nSKU-1002\t25\t4')
    await oneEach.waitFor()
    assert.deepEqual([await codes.nth(0).inputValue(), await codes.nth(1).inputValue()], ['SKU-1001', 'SKU-1002'])
    await pasteText('SKU-1003\t5\nSKU-1004\t3')
    await oneEach.waitFor({ state: 'detached' })
    assert.deepEqual(
      [await codes.nth(0).inputValue(), await page.locator('main [name="quantity"]').first().inputValue()],
      ['SKU-1003', '5'],
    )
    assert.deepEqual(visitor.complaints, [])
    await page.route(/\/order-rows-[^/]*\.js/, (route) => route.abort())
    await page.reload()
    await page.locator('[data-remove]').first().waitFor()
    await pasteText('SKU-1003\t5\nSKU-1004\t3')
    await page.waitForFunction(() => document.querySelector('textarea')?.value === 'SKU-1003\t5\nSKU-1004\t3')
    await visitor.leave()
  })
