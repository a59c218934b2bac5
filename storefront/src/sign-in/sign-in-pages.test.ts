import assert from 'node:assert/strict'
import { test } from 'node:test'
import { marketCodes, markets } from '@purlin/contract/markets.ts'
import { catalogues } from '@purlin/words/catalogues.ts'
import { shopWith, textOf } from '../testing/shop.ts'
import { emptyCart, home } from '../testing/goods.ts'

const shop = await shopWith({ cart: emptyCart(), home: home() })
const pages = '/login /auth/error-page /auth/error-page?error=OAuthSignin /auth/pre-logout'.split(' ')
const encoded = encodeURIComponent

test('R-080 R-086 the sign-in page leads to the identity provider and to registration, and back to the previous page', async () => {
  for (const address of ['/login']) {
    const { status, body } = await shop.ask(`${address}?callbackUrl=${encoded('/my-account/addresses?page=2')}`)
    assert.equal(status, 200)
    const query = `callbackUrl=${encoded('/my-account/addresses?page=2')}`
    assert.ok(body.includes(`href="/api/auth/pre-login?${query}"`), address)
    assert.ok(body.includes(`href="/api/v1/register?${query}"`), address)
    assert.ok(body.includes(`href="/api/v1/exchange-to-pro?${query}"`), address)
  }
})

test('the sign-in page of the professional storefront names all that a registration asks for', async () => {
  for (const [market, vat] of [
    ['gb', 'its VAT number or its number in the company register'],
    ['fr', 'son numéro de TVA intracommunautaire ou d’immatriculation'],
    ['de', 'USt-IdNr. oder Handelsregisternummer'],
    ['es', 'su NIF-IVA o su número de registro'],
    ['it', 'la partita IVA o il numero REA o di registro'],
  ] as const) {
    const { body } = await shop.ask('/login', { host: `pro.${market}.localhost` })
    assert.ok(textOf(body).includes(vat), market)
  }
})

test('a guest on the way to a page of Purlin Pro is told what it is about', async () => {
  const see = async (path: string, host: string) =>
    textOf((await shop.ask(`/login?error=SessionRequired&callbackUrl=${encoded(path)}`, { host })).body)
  for (const [path, ...said] of [
    [
      '/billie',
      '“Pay by invoice for companies” is for companies on Purlin Pro',
      'pay within 30 days of dispatch',
      'decides while you wait',
    ],
    ['/financing', '“Financing for larger purchases”', 'in monthly instalments', 'replies within two working days'],
    ['/financing-details?amount=5000', '“Financing for larger purchases”'],
    ['/static/loyalty-landing', '“The Purlin Pro loyalty programme”', 'With your own orders you reach Bronze'],
  ] as const) {
    const text = await see(path, 'pro.gb.localhost')
    for (const part of said) assert.ok(text.includes(part), `${path}: ${part}`)
    assert.ok(!text.includes('Please sign in to see this page'), path)
  }
  assert.match(await see('/billie', 'pro.de.localhost'), /ist für Betriebe mit Purlin-Pro-Konto/)
  assert.match(await see('/orders', 'pro.gb.localhost'), /Please sign in to see this page/)
})

test('R-693 mm_b2b remembers the storefront: its sign-in comes first for those who chose the other one last, and nothing else changes', async () => {
  const place = async (cookie: string, host: string) => {
    const { body } = await shop.ask('/login', { host, cookie })
    const at = body.indexOf('/api/v1/exchange-to-')
    assert.ok(at > 0 && body.indexOf('/api/v1/exchange-to-', at + 1) < 0, 'one link to the other storefront')
    return at < body.indexOf('/api/auth/pre-login') ? 'first' : 'last'
  }
  for (const [host, cookie, expected] of [
    ['gb.localhost', '', 'last'],
    ['gb.localhost', 'mm_b2b=1', 'first'],
    ['gb.localhost', 'mm_b2b=0', 'last'],
    ['gb.localhost', 'mm_b2b=true', 'last'],
    ['pro.gb.localhost', '', 'last'],
    ['pro.gb.localhost', 'mm_b2b=1', 'last'],
    ['pro.gb.localhost', 'mm_b2b=0', 'first'],
  ] as const)
    assert.equal(await place(cookie, host), expected, `${host} ${cookie}`)
})

