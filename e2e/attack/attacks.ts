import { setTimeout as sleep } from 'node:timers/promises'
import { offersForSale } from '../chaos/buyers.ts'
import { draftAs, place } from '../faults/buyer.ts'
import { send, sendOperation, sendRaw, visitorAt, type Sent, type Target } from './client.ts'
import { attackFromOutside, startBareServer } from './attack-from-outside.ts'
import { judgeMails } from './judge.ts'
import { harm, inWindows } from './other-users.ts'
import { sendTooMuch } from './oversized-bodies.ts'
import type { Attack, Result } from './report.ts'

export interface RunnableAttack extends Attack {
  run(target: Target): Promise<Result>
}

const range = (length: number) => Array.from({ length }, (_, at) => at)
/** Runs the work on all items, so many at a time. */
export async function inParallel<Item>(
  items: readonly Item[],
  atOnce: number,
  work: (item: Item, at: number) => Promise<void>,
): Promise<void> {
  const waiting = [...items.entries()]
  await Promise.all(
    range(atOnce).map(async () => {
      for (let next = waiting.shift(); next; next = waiting.shift()) await work(next[1], next[0])
    }),
  )
}

async function countRows({ pool }: Target, text: string, values: unknown[] = []): Promise<number> {
  const { rows } = await pool.query<{ n: number }>(text, values)
  return rows[0]?.n ?? 0
}

async function anOffer({ pool, random }: Target): Promise<string> {
  const offers = await offersForSale(pool)
  return offers[Math.floor(random() * offers.length)] ?? ''
}

const add = 'mutation ($id: ID!) { addToCart(offerId: $id, quantity: 1) { refusal { reason } } }'

const sessionFlood: RunnableAttack = {
  ids: 'V-11',
  name: 'one address without cookies fills 600 carts',
  rule: 'at most 120 sessions in ten minutes, the rest refused with 429',
  run: async (target) => {
    const from = target.newAddress()
    const id = await anOffer(target)
    const sessions = () => countRows(target, 'select count(*)::int as n from accounts.session')
    const before = await sessions()
    const statuses = new Map<number, number>()
    await inParallel(range(600), 24, async () => {
      const { status } = await sendOperation(target.port, from, add, { id })
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
    })
    // Other visitors of the run have sessions, too.
    const made = (await sessions()) - before
    return {
      tried: `600 carts: ${made} new sessions; answers ${listed(statuses)}`,
      broken: [
        ...(made > 140 ? [`${made} sessions were made`] : []),
        ...(statuses.has(500) ? [`${statuses.get(500)} answers were 500`] : []),
        ...(statuses.has(429) ? [] : ['nothing was refused with 429']),
      ],
    }
  },
}

const couponGuessing: RunnableAttack = {
  ids: 'A22 V-09',
  name: 'twenty sessions of one address guess 600 coupon codes in parallel',
  rule: 'at most 40 guesses are looked up, and no coupon is found',
  run: async (target) => {
    const from = target.newAddress()
    const id = await anOffer(target)
    const sessions = range(20).map(() => visitorAt(target, from))
    await inParallel(sessions, 20, async (session) => void (await session.ask(add, { id })))
    const reasons = new Map<string, number>()
    await inParallel(range(600), 30, async (at) => {
      const code = Math.floor(target.random() * 36 ** 6).toString(36)
      const answer = await sessions[at % sessions.length]
        ?.ask('mutation ($code: String!) { applyCoupon(code: $code) { refusal { reason } } }', { code })
        .catch(() => null)
      const refusal = (answer?.['applyCoupon'] as { refusal: { reason: string } | null } | undefined)?.refusal
      const reason = refusal ? refusal.reason : answer ? 'found' : 'failed'
      reasons.set(reason, (reasons.get(reason) ?? 0) + 1)
    })
    const lookedUp = (reasons.get('coupon-unknown') ?? 0) + (reasons.get('found') ?? 0)
    return {
      tried: `600 codes: ${listed(reasons)}`,
      broken: [
        ...(lookedUp > 40 ? [`${lookedUp} guesses were looked up`] : []),
        ...(reasons.has('found') ? ['a coupon was found'] : []),
        ...(reasons.has('too-many-attempts') ? [] : ['nothing was refused']),
      ],
    }
  },
}

