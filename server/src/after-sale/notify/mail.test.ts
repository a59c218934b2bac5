import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import type { Market } from '@purlin/contract/markets.ts'
import { usePaymentProvider, type ProviderPayment } from '#payments'
import { testDatabase, useSettings } from '#platform/testing'
import { addOffer, draftOrder, fillShop, must, newBuyer, place } from '../../selling/checkout/testing.ts'
import { openOrderByToken } from '../../selling/checkout/open-order-by-token.ts'
import { showOrder } from '../../selling/checkout/show-order.ts'
import { testGateway } from '../../edges/gateway/testing.ts'
import { applyProviderState } from '../../selling/payments/apply-provider-state.ts'
import { embeddedProvider } from '../../selling/payments/embedded-provider.ts'
import { readPaymentOfOrder } from '../../selling/payments/store.ts'
import { runWork } from '../../edges/worker/testing.ts'
import { smtpTransport, useMailSettings } from '#mail'
import { jobs as mailJobs } from '../../foundation/mail/jobs.ts'
import { fakeMailServer } from '../../foundation/mail/testing.ts'
import { handlers } from './jobs.ts'

const database = await testDatabase()
await fillShop(database)
usePaymentProvider(embeddedProvider({ url: 'http://127.0.0.1:1', secret: 'unused', webhookSecret: 'unused' }))
const linkSecret = 'a-link-secret-of-the-tests-long-enough'
useSettings({ ORDER_LINK_SECRET: linkSecret })
useMailSettings({ sender: 'Purlin <orders@purlin.example>', smtp: null })
for (const [index, market] of (['gb', 'fr', 'de', 'es', 'it'] as const).entries()) {
  await addOffer(database, { id: String(8001 + index), market, price: 123_456, sellerId: 2 })
}
const offers: Record<Market, string> = { gb: '8001', fr: '8002', de: '8003', es: '8004', it: '8005' }

interface Kept {
  recipient: string
  subject: string
  text: string
  html: string
}
const mailsOf = (orderId: string) =>
  database.db.rows<Kept>(
    {
      name: 'test.mails',
      text: `select recipient, subject, body_text as text, body_html as html from mail.mail where key like 'order:' || $1 || ':%' and state = 'sent'`,
    },
    [orderId],
  )

async function paidOrder(market: Market, overrides: object = {}) {
  const buyer = newBuyer(database, { market, ...overrides })
  const id = await draftOrder(buyer, [{ offerId: offers[market], quantity: 1 }])
  must(await place(buyer, id))
  const payment = await readPaymentOfOrder(database.db, id)
  assert.ok(payment)
  const seen: ProviderPayment = {
    reference: `pi_${id}`,
    paymentId: payment.id,
    status: 'captured',
    amount: payment.amount,
    currency: payment.currency,
    captured: payment.amount,
    refunded: 0,
    failureCode: null,
    card: null,
    frameUrl: null,
  }
  await database.command({}, (scope) => applyProviderState(scope, payment.id, seen, 'test'))
  return { id, buyer }
}

const expected = {
  gb: ['Your order', 'Total with VAT: £1,239.46', 'See your order', 'VAT 20%'],
  fr: ['Votre commande', 'Total TTC\u00a0: 1\u202f239,46\u00a0€', 'Voir votre commande', 'TVA 20\u00a0%'],
  de: ['Ihre Bestellung', 'Summe mit MwSt.: 1.239,46\u00a0€', 'Bestellung ansehen', 'MwSt. 19\u00a0%'],
  es: ['Tu pedido', 'Total con IVA: 1239,46\u00a0€', 'Ver tu pedido', 'IVA 21\u00a0%'],
  it: ['Il tuo ordine', 'Totale con IVA: 1239,46\u00a0€', 'Vedi il tuo ordine', 'IVA 22%'],
} as const

