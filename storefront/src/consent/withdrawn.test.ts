import assert from 'node:assert/strict'
import { after, beforeEach, mock, test } from 'node:test'

/** What a page that is open does when its visitor's choice changes elsewhere: consent is read from the cookies at each moment. */

const all = 'mm_consent=v1:statistics,personalisedAdvertising,userPreferences'
const jar = new Map<string, string>()
const local = new Map<string, string>()
const sent: string[] = []
const listeners = new Map<string, ((event: object) => void)[]>()
const listen = (type: string, listener: (event: object) => void) => void listeners.set(type, [...(listeners.get(type) ?? []), listener])

function choose(cookie: string): void {
  jar.clear()
  for (const line of cookie.split('; ')) if (line) jar.set(...(line.split('=', 2) as [string, string]))
}
const define = (name: string, value: unknown) => Object.defineProperty(globalThis, name, { value, configurable: true, writable: true })
define('document', {
  get cookie() {
    return [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
  },
  set cookie(line: string) {
    const [name = '', value = ''] = line.split(';', 1)[0]?.split('=') ?? []
    if (line.includes('max-age=0')) jar.delete(name)
    else jar.set(name, value)
  },
  documentElement: { dataset: { market: 'fr', page: 'product', pageType: 'product' } },
  visibilityState: 'visible',
  referrer: '',
  addEventListener: listen,
  dispatchEvent: () => true,
  querySelector: () => null,
})
define('addEventListener', listen)
define('location', new URL('http://fr.localhost/p/drill-1'))
define('navigator', { userAgent: 'Mozilla/5.0 Chrome/140', sendBeacon: (address: string) => sent.push(address) > 0 })
define('localStorage', { getItem: (key: string) => local.get(key) ?? null, removeItem: (key: string) => local.delete(key) })
define('window', globalThis)
const seeing: (() => void)[] = []
define(
  'IntersectionObserver',
  class {
    constructor(see: (entries: object[]) => void) {
      seeing.push(() => see([{ isIntersecting: true }]))
    }
    observe() {}
    disconnect() {}
  },
)
const variations = [{ campaign_id: 1, variation_id: 2, type: 'ab' }]
const bodies: unknown[] = []
define('fetch', async (address: string | URL, { body }: RequestInit = {}) => {
  bodies.push(body)
  sent.push(new URL(address, location.href).pathname)
  return Response.json({ content: { campaign_variations: variations, flags: {} } })
})
const { watchRestoredPages } = await import('../measure/page-views.ts')
const { collector } = await import('../measure/collector.ts')
const { followExperiment } = await import('../experiments/experiment-tag.ts')
const { tidyStorage } = await import('./tidy-storage.ts')
const { settleVisitor } = await import('./browser-consent.ts')
watchRestoredPages()

beforeEach(() => {
  sent.length = 0
  local.clear()
  choose(all)
})
after(() => mock.timers.reset())
const restore = () => listeners.get('pageshow')?.forEach((listener) => listener({ persisted: true }))

test('R-517 R-570 a page that the browser restores says so with consent to statistics, and nothing after its withdrawal', () => {
  restore()
  assert.deepEqual(sent, ['/api/v1/client-page-change'])
  for (const cookie of ['', 'mm_consent=v1:', 'mm_consent=v1:userPreferences', 'mm_consent=v0:statistics']) {
    sent.length = 0
    choose(cookie)
    restore()
    assert.deepEqual(sent, [], cookie)
  }
})

test('R-517 events that wait for their batch are not sent after a withdrawal in another tab', async () => {
  mock.timers.enable({ apis: ['setTimeout'] })
  const take = () => collector.take({ event: 'login', method: 'mail' })
  take()
  mock.timers.tick(2_000)
  assert.deepEqual(sent, ['/api/v1/events'])
  await new Promise((resolve) => setImmediate(resolve))
  take()
  choose('mm_consent=v1:userPreferences')
  mock.timers.tick(5_000)
  listeners.get('pagehide')?.forEach((listener) => listener({}))
  choose(all)
  mock.timers.tick(5_000)
  assert.deepEqual(sent, ['/api/v1/events'], 'nor when the visitor agrees again')
})

test('R-466 R-517 what a visitor sees of an experiment is reported with consent to statistics, and not after its withdrawal', async () => {
  choose(`${all}; mm_visitor_id=${crypto.randomUUID()}`)
  const see = async () => {
    const part = { matches: () => false }
    const dataset: Record<string, string> = { experiment: 'home-order', variation: 'other' }
    await followExperiment({ dataset, matches: () => true, closest: () => ({ nextElementSibling: part }) } as unknown as HTMLElement)
    assert.equal(dataset['tag'], 'loaded')
    return seeing.pop()
  }
  const [first, second] = [await see(), await see()]
  sent.length = 0
  first?.()
  assert.deepEqual(sent, ['/api/v1/experiment-exposures'])
  choose('mm_consent=v1:userPreferences')
  second?.()
  assert.deepEqual(sent, ['/api/v1/experiment-exposures'])
})

test('R-526 a choice that has lapsed leaves nothing behind, and one that holds leaves what it allows', () => {
  const fill = (choice: string) => {
    choose(`${choice}; purlin=session; mm_visitor_id=1; mm_session_id=2; mm_gclid_session=3`.replace(/^; /, ''))
    for (const key of ['product-history', 'mm_referer_id', 'push-prompt', 'purlin.session']) local.set(key, '1')
    tidyStorage()
    return [...jar.keys(), ...local.keys()].filter((name) => name !== 'mm_consent')
  }
  for (const lapsed of ['', 'mm_consent=v0:statistics,personalisedAdvertising,userPreferences', 'mm_consent=v1:'])
    assert.deepEqual(fill(lapsed), ['purlin', 'mm_visitor_id', 'purlin.session'], `${lapsed}: the server removes the id with what it names`)
  assert.deepEqual(fill('mm_consent=v1:personalisedAdvertising'), ['purlin', 'mm_visitor_id', 'mm_gclid_session', 'purlin.session'])
  assert.equal(fill(all).length, 8)
})

test('R-526 R-557 a page tells the server when cookies and consent do not fit: a choice that has lapsed, an objection that came later, an id that was lost', () => {
  const issued = '0d9cdd1e-3a5b-8f6e-9f3c-2f2f1a6a7b8c'
  const isTold = (cookie: string) => {
    sent.length = 0
    choose(cookie)
    settleVisitor()
    return sent.join() === '/api/v1/consent/visitor'
  }
  const told = ['', 'mm_consent=v0:statistics; ', 'mm_consent=v1:; '].map((lapsed) => `${lapsed}mm_visitor_id=${issued}`)
  for (const cookie of [...told, 'mm_consent=v1:statistics', `${all}; mm_visitor_id=${issued.replace('-8', '-4')}`])
    assert.equal(isTold(cookie), true, cookie)
  const fitting = ['', 'mm_consent=v1:', 'mm_consent=v0:statistics', `${all}; mm_visitor_id=${issued}`]
  for (const cookie of fitting) assert.equal(isTold(cookie), false, cookie)

  Object.assign(navigator, { globalPrivacyControl: true })
  assert.equal(isTold(`${all}; mm_visitor_id=${issued}`), true)
  assert.equal(bodies.at(-1), 'gpc', 'the header may get lost on its way')
  assert.equal(isTold('mm_consent=v1:statistics'), true)
  assert.equal(bodies.at(-1), '', 'for an id that was lost')
  for (const cookie of ['', 'mm_consent=v1:', `mm_consent=v1:statistics; mm_visitor_id=${issued}`])
    assert.equal(isTold(cookie), false, cookie)
  Object.assign(navigator, { globalPrivacyControl: false })
})