/** Mutations with which anybody may have a mail sent to an address, by kind. */
function mailRequests(email: string, orderId: string): Record<string, (target: Target, from: string) => Promise<Sent>> {
  const message = (input: object) => (target: Target, from: string) =>
    sendOperation(target.port, from, 'mutation ($input: MessageInput!) { sendMessage(input: $input) { reference } }', {
      input: { name: 'Robin Field', email, text: 'Where is my saw?', ...input },
    })
  const named = (mutation: string) => (target: Target, from: string) =>
    sendOperation(target.port, from, `mutation ($email: String!, $orderId: String!) { ${mutation} }`, { email, orderId })
  return {
    question: message({ kind: 'question' }),
    report: message({ kind: 'report' }),
    withdrawal: message({ kind: 'withdrawal', orderId: 'A123456' }),
    newsletter: (target, from) =>
      sendOperation(target.port, from, 'mutation ($email: String!) { subscribeToNewsletter(email: $email) { __typename } }', { email }),
    'order link': named('requestOrderLink(orderId: $orderId, email: $email)'),
  }
}

const massMails: RunnableAttack = {
  ids: 'A41 V-11',
  name: 'thirty addresses make the shop write to one mailbox 400 times: messages, withdrawals, newsletter, order links, orders that expire unpaid',
  rule: 'at least one and at most five mails of each kind arrive in it',
  run: async (target) => {
    const email = `victim-${Math.floor(target.random() * 1e9)}@example.com`
    const senders = range(30).map(() => target.newAddress())
    const offers = await offersForSale(target.pool)
    const orders: string[] = []
    await inParallel(range(20), 4, async (at) => {
      const made = await draftAs(visitorAt(target, senders[at] ?? ''), offers[at % offers.length] ?? '', email).catch(() => null)
      if (made && (await place(made).catch(() => '')) === 'sold') orders.push(made.orderId)
    })
    const requests = Object.values(mailRequests(email, orders[0] ?? ''))
    const answers = new Map<number, number>()
    await inParallel(range(400), 12, async (at) => {
      const { status } = (await requests[at % requests.length]?.(
        target,
        senders[Math.floor(at / requests.length) % senders.length] ?? '',
      )) ?? { status: 0 }
      answers.set(status, (answers.get(status) ?? 0) + 1)
    })
    await target.pool.query(`update orders.customer_order set holds_until = now() - interval '1 second' where id = any($1)`, [orders])
    await sleep(20_000)
    const { rows } = await target.pool.query<{ kind: string; n: number }>(
      `select template || case when subject ~* 'cancellation' then ' of a withdrawal' else '' end as kind, count(*)::int as n
        from mail.mail where recipient = $1 group by 1 order by 1`,
      [email],
    )
    return {
      tried: `400 requests and ${orders.length} orders: ${rows.map(({ kind, n }) => `${n} × ${kind}`).join(', ')}; answers ${listed(answers)}`,
      broken: [...judgeMails(rows), ...(orders.length < 6 ? [`only ${orders.length} orders could be placed`] : [])],
    }
  },
}

const oversizedBodies: RunnableAttack = {
  ids: 'A66 A67 A44',
  name: 'bodies of 1 to 40 MB, without an end, packed or of many small parts, to pages, programs and all webhooks',
  rule: 'refused with 413 or cut, the packed one with 415, within 20 s',
  run: sendTooMuch,
}

