import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { marketCodes } from '@purlin/contract/markets.ts'
import { demoThanks } from '@purlin/demo/index.ts'
import { demoPast } from '@purlin/demo/past.ts'
import { demoPeople } from '@purlin/demo/people.ts'
import { connectObjectStore, folderStore } from '@purlin/server/foundation/files/index.ts'
import { loadJobs } from '@purlin/server/edges/worker/load-jobs.ts'
import { runWork } from '@purlin/server/edges/worker/testing.ts'
import { testGateway } from '@purlin/server/edges/gateway/testing.ts'
import { readSettings } from '@purlin/server/foundation/platform/index.ts'
import { signIn } from '@purlin/server/people/accounts/testing.ts'
import { testDatabase } from '@purlin/server/foundation/platform/testing.ts'
import { readViewedByDay } from '@purlin/server/people/insights/index.ts'
import { readOrder } from '@purlin/server/selling/orders/index.ts'
import { embeddedCredit } from '@purlin/server/selling/payments/embedded-credit.ts'
import { embeddedProvider } from '@purlin/server/selling/payments/embedded-provider.ts'
import { viewedTogether } from '@purlin/server/selling/recommendations/learn.ts'
import { checkInvariants } from '../e2e/invariants.ts'
import { startCreditProvider } from '../services/src/credit-provider/index.ts'
import { startPaymentProvider } from '../services/src/payment-provider/index.ts'
import { readPastCredit, readPastPayments } from './demo-payments.ts'
import { playDay, writesReview } from './play-day.ts'
import { prepare } from './prepare.ts'

const folder = mkdtempSync(join(tmpdir(), 'demo-past-'))
after(() => rmSync(folder, { recursive: true, force: true }))
const database = await testDatabase()
const { pool, db } = database
const env = { DEMO: 'on', SEARCH_DIR: join(folder, 'search'), DATABASE_URL: database.connectionString }
const start = () =>
  prepare(database.connectionString, readSettings(env, ['--products', '300']), { step: () => undefined, done: () => undefined })
await start()
const idOf = (email: string) => demoPeople.find((each) => each.email === email)?.sub ?? ''
const secrets = { secret: 'secret-of-the-tests', webhookSecret: 'webhook-secret-of-the-tests' }
const provider = await startPaymentProvider({
  port: 0,
  file: ':memory:',
  webhookUrl: 'http://127.0.0.1:9/',
  known: await readPastPayments(db),
  ...secrets,
})
after(() => provider.close())
const client = embeddedProvider({ url: `http://127.0.0.1:${provider.port}`, ...secrets })

test('the people of the demo have ordered over the last year: every order of the plan, in its state, on its day', async () => {
  for (const { email, orders, mode } of demoPast) {
    const { rows } = await pool.query<{ id: string; days: number; mode: string; company: string | null }>(
      `select id, round(extract(epoch from now() - placed_at) / 86400)::int as days, mode, company_id as company
       from orders.customer_order where owner = $1 and placed_at is not null order by placed_at`,
      [`c:${idOf(email)}`],
    )
    const placed = await Promise.all(rows.map(({ id }) => readOrder(db, id)))
    assert.deepEqual(
      placed.map((order) => order?.state),
      orders.map(({ state }) => state),
      email,
    )
    rows.forEach(({ days, ...row }, index) => {
      assert.ok(Math.abs(days - (orders[index]?.daysAgo ?? 0)) <= 1, `${email} ${days}`)
      assert.deepEqual([row.mode, row.company !== null], [mode, mode === 'b2b'])
    })
  }
})

test('what visitors of the demo viewed teaches "also viewed" in every market', async () => {
  for (const market of marketCodes) {
    const lists = Object.values(viewedTogether(await readViewedByDay(db, market), { orders: new Map(), popularity: new Map() }))
    assert.ok(lists.length > 20, `${market}: ${lists.length}`)
    assert.ok(
      lists.every(({ length }) => length >= 1 && length <= 3),
      market,
    )
  }
})

test('a refunded order of their past has no pieces that a seller would still have to send', async () => {
  const { rows } = await pool.query<{ states: string[] }>(
    `select array(select m.to_state from orders.line_move m where m.seller_order_id = s.id) as states
      from orders.seller_order s join orders.customer_order o on o.id = s.customer_order_id where o.state = 'refunded'`,
  )
  assert.ok(rows.length >= 2)
  for (const { states } of rows) assert.ok(states.length > 0 && states.every((state) => state === 'refused'), states.join())
})

