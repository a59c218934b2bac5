/** A list of a building site as members see it: pages, forms without scripts, and the basket. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { shopWithVisitors, type Asker } from './visitors.ts'

const shop = await shopWithVisitors()
after(() => shop.close())
const get = async (visitor: Asker, path: string) => {
  const { status, body } = await shop.ask(visitor, 'b2b', path)
  assert.equal(status, 200, `${visitor} ${path}`)
  return body
}
const send = async (visitor: Asker, path: string, form: Record<string, string>) => {
  const { status, headers } = await shop.ask(visitor, 'b2b', path, { form })
  return `${status} ${String(headers['location'] ?? '')}`
}
const { rows: products } = await shop.database.pool.query<{ id: string; ean: string }>(
  `select p.id::text as id, p.ean from catalogue.product p where exists (select from catalogue.offer o where o.product_id = p.id and o.market = 'gb' and o.stock > 10) order by p.id limit 2`,
)
const cartCount = async (visitor: Asker) =>
  (await shop.graphql(visitor, 'b2b', '{ site { cartCount } }')).data as { site: { cartCount: number } }

test('a member makes a list for a building site; a colleague finds it with the site, fills the quick order and the basket from it', async () => {
  const page = await get('member', '/my-account/wishlists')
  const [, siteId = ''] = /<option value="([0-9a-f-]{36})"/.exec(page) ?? []
  const made = await send('member', '/my-account/wishlists', { do: 'create', name: 'First fix', siteId })
  const [, list = ''] = /^303 (\/my-account\/wishlists\/([0-9a-f-]{36}))$/.exec(made) ?? []
  const id = list.slice(-36)
  // By the number on its label; the others are saved with hearts first, then copied: hearts fill the member's own list.
  assert.equal(await send('member', list, { do: 'add-code', id, code: products[0]?.ean ?? '' }), `303 ${list}`)
  assert.equal((await get('admin', list)).match(/value="remove"/g)?.length, 1)
  for (const { id: productId } of products) await send('member', '/my-account/wishlists', { do: 'add', productId })
  const own = (await shop.graphql('member', 'b2b', '{ wishlists { id isDefault } }')).data as {
    wishlists: { id: string; isDefault: boolean }[]
  }
  const from = own.wishlists.find(({ isDefault }) => isDefault)?.id ?? ''
  assert.equal(await send('member', `/my-account/wishlists/${from}`, { do: 'copy', id: from, intoId: id }), `303 ${list}`)

  assert.match(await get('admin', '/my-account/wishlists'), new RegExp(`href="${list}"[^]*?First fix[^]*?For the site `))
  assert.match(
    await get('admin', '/my-account/company/sites'),
    new RegExp(`<a href="${list}">First fix \\(${products.length} products?\\)</a>`),
  )
  const quick = await get('admin', '/quick-order')
  assert.match(quick, new RegExp(`<a href="/quick-order\\?list=${id}">First fix \\(site [^)]+\\) \\(${products.length} products?\\)</a>`))
  const rows = await get('admin', `/quick-order?list=${id}`)
  for (const { ean } of products) assert.match(rows, new RegExp(`value="${ean}"`))

  const before = (await cartCount('admin')).site.cartCount
  assert.equal(await send('admin', list, { do: 'all-to-cart', id }), '303 /cart')
  assert.equal((await cartCount('admin')).site.cartCount, before + products.length)
  assert.match(await get('admin', list), /name="productId"/, 'the list stays as it is')

  assert.doesNotMatch(await get('other member', '/my-account/wishlists'), /First fix/)
  assert.equal((await shop.ask('other member', 'b2b', list)).status, 404)
  assert.doesNotMatch(await get('other member', '/quick-order'), /First fix/)
})

test('a product that nobody sells any more is left out of the basket, and the rest of the list goes there', async () => {
  const { data } = await shop.graphql('member', 'b2b', 'mutation { answer: createWishlist(name: "In part") { id } }')
  const { id } = (data as { answer: { id: string } }).answer
  for (const productId of [products[0]?.id, '999999999'])
    await shop.database.pool.query('insert into wishlists.item (list_id, product_id) values ($1, $2)', [id, productId])
  const { data: done } = await shop.graphql(
    'member',
    'b2b',
    'mutation ($id: ID!) { answer: addWishlistToCart(id: $id) { added left { refusal { reason } } refusal { reason } } }',
    { id },
  )
  assert.deepEqual(structuredClone(done), { answer: { added: 1, left: [{ refusal: { reason: 'unknown-offer' } }], refusal: null } })
})
