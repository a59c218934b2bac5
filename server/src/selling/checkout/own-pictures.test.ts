import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { connectObjectStore, folderStore, putFile } from '#files'
import { testDatabase } from '#platform/testing'
import { testGateway } from '../../edges/gateway/testing.ts'
import { addOffer, addresses, fillShop } from './testing.ts'

const database = await testDatabase()
await fillShop(database)
await addOffer(database, { id: '6401' })
const directory = mkdtempSync(join(tmpdir(), 'own-pictures-'))
connectObjectStore(folderStore(directory))
const gateway = await testGateway(database.pool)
test.after(() => {
  rmSync(directory, { recursive: true, force: true })
  return gateway.close()
})

test('V-52 a product shows its own picture from the object store: on its page, in the cart and in the order', async () => {
  const put = await putFile(database.db, [Buffer.from('a photo')], { kind: 'product-picture', owner: 'product:6401', type: 'image/webp' })
  assert.ok(put.ok)
  const pictures = [{ view: 'main', file: put.file.key }, { view: 'detail' }]
  await database.pool.query('update catalogue.product set pictures = $1 where id = 6401', [JSON.stringify(pictures)])
  let cookie = ''
  const ask = async (query: string, variables: Record<string, unknown> = {}) => {
    const { body, cookie: set } = await gateway.post(query, variables, { cookie })
    cookie = set || cookie
    const { data, errors } = body as { data: never; errors?: unknown }
    assert.equal(errors, undefined, JSON.stringify(errors))
    return data
  }
  const { product } = (await ask('{ product(id: "6401") { pictures { url } } }')) as { product: { pictures: { url: string }[] } }
  const [own, drawn] = product.pictures.map(({ url }) => url)
  assert.match(own ?? '', /^\/files\/product-picture\/[\w-]{22}\.webp$/)
  assert.match(drawn ?? '', /^\/pictures\/p\/6401\/detail\.svg/)
  const sent = await fetch(gateway.url + own)
  assert.deepEqual([sent.status, sent.headers.get('content-type'), await sent.text()], [200, 'image/webp', 'a photo'])
  assert.match(sent.headers.get('cache-control') ?? '', /immutable/)

  interface Line {
    lines: { imageUrl: string }[]
  }
  const add = 'mutation { addToCart(offerId: "6401", quantity: 1) { cart { sellers { lines { imageUrl } } } refusal { reason } } }'
  const { addToCart } = (await ask(add)) as { addToCart: { cart: { sellers: Line[] } } }
  assert.equal(addToCart.cart.sellers[0]?.lines[0]?.imageUrl, own)
  await ask('mutation { continueAsGuest(email: "buyer@example.com") { refusal { reason } } }')
  const save =
    'mutation ($input: AddressInput!) { saveAddress(input: $input) { order { sellerOrders { lines { imageUrl } } } refusal { reason } } }'
  const { saveAddress } = (await ask(save, { input: addresses.gb })) as { saveAddress: { order: { sellerOrders: Line[] } } }
  assert.equal(saveAddress.order.sellerOrders[0]?.lines[0]?.imageUrl, own)
})