test('nobody of the demo has written about damage or an invoice before the goods had arrived', async () => {
  const { rows } = await pool.query<{ topic: string; early: boolean }>(
    `select c.topic, not coalesce(c.created_at >= (select max(m.at) from orders.line_move m
        where m.seller_order_id = c.seller_order_id and m.to_state = 'delivered'), false) as early
      from messages.conversation c where c.topic in ('damage', 'invoice')`,
  )
  assert.ok(rows.length >= 3)
  assert.deepEqual(
    rows.filter(({ early }) => early),
    [],
  )
})

test('their past has returns with refunds and credit notes, settled disputes and published reviews, each on its day', async () => {
  const { rows } = await pool.query<Record<string, string | number | boolean | null>>(
    `select o.owner, o.id, round(extract(epoch from now() - o.placed_at) / 86400)::int as days,
        (select string_agg(r.basis || ':' || r.state || ':' || round(extract(epoch from r.requested_at - o.placed_at) / 86400), ',') from returns.request r where r.customer_order_id = o.id) as returned,
        (select string_agg(d.state || ':' || round(extract(epoch from d.opened_at - o.placed_at) / 86400), ',') from disputes.dispute d where d.customer_order_id = o.id) as disputed,
        (select sum(r.amount)::int from refunds.refund r where r.customer_order_id = o.id and r.state = 'done') as refunded,
        (select sum(p.refunded)::int from payments.payment p where p.customer_order_id = o.id) as paid_back,
        (select -sum(i.gross)::int from invoices.invoice i where i.customer_order_id = o.id and i.kind = 'credit-note') as credited,
        (select count(*)::int from reviews.review v where v.seller_order_id like o.id || '-%' and v.owner = o.owner
          and v.written_at < now() - interval '10 days') as reviews
      from orders.customer_order o where o.placed_at is not null`,
  )
  let cases = 0
  for (const { email, orders, market } of demoPast)
    for (const { daysAgo, followedBy, isReviewed } of orders) {
      const row = rows.find(({ owner, days }) => owner === `c:${idOf(email)}` && Math.abs(Number(days) - daysAgo) <= 1)
      if (isReviewed) assert.equal(row?.['reviews'], 1, `${email} ${daysAgo}`)
      if (!followedBy) continue
      cases += 1
      const { returned = null, disputed = null, refunded = null, paid_back: paidBack, credited } = row ?? {}
      const expected = {
        withdrawal: /^withdrawal:refunded:[789]$/,
        'missing-part': /^guarantee:refunded:[567]$/,
        dispute: /^settled:2[2345]$/,
      }
      assert.match(String(followedBy === 'dispute' ? disputed : returned), expected[followedBy], `${email} ${market} ${daysAgo}`)
      assert.ok(Number(refunded) > 0, `${email} ${daysAgo}`)
      assert.deepEqual([paidBack, credited], [refunded, refunded], `${email} ${daysAgo}`)
    }
  assert.ok(cases >= 8)
})

test('the British company has sites, cost centres, budgets, a request that waits, and spending of a year charged to them', async () => {
  const { rows } = await pool.query<Record<string, number>>(`select
    (select count(*)::int from companies.site) as sites, (select count(*)::int from companies.cost_centre) as centres,
    (select count(*)::int from purchasing.budget) as budgets, (select count(*)::int from purchasing.approval where state = 'pending') as waiting,
    (select count(distinct month)::int from purchasing.spend) as months, (select count(*)::int from purchasing.spend where site_id is not null) as charged`)
  const [seen] = rows
  assert.deepEqual([seen?.['sites'], seen?.['centres'], seen?.['budgets'], seen?.['waiting']], [2, 2, 2, 1])
  assert.ok((seen?.['months'] ?? 0) >= 4 && (seen?.['charged'] ?? 0) >= 4)
})

test('it pays by invoice and once a month: its statements are paid but for the last, and the credit provider knows them', async () => {
  const { rows } = await pool.query<{ id: string; number: string; due: string; claims: string[]; open: number }>(
    `select s.id, s.number, s.due_on::text as due, array_agg(c.id::text) as claims, sum(c.amount - c.repaid)::int as open
     from credit.statement s join credit.statement_claim sc on sc.statement_id = s.id join credit.claim c on c.id = sc.claim_id
     where s.document is not null group by s.id order by s.month`,
  )
  assert.ok(rows.length >= 2, `${rows.length} statements`)
  assert.deepEqual(
    rows.map(({ open }, index) => open > 0 === (index === rows.length - 1)),
    rows.map(() => true),
  )
  const keys = { apiKey: 'key-of-the-tests', webhookSecret: 'secret-of-the-tests' }
  const server = await startCreditProvider({
    port: 0,
    file: ':memory:',
    webhookUrl: 'http://127.0.0.1:9/',
    known: await readPastCredit(db),
    ...keys,
  })
  after(() => server.close())
  const credit = embeddedCredit({ url: `http://127.0.0.1:${server.port}`, ...keys })
  const claims = await pool.query<{ id: string; due: string; repaid: number }>(
    'select id::text, due_on::text as due, repaid from credit.claim',
  )
  for (const { id: statementId, number, due: dueOn, claims: claimIds } of rows) {
    const { claims: known } = await credit.collect({ statementId, number, dueOn, claimIds }, { key: statementId })
    for (const { claimId, dueOn: due, repaid } of known)
      assert.deepEqual(
        { id: claimId, due, repaid },
        claims.rows.find(({ id }) => id === claimId),
      )
  }
})

