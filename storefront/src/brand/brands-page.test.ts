import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pageOf, textOf } from '../testing/shop.ts'

const brand = (id: number, name: string, productCount: number | null) => ({
  id,
  name,
  slug: 'x',
  url: `/brand/x-${id}`,
  logoUrl: '/x.svg',
  text: null,
  productCount,
})

test('R-141 R-269 /brands lists the brands by initial with the number of products on their pages', async () => {
  const { status, body } = await pageOf({ brands: [brand(1, 'Älvor', 3), brand(2, 'Brexiro', 1), brand(3, '3Nails', 1200)] }, '/brands')
  assert.equal(status, 200)
  const main = textOf(/<main[\s\S]*<\/main>/.exec(body)![0])
  assert.match(main, /A B # A Älvor 3 B Brexiro 1 # 3Nails 1,200/)
  assert.match(body, /href="#brands-a"[\s\S]*id="brands-a"/)
  assert.match(body, /href="\/brand\/x-2"/)
  assert.match(body, /aria-label="1 product"/)
  assert.doesNotMatch(body, /noindex/)
})

test('without counts, brands are listed without numbers; a shop without brands says so', async () => {
  assert.match(textOf((await pageOf({ brands: [brand(2, 'Brexiro', null)] }, '/brands')).body), /B Brexiro (?!\d)/)
  assert.match(textOf((await pageOf({ brands: [] }, '/brands')).body), /There are no brands here yet/)
})
