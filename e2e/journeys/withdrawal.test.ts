import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { consentPurposes, type ConsentPurpose } from '@purlin/contract/consent.ts'
import { createPool, type Pool } from '@purlin/server/foundation/platform/index.ts'
import { expectReceipt, fillCart, goToPayment, typeCard } from '../support/buying.ts'
import { startJourney } from '../support/journey.ts'
import { patient } from '../support/patience.ts'
import { signIn } from '../support/signing-in.ts'
import type { Visitor } from '../support/visitor.ts'

/** Stored data of a visitor by purpose, before and after a withdrawal. */

const journey = startJourney({ pictures: false })

/** Tables with a visitor's id, by the purpose under which a row is stored. */
const tablesOf = {
  statistics: ['experiments.exposure', 'insights.event', 'insights.order_channel', 'insights.pro_event', 'insights.sent_visitor'],
  userPreferences: ['history.entry', 'history.view', 'merchandising.search_event', 'push.subscription'],
}
/** The experiment of the home page, in the settings of the demo. */
const homeOrder = 1
/** Rows that hold the withdrawal itself: until it has been handled and some days longer, and until it is repeated. */
const ofTheWithdrawal: Record<string, string> = {
  'platform.outbox': `type = 'consent.withdrawn'`,
  'platform.job': `name = 'consent.repeat-withdrawal'`,
}
/** The note for events that are still to move, which goes some minutes after the last of them. */
const noteOfWithdrawal = 'insights.withdrawal'

/** Every table of the shop. */
async function allTables(pool: Pool): Promise<string[]> {
  const { rows } = await pool.query<{ name: string }>(
    `select format('%I.%I', n.nspname, c.relname) as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where c.relkind in ('r', 'p') and not c.relispartition and n.nspname !~ '^(pg_|information_schema)' order by name`,
  )
  return rows.map(({ name }) => name)
}

/** Those of the tables that have this id in some row, whatever the column. */
async function tablesWith(pool: Pool, visitorId: string, tables: readonly string[]): Promise<string[]> {
  const found: string[] = []
  for (const name of tables) {
    const text = `select 1 from ${name} as each_row where each_row::text like $1 and (${ofTheWithdrawal[name] ?? false}) is not true limit 1`
    const { rowCount } = await pool.query(text, [`%${visitorId}%`])
    if (rowCount) found.push(name)
  }
  return found
}

/** Tables with a column for the visitor's id. */
async function visitorTables(pool: Pool): Promise<string[]> {
  const { rows } = await pool.query<{ name: string }>(
    `select table_schema || '.' || table_name as name from information_schema.columns c
      join pg_class t on t.oid = format('%I.%I', table_schema, table_name)::regclass and not t.relispartition
      where column_name in ('visitor_id', 'user_token') order by name`,
  )
  return rows.map(({ name }) => name).filter((name) => name !== noteOfWithdrawal)
}

/** Events that may still be used for advertising, or name the ad that was clicked. */
async function advertised(pool: Pool, visitorId: string): Promise<number> {
  const { rowCount } = await pool.query(
    `select 1 from insights.event where visitor_id = $1 and ('personalisedAdvertising' = any(purposes) or data ? 'clickId')`,
    [visitorId],
  )
  return rowCount ?? 0
}

async function until(what: string, holds: () => Promise<boolean>, maxMs = 30_000): Promise<void> {
  for (const end = Date.now() + patient(maxMs); !(await holds()); await wait(250)) assert.ok(Date.now() < end, what)
}

const idOf = async ({ page }: Visitor) => (await page.context().cookies()).find(({ name }) => name === 'mm_visitor_id')?.value ?? ''

/** On the page of choices. */
async function allow({ page, origin, t }: Visitor, purposes: readonly ConsentPurpose[]): Promise<void> {
  await page.goto(`${origin}/privacy-choices`)
  for (const purpose of consentPurposes) await page.locator(`input[value="${purpose}"]`).setChecked(purposes.includes(purpose))
  await page.getByRole('button', { name: t('consent.page.save') }).click()
  await page.getByText(t('consent.page.saved')).waitFor()
}

/** Experiments count a share of the visitors: agrees anew until the id belongs to it. */
async function agreeAsParticipant(visitor: Visitor): Promise<string> {
  const { page, origin } = visitor
  for (let tries = 0; tries < 30; tries++) {
    await allow(visitor, consentPurposes)
    const id = await idOf(visitor)
    const counts = await page.evaluate(
      async (body) => {
        const headers = { 'content-type': 'application/json' }
        const answer = await fetch('/ab-test/api/v1/user/flags', { method: 'POST', headers, body })
        return ((await answer.json()) as { content: { campaign_variations: { campaign_id: number }[] } }).content.campaign_variations
      },
      JSON.stringify({ context: { CHANNEL: 'web', MARKET: 'gb', PLATFORM: 'b2c' }, visitor_id: id }),
    )
    if (counts.some(({ campaign_id }) => campaign_id === homeOrder)) return id
    await page.context().clearCookies()
    await page.goto(`${origin}/help`)
  }
  return assert.fail('no visitor takes part in the experiment of the home page')
}

