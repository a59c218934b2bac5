import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pageOf, shopWith, textOf } from '../testing/shop.ts'

test('R-030 A12 the form for an order’s link works without a script, and its answer is the same for every input', async () => {
  const shop = await shopWith({ requestOrderLink: true })
  const { status, body } = await shop.ask('/find-my-order')
  assert.equal(status, 200)
  assert.match(body, /<form class="form" method="post">[\s\S]*name="orderId"[\s\S]*name="email"/)
  for (const form of [
    { orderId: 'P0123456789ABCDEF', email: 'ann@example.org' },
    { orderId: 'nonsense', email: 'nobody@example.org' },
  ]) {
    const sent = await shop.ask('/find-my-order', { form })
    assert.deepEqual([sent.status, sent.headers.location], [303, '/find-my-order?sent=1'])
    assert.deepEqual(shop.asked.at(-1), form)
  }
  assert.match(textOf((await shop.ask('/find-my-order?sent=1')).body), /If the number and the e-mail address belong together/)
  const empty = await shop.ask('/find-my-order', { form: { orderId: '', email: 'not an address' } })
  assert.equal(empty.status, 422)
  assert.equal(empty.body.match(/aria-invalid="true"/g)?.length, 2)
  await shop.close()
})

test('R-030 it is found from sign-in and from the page of a lost parcel link, in the language of the market', async () => {
  for (const [host, words] of [
    ['gb.localhost', 'Lost the link? Find your order'],
    ['de.localhost', 'Link verloren? Bestellung finden'],
    ['pro.fr.localhost', 'Retrouvez votre commande'],
  ] as const)
    for (const path of ['/login', `/track-my-parcel/${'x'.repeat(43)}`]) {
      const { body } = await pageOf({ trackedParcel: null }, path, { host })
      assert.ok(body.includes('href="/find-my-order"') && textOf(body).includes(words), `${host}${path}`)
    }
})
