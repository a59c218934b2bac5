import assert from 'node:assert/strict'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Browser } from 'playwright-core'
import pg from 'pg'
import { filesThatSay as scanFiles, tablesThatSay as scanTables } from '@purlin/server/after-sale/privacy/test-scan.ts'
import { accept, deliverByPost, readSale, salesOf, shipByPost } from '../support/after-sale.ts'
import { launchBrowser } from '../support/browser.ts'
import { cardFrame, expectReceipt, fillCart } from '../support/buying.ts'
import { mailTo } from '../support/mailbox.ts'
import { patient } from '../support/patience.ts'
import { startShop, type Shop } from '../support/shop.ts'
import { visit, type Visitor } from '../support/visitor.ts'

/** A customer opens an account, leaves data wherever the shop stores any, and has all of it erased. */

const person = {
  email: 'quirinus.zwackelmann@mail.example',
  password: 'seven quiet kettles on the hob',
  firstName: 'Quirinus',
  lastName: 'Zwackelmann',
  phone: '07700900987',
  line1: '77 Zeppelin Crescent',
  postcode: 'EC1A 1BB',
  city: 'Zedtown',
}
const traces = ['quirinus', 'zwackelmann', '7700900987', '7700 900987', 'zeppelin', 'zedtown']
const logFile = join(tmpdir(), `erasure-${process.pid}.log`)

let shop: Shop
let browser: Browser
let database: pg.Client
before(async () => {
  shop = await startShop({ products: 300, quiet: true, logFile })
  browser = await launchBrowser({ pictures: false })
  database = new pg.Client({ connectionString: shop.databaseUrl() })
  await database.connect()
})
after(async () => {
  await database?.end()
  await browser?.close()
  await shop?.stop()
  rmSync(logFile, { force: true })
})

const fill = async ({ page }: Visitor, names: readonly (keyof typeof person)[]) => {
  for (const name of names) await page.locator(`input[name$="${name}"]`).first().fill(person[name])
}

