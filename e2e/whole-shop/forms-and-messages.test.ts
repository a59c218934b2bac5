/** Addresses as the path helper reads and writes them, messages on pages, and the fields of forms, from the real pages. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { modes, type Mode } from '@purlin/contract/markets.ts'
import { routes, type ShopRoute } from '@purlin/storefront/routes.ts'
import { catalogues } from '@purlin/words/catalogues.ts'
import { shopWithVisitors, visitorNames, type VisitorName } from './visitors.ts'

const shop = await shopWithVisitors()
after(() => shop.close())
const rows = routes as readonly ShopRoute[]
const drill = '/p/cordless-drill-41'
const pageOf = (body: string) => /data-page="(\w+)"/.exec(body)?.[1]
const get = (path: string, visitor: VisitorName = 'anonymous', mode: Mode = 'b2c') => shop.ask(visitor, mode, path)
const post = (visitor: VisitorName, path: string, form: Record<string, string>, mode: Mode = 'b2c') =>
  shop.ask(visitor, mode, path, { form })

test('R-282 an address finds its page by its path alone, whatever its query string says', async () => {
  for (const query of ['', '?ref=/p/other-8', '?page=/cart&x=1', '?', '?%2Fcart'])
    assert.deepEqual([(await get(drill + query)).status, pageOf((await get(drill + query)).body)], [200, 'product'], query)
  for (const path of ['/p/cordless-drill', '/p/41', '/carts', '/cart/more', '/search/%', '/search/a%00b', '/orders/page/0'])
    assert.ok([302, 404].includes((await get(path)).status) && pageOf((await get(path)).body) !== 'product', path)
})

test('R-283 path and query parameters reach the page decoded', async () => {
  const { body } = await get('/search/cordless%20drill?page=1&f=x&f=y&__proto__=x')
  assert.equal(pageOf(body), 'search')
  assert.match(body, /<title>[^<]*cordless drill/)
  assert.equal(({} as Record<string, unknown>)['x'], undefined)
})

test('R-284 addresses are built from pattern, parameters and query: a wrong slug is corrected and keeps the query', async () => {
  const { status, headers } = await get('/something-else-11?size=24&f[brand]=1')
  assert.deepEqual([status, decodeURIComponent(headers.location ?? '')], [301, '/drills-11?size=24&f[brand]=1'])
  const named = await get('/product?slug=cordless%20drill&id=41')
  assert.deepEqual([named.status, named.headers.location], [308, '/p/cordless%20drill-41'])
  const guarded = await get('/my-account/wishlists/a%20b?page=2')
  assert.match(guarded.headers.location ?? '', /^\/login\?callbackUrl=%2Fmy-account%2Fwishlists%2Fa%2520b%3Fpage%3D2$/)
})

test('R-206 the named path /auth/pre-login leads to sign-in, and from the funnel to its own sign-in page', async () => {
  assert.equal((await get('/auth/pre-login')).headers.location, '/login')
  assert.equal(pageOf((await get('/login')).body), 'login')
  assert.equal((await get('/order', 'anonymous')).headers.location, '/checkout/register?callbackUrl=%2Forder')
  const page = await get('/checkout/register', 'guest')
  assert.deepEqual([page.status, pageOf(page.body)], [200, 'funnelLogin'])
})

test('R-232 the tax information is a restricted page: customers see theirs, everybody else is asked to sign in', async () => {
  for (const visitor of visitorNames) {
    const { status, headers, body } = await get('/my-tax-information', visitor)
    if (['customer', 'member', 'other member'].includes(visitor))
      assert.deepEqual([status, pageOf(body)], [200, 'myTaxInformation'], visitor)
    else assert.deepEqual([status, headers.location], [302, '/login?callbackUrl=%2Fmy-tax-information'], visitor)
  }
})

test('R-489 R-490 a wishlist’s id of 1 to 200 characters without quotes, slashes and braces is looked up, any other is not', async () => {
  const { wishlist } = shop.belongings.customer
  assert.equal((await get(`/my-account/wishlists/${wishlist}`, 'customer')).status, 200)
  const asked = async (id: string) =>
    shop.graphql('customer', 'b2c', 'query ($id: ID!) { wishlist(id: $id) { id } }', { id }).then(({ data, statements }) => {
      assert.equal(data?.['wishlist'] ?? null, null, id)
      return statements
    })
  await asked('warm')
  const lookedUp = await asked('unknown')
  for (const id of ['a', 'W-1_ä 7', 'x'.repeat(200)]) assert.equal(await asked(id), lookedUp, id)
  for (const id of ['', 'x'.repeat(201), "a'b", 'a"b', 'a`b', 'a/b', 'a\\b', '{a', 'a}']) {
    assert.ok((await asked(id)) < lookedUp, id)
    if (id) assert.equal((await get(`/my-account/wishlists/${encodeURIComponent(id)}`, 'customer')).status, 404, id)
  }
})

/** The key of the message that a redirect leaves. */
const left = (reply: Awaited<ReturnType<typeof post>>): string | undefined => {
  const line = [reply.headers['set-cookie'] ?? []].flat().find((each) => each.startsWith('purlin_flash='))
  return line && (JSON.parse(decodeURIComponent(/=([^;]*)/.exec(line)?.[1] ?? '')) as { key: string }).key
}