test('a callback to this site is accepted in next-auth’s format, and no other', async () => {
  const to = async (callbackUrl: string) => {
    const { body } = await shop.ask(`/login?callbackUrl=${encoded(callbackUrl)}`)
    return decodeURIComponent(/pre-login\?callbackUrl=([^"]*)"/.exec(body)?.[1] ?? '')
  }
  assert.equal(await to('http://gb.localhost/cart'), '/cart')
  for (const hostile of [
    '//evil.example',
    'https://evil.example/',
    'javascript:alert(1)',
    'http://gb.localhost.evil.example/',
    'http://fr.localhost/cart',
  ])
    assert.equal(await to(hostile), '/customer-area', hostile)
})

test('R-603: SessionRequired has a message in five languages', async () => {
  for (const market of marketCodes) {
    const { body } = await shop.ask('/login?error=SessionRequired', { host: `${market}.localhost` })
    assert.ok(textOf(body).includes(String(catalogues[markets[market].language]['sign-in.required'])), market)
  }
  const failed = await shop.ask('/login?error=OAuthCallback')
  assert.match(textOf(failed.body), /You have not been signed in/)
})

test('a signed-in visitor is redirected from the sign-in page, and their name appears in no page', async () => {
  const { status, headers } = await shop.ask('/login?callbackUrl=/cart', { cookie: 'who=consumer' })
  assert.deepEqual([status, headers.location], [302, '/cart'])
  const register = await shop.ask('/register?callbackUrl=/cart', { cookie: 'who=consumer' })
  assert.deepEqual([register.status, register.headers.location], [302, '/cart'])
  assert.equal((await shop.ask('/login?callbackUrl=//evil.example', { cookie: 'who=consumer' })).headers.location, '/customer-area')
})

test('R-081 the registration address redirects to the identity provider’s form', async () => {
  const { status, headers } = await shop.ask('/register?callbackUrl=/cart')
  assert.deepEqual([status, headers.location], [302, '/api/v1/register?callbackUrl=%2Fcart'])
})

test('F7: while the identity provider is down, the page says what to do in the meantime, with status 503', async () => {
  const { status, body } = await shop.ask('/auth/error-page?error=OAuthSignin&callbackUrl=/cart')
  assert.equal(status, 503)
  assert.match(textOf(body), /you can order as a guest/)
  assert.ok(body.includes('href="/login?callbackUrl=%2Fcart"'))
})

test('R-602 every error has a page, including an unknown one', async () => {
  const title = async (error: string) => /<h1[^>]*>([^<]*)/.exec((await shop.ask(`/auth/error-page?error=${error}`)).body)?.[1]
  assert.equal(await title('Verification'), 'Please confirm your e-mail address')
  assert.equal(await title('AccessDenied'), 'You cannot sign in with this account')
  for (const error of ['Configuration', 'Default', '<script>', '__proto__', 'constructor'])
    assert.equal(await title(error), 'Something went wrong while signing in')
})

test('signing out is confirmed with a form, which works without a script', async () => {
  const { body } = await shop.ask('/auth/pre-logout', { cookie: 'who=consumer' })
  assert.match(body, /<form(?=[^>]*method="post")[^>]*action="\/api\/v1\/logout"/)
  assert.equal((await shop.ask('/auth/pre-logout')).headers.location, '/')
})

test('the sign-in pages are neither indexed nor cached', async () => {
  for (const address of pages) {
    const { headers, body } = await shop.ask(address, { cookie: 'who=consumer' })
    if (headers.location) continue
    assert.match(String(headers['cache-control']), /private|no-store/, address)
    assert.match(body, /<meta name="robots" content="noindex">/)
  }
})

test('A48: the header of a shared page offers to sign in, whoever requests it', async () => {
  const [guest, customer] = await Promise.all([shop.ask('/'), shop.ask('/', { cookie: 'who=consumer' })])
  const link = /<a[^>]*data-account="[^"]*"[^>]*>/.exec(customer.body)?.[0] ?? ''
  assert.match(link, /href="\/login\?callbackUrl=%2F"/)
  assert.equal(link, /<a[^>]*data-account="[^"]*"[^>]*>/.exec(guest.body)?.[0])
  assert.doesNotMatch(customer.body, /Ann|ann@example/)
  await shop.close()
})
