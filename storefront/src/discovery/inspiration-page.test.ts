import assert from 'node:assert/strict'
import { test } from 'node:test'
import { card, category } from '../testing/goods.ts'
import { pageOf, textOf } from '../testing/shop.ts'

const inUse = { thumbnails: ['/pictures/p/7/main.svg?v=1', '/pictures/p/7/inUse.svg?v=1'] }
const inspiration = {
  query: 'rugs',
  label: 'Rugs',
  total: 9,
  category: category({ name: 'Decoration', url: '/decoration-19' }),
  looks: [
    { value: 'sage', label: 'sage green', hex: '#9caf88', count: 6, cards: [card(7, inUse), card(8, { thumbnails: [] })] },
    { value: 'sand', label: 'sand', hex: '#d8c3a5', count: 3, cards: [card(9, { thumbnails: [] })] },
  ],
}
const root = {
  inspiration,
  guides: [],
  inspirations: [
    { label: 'Rugs', slug: 'rugs' },
    { label: 'Cushions', slug: 'cushions' },
  ],
}

test('R-048 R-262 an inspirational landing shows a kind of product in use, colour by colour, and leads to the listing of each', async () => {
  const { status, body } = await pageOf(root, '/inspi/rugs')
  assert.equal(status, 200)
  for (const part of ['Rugs: ideas by colour', 'Rugs: sage green', 'See all 6 products', '£49.90'])
    assert.ok(textOf(body).includes(part), part)
  assert.match(body, /src="\/pictures\/p\/7\/inUse\.svg\?v=1"/)
  assert.match(body, /href="\/cat\/rugs\?f%5Bcolor%5D=sage"/)
  assert.match(body, /href="\/inspi\/cushions"/)
  assert.match(body, /<link rel="canonical" href="[^"]*\/inspi\/rugs">/)
})

test('R-048 a slug without such a page is not found, capitals lead to the address', async () => {
  assert.equal((await pageOf({ ...root, inspiration: null }, '/inspi/anything')).status, 404)
  const { status, headers } = await pageOf(root, '/inspi/Rugs')
  assert.deepEqual([status, headers.location], [301, '/inspi/rugs'])
  assert.equal((await pageOf(root, '/inspi/Rugs?gclid=Cj0_1')).headers.location, '/inspi/rugs?gclid=Cj0_1', 'attribution is not lost')
})