test('it is subscribed: the first month is paid and invoiced, and its card is known to the provider for the next one', async () => {
  const { rows } = await pool.query<{ state: string; due: boolean; invoices: number; card: string; customer: string }>(
    `select s.state, s.due_at > now() as due, card_reference as card, provider_customer as customer,
       (select count(*)::int from invoices.invoice i where i.company_id = s.company_id and i.source like 'subscription:%') as invoices
     from subscriptions.subscription s`,
  )
  assert.deepEqual(rows, [{ state: 'active', due: true, card: 'card_past_company', customer: 'cus_past_company', invoices: 1 }])
  assert.deepEqual(
    (await client.listCards('cus_past_company', {})).map(({ reference }) => reference),
    ['card_past_company'],
  )
})

test('each company has quotes: answered, requested and expired', async () => {
  const { rows } = await pool.query<{ states: string[] }>(
    'select array_agg(state order by state) as states from quotes.quote group by company_id',
  )
  assert.deepEqual(rows, [{ states: ['answered', 'expired', 'requested'] }, { states: ['answered', 'expired', 'requested'] }])
})

test('I1–I6, I8: money, stock, coupons and steps of the past are true, also to the provider; no event and no mail is left', async () => {
  const payments = await client.list({ since: new Date(0) }, {})
  assert.ok(payments.length > 15)
  assert.deepEqual(await checkInvariants(pool, { provider: { name: 'embedded', payments } }), [])
  for (const table of ['mail.mail', 'platform.outbox']) assert.equal((await pool.query(`select 1 from ${table}`)).rowCount, 0, table)
})

test('R-136 every order of the past that was sent has a parcel with tracking, of the time it was on its way', async () => {
  const { rows } = await pool.query<{ sent: boolean; parcels: number; kinds: string[] | null; late: boolean }>(
    `select bool_or(m.to_state = 'shipped') as sent, bool_or(m.to_state = 'delivered') as arrived, count(distinct p.id)::int as parcels,
        array_agg(distinct e.kind) as kinds, bool_or(e.at > now()) as late
      from orders.line_move m left join fulfilment.parcel p on p.id = m.parcel_id left join fulfilment.parcel_event e on e.parcel_id = p.id
      group by m.seller_order_id`,
  )
  const sent = rows.filter((row) => row.sent)
  assert.ok(sent.length >= 10)
  for (const { parcels, kinds } of sent) assert.deepEqual([parcels, kinds?.includes('collected')], [1, true])
  assert.ok(sent.some(({ kinds }) => kinds?.includes('delivered')) && sent.every(({ late }) => !late))
})

test('nothing of the past comes to pass again: a second start changes no order, card or stock', async () => {
  const look = () =>
    pool.query(`select (select md5(string_agg(o::text, '' order by id)) from orders.customer_order o) as orders,
      (select md5(string_agg(k::text, '' order by id)) from payments.saved_card k) as cards, (select sum(stock) from catalogue.offer) as stock`)
  const before = (await look()).rows
  await pool.query(`delete from platform.note where key = 'demo-past'`)
  await start()
  assert.deepEqual((await look()).rows, before)
})

test('the provider knows the saved cards and offers the default first; a card deleted there does not come back', async () => {
  const { rows } = await pool.query<{ reference: string }>('select reference from payments.provider_customer where customer_id = $1', [
    idOf('grace@example.com'),
  ])
  const customer = rows[0]?.reference ?? ''
  const cards = await client.listCards(customer, {})
  assert.deepEqual(cards.map(({ last4 }) => last4).toSorted(), ['0002', '0007'])
  await client.detachCard(cards[0]?.reference ?? '', { key: 'detach-of-the-test' })
  assert.equal((await client.listCards(customer, {})).length, 1)
  const mirrored = await pool.query(`select last4 from payments.saved_card where customer_id = $1 and is_default`, [
    idOf('grace@example.com'),
  ])
  assert.deepEqual(mirrored.rows, [{ last4: '0002' }])
})

