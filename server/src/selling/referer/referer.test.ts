import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { testDatabase } from '#platform/testing'
import { testGateway } from '../../edges/gateway/testing.ts'
import { attribute } from './attribute.ts'

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

type Arrivals = [referer: string, landing: string, channel: string, category: string | null, campaign?: string][]

const arrivals: Arrivals = [
  ['', '/', 'direct', null],
  ['https://www.google.com/', '/?gclid=abc', 'paid', 'google'],
  ['', '/?msclkid=1&utm_campaign=spring', 'paid', 'bing', 'spring'],
  ['', '/?utm_source=newsletter&utm_medium=email&utm_campaign=week-47', 'email', 'newsletter', 'week-47'],
  ['https://l.facebook.com/', '/?fbclid=1', 'social', 'facebook'],
  ['https://l.facebook.com/', '/?fbclid=1&utm_medium=cpc&utm_source=fb', 'paid', 'fb'],
  ['https://blog.example.org/decks', '/', 'referral', 'blog.example.org'],
  ['https://partner.example/', '/pal/1?publisher_id=77', 'partner', '77'],
  ['https://partner.example/', '/?publisher_id=x7', 'referral', 'partner.example'],
  ['', '/?utm_source=podcast', 'campaign', 'podcast'],
  ['', '/?utm_source=%3Cscript%3E', 'campaign', null],
  ['', '/?utm_source=chatgpt.com', 'assistant', 'chatgpt'],
  ['https://www.idealo.de/preisvergleich/1', '/?utm_source=idealo.de&utm_medium=cpc', 'paid', 'idealo.de'],
  [`${shop}/cart`, '/', 'internal', null],
  ['http://pro.de.localhost:3000/cart', '/', 'internal', null],
  ['https://www.paypal.com/checkoutnow', '/', 'internal', null],
  ['https://accounts.google.com/', '/', 'internal', null],
  ['javascript:alert(1)', '/', 'direct', null],
  ['not an address', '/', 'direct', null],
]

