import assert from 'node:assert/strict'
import { test } from 'node:test'
import { card, category, emptyCart, listing, product } from '../testing/goods.ts'
import { pageOf, shopWith, structuredData, textOf } from '../testing/shop.ts'
import { areaIn } from './project-hub-page.tsx'
import { block, entryCard, guide, line, part } from './test-advice.ts'

test('R-148 R-160 R-208 a guide shows author, date, contents, steps, its list with prices and related entries', async () => {
  const { status, body } = await pageOf({ entry: guide() }, '/advice/how-to-tile-a-floor-1')
  assert.equal(status, 200)
  const text = textOf(body)
  for (const words of [
    'By The Purlin advice team',
    '2 November 2026',
    'Time: 2 days',
    'Some practice helps',
    'Prime the floor',
    '8 hours',
    'Well rated tiles',
    'Guide 2',
    '£120.00',
  ])
    assert.ok(text.includes(words), words)
  assert.match(body, /<nav[^>]*aria-labelledby="contents"[\s\S]*href="#before"[\s\S]*href="#list"/)
  assert.match(body, /<a href="\/cgu#law">Terms<\/a>/)
  assert.match(body, /<meta property="og:image" content="http:\/\/gb\.localhost\/pictures\/e\/guide-1\.svg\?v=1">/)
})

test('R-160 a guide is a HowTo with steps, tools and supplies, an Article with author and dates, and its questions', async () => {
  const data = structuredData((await pageOf({ entry: guide() }, '/advice/how-to-tile-a-floor-1')).body)
  const howTo = data['HowTo'] as {
    step: { name: string; text: string; url: string }[]
    tool: { name: string }[]
    supply: { name: string }[]
    totalTime: string
  }
  assert.deepEqual(
    howTo.step.map(({ name, text }) => [name, text]),
    [
      ['Prime the floor', 'With a roller.'],
      ['Lay the tiles', 'Press them.'],
    ],
  )
  assert.equal(howTo.step[0]!.url, 'http://gb.localhost/advice/how-to-tile-a-floor-1#prime')
  assert.deepEqual(
    [howTo.tool.map(({ name }) => name), howTo.supply.map(({ name }) => name), howTo.totalTime],
    [['Grinder'], ['Floor tiles', 'Grout'], 'PT960M'],
  )
  const article = data['Article'] as { datePublished: string; dateModified: string; author: { name: string } }
  assert.deepEqual(
    [article.datePublished, article.dateModified, article.author.name],
    ['2026-10-06', '2026-11-02', 'The Purlin advice team'],
  )
  assert.equal((data['FAQPage'] as { mainEntity: unknown[] }).mainEntity.length, 1)
})

test('V-36 hreflang has the slug of each market that has the guide, and no other market', async () => {
  const { body } = await pageOf({ entry: guide() }, '/advice/how-to-tile-a-floor-1')
  const links = [...body.matchAll(/rel="alternate" hreflang="([\w-]+)" href="([^"]+)"/g)].map(([, language, href]) => [language, href])
  assert.deepEqual(links, [
    ['en-GB', 'http://gb.localhost/advice/how-to-tile-a-floor-1'],
    ['de-DE', 'http://de.localhost/advice/bodenfliesen-verlegen-1'],
  ])
  assert.match(body, /rel="canonical" href="http:\/\/gb\.localhost\/advice\/how-to-tile-a-floor-1"/)
})

test('V-37 an unknown id is not found, a wrong slug redirects to the right one, and an impossible number causes no query', async () => {
  const moved = await pageOf({ entry: guide() }, '/advice/tiling-1?m[floor][length]=4')
  assert.deepEqual([moved.status, moved.headers.location], [301, '/advice/how-to-tile-a-floor-1?m[floor][length]=4'])
  for (const path of ['/advice/x-9', '/comparisons/x-9', '/your-project/x-9', '/lp/x-9', '/pal/9', '/promo/x-9', '/help/x-9'])
    assert.equal((await pageOf({ entry: null }, path)).status, 404, path)
  const shop = await shopWith({ entry: guide() })
  assert.equal((await shop.ask('/advice/x-99999999999')).status, 404)
  assert.ok(shop.asked.every((variables) => !('kind' in variables)))
  await shop.close()
})

