import assert from 'node:assert/strict'
import { test } from 'node:test'
import { customerProfile } from '../testing/customer-profile.ts'
import { pageOf, textOf } from '../testing/shop.ts'

/** What the settings say and where they lead when an account cannot be closed yet. */

const sites = [
  [
    'the consumers’ shop',
    { cookie: 'who=consumer', host: 'gb.localhost' },
    String.raw`http://pro\.gb\.localhost[^/]*/api/v1/exchange-to-pro\?callbackUrl=`,
  ],
  ['the professional storefront', { cookie: 'who=professional', host: 'pro.gb.localhost' }, ''],
] as const

async function refusedPage(
  at: { cookie: string; host: string },
  answer: { reason: string; waitsFor?: object; company?: object },
): Promise<string> {
  const { reason, waitsFor = null, company = null } = answer
  const refusal = { reason, message: 'Not yet.', fields: [] }
  const root = { customerProfile: customerProfile(), myDataExport: null, eraseMyAccount: { refusal, waitsFor, company } }
  const { status, body } = await pageOf(root, '/settings', { ...at, form: { do: 'erase', email: 'ann@example.com' } })
  assert.equal(status, 422)
  assert.ok(textOf(body).includes('Not yet.'))
  return body
}
/** The addresses of this market's sites in the test. */
const origins = { shop: 'http://gb.localhost', pro: 'http://pro.gb.localhost' }
const waitsFor = { url: 'http://fr.localhost/orders/customer-order/P1/shipment/P1-1' }

for (const [reason, anchor] of [
  ['return-under-way', 'returns'],
  ['dispute-open', 'disputes'],
  ['refund-under-way', 'refunds'],
] as const)
  test(`an account that cannot be closed yet leads to the order with its ${anchor}, on the site where it was placed`, async () => {
    const body = await refusedPage(sites[0][1], { reason, waitsFor })
    assert.match(body, new RegExp(`Not yet\\.[^]*href="${waitsFor.url}#${anchor}"[^>]*>Go to the order<`))
  })

/** An address of the professional storefront as it is linked on a site. */
const linkOf = (prefix: string, path: string) => `href="${prefix}${prefix ? encodeURIComponent(path) : path}"`

for (const [site, at, prefix] of sites) {
  test(`the only admin of a company is led from ${site} to its members`, async () => {
    const body = await refusedPage(at, { reason: 'last-admin', company: { name: 'Hartley Roofing', isCurrent: true } })
    assert.match(body, new RegExp(`${linkOf(prefix, '/my-account/company#members')}[^>]*>To the members of Hartley Roofing<`))
  })

  test(`the only admin of a company that they do not act for is led from ${site} to their companies, to choose it`, async () => {
    const body = await refusedPage(at, { reason: 'last-admin', company: { name: 'Hartley Roofing', isCurrent: false } })
    assert.match(body, new RegExp(`${linkOf(prefix, '/my-account/company#companies')}[^>]*>Switch to Hartley Roofing</a> first`))
    assert.doesNotMatch(body, /To the members/)
  })

  test(`an open refund of a company leads from ${site} to its order, with the session where that is on the other one`, async () => {
    const company = { name: 'Hartley Roofing', isCurrent: true }
    const path = '/orders/customer-order/P1/shipment/P1-1'
    const own = await refusedPage(at, { reason: 'refund-under-way', company, waitsFor: { url: `${origins.pro}${path}` } })
    const ownLink = prefix ? linkOf(prefix, `${path}#refunds`) : `href="${origins.pro}${path}#refunds"`
    assert.match(own, new RegExp(`${ownLink}[^>]*>Go to the order<`))
    const elsewhere = { name: 'Hartley Roofing', isCurrent: false }
    const other = await refusedPage(at, { reason: 'refund-under-way', company: elsewhere, waitsFor: { url: `${origins.pro}${path}` } })
    assert.doesNotMatch(other, /Go to the order/, 'which does not open')
    assert.match(other, /Switch to Hartley Roofing<\/a> first/)
  })
}

test('an order of one’s own leads from the professional storefront to the consumers’ shop with the session', async () => {
  const url = `${origins.shop}/orders/customer-order/P1/shipment/P1-1`
  const body = await refusedPage(sites[1][1], { reason: 'return-under-way', waitsFor: { url } })
  const back = String.raw`http://gb\.localhost[^/]*/api/v1/exchange-to-b2c\?callbackUrl=`
  assert.match(body, new RegExp(`${linkOf(back, '/orders/customer-order/P1/shipment/P1-1#returns')}[^>]*>Go to the order<`))
})