/** Pages that links stand on, by the host that browsers report. */
const referers: Record<string, Record<string, string[]>> = {
  organic: {
    google: [
      'www.google.co.uk',
      'www.google.fr',
      'www.google.de',
      'www.google.es',
      'www.google.it',
      'google.com',
      'com.google.android.googlequicksearchbox',
    ],
    bing: ['www.bing.com', 'cn.bing.com'],
    ecosia: ['www.ecosia.org'],
    duckduckgo: ['duckduckgo.com'],
    qwant: ['www.qwant.com', 'lite.qwant.com'],
    startpage: ['www.startpage.com'],
    brave: ['search.brave.com'],
    yahoo: ['uk.search.yahoo.com', 'fr.search.yahoo.com', 'r.search.yahoo.com'],
    'web.de': ['suche.web.de'],
    gmx: ['suche.gmx.net'],
    't-online': ['suche.t-online.de'],
    orange: ['lemoteur.orange.fr'],
    lilo: ['search.lilo.org'],
    libero: ['ricerca.libero.it'],
    virgilio: ['ricerca.virgilio.it'],
  },
  social: {
    pinterest: [
      'www.pinterest.com',
      'www.pinterest.de',
      'www.pinterest.fr',
      'www.pinterest.es',
      'www.pinterest.it',
      'www.pinterest.co.uk',
      'de.pinterest.com',
      'pin.it',
      'com.pinterest',
    ],
    facebook: ['www.facebook.com', 'm.facebook.com', 'l.facebook.com', 'lm.facebook.com'],
    instagram: ['l.instagram.com', 'www.instagram.com'],
    x: ['t.co', 'x.com', 'twitter.com'],
    youtube: ['www.youtube.com', 'youtu.be'],
    tiktok: ['www.tiktok.com'],
    linkedin: ['www.linkedin.com', 'lnkd.in'],
    reddit: ['www.reddit.com', 'out.reddit.com'],
    whatsapp: ['web.whatsapp.com', 'wa.me'],
    xing: ['www.xing.com'],
  },
  email: {
    gmail: ['mail.google.com', 'com.google.android.gm'],
    outlook: ['outlook.live.com', 'outlook.office.com', 'eur01.safelinks.protection.outlook.com'],
    'web.de': ['deref-web.de', 'deref-web-02.de', 'navigator.web.de', '3c-bs.navigator.web.de'],
    gmx: ['deref-gmx.net', 'deref-gmx.com', 'deref-gmx.fr', 'navigator.gmx.net', '3c.gmx.net'],
    'mail.com': ['deref-mail.com'],
    't-online': ['email.t-online.de'],
    orange: ['messagerie.orange.fr', 'mail.orange.fr'],
    laposte: ['webmail.laposte.net'],
    libero: ['mail1.libero.it'],
    yahoo: ['mail.yahoo.com', 'it.mail.yahoo.com'],
    proton: ['mail.proton.me'],
  },
  portal: {
    'web.de': ['web.de', 'www.web.de'],
    gmx: ['www.gmx.net', 'www.gmx.de'],
    't-online': ['www.t-online.de'],
    orange: ['www.orange.fr', 'actu.orange.fr'],
    libero: ['www.libero.it'],
    msn: ['www.msn.com'],
    'mail.com': ['www.mail.com'],
    yahoo: ['fr.yahoo.com'],
  },
  assistant: {
    chatgpt: ['chatgpt.com', 'chat.openai.com'],
    perplexity: ['www.perplexity.ai'],
    gemini: ['gemini.google.com'],
    copilot: ['copilot.microsoft.com', 'edgeservices.bing.com'],
    claude: ['claude.ai'],
    mistral: ['chat.mistral.ai'],
  },
  comparison: {
    idealo: ['www.idealo.de', 'www.idealo.fr', 'www.idealo.es', 'www.idealo.it', 'www.idealo.co.uk'],
    billiger: ['www.billiger.de'],
    geizhals: ['geizhals.de', 'geizhals.eu'],
    kelkoo: ['www.kelkoo.fr', 'www.kelkoo.co.uk'],
    trovaprezzi: ['www.trovaprezzi.it'],
    ledenicheur: ['ledenicheur.fr'],
    pricerunner: ['www.pricerunner.com'],
    'google-shopping': ['shopping.google.com'],
  },
}

/** Hosts that only look like a listed one. */
const strangers = [
  'notgoogle.com',
  'google.com.example.org',
  'pinterest.de.example.com',
  'mypin.it',
  'web.de.example.com',
  'fakeweb.de',
  'chatgpt.com.evil.example',
  'max.perso.free.fr',
]

function addressOf(host: string): string {
  return /^(?:com|org|de)\.[a-z]+(?:\.|$)/.test(host) && !host.endsWith('.com') ? `android-app://${host}/` : `https://${host}/`
}

test('links on search engines, networks, mail, portals, assistants and price comparisons of the five markets have their channel and name', async () => {
  const all: Arrivals = Object.entries(referers).flatMap(([channel, names]) =>
    Object.entries(names).flatMap(([name, hosts]) => hosts.map((host): Arrivals[number] => [addressOf(host), '/', channel, name])),
  )
  assert.ok(all.length >= 60, `${all.length} cases`)
  for (const [referer, , trackingChannel, trackingCategory] of all) {
    const info = attribute({ ...noArrival, referer })
    assert.deepEqual([info.trackingChannel, info.trackingCategory], [trackingChannel, trackingCategory], referer)
  }
  for (const host of strangers) assert.equal(attribute({ ...noArrival, referer: `https://${host}/` }).trackingChannel, 'referral', host)
})

test('coming back from a bank to the receipt is no arrival, a campaign that leads there is', () => {
  const back = { ...noArrival, referer: 'https://acs.bank.example/3ds', pageType: 'orderRecap' }
  assert.equal(attribute(back).trackingChannel, 'internal')
  assert.equal(attribute({ ...back, landing: `${shop}/?utm_medium=email` }).trackingChannel, 'email')
  assert.equal(attribute({ ...back, pageType: 'product' }).trackingChannel, 'referral')
})

const noArrival = { referer: null, landing: `${shop}/`, refererId: null, currentRefererId: null, pageType: 'homeB2C', isOwn: () => false }

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