test('R-160 the list is a form that adds ticked items to the cart: materials are ticked by default, tools are not', async () => {
  const { body } = await pageOf({ entry: guide() }, '/advice/how-to-tile-a-floor-1')
  const form = /<form[^>]*action="\/cart"[^>]*>[\s\S]*?<\/form>/.exec(body.slice(body.indexOf('Materials') - 2000))?.[0] ?? ''
  assert.match(form, /name="do" value="add-all"/)
  assert.match(form, /name="take"[^>]*checked=""[^>]*value="o1"|name="take" value="o1"[^>]*checked/)
  assert.doesNotMatch(form, /name="take"[^>]*value="o2"[^>]*checked/)
  assert.match(form, /name="quantities\.o1"[^>]*value="8"/)
  assert.match(textOf(form), /Not available at the moment/)
})

test('prices and sums of a list name their tax mode, a company’s price finds each of them, and a script finds the sum', async () => {
  const { body } = await pageOf({ entry: guide({ totalTaxKey: 'without_vat' }) }, '/advice/how-to-tile-a-floor-1')
  const form = /<form[^>]*id="shopping-list"[\s\S]*?<\/form>/.exec(body)?.[0] ?? ''
  assert.match(form, /data-price="o1"><b>£49<small>\.90<\/small><\/b>\s*incl\. VAT/)
  assert.match(textOf(form), /Materials £50\.00 excl\. VAT, with all tools £120\.00 excl\. VAT/)
  assert.match(form, /data-list-sum[^>]*data-with-vat="Ticked items: % incl\. VAT"/)
  assert.match(form, /name="from" value="\/advice\/how-to-tile-a-floor-1#shopping-list"/)
})