const malformed: readonly string[] = [
  'GET / HTTP/1.1\r\n\r\n',
  'GET /../../etc/passwd HTTP/1.1\r\nhost: localhost\r\n\r\n',
  'GET /%2e%2e/%2e%2e/.env HTTP/1.1\r\nhost: localhost\r\n\r\n',
  'GET /%zz HTTP/1.1\r\nhost: localhost\r\n\r\n',
  'GET /search/%ff%fe HTTP/1.1\r\nhost: localhost\r\n\r\n',
  `GET /${'a'.repeat(15_000)} HTTP/1.1\r\nhost: localhost\r\n\r\n`,
  `GET / HTTP/1.1\r\nhost: localhost\r\nx: ${'a'.repeat(40_000)}\r\n\r\n`,
  `GET / HTTP/1.1\r\nhost: localhost\r\n${'x: y\r\n'.repeat(3000)}\r\n`,
  'GET http://evil.example/ HTTP/1.1\r\nhost: evil.example\r\n\r\n',
  'GET //evil.example/%2f.. HTTP/1.1\r\nhost: localhost\r\n\r\n',
  'GET /\\evil.example HTTP/1.1\r\nhost: localhost\r\n\r\n',
  'CONNECT evil.example:443 HTTP/1.1\r\nhost: localhost\r\n\r\n',
  'TRACE / HTTP/1.1\r\nhost: localhost\r\n\r\n',
  'BREW / HTTP/1.1\r\nhost: localhost\r\n\r\n',
  'POST /graphql HTTP/1.1\r\nhost: localhost\r\ncontent-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\nGET / HTTP/1.1\r\n\r\n',
  'POST /graphql HTTP/1.1\r\nhost: localhost\r\ncontent-length: -1\r\n\r\n',
  'POST /graphql HTTP/1.1\r\nhost: localhost\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab',
  'POST /graphql HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json; charset=utf-7\r\ncontent-length: 2\r\n\r\n{}',
  'GET / HTTP/1.1\r\nhost: localhost\r\nhost: evil.example\r\n\r\n',
  'GET / HTTP/1.1\r\nhost: localhost\r\ncookie: __Host-purlin=\u0001\u0002\r\n\r\n',
  'GET / HTTP/9.9\r\nhost: localhost\r\n\r\n',
  'GET /cart HTTP/1.1\r\nhost: localhost\r\nupgrade: h2c\r\nconnection: upgrade, http2-settings\r\nhttp2-settings: x\r\n\r\n',
  'GET / HTTP/1.1\r\n\r\n',
  'POST /cart HTTP/1.1\r\nhost: localhost\r\nexpect: 200-everything\r\ncontent-length: 5000\r\n\r\n',
  'GET /api/v1/%zz HTTP/1.1\r\nhost: localhost\r\n\r\n',
  `GET /files/product-picture/${'a'.repeat(200)} HTTP/1.1\r\nhost: localhost\r\n\r\n`,
  'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  '\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001',
]

/** Those of the malformed requests that are meant for a route that exists. */
const toRoute = /^(?:GET|POST) \/(?:graphql|cart)? HTTP\/1\.1\r\nhost: localhost\r\n/

const malformedRequests: RunnableAttack = {
  ids: 'A46 A61 A67 V-18',
  name: 'malformed methods, paths, headers and bytes that are no HTTP',
  rule: 'refused or redirected within the shop, or cut; never 500 nor without the headers of every answer, and the process goes on',
  run: async ({ port }) => {
    const broken: string[] = []
    for (const text of malformed) {
      const { received } = await sendRaw(port, text, { maxMs: 12_000 })
      const what = JSON.stringify(text.slice(0, 70))
      if (received.startsWith('HTTP/1.1 500')) broken.push(`${what} got ${received.slice(0, 40)}`)
      if (received.startsWith('HTTP/1.1 404') && toRoute.test(text)) broken.push(`${what} got 404: no route was tried`)
      if (/^HTTP\/1\.1 [2-5]/.test(received) && !/^x-content-type-options: nosniff\r$/im.test(received))
        broken.push(`${what} got an answer without the headers of the others`)
      if (/location: *(?:https?:)?[/\\]{2}evil/i.test(received)) broken.push(`${what} was redirected away`)
      if (/root:x:|ORDER_LINK_SECRET/.test(received)) broken.push(`${what} read a file`)
    }
    return { tried: `${malformed.length} requests`, broken }
  },
}

