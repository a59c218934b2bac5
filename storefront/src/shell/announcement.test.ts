import assert from 'node:assert/strict'
import { test } from 'node:test'
import { emptyCart } from '../testing/goods.ts'
import { pageOf, textOf } from '../testing/shop.ts'

const off = {
  state: 'set',
  version: 1,
  salesPeriod: null,
  b2b: null,
  loyaltyProgram: null,
  freeReturnsB2b: null,
  coupon: null,
  mainPrice: null,
  welcomeOffer: null,
}
const header = async (platformConfig: object, { host = 'gb.localhost', flags = [] as object[] } = {}) => {
  const { status, body } = await pageOf({ cart: emptyCart(), platformConfig, flags }, '/cart', { host })
  assert.equal(status, 200)
  return { text: textOf(/<header[\s\S]*<\/header>/.exec(body)?.[0] ?? ''), body }
}

test('R-470 R-407 R-411 R-412 R-413 the platform config is announced at the top of every page, in the market’s words', async () => {
  const coupon = { code: 'NOVEMBER5', percent: 5 }
  const cases = [
    [{ salesPeriod: { until: '2026-11-30' }, coupon }, 'Sale: reduced prices until 30 November 2026', 'gb.localhost'],
    [{ coupon }, '5 % off with the code NOVEMBER5', 'gb.localhost'],
    [{ coupon }, '5 % Rabatt mit dem Code NOVEMBER5', 'de.localhost'],
    [{ welcomeOffer: coupon }, 'Welcome: 5 % off your first order with the code NOVEMBER5', 'gb.localhost'],
    [{ freeReturnsB2b: { days: 30 } }, 'Retours gratuits pendant 30 jours', 'pro.fr.localhost'],
    [{ loyaltyProgram: { isAnnounced: true } }, 'See your advantages as a regular customer', 'gb.localhost'],
  ] as const
  for (const [values, said, host] of cases) assert.ok((await header({ ...off, ...values }, { host })).text.includes(said), said)
  assert.ok(!(await header({ ...off, freeReturnsB2b: { days: 30 } })).text.includes('Free returns'))
})

test('R-409 guests, who have no advantages yet, see the claim where customers see the link to theirs', async () => {
  const { body } = await header({ ...off, loyaltyProgram: { isAnnounced: true } })
  assert.match(body, /<span data-audience="guests">Everything for house and garden/)
  assert.match(body, /<a href="\/my-advantages" data-audience="customers" hidden="">/)
})

test('R-408 the operator can keep the storefronts apart', async () => {
  const isLinked = async (b2b: object | null) => (await header({ ...off, b2b })).text.includes('For professionals')
  assert.deepEqual(await Promise.all([null, { isLinked: true }, { isLinked: false }].map(isLinked)), [true, true, false])
})

test('R-470 R-599 a page without platform config and flags is shown with the brand’s claim', async () => {
  const failed = await header({ ...off, state: 'failed', version: 0 })
  assert.ok(failed.text.includes('Everything for house and garden'))
  const { status, body } = await pageOf({ cart: emptyCart(), platformConfig: () => Promise.reject(new Error('none')) }, '/cart')
  assert.equal(status, 200)
  assert.doesNotMatch(body, /data-flags/)
})

test('R-697 appB2bTouchpoint tells professionals that the shop can be installed', async () => {
  const flags = [{ name: 'appB2bTouchpoint', value: 'true' }]
  assert.match((await header(off, { host: 'pro.gb.localhost', flags })).body, /data-touchpoint/)
  assert.doesNotMatch((await header(off, { host: 'pro.gb.localhost' })).body, /data-touchpoint/)
  assert.doesNotMatch((await header(off, { flags })).body, /data-touchpoint/)
})

test('R-698 suspectedProModalRevamp reaches the script that opens the modals, with every other flag of the page', async () => {
  const { body } = await header(off, { host: 'pro.gb.localhost', flags: [{ name: 'suspectedProModalRevamp', value: 'true' }] })
  assert.match(body, /data-flags="\[\{&quot;name&quot;:&quot;suspectedProModalRevamp&quot;,&quot;value&quot;:&quot;true&quot;\}\]"/)
})

test('R-701 enableMfRebranding shows the claim of the new brand', async () => {
  assert.ok((await header(off, { flags: [{ name: 'enableMfRebranding', value: 'true' }] })).text.includes('Everything for the job in hand'))
})