const cart = { id: null, currency: 'GBP', taxKey: 'with_vat', itemCount: 0, sellers: [], coupon: null, changes: [], instead: [] }
test('R-160 sending the list adds it in one command; items that could not be added are reported, and so is an empty selection', async () => {
  const sent: unknown[] = []
  const added = (answer: object) => ({
    cart,
    addAllToCart: (variables: unknown) => (sent.push(variables), { added: 2, left: [], refusal: null, ...answer }),
  })
  const form = { do: 'add-all', take: 'o1', 'quantities.o1': '8', 'quantities.o2': '1' }
  const whole = await shopWith(added({}))
  const reply = await whole.ask('/cart', { form })
  assert.deepEqual([reply.status, reply.headers.location], [303, '/cart'])
  assert.deepEqual(structuredClone(sent[0]), { items: [{ offerId: 'o1', quantity: 8 }] })
  assert.match(String(reply.headers['set-cookie']), /flash\.list-added%22|flash\.list-added"/)
  await whole.close()
  const part = await shopWith(added({ left: [{ offerId: 'o2' }] }))
  assert.match(String((await part.ask('/cart', { form })).headers['set-cookie']), /flash\.list-added-in-part/)
  // With nothing ticked the list is shown again, with what is wrong.
  const from = '/advice/how-to-tile-a-floor-1#shopping-list'
  const none = await part.ask('/cart', { form: { do: 'add-all', from } })
  assert.deepEqual([none.status, none.headers.location], [303, from])
  assert.match(String(none.headers['set-cookie']), /flash\.list-empty/)
  assert.equal((await part.ask('/cart', { form: { do: 'add-all', from: '//elsewhere.example' } })).headers.location, '/')
  await part.close()
  // So it is when nothing of it is to be had.
  const refused = (reason: string) =>
    shopWith({ ...added({ added: 0, refusal: { reason, message: 'Refused here', fields: [] } }), cart: emptyCart() })
  const soldOut = await refused('out-of-stock')
  const back = await soldOut.ask('/cart', { form: { ...form, from } })
  assert.deepEqual([back.status, back.headers.location], [303, from])
  assert.match(String(back.headers['set-cookie']), /flash\.list-unavailable/)
  await soldOut.close()
  const full = await refused('cart-full')
  assert.equal((await full.ask('/cart', { form: { ...form, from } })).status, 422)
  await full.close()
  const bare = await shopWith({ cart: emptyCart() })
  assert.match(textOf((await bare.ask('/cart', { form: { do: 'add-all' } })).body), /Tick at least one item on the list/)
  await bare.close()
})

test('R-289 calculator measurements are requested without a script and passed on, without invalid ones', async () => {
  const shop = await shopWith({ entry: guide() })
  const { body } = await shop.ask('/advice/how-to-tile-a-floor-1?m[floor][length]=4,5&m[floor][width]=x&m[floor][nonsense]=3')
  assert.deepEqual(
    shop.asked.find((variables) => 'kind' in variables),
    {
      kind: 'guide',
      id: 1,
      preview: null,
      measures: [{ calculator: 'floor', name: 'length', value: 4.5 }],
    },
  )
  assert.match(
    body,
    /<form[^>]*method="get"[^>]*action="\/advice\/how-to-tile-a-floor-1#calculator-floor"|<form[^>]*action="\/advice\/how-to-tile-a-floor-1#calculator-floor"[^>]*method="get"/,
  )
  assert.match(body, /name="m\[floor\]\[length\]"[^>]*value="4\.5"/)
  assert.match(textOf(body), /22 m² ?with 10% for cuts and breakage/)
  assert.match(body, /noindex/)
  await shop.close()
})

test('a preview says so, and is neither indexed nor cached', async () => {
  const shop = await shopWith({ entry: guide({ isPreview: true }) })
  for (let asked = 0; asked < 3; asked += 1) {
    const { body } = await shop.ask('/advice/how-to-tile-a-floor-1?preview=2.1.x')
    assert.match(body, /noindex, nofollow/)
    assert.match(textOf(body), /This is a preview/)
  }
  assert.equal(shop.asked.filter((variables) => 'kind' in variables).length, 3)
  await shop.close()
})

const picks = [part('light', 'Light', 'For balconies.', { card: card(1) }), part('strong', 'Strong', 'For façades.')]
const comparison = guide({
  kind: 'comparison',
  title: 'Which pressure washer?',
  url: '/comparisons/which-pressure-washer-1',
  total: null,
  materialsTotal: null,
  alternates: [],
  blocks: [block('comparison', { parts: picks, attributes: [{ key: 'pressure', label: 'Pressure', values: ['110 bar', null] }] })],
})

test('R-149 R-257 R-160 a comparison is a table of real products with their attributes, prices and buttons, and an ItemList', async () => {
  const { body } = await pageOf({ entry: comparison }, '/comparisons/which-pressure-washer-1')
  assert.match(body, /<th scope="row">Pressure<\/th><td>110 bar<\/td><td>–<\/td>/)
  assert.match(body, /data-add-to-cart="Drill 1"/)
  assert.match(textOf(body), /For balconies\.[\s\S]*£49\.90/)
  const list = structuredData(body)['ItemList'] as { itemListElement: { url: string }[] }
  assert.deepEqual(
    list.itemListElement.map(({ url }) => url),
    ['http://gb.localhost/p/drill-1'],
  )
})

for (const [ids, kind, path, url] of [
  ['R-045 R-216', 'landing', '/lp/garden-days-1', '/lp/garden-days-1'],
  ['R-046 R-242', 'partner', '/pal/1', '/pal/1'],
  ['R-049 R-244', 'promo', '/promo/drills-1', '/promo/drills-1'],
  ['R-196', 'project', '/your-project/new-floor-1', '/your-project/new-floor-1'],
  ['R-209', 'help', '/help/returns-1', '/help/returns-1'],
] as const) {
  test(`${ids} ${path} shows the ${kind} of its number`, async () => {
    const shop = await shopWith({ entry: guide({ kind, url, title: `A ${kind}` }) })
    const { status, body } = await shop.ask(path)
    assert.equal(status, 200)
    assert.equal(shop.asked.find((variables) => 'kind' in variables)?.['kind'], kind)
    assert.match(body, new RegExp(`<h1>A ${kind}</h1>`))
    assert.equal(/noindex/.test(body), kind === 'partner')
    await shop.close()
  })
}

for (const [ids, path, key] of [
  ['R-166', '/pages/you-ve-got-this', 'you-ve-got-this'],
  ['R-272', '/static/bingo', 'bingo'],
  ['R-273', '/static/reassurance', 'reassurance'],
  ['R-153', '/klarna', 'klarna'],
] as const) {
  test(`${ids} ${path} shows the page written under its name`, async () => {
    const shop = await shopWith({ entryOfKey: guide({ kind: 'page', url: path, title: key }) })
    const { status, body } = await shop.ask(path)
    assert.equal(status, 200)
    assert.deepEqual(
      shop.asked.find((variables) => 'key' in variables),
      { kind: 'page', key, preview: null },
    )
    assert.ok(body.includes(`<h1>${key}</h1>`))
    await shop.close()
    assert.equal((await pageOf({ entryOfKey: null }, path)).status, 404)
  })
}

test('R-145 R-268 R-146 R-270 the guides and the comparisons are listed by department, searchable, and say so when nothing matches', async () => {
  const entries = [
    entryCard(1),
    entryCard(2, { department: { id: 1300, name: 'Paint', url: '/paint-1300' } }),
    entryCard(3, { department: null }),
  ]
  for (const [path, kind] of [
    ['/our-advice', 'guide'],
    ['/our-comparisons', 'comparison'],
  ] as const) {
    const shop = await shopWith({ entries })
    const { status, body } = await shop.ask(path)
    assert.equal(status, 200)
    assert.deepEqual(
      shop.asked.find((variables) => 'kind' in variables),
      { kind, query: null },
    )
    assert.deepEqual(
      [...body.slice(body.indexOf('<main')).matchAll(/<section[^>]*>[\s\S]*?<h2[^>]*>([^<]+)/g)].map(([, name]) => name).slice(0, 3),
      ['Paint', 'Flooring', 'More'],
    )
    await shop.close()
  }
  const found = await pageOf({ entries: [entryCard(1)] }, '/our-advice?q=tiles')
  assert.match(textOf(found.body), /1 result for “tiles”/)
  assert.match(found.body, /noindex, follow/)
  assert.match(textOf((await pageOf({ entries: [] }, '/our-advice?q=zz')).body), /Nothing fits “zz”/)
})

test('R-196 R-289 a job description leads to projects and guides, with its area passed on to their calculators', async () => {
  const roots = { entries: ({ kind }: { kind: string }) => [entryCard(1, { kind, url: `/${kind}/x-1` })] }
  const { body } = await pageOf(roots, '/your-project?q=new+floor+18+m%C2%B2')
  assert.match(textOf(body), /worked out for 18 m²/)
  assert.match(body, /href="\/project\/x-1\?m\[floor\]\[length\]=4\.24&amp;m\[floor\]\[width\]=4\.25"/)
  assert.match(body, /href="\/guide\/x-1\?m/)
  const all = await pageOf(roots, '/your-project')
  assert.doesNotMatch(all.body, /m\[floor\]/)
  assert.doesNotMatch(all.body, /href="\/guide\/x-1/)
  for (const [words, area] of [
    ['tile 12,5 m2', 12.5],
    ['pavimento 20 mq', 20],
    ['Boden 30 qm', 30],
    ['poser 15 mètres carrés', 15],
    ['drill 18 V', null],
  ] as const)
    assert.equal(areaIn(words), area, words)
})

test('R-169 R-215 a browser that is too old gets a page with nothing around it, and a way to the shop', async () => {
  const { status, body } = await pageOf({}, '/incompatible-browser')
  assert.equal(status, 200)
  assert.match(textOf(body), /Your browser is too old/)
  assert.doesNotMatch(body, /<header|<footer/)
})

test('R-068 a product leads to the guides of its category; without any it says nothing of them', async () => {
  const { body } = await pageOf({ product: product({ guides: [entryCard(8)] }) }, '/p/cordless-drill-18-v-12')
  assert.match(body, /Read next[\s\S]*href="\/advice\/guide-8-8"/)
  assert.doesNotMatch((await pageOf({ product: product({ guides: [] }) }, '/p/cordless-drill-18-v-12')).body, /Read next/)
})

test('R-066 R-072 home and category lead to guides, home to what is announced', async () => {
  const { body } = await pageOf({ category: category(), listing: listing(), entries: [entryCard(5)] }, '/drills-4')
  assert.match(body, /Guides on Drills[\s\S]*href="\/advice\/guide-5-5"/)
  const home = { departments: [], deals: [], topSales: [], highlights: [], brands: [] }
  const entries = ({ kind }: { kind: string }) => [
    entryCard(6, kind === 'banner' ? { kind, title: 'Ready for winter', url: '/lp/winter-1' } : { kind }),
  ]
  const start = await pageOf({ home, entries }, '/')
  assert.match(start.body, /href="\/lp\/winter-1"[\s\S]*Ready for winter/)
  assert.match(
    start.body,
    /Plan it, then do it[\s\S]*href="\/advice\/guide-6-6"[\s\S]*href="\/our-advice"|href="\/our-advice"[\s\S]*href="\/advice\/guide-6-6"/,
  )
})

const helpText = {
  id: 'gb/help/1',
  name: 'help',
  version: 1,
  validFrom: '2026-11-22',
  current: true,
  title: 'Help',
  description: 'Answers.',
  blocks: [
    ['heading', 'card', 'My card was declined'],
    ['paragraph', null, 'Try another one.'],
    ['heading', 'parcel', 'Can I follow my parcel?'],
    ['paragraph', null, 'Ask the seller.'],
  ].map(([kind, id, words]) => ({ kind, id, level: id ? 3 : null, lines: [line(words ?? '')], rows: [], part: null })),
}
const operator = {
  name: 'Beam',
  address: [],
  representative: '',
  register: '',
  vatNumber: '',
  email: '',
  phone: '',
  phoneFrom: '',
  phoneTo: '',
  host: '',
  mediator: '',
  isDemo: true,
}

test('R-109 R-209 the help centre lists its articles, and a search finds questions and articles, or leads to a person', async () => {
  const article = entryCard(1, { kind: 'help', title: 'A parcel arrived damaged', url: '/help/damaged-1' })
  const found = await pageOf({ text: helpText, operator, entries: [article] }, '/help?q=parcel')
  const answers = /aria-labelledby="answers">[\s\S]*?<\/section>/.exec(found.body)?.[0] ?? ''
  assert.match(answers, /2 results for “parcel”/)
  assert.match(answers, /href="\/help#parcel"[\s\S]*href="\/help\/damaged-1"/)
  assert.doesNotMatch(answers, /#card/)
  assert.match(found.body, /noindex, follow/)
  assert.match((await pageOf({ text: helpText, operator, entries: [article] }, '/help')).body, /More help[\s\S]*A parcel arrived damaged/)
  assert.match(
    (await pageOf({ text: helpText, operator, entries: [] }, '/help?q=zebra')).body,
    /0 results for “zebra”[\s\S]*href="\/contact"/,
  )
})
