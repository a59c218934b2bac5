import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pageOf, textOf } from '../testing/shop.ts'

const line = (text: string, more: object = {}) => ({ spans: [{ text, strong: false, page: null, anchor: null, href: null, ...more }] })
const block = (kind: string, more: object = {}) => ({ kind, level: null, id: null, lines: [], rows: [], part: null, ...more })
const heading = (id: string, words: string, level = 2) => block('heading', { id, level, lines: [line(words)] })

const operator = {
  name: 'Beam Ltd',
  address: ['1 Example Street', 'Exampletown'],
  representative: 'The directors',
  register: 'No. 1',
  vatNumber: 'GB1',
  email: 'help@beam.example',
  phone: '+44 1632 960000',
  phoneFrom: '09:00',
  phoneTo: '17:00',
  host: 'Host',
  mediator: 'None',
  isDemo: true,
}
const text = (more: object = {}) => ({
  id: 'gb/terms/2',
  name: 'terms',
  version: 2,
  validFrom: '2026-11-22',
  current: true,
  title: 'Terms of use and sale',
  description: 'How buying works.',
  blocks: [
    heading('parties', 'Who'),
    block('paragraph', { lines: [line('Read this.')] }),
    heading('law', 'Law'),
    block('steps', { lines: [line('First'), line('Right to cancel', { page: 'withdrawal', anchor: 'form' })] }),
    block('table', {
      rows: [{ cells: [line('When'), line('What')] }, { cells: [line('Now'), line('Ask', { href: 'mailto:help@beam.example' })] }],
    }),
    heading('more', 'More', 3),
    block('sheet', { lines: [line('To: the seller')] }),
    heading('who', 'Operator'),
    block('part', { part: 'operator' }),
  ],
  ...more,
})

const addresses: [path: string, ids: string, name: string][] = [
  ['/cgu', 'R-061 R-274', 'terms'],
  ['/withdrawal', 'V-21', 'withdrawal'],
  ['/consumer-information', 'R-163', 'consumer'],
  ['/data-protection', 'R-164', 'privacy'],
  ['/legals', 'R-165', 'legal'],
  ['/accessibility', 'V-21', 'accessibility'],
  ['/delivery-and-returns', 'V-21', 'delivery'],
  ['/contact', 'R-167 R-192', 'contact'],
  ['/help', 'R-109 R-209', 'help'],
]

for (const [path, ids, name] of addresses) {
  test(`${ids} ${path} shows the text “${name}” in force, with its contents, version and date`, async () => {
    const asked: unknown[] = []
    const root = { operator, text: (variables: unknown) => (asked.push(variables), text({ name })) }
    const { status, body } = await pageOf(root, path)
    assert.equal(status, 200)
    assert.deepEqual(asked, [{ name, version: null }])
    const accepted = ['terms', 'withdrawal', 'privacy'].includes(name)
    assert.match(textOf(body), accepted ? /Version 2, in force since 22 November 2026/ : /Last changed on 22 November 2026/)
    assert.match(body, /<nav[^>]*aria-labelledby="contents"[\s\S]*href="#parties"[\s\S]*href="#law"[\s\S]*href="#who"/)
    assert.match(body, /<h2 id="law">Law<\/h2>/)
    assert.doesNotMatch(body, /noindex/)
    assert.match(body, new RegExp(`rel="canonical" href="http://gb.localhost${path}"`))
  })
}

test('V-21 a text shows lists, tables, sheets and links to pages by their names', async () => {
  const { body } = await pageOf({ operator, text: text() }, '/cgu')
  assert.match(body, /<ol[^>]*><li>First<\/li><li><a href="\/withdrawal#form">Right to cancel<\/a>/)
  assert.match(body, /<caption class="hidden">Law<\/caption>/)
  assert.match(body, /<th scope="row"[^>]*><div>Now<\/div>/)
  assert.match(body, /<a href="mailto:help@beam\.example">Ask<\/a>/)
  assert.match(body, /<h3 id="more">More<\/h3>/)
  assert.match(textOf(body), /To: the seller/)
})

test('V-21 the operator is named in full, and a demonstration shop says that it is one', async () => {
  const { body } = await pageOf({ operator, text: text({ name: 'legal' }) }, '/legals')
  for (const words of [
    'Beam Ltd',
    '1 Example Street',
    'The directors',
    'No. 1',
    'GB1',
    'help@beam.example',
    'Monday to Friday, 09:00 to 17:00',
  ])
    assert.ok(textOf(body).includes(words), words)
  assert.match(textOf(body), /sample details of a demonstration/)
  const real = await pageOf({ operator: { ...operator, isDemo: false }, text: text({ name: 'legal' }) }, '/legals')
  assert.doesNotMatch(textOf(real.body), /demonstration/)
})

test('an earlier version says so, links to the one in force and is not indexed; an unknown version is not found', async () => {
  const earlier = await pageOf({ operator, text: text({ version: 1, current: false }) }, '/cgu?version=1')
  assert.match(earlier.body, /This is an earlier version\. <a href="\/cgu">/)
  assert.match(earlier.body, /noindex/)
  for (const version of ['0', 'x', '-1', '1.5', '99999'])
    assert.equal((await pageOf({ operator, text: text() }, `/cgu?version=${version}`)).status, 404, version)
  assert.equal((await pageOf({ operator, text: null }, '/cgu?version=7')).status, 404)
})