const link = (id: string, more: object = {}) => ({
  id,
  title: `Link ${id}`,
  detail: '',
  url: `/${id}`,
  audience: 'everybody',
  isForEverybody: !('audience' in more),
  ...more,
})

test('R-420 R-421 R-422 R-423 the header shows menu, quick links, banners and pre-header; links for some wait for a script', async () => {
  const parts = {
    quickLinks: { items: [link('a'), link('b', { audience: 'customers' })] },
    banners: { items: [{ id: 1, title: 'Ready for winter', url: '/lp/winter-1' }] },
    preHeader: { state: 'success', items: [link('top', { detail: 'until Sunday' })] },
  }
  const { body } = await pageOf({ cart: emptyCart(), header: parts }, '/cart')
  const shown = /<header[\s\S]*<\/header>/.exec(body)?.[0] ?? ''
  assert.match(shown, /<li><a href="\/a">Link a<\/a><\/li>/)
  assert.match(shown, /<li data-audience="customers" hidden=""><a href="\/b">/)
  assert.match(shown, /href="\/lp\/winter-1"/)
  assert.ok(textOf(shown).includes('Link top until Sunday'))
  assert.ok(textOf(shown).includes('Department tools'))
})

test('R-423 a pre-header for some visitors waits for the script that knows which of them this one is, and quick links for some take no place of departments', async () => {
  const some = (id: string, audience: string) => link(id, { audience })
  const parts = {
    quickLinks: { items: ['a', 'b', 'c', 'd'].flatMap((id) => [some(`${id}1`, 'guests'), some(`${id}2`, 'customers')]) },
    banners: { items: [] },
    preHeader: { state: 'success', items: [some('top', 'customers'), some('other', 'guests')] },
  }
  const shownOf = async (more: object) => {
    const categoryTree = Array.from({ length: 12 }, (_, id) => ({ id, name: `Department ${id}`, url: `/department-${id}` }))
    const { body } = await pageOf({ cart: emptyCart(), categoryTree, header: { ...parts, ...more } }, '/cart')
    return /<header[\s\S]*<\/header>/.exec(body)?.[0] ?? ''
  }
  const shown = await shownOf({})
  const line =
    /<page-island data-enhance="audience"[^>]*>((?:<span[^>]*data-pre-header.*?<\/span>){2})<\/page-island>/.exec(shown)?.[1] ?? ''
  assert.match(line, /data-pre-header="top" data-audience="customers" hidden=""/)
  assert.match(line, /data-pre-header="other" data-audience="guests" hidden=""/)
  const departments = (html: string) =>
    (/<nav[^>]*class="[^"]*quick[\s\S]*?<\/nav>/.exec(html)?.[0] ?? '').match(/href="\/department-/g)?.length ?? 0
  const four = ['a', 'b', 'c', 'd'].map((id) => link(id))
  assert.deepEqual([departments(shown), departments(await shownOf({ quickLinks: { items: four } }))], [5, 5])
})

test('R-423 an item for everybody is visible without scripts, also where the script hides it from those who have enough others', async () => {
  const items = [
    link('first', { audience: 'customers' }),
    link('second', { audience: 'guests', isForEverybody: true }),
    link('third', { audience: 'customers', isForEverybody: true }),
  ]
  const parts = { quickLinks: { items }, banners: { items: [] }, preHeader: { state: 'success', items } }
  const { body } = await pageOf({ cart: emptyCart(), header: parts }, '/cart')
  for (const place of [/<li data-audience[^>]*>/g, /<span[^>]* data-audience[^>]*>/g]) {
    const shown = (body.match(place) ?? []).map(
      (tag) => `${/audience="(\w+)"/.exec(tag)?.[1]} ${tag.includes('hidden') ? 'hidden' : 'visible'}`,
    )
    assert.deepEqual(shown, ['customers hidden', 'guests visible', 'customers visible'])
  }
})

test('R-410 main-price shows the main price alone, and both again where the operator has said nothing', async () => {
  const isAlone = async (mainPrice: object | null) => (await header({ ...off, mainPrice })).body.includes('data-main-price="alone"')
  assert.deepEqual(await Promise.all([null, { withSecondary: true }, { withSecondary: false }].map(isAlone)), [false, false, true])
})
