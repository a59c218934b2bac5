import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { newId, type Db } from '#platform'
import { impressionOf } from '../../goods/listing/impression.ts'
import { addCustomer, signIn } from '../../people/accounts/testing.ts'
import { newVisitorId } from '../../people/consent/issued-visitor.ts'
import { writeExperiment } from '../../selling/experiments/store.ts'
import { loadExperiments } from '../../selling/experiments/running.ts'

/** The calls of systems that learn, as browsers of many networks send them; each reads or changes a table of its system. */
export type Calls = Readonly<Record<string, readonly ((n: number) => Promise<Response>)[]>>

const agent = 'Mozilla/5.0 (X11; Linux x64) AppleWebKit/537.36 Chrome/140 Safari/537.36'
const everything = 'mm_consent=v1:statistics,personalisedAdvertising,userPreferences'
const agrees = () => `${everything}; mm_visitor_id=${newVisitorId()}`

/** By the schemas of their tables. The gateway at `url` has to trust this machine's word about addresses. */
export async function callsOfSystems(db: Db, url: string): Promise<Calls> {
  const variations = [
    { id: 1, name: 'control', weight: 1 },
    { id: 2, name: 'other', weight: 1 },
  ]
  const definition = {
    type: 'ab',
    layer: 'pages',
    slots: [0, 1000],
    markets: ['gb'],
    modes: ['b2c'],
    channels: ['web'],
    segments: [],
    variations,
  } as const
  await writeExperiment(db, { campaignId: 1, name: 'home-order', state: 'running', definition })
  await loadExperiments(db)
  const customers = await Promise.all(
    Array.from({ length: 20 }, async () => {
      const { id } = await addCustomer(db)
      const visitorId = newVisitorId()
      const { token } = await signIn(db, { customerId: id })
      return { id, visitorId, cookie: `__Host-purlin=${token}; mm_visitor_id=${visitorId}; ${everything}` }
    }),
  )
  const customer = (n: number) => customers[n % customers.length] ?? { id: '', visitorId: '', cookie: '' }
  const guest = `__Host-purlin=${(await signIn(db, {})).token}`
  const send = (n: number, path: string, body?: object, cookie = agrees()) =>
    fetch(url + path, {
      method: body ? 'POST' : 'GET',
      headers: {
        'content-type': 'application/json',
        'sec-fetch-site': 'same-origin',
        'user-agent': agent,
        'x-forwarded-for': `10.${n % 250}.${Math.floor(n / 250) % 250}.7`,
        'x-algolia-api-key': 'purlin-search',
        cookie,
      },
      ...(body && { body: JSON.stringify(body) }),
    })
  const asks = (query: string) => (n: number) => send(n, '/graphql', { query }, customer(n).cookie)
  const token = 'a'.repeat(32)
  const shown = ['1', '2']
  const chosen = { kind: 'category', id: 11, type: 'click', position: 1, shown } as const
  const choice = { ...chosen, queryId: impressionOf({ market: 'gb', kind: 'category', id: 11, shown }, false, new Date()) }
  const click = { eventType: 'click', eventName: 'card', index: 'products_gb', userToken: 'visitor', objectIDs: ['1'], queryID: token }
  const vitals = {
    browserContext: { url: 'http://localhost/', userAgent: agent },
    service: 'web',
    resource: 'home',
    version: '1',
    metrics: [{ name: 'LCP', value: 1000, startTime: 0 }],
    startTime: 0,
    duration: 1,
  }
  return {
    consent: [(n) => send(n, '/api/v1/consent', { choice: 'all' })],
    experiments: [
      (n) => send(n, '/api/v1/experiment-exposures', ['home-order']),
      (n) => {
        const { id, visitorId, cookie } = customer(n)
        const context = { CHANNEL: 'web', MARKET: 'gb', PLATFORM: 'b2c' }
        return send(n, '/ab-test/api/v1/user/flags', { context, visitor_id: visitorId, user_id: id }, cookie)
      },
    ],
    flags: [asks('{ platformConfig { state } }')],
    header: [asks('{ header { state } }')],
    history: [
      asks('{ productHistory { productId } }'),
      (n) => {
        const content = [{ product_id: String(1 + (n % 50)), viewed_at: new Date().toISOString() }]
        return send(n, '/api/v2/product-history/merge', { content }, customer(n).cookie)
      },
    ],
    insights: [
      (n) => send(n, '/api/v1/web-vitals/beacon', vitals),
      (n) => send(n, '/api/v1/events', { events: [{ id: newId(), name: 'page_view', page: { name: 'home', type: 'home' } }] }),
      (n) => {
        const { id, visitorId, cookie } = customer(n)
        const content = { product_id: 1, category_id: 4 }
        const view = {
          event: 'pageview-product',
          market: 'gb',
          platform_id: 'b2c',
          channel: 'website',
          visitor_id: visitorId,
          customer_id: id,
          content,
        }
        return send(n, '/api/v1/pro-event/event', [view], cookie)
      },
    ],
    merchandising: [(n) => send(n, '/api/v1/search-events', choice), (n) => send(n, '/search-engine/1/events', { events: [click] })],
    newsletter: [asks(`mutation { confirmSubscription(token: "${token}") }`), asks(`mutation { endSubscription(token: "${token}") }`)],
    push: [
      (n) => send(n, '/api/v1/push/key'),
      (n) => send(n, '/api/v1/push/subscriptions/end', { endpoint: `https://fcm.googleapis.com/${randomUUID()}` }),
    ],
    recommendations: [asks('{ recommendations(placement: article_page, productIds: ["1"]) { source } }')],
    reminders: [
      (n) => send(n, '/graphql', { query: '{ basketReminder { hasAgreed } }' }, guest),
      (n) => send(n, '/graphql', { query: `mutation { endBasketReminder(token: "${token}") }` }),
    ],
    segments: [asks('{ customerSegments { customer_value } }')],
  }
}

const atOnce = 30
const everyMs = 300

/** While `work` runs, the calls of these systems arrive thirty at the same time, whatever has become of those before. */
export async function whileCalled(calls: Calls, schemas: readonly string[], work: () => Promise<void>): Promise<void> {
  const wanted = schemas.flatMap((schema) => {
    const own = calls[schema]
    if (!own?.length) throw new Error(`There are no calls of ${schema}`)
    return own
  })
  const sent: Promise<unknown>[] = []
  let isOver = false
  let n = 0
  const send = async () => {
    while (!isOver) {
      for (let each = 0; each < atOnce; each++, n++)
        sent.push(
          wanted[n % wanted.length]?.(n).then(
            (answer) => answer.text(),
            () => undefined,
          ) ?? sleep(0),
        )
      await sleep(everyMs)
    }
  }
  const sending = send()
  // Those of the first moments have hung by then, and the next are on their way.
  await sleep(1_500)
  try {
    await work()
  } finally {
    isOver = true
    await sending
    await Promise.all(sent)
  }
}