for (const market of ['gb', 'fr', 'de', 'es', 'it'] as const) {
  test(`V-34 the confirmation is sent once, in the language of ${market} and with its figures`, async () => {
    const { id, buyer } = await paidOrder(market)
    await runWork(database, handlers)
    await runWork(database, handlers)
    const mails = await mailsOf(id)
    assert.equal(mails.length, 1)
    const [mail] = mails
    assert.ok(mail)
    assert.equal(mail.recipient, buyer.email)
    const [subject, ...parts] = expected[market]
    assert.equal(mail.subject, `${subject} ${id}`)
    for (const part of parts) {
      assert.ok(mail.text.includes(part), `${part} is missing in ${mail.text}`)
      assert.ok(mail.html.includes(part.split(/\u00a0?: /)[0] ?? ''), part)
    }
    assert.match(mail.html, /<html lang="(en|fr|de|es|it)">/)
    const { email } = (await database.pool.query<{ email: string }>('select email from sellers.seller where id = 2')).rows[0]!
    assert.ok(mail.text.includes(email), 'withdrawal is declared to the seller')
    assert.match(mail.text, /\/withdrawal\n[\s\S]*\/cgu\n/)
  })
}

test('V-24: a mail links to the host the order was placed on, or to the first host of its market when that one is gone', async () => {
  const hosts = { 'http://localhost:4567': 'http://localhost:3000', 'https://retired.example': 'http://gb.localhost:3000' }
  for (const [made, link] of Object.entries(hosts)) {
    const { id } = await paidOrder('gb', { origin: made })
    assert.equal((await readPaymentOfOrder(database.db, id))?.origin, made)
    await runWork(database, handlers)
    assert.ok((await mailsOf(id))[0]?.text.includes(`${link}/orders/customer-order/${id}/`), link)
  }
})

test('A11: the link in the mail opens the order for another session; a wrong, truncated or empty token opens nothing', async () => {
  const { id } = await paidOrder('gb')
  await runWork(database, handlers)
  const token = /access=([\w-]+)/.exec((await mailsOf(id))[0]?.text ?? '')?.[1] ?? ''
  assert.equal(Buffer.from(token, 'base64url').length * 8, 256)
  const stranger = newBuyer(database)
  for (const wrong of ['', 'null', token.slice(1), `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`, `${token} `]) {
    assert.deepEqual(await stranger.does((scope) => openOrderByToken(scope, wrong)), { ok: false, reason: 'unknown-order' })
  }
  assert.equal(await showOrder(stranger.scope(), id), null)
  const elsewhere = newBuyer(database, { market: 'fr' })
  assert.deepEqual(await elsewhere.does((scope) => openOrderByToken(scope, token)), { ok: false, reason: 'unknown-order' })
  must(await stranger.does((scope) => openOrderByToken(scope, token)))
  assert.equal((await showOrder(stranger.scope(), id))?.id, id)
  assert.equal(await showOrder(newBuyer(database).scope(), id), null)
  const kept = await database.db.rows<{ found: string }>({
    name: 'test.kept',
    text: `select encode(token_hash, 'hex') as found from orders.access_token`,
  })
  assert.ok(kept.every(({ found }) => !found.includes(Buffer.from(token, 'base64url').toString('hex'))))
})

test('A55: text typed by a buyer is escaped in the mail', async () => {
  const { id } = await paidOrder('gb')
  await database.db.run(
    {
      name: 'test.evil',
      text: `update orders.customer_order set address = jsonb_set(address, '{firstName}', '"<img src=x onerror=alert(1)>"') where id = $1`,
    },
    [id],
  )
  await runWork(database, handlers)
  const [mail] = await mailsOf(id)
  assert.ok(mail && !mail.html.includes('<img src=x') && mail.html.includes('&#60;img src=x'))
})

test('the mailbox shows the mails sent', async () => {
  const { url } = await testGateway(database.pool)
  const list = await (await fetch(`${url}/dev/mailbox`, { headers: { connection: 'close' } })).text()
  const link = /\/dev\/mailbox\/[0-9a-f-]{36}/.exec(list)?.[0]
  assert.ok(link)
  const one = await fetch(`${url}${link}/html`, { headers: { connection: 'close' } })
  assert.match(await one.text(), /Purlin/)
  assert.match(one.headers.get('content-security-policy') ?? '', /default-src 'none'/)
})