async function register(visitor: Visitor): Promise<void> {
  const { page, origin, t } = visitor
  // The provider's process may be ready a moment after the shop's.
  for (let tries = 0; tries < 20 && !page.url().includes('/register'); tries++) {
    if (tries > 0) await sleep(1000)
    await page.goto(`${origin}/api/v1/register?callbackUrl=%2F`)
  }
  await page.locator('input[name="given_name"]').fill(person.firstName)
  await page.locator('input[name="family_name"]').fill(person.lastName)
  await page.locator('input[name="email"]').fill(person.email)
  await page.locator('input[name="password"]').fill(person.password)
  await page.getByRole('button', { name: t('identity.register.submit') }).click()
  await page.getByRole('heading', { name: t('identity.mail-sent.title') }).waitFor()
  const [link = ''] = /http:\/\/id\.localhost[^"\s<]+\/link\/[\w-]+/.exec(await mailTo(shop.origin, person.email)) ?? []
  await page.goto(link)
  await page.getByRole('button', { name: t('identity.confirm.submit') }).click()
  await page.waitForURL(`${origin}/`)
}

/** A wrong password, a forgotten one, and a sign-in that is never finished: from another browser. */
async function leaveTracesAtProvider(): Promise<void> {
  const { page, origin, t, leave } = await visit(browser, shop.origin, { market: 'gb' })
  await page.goto(`${origin}/api/auth/pre-login?callbackUrl=%2F`)
  const start = page.url()
  await page.locator('input[name="email"]').fill(person.email)
  await page.locator('input[name="password"]').fill('not the password')
  await page.getByRole('button', { name: t('identity.sign-in.submit'), exact: true }).click()
  await page.getByText(t('identity.sign-in.wrong')).waitFor()
  await page.goto(`${start}/forgotten`)
  await page.locator('input[name="email"]').fill(person.email)
  await page.getByRole('button', { name: t('identity.forgotten.submit') }).click()
  await page.getByRole('heading', { name: t('identity.mail-sent.title') }).waitFor()
  await page.goto(`${origin}/api/v1/register?email=${encodeURIComponent(person.email)}&callbackUrl=%2F`)
  await leave()
}

async function order(visitor: Visitor): Promise<string> {
  const { page, t } = visitor
  await fillCart(visitor)
  await page.getByRole('link', { name: t('cart.order') }).click()
  await page.getByRole('heading', { level: 1, name: t('checkout.address.title') }).waitFor()
  const field = (name: 'name' | 'line1' | 'postcode' | 'city') => page.getByLabel(t(`checkout.address.${name}`), { exact: true }).first()
  await field('name').fill(`${person.firstName} ${person.lastName}`)
  for (const name of ['line1', 'postcode', 'city'] as const) await field(name).fill(person[name])
  await page.getByRole('button', { name: t('checkout.address.continue') }).click()
  await page.getByRole('heading', { level: 1, name: t('checkout.payment.title') }).waitFor()
  const frame = await cardFrame(visitor)
  await frame.locator('input[name=number]').fill('4000000000000002')
  await frame.locator('input[name=expiry]').fill('12 / 32')
  await frame.locator('input[name=code]').fill('123')
  await frame.locator('input[type=checkbox]').first().check()
  await frame.locator('form button').first().click()

  return expectReceipt(visitor)
}

/** Its sellers send everything with the shop's carrier, who delivers it; the invoices are issued meanwhile. */
async function deliver(orderId: string): Promise<void> {
  const sales = await salesOf(shop, 'gb', orderId)
  for (const sale of sales) {
    await accept(sale)
    await deliverByPost(shop, await shipByPost(shop, sale, (await readSale(sale)).lines))
  }
  const missing = `select 1 from orders.seller_order s where customer_order_id = '${orderId}' and not (
    exists (select from orders.line_move m where m.seller_order_id = s.id and m.to_state = 'delivered')
    and exists (select from invoices.invoice i join invoices.file f on f.invoice_id = i.id where i.seller_order_id = s.id))`
  assert.ok(await isNone(missing, patient(60_000)), `the ${sales.length} parts of the order are delivered and have invoices`)
}

const tablesThatSay = (words: readonly string[]) => scanTables((text, values) => database.query(text, values), words)

/** The shop's data folder: object store, search index, payment provider, carrier, the log of Postgres, whose other files are the tables. */
const filesThatSay = (words: readonly string[]) =>
  scanFiles(shop.dataDir, words, (file) => file.endsWith('postgres.log') || !/\/(?:postgres|pg)[^/]*\//.test(file))

/** Whether a query finds nothing within this time; on a busy machine the worker is behind by more than seconds. */
async function isNone(sql: string, withinMs: number): Promise<boolean> {
  for (const end = Date.now() + withinMs; Date.now() < end; await sleep(200)) if ((await database.query(sql)).rows.length === 0) return true
  return false
}

const eventsLeft = 'select 1 from platform.outbox where done_at is null and parked_at is null limit 1'
const workLeft = `select 1 from platform.job where (name like 'privacy.era%' or name in ('auth.remove-identity', 'auth.revoke', 'auth.follow-late', 'files.remove', 'fulfilment.forget-at-carrier')
  or name like 'payments.%card%' or name like 'payments.%customer%') and parked_at is null limit 1`

/**
 * The last part of an erasure runs minutes after the first, when what was begun before has been done. Here it is called early, but
 * not before the worker has caught up; the demo's own past may keep it busy for longer, and is not waited for.
 */
async function workIsDone(): Promise<void> {
  await isNone(eventsLeft, patient(60_000))
  for (const end = Date.now() + patient(120_000); Date.now() < end;) {
    await database.query(`update platform.job set run_at = now() where name = 'privacy.erase-late'`)
    if (await isNone(workLeft, 10_000)) return
  }
  throw new Error('The work of an erasure was not done in time')
}

/** The scan finds a single copy, in whatever table or file it was left. */
async function scanFindsOneCopy(): Promise<void> {
  await database.query(`create table privacy.planted as select jsonb_build_object('note', 'for Mrs ZWACKELMANN') as note`)
  assert.deepEqual(await tablesThatSay(traces), ['privacy.planted'])
  await database.query('drop table privacy.planted')
  const file = join(shop.dataDir, 'planted')
  writeFileSync(file, `a letter to ${person.lastName}`)
  assert.deepEqual(filesThatSay(traces), [file])
  rmSync(file)
}

const nextPassword = 'nine loud kettles on the shelf'

/** A refused new password is told at its field and keeps what was typed, there and in the other forms; then it is accepted. */
async function changePassword({ page, origin, t }: Visitor): Promise<void> {
  await page.goto(`${origin}/settings`)
  const form = page.locator('#credentials')
  const field = (name: string) => form.locator(`input[name="${name}"]`)
  const send = () => form.getByRole('button', { name: t('credentials.save') }).click()
  await page.locator('input[name="phone"]').fill('07700900111')
  await field('currentPassword').fill('not the password')
  await field('newPassword').fill(nextPassword)
  await send()
  await form.getByText(t('credentials.fault.current-wrong')).waitFor()
  assert.equal(await page.evaluate(() => document.activeElement?.getAttribute('name')), 'currentPassword')
  assert.deepEqual(await Promise.all(['currentPassword', 'newPassword'].map((name) => field(name).inputValue())), [
    'not the password',
    nextPassword,
  ])
  assert.equal(await page.locator('input[name="phone"]').inputValue(), '07700900111', 'drafts of the other forms stay')
  await field('currentPassword').fill(person.password)
  await send()
  await page.getByText(t('flash.password-changed')).first().waitFor()
  await form.locator('[aria-invalid]').first().waitFor({ state: 'detached' })
  assert.equal(await field('newPassword').inputValue(), '')
}

/** An hour later a session that was left open neither downloads nor erases: the provider asks for the password first. */
async function signInAgain({ page, t }: Visitor, act: () => Promise<void>): Promise<void> {
  await database.query(`update accounts.session set authenticated_at = authenticated_at - interval '1 hour'`)
  await database.query(
    `update identity.artifact set payload = jsonb_set(payload::jsonb, '{loginTs}', to_jsonb((payload->>'loginTs')::bigint - 3600))
      where model = 'Session'`,
  )
  await act()
  await page.locator('input[name="password"]').fill(nextPassword)
  await page.getByRole('button', { name: t('identity.sign-in.submit'), exact: true }).click()
  await page.waitForURL(/\/settings/)
}

/** The file of the person's data, once it is ready, after a fresh sign-in. */
async function downloadData(visitor: Visitor): Promise<void> {
  const { page, origin, t } = visitor
  const link = page.getByRole('link', { name: t('privacy.export.download') })
  for (const end = Date.now() + patient(30_000); Date.now() < end && (await link.count()) === 0;) {
    await sleep(500)
    await page.goto(`${origin}/settings`)
  }
  await signInAgain(visitor, () => link.click())
  const downloading = page.waitForEvent('download')
  await link.click()
  const file = readFileSync(await (await downloading).path())
  assert.ok(file.includes(person.email), 'the file holds the person’s data')
}

test('R-313 R-425 after an erasure no table of shop or provider, no file of index, object store or payments, and no log line contains the person’s data; orders keep the legally required details, sealed', async () => {
  const visitor = await visit(browser, shop.origin, { market: 'gb' })
  const { page, origin, t } = visitor
  await register(visitor)

  await page.goto(`${origin}/settings`)
  await fill(visitor, ['firstName', 'lastName', 'phone'])
  await page
    .getByRole('button', { name: t('settings.save') })
    .first()
    .click()
  await page.waitForLoadState('networkidle')
  await page.goto(`${origin}/search/${encodeURIComponent(person.email)}`)
  await page.goto(`${origin}/contact`)
  await page.getByLabel(t('contact.name')).fill(`${person.firstName} ${person.lastName}`)
  await page.locator('input[name$="email"]').first().fill(person.email)
  await page.locator('textarea').first().fill(`Please call me: ${person.phone}`)
  const picture = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64')
  const upload = page.locator('input[type="file"]')
  if (await upload.count()) await upload.first().setInputFiles({ name: 'Zwackelmann.png', mimeType: 'image/png', buffer: picture })
  await page.locator('main form button[type="submit"], main form button:not([type])').last().click()
  await page.waitForLoadState('networkidle')
  const orderId = await order(visitor)
  await deliver(orderId)
  await changePassword(visitor)
  await leaveTracesAtProvider()
  await page.goto(`${origin}/settings`)
  await page.getByRole('button', { name: t('privacy.export.request') }).click()
  await page.waitForLoadState('networkidle')
  const before = await tablesThatSay(traces)
  for (const table of [
    'accounts.customer',
    'contact.message',
    'identity.account',
    'identity.one_time_token',
    'invoices.invoice',
    'mail.mail',
    'orders.customer_order',
    'profile.profile',
  ])
    assert.ok(before.includes(table), `${table} names the person before: ${before.join(', ')}`)
  const files = filesThatSay(traces).map((file) => file.slice(shop.dataDir.length + 1).split('/')[0])
  assert.ok(files.includes('parcel-carrier'), `so does the carrier: ${files.join(', ')}`)
  assert.ok(files.length > 1, 'and so does a file of the object store')

  await downloadData(visitor)
  await page.goto(`${origin}/settings`)
  await page.locator('summary', { hasText: t('privacy.erase.title') }).click()
  const erase = async () => {
    await page.locator('#erase input[type="email"]').fill(person.email)
    await page.getByRole('button', { name: t('privacy.erase.do') }).click()
  }
  await signInAgain(visitor, erase)
  // The form is open again; nothing was erased without the password.
  await erase()
  // The fragment of the form's address stays through the redirect.
  await page.waitForURL((url) => url.origin === origin && url.pathname === '/')
  await workIsDone()

  assert.deepEqual(await tablesThatSay(traces), [])
  assert.deepEqual(filesThatSay(traces), [])
  await scanFindsOneCopy()
  const log = readFileSync(logFile, 'utf8').toLowerCase()
  assert.ok(log.length > 500, 'the processes have a log')
  assert.deepEqual(
    log.split('\n').filter((line) => traces.some((trace) => line.includes(trace))),
    [],
  )
  const { rows } = await database.query<{ total: number; email: string; sealed: Buffer }>(
    `select o.total, o.email, r.sealed from orders.customer_order o join privacy.retained r on r.customer_order_id = o.id
      join privacy.retained_invoice i on i.customer_order_id = o.id where o.id = $1`,
    [orderId],
  )
  assert.equal(rows[0]?.email, 'erased')
  assert.ok(Number(rows[0]?.total) > 0 && (rows[0]?.sealed.length ?? 0) > 100)

  // The account no longer accepts sign-ins; its address can be registered again.
  await page.goto(`${origin}/api/auth/pre-login?callbackUrl=%2F`)
  await page.locator('input[name="email"]').fill(person.email)
  await page.locator('input[name="password"]').fill(nextPassword)
  await page.getByRole('button', { name: t('identity.sign-in.submit'), exact: true }).click()
  await page.getByText(t('identity.sign-in.wrong')).waitFor()
})