/** As the browser's own subscription would be sent, which needs a push service. */
async function subscribe({ page }: Visitor): Promise<void> {
  const subscription = {
    endpoint: `https://fcm.googleapis.com/fcm/send/${randomBytes(20).toString('hex')}`,
    keys: { p256dh: Buffer.concat([Buffer.of(4), randomBytes(64)]).toString('base64url'), auth: randomBytes(16).toString('base64url') },
  }
  const status = await page.evaluate(async (body) => {
    const headers = { 'content-type': 'application/json' }
    return (await fetch('/api/v1/push/subscriptions', { method: 'POST', headers, body })).status
  }, JSON.stringify(subscription))
  assert.equal(status, 201)
}

test('R-517 R-518 R-519 what the shop stores under each purpose ends with its withdrawal, in every table that names the visitor', async () => {
  const visitor = await journey.visit({ market: 'gb' })
  const { page, origin, t } = visitor
  const pool = createPool({ connectionString: journey.shop.databaseUrl(), sizes: { single: 1 } })
  try {
    assert.deepEqual(Object.values(tablesOf).flat().toSorted(), await visitorTables(pool), 'what follows makes a row in each of them')
    const visitorId = await agreeAsParticipant(visitor)

    // An ad, an experiment, a search and its choice, an order.
    const exposed = page.waitForResponse((answer) => answer.url().endsWith('/api/v1/experiment-exposures'), { timeout: patient(30_000) })
    await page.goto(`${origin}/?gclid=Cj0_1&referer_id=12`)
    await page.locator('[data-experiment="home-order"][data-tag="loaded"]').waitFor({ state: 'attached' })
    for (let step = 0; step < 12; step++) await page.mouse.wheel(0, 500)
    await exposed
    await page.goto(`${origin}/search/drill`)
    await page.waitForLoadState('networkidle')
    const chosen = page.waitForRequest((request) => request.url().endsWith('/api/v1/search-events'), { timeout: patient(30_000) })
    await page.locator('[data-card] a[id]').first().click()
    await chosen
    await page.locator('form[data-add-to-cart] button').first().waitFor()
    await fillCart(visitor)
    await goToPayment(visitor, `withdrawal.${Date.now()}@buyer.example`)
    await typeCard(visitor, '4000000000000002')
    await expectReceipt(visitor)
    // A product seen signed in, and messages.
    await signIn(visitor, 'grace@example.com')
    await page.goto(`${origin}/great-deals`)
    await page.goto(origin + ((await page.locator('[data-card] a[href^="/p/"]').first().getAttribute('href')) ?? ''))
    await subscribe(visitor)
    // No journey has a service that receives events: as if one had.
    await pool.query(`insert into insights.sent_visitor (service, visitor_id) values ('webhook', $1)`, [visitorId])
    const stored = async (tables: readonly string[]) => (await tablesWith(pool, visitorId, tables)).length === tables.length
    const gone = async (tables: readonly string[]) => (await tablesWith(pool, visitorId, tables)).length === 0
    for (const table of Object.values(tablesOf).flat()) await until(`${table} has a row of the visitor`, () => stored([table]))
    await until('events may be used for advertising', async () => (await advertised(pool, visitorId)) > 0)

    // Signed out, so that nothing tells whose account it was.
    await page.goto(`${origin}/auth/pre-logout`)
    await page.locator('main form button').first().click()
    await page.waitForURL(`${origin}/`)
    await allow(visitor, ['statistics', 'personalisedAdvertising'])
    await until('preferences have ended', () => gone(tablesOf.userPreferences))
    assert.ok(await stored(tablesOf.statistics), 'what was not withdrawn stays')
    assert.ok((await advertised(pool, visitorId)) > 0)
    await allow(visitor, ['statistics'])
    await until('advertising has ended', async () => (await advertised(pool, visitorId)) === 0)
    assert.ok(await stored(tablesOf.statistics))

    await page.goto(`${origin}/privacy-choices`)
    await page.getByRole('button', { name: t('consent.refuse') }).click()
    await page.getByText(t('consent.page.saved')).waitFor()
    assert.equal(await idOf(visitor), '')
    await until('statistics have ended', () => gone(tablesOf.statistics))
    await until('no event waits to move', () => gone([noteOfWithdrawal]), 150_000)
    assert.deepEqual(await tablesWith(pool, visitorId, await allTables(pool)), [], 'in no table at all')
  } finally {
    await pool.end()
    await visitor.leave()
  }
})