const slowClients: RunnableAttack = {
  ids: 'F13 A67 V-15',
  name: '400 clients send a byte at a time, half of them from one address',
  rule: 'every connection is closed within 20 s; no other user is refused, and their p99 is less than a fifth above that beside a bare server with the same clients',
  run: async (target) => {
    const from = target.newAddress()
    const bare = await startBareServer()
    const closed: { refused: boolean; ms: number }[] = []
    const { windows, warming } = await inWindows(target.port, target.rounds, 20_000, async (on, until) => {
      const port = on === 'shop' ? target.port : bare.port
      const report = await attackFromOutside({ kind: 'slow clients', port, from, clients: 400 })
      if (on === 'shop') closed.push(...report.closed)
      await sleep(Math.max(0, until - Date.now()))
    }).finally(bare.stop)
    const others = harm(windows)
    const slowest = Math.max(...closed.map(({ ms }) => ms))
    const refused = closed.filter((each) => each.refused).length
    return {
      tried: `${target.rounds} × 400 connections, ${refused} refused with 429, the last closed after ${(slowest / 1000).toFixed(0)} s; ${others.said}; before, while the shop warmed up, ${warming.map((ms) => ms.toFixed(0)).join(' and ')}`,
      broken: [...(slowest > 21_000 ? [`a connection lived for ${(slowest / 1000).toFixed(0)} s`] : []), ...others.broken],
    }
  },
}

const slowForms: RunnableAttack = {
  ids: 'F13 V-15',
  name: '720 clients on twelve networks send a form to a page, a byte of its body at a time',
  rule: 'every connection is closed within 20 s, and all pages of other users are answered meanwhile, those that no cache holds included',
  run: async (target) => {
    const networks = range(12).map(() => target.newAddress())
    const form = (from: string) =>
      `POST /cart HTTP/1.1\r\nhost: gb.localhost:${target.port}\r\nx-forwarded-for: ${from}\r\nsec-fetch-site: same-origin\r\ncontent-type: application/x-www-form-urlencoded\r\ncontent-length: 500\r\n\r\n`
    let held = 0
    const sending = networks.flatMap((from) =>
      range(60).map(async () => {
        held++
        const { ms } = await sendRaw(target.port, form(from), { byteMs: 150, maxMs: 40_000, wholeBytes: form(from).length })
        held--
        return ms
      }),
    )
    const statuses = new Map<number | string, number>()
    await sleep(1500)
    for (let at = 0; held > 0 && at < 40; at++) {
      const path = ['/cart', '/', `/search/saw?max%5Bprice%5D=${100 + at}`, `/nothing-${at}`][at % 4] ?? '/'
      const { status } = await send(target.port, { path, from: target.newAddress() })
      const what = status === 404 && !path.startsWith('/nothing-') ? `404 at ${path}` : status
      statuses.set(what, (statuses.get(what) ?? 0) + 1)
      await sleep(150)
    }
    const slowest = Math.max(...(await Promise.all(sending)))
    const refused = [...statuses.keys()].filter((status) => status !== 200 && status !== 404)
    return {
      tried: `720 connections, the last closed after ${(slowest / 1000).toFixed(0)} s; other users were answered ${listed(statuses)}`,
      broken: [
        ...(slowest > 21_000 ? [`a connection lived for ${(slowest / 1000).toFixed(0)} s`] : []),
        ...refused.map((status) => `other users were answered ${status}`),
      ],
    }
  },
}

export function listed(counts: ReadonlyMap<string | number, number>): string {
  return [...counts].map(([what, times]) => `${times} × ${what}`).join(', ')
}

export const quickAttacks: readonly RunnableAttack[] = [
  sessionFlood,
  couponGuessing,
  massMails,
  oversizedBodies,
  malformedRequests,
  slowClients,
  slowForms,
]
