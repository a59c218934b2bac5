import assert from 'node:assert/strict'
import { test } from 'node:test'
import { marketCodes, markets } from '@purlin/contract/markets.ts'
import { catalogues } from '@purlin/words/catalogues.ts'
import { emptyCart, home } from '../testing/goods.ts'
import { shopWith, textOf } from '../testing/shop.ts'

const shop = await shopWith({ cart: emptyCart(), home: home() })

test('R-081 R-202 a forgotten password has a page of the shop, linked from the sign-in page, which leads to the provider’s form and back', async () => {
  const { body: login } = await shop.ask('/login?callbackUrl=/cart')
  assert.ok(login.includes('href="/forgot-password?callbackUrl=%2Fcart"'))
  for (const market of marketCodes) {
    const { status, headers, body } = await shop.ask('/forgot-password?callbackUrl=/cart', { host: `${market}.localhost` })
    assert.equal(status, 200)
    assert.match(String(headers['cache-control']), /private|no-store/)
    assert.ok(textOf(body).includes(String(catalogues[markets[market].language]['sign-in.forgot.go'])), market)
    assert.ok(body.includes('href="/api/auth/pre-login?callbackUrl=%2Fcart&amp;step=forgotten"'), market)
  }
})

test('A33: the way back from a forgotten password stays on this site', async () => {
  for (const hostile of ['//evil.example', 'javascript:alert(1)', '/\\evil.example']) {
    const { body } = await shop.ask(`/forgot-password?callbackUrl=${encodeURIComponent(hostile)}`)
    assert.doesNotMatch(body, /evil\.example|alert\(1\)/, hostile)
    assert.ok(body.includes('pre-login?callbackUrl=%2Fcustomer-area&amp;step=forgotten'))
  }
  await shop.close()
})