/** A mail server of our own, for as long as the test runs. */
async function withMailServer(t: TestContext) {
  const server = await fakeMailServer()
  const smtp = smtpTransport(server.url)
  useMailSettings({ sender: 'Purlin <orders@purlin.example>', smtp })
  t.after(() => {
    useMailSettings({ sender: 'Purlin <orders@purlin.example>', smtp: null })
    smtp.close()
    return server.close()
  })
  return server
}

test('with SMTP_URL mails go to the mail server and not into the mailbox', async (t) => {
  const { arrived } = await withMailServer(t)
  const { id } = await paidOrder('de')
  await runWork(database, handlers, mailJobs)
  assert.equal(arrived.length, 1)
  const { source = '' } = arrived[0] ?? {}
  assert.match(source, new RegExp(`Subject: Ihre Bestellung ${id}`))
  assert.match(source, /Message-ID: <[0-9a-f]{40}@purlin\.example>/i)
  assert.match(source, /multipart\/alternative/)
  assert.equal((await mailsOf(id)).length, 1)
})

test('A57 a line break in a first name, a title or the name of a seller adds no header and no recipient to the mail', async (t) => {
  const { arrived } = await withMailServer(t)
  const { id, buyer } = await paidOrder('gb')
  const broken = 'Ann\r\nBcc: all@buyer.example\r\n\r\nBcc: all@buyer.example'
  await database.pool.query(
    `update orders.customer_order set address = jsonb_set(address, '{firstName}', to_jsonb($2::text)) where id = $1`,
    [id, broken],
  )
  await database.pool.query(
    `update orders.seller_order set seller = jsonb_set(seller, '{name}', to_jsonb($2::text)) where customer_order_id = $1`,
    [id, broken],
  )
  await database.pool.query(
    `update orders.order_line set snapshot = jsonb_set(snapshot, '{title}', to_jsonb($2::text)) where customer_order_id = $1`,
    [id, broken],
  )
  await runWork(database, handlers, mailJobs)
  assert.deepEqual(
    arrived.map(({ recipients }) => recipients),
    [[buyer.email]],
  )
  const [{ headers, source }] = arrived as [(typeof arrived)[0]]
  assert.ok(headers.includes(`Subject: Your order ${id}`), headers.join('\n'))
  assert.ok(!headers.some((line) => /^b?cc:/i.test(line)), headers.join('\n'))
  const shown = source.match(/Bcc: all@buyer\.example/g)?.length ?? 0
  assert.ok(shown >= 12, `three texts with it twice, as text and as HTML: ${shown}`)
})

test('a mail queued by a release from before the mail module is sent once', async () => {
  const { id } = await paidOrder('fr')
  await database.pool.query(`delete from platform.outbox where type = 'order.paid'`)
  const mailId = '0195f0a0-0000-7000-8000-000000000000'
  await database.pool.query(
    `insert into notify.mail (id, customer_order_id, kind, recipient) values ($1, $2, 'confirmation', 'a@example.org')`,
    [mailId, id],
  )
  for (let times = 0; times < 2; times++) await database.command({}, async (scope) => scope.emit('mail.requested', { mailId }))
  await runWork(database, handlers)
  assert.equal((await mailsOf(id)).length, 1)
})

test('I5 a mail about an order that expired is sent however often its event has to be tried again', async () => {
  const buyer = newBuyer(database, { market: 'gb' })
  const id = await draftOrder(buyer, [{ offerId: offers.gb, quantity: 1 }])
  must(await place(buyer, id))
  await database.command({}, async (scope) => scope.emit('order.cancelled', { customerOrderId: id, market: 'gb', reason: 'hold-expired' }))
  await database.pool.query('alter table mail.mail add constraint closed check (key is null) not valid')
  for (let tries = 0; tries < 7; tries++) {
    await runWork(database, handlers)
    await database.pool.query(
      `update platform.outbox set available_at = now(), locked_until = null, parked_at = null where done_at is null`,
    )
  }
  await database.pool.query('alter table mail.mail drop constraint closed')
  assert.equal((await mailsOf(id)).length, 0)
  await runWork(database, handlers)
  assert.equal((await mailsOf(id)).length, 1)
})
