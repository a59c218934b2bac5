import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { testDatabase } from '#platform/testing'
import { testGateway } from '../../edges/gateway/testing.ts'

/** The referer service over HTTP: a table of arrivals. */

const database = await testDatabase()
const gateway = await testGateway(database.pool)
const shop = 'http://localhost:3000'

async function ask(query: Record<string, string>, landing = `${shop}/`, visitorId: string = randomUUID()) {
  const answer = await fetch(`${gateway.url}/api/v1/referer/visitor/${visitorId}?${new URLSearchParams(query)}`, {
    headers: { referer: landing },
    credentials: 'include',
  })
  return { status: answer.status, headers: answer.headers, body: (await answer.json()) as Record<string, unknown> }
}

const arrivals: [referer: string, landing: string, channel: string, category: string | null, campaign?: string][] = [
  ['', '/', 'direct', null],
  ['https://www.google.co.uk/', '/', 'organic', 'google'],
  ['https://www.bing.com/search?q=drill', '/', 'organic', 'bing'],
  ['https://www.ecosia.org/', '/', 'organic', 'ecosia'],
  ['https://www.google.com/', '/?gclid=abc', 'paid', 'google'],
  ['', '/?msclkid=1&utm_campaign=spring', 'paid', 'bing', 'spring'],
  ['', '/?utm_source=newsletter&utm_medium=email&utm_campaign=week-47', 'email', 'newsletter', 'week-47'],
  ['https://l.facebook.com/', '/?fbclid=1', 'social', 'facebook'],
  ['https://l.facebook.com/', '/?fbclid=1&utm_medium=cpc&utm_source=fb', 'paid', 'fb'],
  ['https://www.instagram.com/', '/', 'social', 'instagram'],
  ['https://mail.google.com/mail/u/0', '/', 'email', 'mail.google.com'],
  ['https://blog.example.org/decks', '/', 'referral', 'blog.example.org'],
  ['https://partner.example/', '/pal/1?publisher_id=77', 'partner', '77'],
  ['https://partner.example/', '/?publisher_id=x7', 'referral', 'partner.example'],
  ['', '/?utm_source=podcast', 'campaign', 'podcast'],
  ['', '/?utm_source=%3Cscript%3E', 'campaign', null],
  [`${shop}/cart`, '/', 'internal', null],
  ['javascript:alert(1)', '/', 'direct', null],
  ['not an address', '/', 'direct', null],
]

test('R-566 R-569 R-406 each arrival has its channel, category and campaign', async () => {
  for (const [referer, landing, trackingChannel, trackingCategory, trackingCampaign = null] of arrivals) {
    const { status, body } = await ask({ referer, page_type: 'home' }, shop + landing)
    assert.equal(status, 200)
    assert.deepEqual(
      body,
      { refererId: null, rawRefererId: null, trackingCampaign, trackingCategory, trackingChannel },
      `${referer} ${landing}`,
    )
  }
})

test('R-567 R-492 ids count when they are numeric: the one of the link before the one remembered, which needs cookies', async () => {
  const ids = async (query: Record<string, string>, landing?: string) => {
    const { body } = await ask(query, landing)
    return [body['refererId'], body['rawRefererId']]
  }
  assert.deepEqual(await ids({ referer_id: '12', current_referer_id: '7' }), ['12', '12'])
  assert.deepEqual(await ids({ referer_id: '12a', current_referer_id: '7' }), ['7', null])
  assert.deepEqual(await ids({ current_referer_id: 'seven' }), [null, null])
  assert.deepEqual(await ids({ current_referer_id: '7', cookie_disabled: 'true' }), [null, null])
  assert.deepEqual(await ids({ current_referer_id: '7', cookie_disabled: 'false' }), ['7', null])
  assert.deepEqual(await ids({}, `${shop}/?referer_id=31`), ['31', '31'])
})

test('R-568 R-617 the answer is for this visitor alone, and needs a visitor id', async () => {
  const { headers } = await ask({})
  assert.equal(headers.get('cache-control'), 'private, no-store')
  const { status, body } = await ask({}, undefined, 'nobody')
  assert.deepEqual([status, body['title']], [400, 'No visitor_id found'])
  assert.equal((await ask({ referer: 'x'.repeat(2001) })).status, 400)
  assert.equal((await ask({ cookie_disabled: 'perhaps' })).status, 400)
})