test('R-417 adding to the cart says that it worked, that it is out of stock, or that it failed', async () => {
  const add = (quantity: string, offerId = '410') => post('other member', '/cart', { do: 'add', offerId, quantity })
  assert.equal(left(await add('1')), 'flash.cart-added')
  const tooMany = await add('999999')
  assert.equal(tooMany.status, 422)
  assert.match(tooMany.body, /only \d+ left in stock|at most|out of stock/)
  const failed = await add('1', '999')
  assert.equal(failed.status, 422)
  assert.ok(failed.body.includes(String(catalogues.en['refusal.unknown-offer'])))
})

test('R-432 a page holds the texts of those messages alone that a redirect to it may leave; a key of the catalogue is all that travels', async () => {
  const wrong: string[] = []
  for (const row of rows) {
    const [address = ''] = row.addresses
    const path = address
      .replace('{slug}-{id}', row.name.startsWith('seller') ? 'x-1' : 'cordless-drill-41')
      .replace('seller-{id}', 'seller-1')
    if (!row.page || path.includes('{')) continue
    for (const mode of modes.filter((each) => row.only === undefined || row.only === each))
      for (const visitor of ['anonymous', 'customer'] as const) {
        const { status, body } = await get(path, visitor, mode)
        if (status !== 200) continue
        const held = /data-words="?[^>]*>?/.exec(body)?.[0] ?? ''
        const allowed: readonly string[] = row.cache ? (row.flashes ?? []) : []
        for (const [key, message] of Object.entries(catalogues.en).filter(([each]) => each.startsWith('flash.'))) {
          const isHeld = held.includes(`${key.slice('flash.'.length)}|${String(message)}`)
          if (isHeld !== allowed.includes(key)) wrong.push(`${path}, ${mode}, ${visitor}: ${key} ${isHeld ? 'is there' : 'is missing'}`)
        }
      }
  }
  assert.deepEqual(wrong, [])
})

test('R-432 what a form of a shared page leaves is shown by that page, and an invented key shows nothing', async () => {
  const asked = await post('customer', `${drill}/questions`, {
    do: 'ask',
    text: 'Does it come with a battery and charger?',
    author: 'Robin',
    website: '',
  })
  assert.equal(asked.status, 303)
  const key = left(asked) ?? ''
  const { body } = await get(asked.headers.location ?? '')
  assert.ok(body.includes(`${key.slice('flash.'.length)}|`), key)
  const cookies = (value: string) => `purlin_flash=${encodeURIComponent(JSON.stringify({ severity: 'danger', key: value }))}`
  const shown = async (value: string) => (await shop.ask('customer', 'b2c', '/settings', { cookies: cookies(value) })).body
  assert.match(await shown('flash.profile-saved'), /data-flash="danger"[^]*Your details have been saved/)
  for (const invented of ['flash.evil', 'home.title', 'flash.<b>', '__proto__'])
    assert.doesNotMatch(await shown(invented), /data-flash="danger"/)
})

interface Invalid {
  visitor?: VisitorName
  mode?: Mode
  path: string
  form: Record<string, string>
  field: string
}
const address = {
  do: 'keep',
  id: '',
  country: 'GB',
  firstName: 'Robin',
  lastName: 'Field',
  company: '',
  line1: '1 Mill Lane',
  line2: '',
  postcode: 'SW1A 1AA',
  city: 'London',
  phone: '07700 900123',
  instructions: '',
}
const tax = {
  do: 'save',
  vatNumber: '',
  legalName: 'Field Ltd',
  country: 'GB',
  line1: '1 Mill Lane',
  line2: '',
  postcode: 'SW1A 1AA',
  city: 'London',
}
const invalid: Record<string, Invalid> = {
  'a phone number of no market': {
    path: '/settings',
    form: { do: 'profile', firstName: 'Robin', lastName: 'Field', phone: 'call me' },
    field: 'phone',
  },
  'a missing name': { path: '/settings', form: { do: 'profile', firstName: '', lastName: 'Field', phone: '' }, field: 'firstName' },
  'a postcode of another country': { path: '/my-account/addresses', form: { ...address, postcode: '69002' }, field: 'postcode' },
  'a phone number nobody can call': { path: '/my-account/addresses', form: { ...address, phone: '12' }, field: 'phone' },
  'a VAT number with a wrong check digit': { path: '/my-tax-information', form: { ...tax, vatNumber: 'GB123456788' }, field: 'vatNumber' },
  'an IBAN with a wrong check digit': {
    path: `/refund/form/${shop.belongings.customer.refund}`,
    form: { holder: 'Robin Field', iban: 'DE89370400440532013001' },
    field: 'iban',
  },
  'an e-mail address without a domain': {
    visitor: 'anonymous',
    path: '/contact',
    form: { name: 'Robin', email: 'robin@', topic: 'other', orderId: '', text: 'When are you open on Sundays?', website: '' },
    field: 'email',
  },
}

for (const [what, { visitor = 'customer', mode = 'b2c', path, form, field }] of Object.entries(invalid))
  test(`R-498 ${what} is refused by the server, with an error tied to its field and announced`, async () => {
    const { status, body } = await post(visitor, path, form, mode)
    assert.equal(status, 422, body.slice(0, 300))
    const input = new RegExp(`<(?:input|select|textarea)[^>]*name="${field}"[^>]*>`).exec(body)?.[0] ?? ''
    const error = /aria-describedby="([^"]*)"/
      .exec(input)?.[1]
      ?.split(' ')
      .find((id) => id.endsWith('-error'))
    assert.ok(error, `${field}: ${input}`)
    assert.match(input, /aria-invalid="true"/)
    assert.match(body, new RegExp(`id="${error}"[^>]*>(?:<[^>]*>)*[^<]{5,}`))
    assert.match(body, /role="alert"|aria-live/)
  })