test('R-414 customers of the demo who have spent much are offered a code of their own, and no others', async () => {
  const { jobs } = await loadJobs()
  await runWork(
    database,
    [],
    jobs.filter(({ name }) => name === 'segments.compute'),
  )
  const gateway = await testGateway(pool)
  const seen = await Promise.all(
    demoPast.map(async ({ email, market, mode }) => {
      const { rows } = await pool.query<{ value: string }>(
        `select computed->>'customer_value' as value from segments.customer where customer_id = $1`,
        [idOf(email)],
      )
      const { token } = await signIn(db, { customerId: idOf(email), family: mode })
      const headers = { host: `${mode === 'b2b' ? 'pro.' : ''}${market}.localhost`, cookie: `__Host-purlin=${token}` }
      const { data } = await gateway.execute({ query: '{ myWelcomeOffer { code percent } }', headers })
      const offer = structuredClone(data)?.['myWelcomeOffer'] ?? null
      const isValued = ['high', 'very-high'].includes(rows[0]?.value ?? '')
      assert.deepEqual(offer, isValued ? demoThanks(market) : null, email)
      return isValued
    }),
  )
  assert.deepEqual([...new Set(seen)].toSorted(), [false, true])
})

test('the money of the past is due: the worker settles it and pays the seller who has named an account', async () => {
  connectObjectStore(folderStore(join(folder, 'files')))
  const { jobs } = await loadJobs()
  const payouts = jobs.filter(({ name }) => name.startsWith('payouts.'))
  await runWork(database, [], payouts)
  const { rows } = await pool.query<{ amount: number; state: string; lines: number }>(
    `select p.amount::int, p.state, (select count(*)::int from payouts.line l where l.run_id = p.run_id and l.seller_id = p.seller_id) as lines
      from payouts.payout p where p.seller_id = 1 and p.currency = 'EUR'`,
  )
  assert.equal(rows.length, 1)
  const [payout] = rows
  assert.ok(payout && payout.amount > 0 && payout.lines >= 2, JSON.stringify(rows))
  assert.equal(payout.state, 'sent')
  assert.deepEqual(await checkInvariants(pool, { settled: false }), [])
})

test('a day of the demo shop: parcels arrive, what waits is accepted and shipped, payouts run; the next day goes on, and everything still adds up', async () => {
  const settings = readSettings(env, ['--products', '300'])
  const { rows: before } = await pool.query<{ waiting: number; sent: number }>(
    `select count(*) filter (where outcome = 'open' and s.id not in (select seller_order_id from fulfilment.parcel))::int as waiting,
        count(*) filter (where outcome = 'open' and s.id in (select seller_order_id from fulfilment.parcel))::int as sent
      from orders.seller_order s join orders.customer_order o on o.id = s.customer_order_id where o.state = 'paid'`,
  )
  const { rows: open } = await pool.query<{ id: string }>(`select s.id from orders.seller_order s
    join orders.customer_order o on o.id = s.customer_order_id where o.state = 'paid' and s.outcome = 'open'`)
  const [first, second] = [await playDay(pool, settings), await playDay(pool, settings)]
  assert.ok((before[0]?.waiting ?? 0) > 0)
  assert.deepEqual([first.accepted, first.shipped, first.payoutRuns], [before[0]?.waiting, before[0]?.waiting, 2])
  assert.equal(first.delivered + first.late, before[0]?.sent)
  assert.deepEqual([second.accepted, second.shipped], [0, 0])
  assert.equal(second.delivered + second.late, first.shipped + first.late)
  const { rows: arrived } = await pool.query<{ id: string; isReviewed: boolean }>(
    `select s.id, exists (select from reviews.review v where v.seller_order_id = s.id) as "isReviewed" from orders.seller_order s
      join orders.customer_order o on o.id = s.customer_order_id where s.id = any($1) and s.outcome = 'arrived' and o.owner = any($2)`,
    [open.map(({ id }) => id), demoPeople.map(({ sub }) => `c:${sub}`)],
  )
  assert.ok(arrived.length > 0)
  // Half of them, drawn by the order’s number, write one.
  const willing = arrived.filter(({ id }) => writesReview(id))
  assert.deepEqual(
    arrived.filter(({ id, isReviewed }) => isReviewed && !writesReview(id)),
    [],
  )
  assert.ok(willing.length < 3 || first.reviews + second.reviews > 0, JSON.stringify([first, second, arrived]))
  assert.deepEqual(await checkInvariants(pool, { settled: false }), [])
})
