import assert from 'node:assert/strict'
import { test } from 'node:test'
import { accessOf, actions, isAnonymous, reachOf, type Access } from '@purlin/contract/actions.ts'
import { testGuest } from '@purlin/contract/testing.ts'
import { matchPath } from '@purlin/contract/path-helper.ts'
import { movedTo } from '@purlin/web/moved-to.ts'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { paths } from './paths.ts'
import { row as routeRow } from './route-row.ts'
import { isIndexable, routes, type PageName, type ShopRoute } from './routes.ts'
import { match, publicAddresses } from './test-routes.ts'

for (const [id, address, page, access = 'public', layout = 'base'] of publicAddresses) {
  test(`${id} ${address} is the page ${page}, ${access}, in the layout ${layout}`, () => {
    const found = match(address, 'b2c')
    assert.ok(found, `${address} resolves`)
    assert.deepEqual([found.route.name, found.route.access, found.route.layout, found.isNamed], [page, access, layout, false])
  })
}

test('R-033 R-210 R-211 / is the home page of the requested storefront: homeB2C or homeB2B', () => {
  assert.equal(match('/', 'b2c')?.route.name, 'homeB2C')
  assert.equal(match('/', 'b2b')?.route.name, 'homeB2B')
  assert.deepEqual(sent('/homepage-b2c'), { status: 308, to: '/' })
  assert.deepEqual(sent('/homepage-b2b', 'b2b'), { status: 308, to: '/' })
})

/** id, named path, page, access, and the target of the named path: another address, or null when it serves the page itself. */
type Named = [id: string, named: string, page: PageName, access: Access, leadsTo: string | null]
const named: Named[] = [
  ['R-178', '/pro-services/address-settings', 'addressSettings', 'restricted', '/my-account/addresses'],
  ['R-180', '/auth/error-page', 'authError', 'public', null],
  ['R-181', '/best-sellers/best-sellers-home', 'bestSellers', 'public', '/bs'],
  ['R-182', '/best-sellers/best-sellers-family?slug=drills&id=4', 'bestSellersFamily', 'public', '/bs/drills-4'],
  ['R-183', '/billie', 'billie', 'b2b', null],
  ['R-184', '/brand?brand=acme&id=4', 'brand', 'public', '/brand/acme-4'],
  ['R-185', '/best-sellers/buy-again', 'buyAgain', 'b2b', '/buy-again'],
  ['R-186', '/cart', 'cart', 'public', null],
  ['R-187', '/product?slug=hammer&id=12', 'product', 'public', '/p/hammer-12'],
  ['R-188', '/category?category=tools&id=4', 'category', 'public', '/tools-4'],
  ['R-189', '/category-hub?category=tools&id=4', 'categoryHub', 'public', '/hub/tools-4'],
  ['R-190', '/co/listing?type=flash&slug=spring&id=3', 'commercialOperationListing', 'public', '/co/flash/spring-3'],
  ['R-191', '/confirm-subscription', 'confirmSubscription', 'public', null],
  ['R-192', '/contact', 'contact', 'public', null],
  ['R-193', '/contact/website-use', 'contactWebsiteUse', 'public', null],
  ['R-194', '/pro-services/conversion-flow', 'conversionFromB2c2B2b', 'restricted', '/pro-account/signup'],
  ['R-195', '/convert-guest', 'convertGuest', 'restricted', null],
  ['R-196', '/your-project', 'craftyCompanion', 'public', null],
  ['R-197', '/customer-area', 'customerArea', 'restricted', null],
  ['R-198', '/funnel/delivery?customerOrderId=C1', 'delivery', 'restricted', '/order/C1/delivery'],
  ['R-199', '/financing', 'financing', 'b2b', null],
  ['R-200', '/financing-details', 'financingDetails', 'b2b', null],
  ['R-201', '/funnel/first-order', 'firstOrder', 'restricted', '/checkout/address'],
  ['R-202', '/forgot-password', 'forgotPassword', 'public', null],
  ['R-203', '/funnel/funnel-gateway', 'funnelGateway', 'restricted', '/order'],
  ['R-204', '/auth/pre-login', 'login', 'public', '/login'],
  ['R-207', '/good-deals', 'goodDeals', 'public', '/great-deals'],
  ['R-208', '/digital-advice/guide?slug=tile&id=8', 'guide', 'public', '/advice/tile-8'],
  ['R-209', '/help-center', 'helpCenter', 'public', '/help'],
  ['R-212', '/returns/home-collection/accept', 'homeCollectionAccept', 'public', '/home-collection/accept'],
  ['R-213', '/returns/home-collection/cancel', 'homeCollectionCancel', 'public', '/home-collection/cancel'],
  ['R-214', '/returns/home-collection/change-address', 'homeCollectionChangeAddress', 'public', '/home-collection/change-address'],
  ['R-215', '/static/incompatible-browser', 'incompatibleBrowser', 'public', '/incompatible-browser'],
  ['R-216', '/lp/landing?slug=garden&id=5', 'landing', 'public', '/lp/garden-5'],
  ['R-217', '/static/loyalty-landing', 'loyaltyLanding', 'b2b', null],
  ['R-218', '/static/loyalty-program-faq', 'loyaltyProgramFaq', 'b2b', null],
  ['R-221', '/mass-landing?query=drill', 'massLanding', 'public', '/cat/drill'],
  ['R-222', '/mass-landing/sitemap', 'massLandingSitemap', 'public', '/the-most-popular-product-categories'],
  [
    'R-223',
    '/mass-landing/sitemap-category?category=tools&id=4',
    'massLandingSitemapCategory',
    'public',
    '/the-most-popular-product-categories/tools-4',
  ],
  ['R-224', '/account/settings', 'myAccount', 'restricted', '/settings'],
  ['R-225', '/my-advantages-page', 'myAdvantages', 'restricted', '/my-advantages'],
  ['R-226', '/conversations?pageNumber=2', 'myMessages', 'restricted', '/my-messages/page/2'],
  ['R-227', '/conversations/conversation?orderId=O1', 'conversation', 'restricted', '/my-messages/conversation/O1'],
  ['R-228', '/my-orders', 'myOrders', 'restricted', '/orders'],
  [
    'R-229',
    '/my-orders/order-details?customerOrderId=C1&sellerOrderId=S1',
    'orderDetails',
    'restricted',
    '/orders/customer-order/C1/shipment/S1',
  ],
  [
    'R-230',
    '/my-orders/order-cancellation-recap?customerOrderId=C1&sellerOrderId=S1',
    'orderCancellationRecap',
    'restricted',
    '/orders/customer-order/C1/shipment/S1/cancellation/summary',
  ],
  [
    'R-231',
    '/my-orders/shipment-details?customerOrderId=C1&sellerOrderId=S1',
    'shipmentDetails',
    'restricted',
    '/orders/customer-order/C1/shipment/S1/detail',
  ],
  ['R-234', '/online-support?orderId=O1', 'onlineSupport', 'restricted', '/online-support/O1'],
  ['R-235', '/online-support/contact-form?orderId=O1', 'onlineSupportContactForm', 'restricted', '/online-support/O1/contact-form'],
  ['R-236', '/online-support/dispute-form?orderId=O1&messageId=M1', 'onlineSupportDispute', 'restricted', '/online-support/O1/dispute/M1'],
  [
    'R-237',
    '/online-support/dispute-form/success?messageId=M1',
    'onlineSupportDisputeSuccess',
    'restricted',
    '/online-support/dispute/M1/success',
  ],
  [
    'R-238',
    '/online-support/follow-delivery?orderId=O1',
    'onlineSupportFollowDelivery',
    'restricted',
    '/online-support/O1/follow-delivery',
  ],
  ['R-239', '/online-support/self-care-invoice?orderId=O1', 'onlineSupportInvoice', 'restricted', '/online-support/O1/invoice'],
  ['R-240', '/funnel/order-recap?customerOrderId=C1', 'orderRecap', 'restricted', '/order/C1/secure-payment/receipt'],
  ['R-242', '/pal/landing?id=77', 'partnerAdLanding', 'public', '/pal/77'],
  ['R-243', '/funnel/payment?customerOrderId=C1', 'payment', 'restricted', '/order/C1/secure-payment'],
  ['R-244', '/digital-advice/promo-seo?slug=sale&id=9', 'promoSEO', 'public', '/promo/sale-9'],
  ['R-245', '/pro-services/invoices', 'proServicesInvoices', 'b2b', '/my-invoices'],
  ['R-246', '/pro-services/wishlist?id=W1', 'wishlist', 'restricted', '/my-account/wishlists/W1'],
  ['R-248', '/refund-form?id=F1', 'refundForm', 'restricted', '/refund/form/F1'],
  ['R-249', '/signup', 'register', 'public', '/register'],
  ['R-250', '/returns/feedback-form', 'returnFeedback', 'public', '/return/feedback'],
  ['R-251', '/returns/request-return?customerOrderId=C1&orderId=O1', 'returnRequest', 'restricted', '/return-request/C1/O1'],
  [
    'R-252',
    '/returns/confirmation?customerOrderId=C1&orderId=O1',
    'returnConfirmation',
    'restricted',
    '/return-request/C1/O1/confirmation',
  ],
  ['R-253', '/pro-services/saved-cards', 'savedCards', 'restricted', '/my-wallet'],
  ['R-254', '/subscription-management', 'subscriptionManagement', 'restricted', null],
  ['R-255', '/subscription', 'subscription', 'public', null],
  ['R-256', '/subscription-checkout', 'subscriptionCheckout', 'b2b', null],
  ['R-257', '/comparisons/top-products?slug=mowers&id=8', 'topProducts', 'public', '/comparisons/mowers-8'],
  ['R-258', '/track-my-parcel?token=tok3n', 'trackMyParcel', 'public', '/track-my-parcel/tok3n'],
  ['R-259', '/unsubscribe', 'unsubscribe', 'public', null],
  ['R-260', '/review/unsubscribe', 'reviewUnsubscribe', 'public', '/unsubscribe-rating-email'],
  ['R-261', '/api/auth/webview', 'webview', 'public', '/webview'],
  ['R-262', '/inspi/bathroom', 'inspirationalMassLanding', 'public', null],
  ['R-263', '/pro', 'proLanding', 'public', null],
  ['R-264', '/static/pro-public-pages?pageType=trade&slug=plumber', 'proPublicPages', 'public', '/pro/trade/plumber'],
  ['R-265', '/search?query=drill', 'search', 'public', '/search/drill'],
  ['R-266', '/seller?id=31', 'seller', 'public', '/seller-31'],
  ['R-267', '/sitemap', 'sitemap', 'public', null],
  ['R-268', '/our-advice', 'ourAdvice', 'public', null],
  ['R-269', '/brands', 'ourBrands', 'public', null],
  ['R-270', '/our-comparisons', 'ourComparisons', 'public', null],
  ['R-271', '/our-current-offers', 'ourCurrentOffers', 'public', null],
  ['R-272', '/static/bingo', 'bingo', 'public', null],
  ['R-273', '/static/reassurance', 'reassurance', 'public', null],
  ['R-274', '/static/terms-and-conditions', 'termsAndConditions', 'public', '/cgu'],
  ['R-275', '/static/subscription', 'subscriptionPublic', 'public', null],
  ['R-276', '/survey', 'survey', 'public', null],
]

function sent(url: string, mode = 'b2c') {
  const [pathname = '', search] = url.split('?')
  const found = match(pathname, mode)
  assert.ok(found, `${url} resolves`)
  return movedTo(found, pathname, search ? `?${search}` : '')
}

for (const [id, path, page, access, leadsTo] of named) {
  test(`${id} ${path} is ${page}, ${access}, ${leadsTo ? `308 to ${leadsTo}` : 'served there'}`, () => {
    const found = match(path.split('?')[0]!, 'b2c')
    assert.deepEqual([found?.route.name, found?.route.access], [page, access])
    assert.deepEqual(sent(path), leadsTo ? { status: 308, to: leadsTo } : null)
    if (leadsTo) assert.equal(match(leadsTo, 'b2c')?.route.name, page, 'and there is the same page')
  })
}

test('R-179 the page auth is everything under /api/auth/:path*', () => {
  for (const path of ['/api/auth/csrf', '/api/auth/callback/keycloak-b2c', '/api/auth']) {
    assert.equal(match(path)?.route.name, 'auth')
    assert.ok(matchPath('/api/auth/:path*', path))
  }
})

test('R-204 R-205 R-206 login, subscribe and funnelLogin share the named path /auth/pre-login', () => {
  const sharing = routes.filter((route: ShopRoute) => route.named?.includes('/auth/pre-login')).map(({ name }) => name)
  assert.deepEqual(sharing.toSorted(), ['funnelLogin', 'login', 'subscribe'])
})

test('R-187 every product and catalogue page has the named path /product', () => {
  const sharing = routes.filter((route: ShopRoute) => route.named?.includes('/product')).map(({ name }) => name)
  assert.deepEqual(
    sharing.toSorted(),
    ['catalogueProduct', 'catalogueProductInformations', 'cataloguePaint', 'paint', 'product', 'productInformations'].toSorted(),
  )
})

test('R-087 R-247 /wishlists is 301 to the wishlists of the account', () => {
  assert.deepEqual(sent('/wishlists'), { status: 301, to: '/my-account/wishlists' })
  assert.equal(match('/my-account/wishlists')?.route.name, 'wishlists')
})

test('R-083 R-084 /account redirects to the customer area, /settings is its own page', () => {
  assert.deepEqual(sent('/account'), { status: 301, to: '/customer-area' })
  assert.equal(sent('/settings'), null)
})

test('R-113 the confirmation of a return works with and without a request id', () => {
  assert.deepEqual(match('/return-request/C1/O1/confirmation')?.params, { customerOrderId: 'C1', orderId: 'O1' })
  assert.equal(match('/return-request/C1/O1/confirmation/R1')?.params['requestId'], 'R1')
})

test('R-124 R-125 R-126 other page types of /pro/{pageType}/{slug} do not exist', () => {
  assert.equal(match('/pro/other/plumber'), null)
})

test('R-219 R-220 both manifests are names of /manifest.json', () => {
  const manifest: ShopRoute = routes.find(({ name }) => name === 'manifest')!
  assert.deepEqual(manifest.named, ['/api/static/manifest-b2b', '/api/static/manifest-b2c'])
  assert.deepEqual(manifest.addresses, ['/manifest.json'])
})

test('R-232 R-241 tax information and order selection, whose named paths are hidden, are restricted', () => {
  assert.equal(match('/my-tax-information')?.route.access, 'restricted')
  assert.equal(match('/help/order-selection')?.route.access, 'restricted')
})

test('R-233 the page notFound is /404', () => assert.equal(match('/404')?.route.name, 'notFound'))

test('R-073 static words win over patterns: seller, brand and search are not categories', () => {
  assert.deepEqual(match('/seller-31')?.params, { id: '31' })
  assert.equal(match('/seller-tools-31')?.route.name, 'category')
  assert.equal(match('/brand/acme-4')?.route.name, 'brand')
  assert.equal(match('/search/a-1')?.route.name, 'search')
})

test('R-039 R-042 of {slug}-{id} the id is the last run of digits', () => {
  assert.deepEqual(match('/p/drill-18-v-2-batteries-0042')?.params, { slug: 'drill-18-v-2-batteries', id: '0042' })
  assert.equal(match('/p/hammer'), null)
  assert.equal(match('/p/hammer-12x'), null)
  assert.equal(match('/p/-12'), null)
})

test('A16 every row has a declared access, and only public rows are shared by all visitors', () => {
  for (const route of routes as readonly ShopRoute[]) {
    assert.ok(Object.hasOwn(actions, route.action), `${route.name} names an action of contract/src/actions.ts`)
    assert.equal(route.access, accessOf(route.action), route.name)
    if (route.cache) assert.equal(route.access, 'public', `${route.name} is cached, so it must be public`)
  }
})

test('A16 V-51: a row without an action, or with an unknown one, does not compile', () => {
  const facts = {
    name: 'secret',
    addresses: ['/secret'],
    layout: 'base',
    indexable: false,
    access: 'public',
    page: './secret-page.tsx',
  } as const
  const right: ShopRoute = { ...facts, action: 'account.see' }
  // @ts-expect-error a page must name its action
  const nameless: ShopRoute = { ...facts }
  // @ts-expect-error and the action must be in the table
  const unknown: ShopRoute = { ...facts, action: 'secret.see' }
  assert.equal([right, nameless, unknown].length, 3)
})

test('V-37 a row that nothing serves does not compile, nor does one that is served twice', () => {
  const { page, ...facts } = routes.find(({ name }) => name === 'cart')!
  // @ts-expect-error a row has a page, redirects, or has a handler of its own
  const unserved: ShopRoute = facts
  // @ts-expect-error and the table takes no row without
  const row = () => routeRow('cart', ['/cart'], { action: 'page.see' })
  // @ts-expect-error one of them
  const twice: ShopRoute = { ...facts, page, endpoint: 'served' }
  // @ts-expect-error a handler is there or it is not
  const later: ShopRoute = { ...facts, endpoint: 'later' }
  assert.equal([unserved, row, twice, later].length, 4)
})

test('guests with an e-mail address may use the funnel, their own orders and convert, and nothing else (decision 4)', () => {
  const admitted = (routes as readonly ShopRoute[])
    .filter(({ action }) => !isAnonymous(action) && reachOf(testGuest({ id: 'g', email: 'g@example.com' }), action, 'gb') !== null)
    .map(({ name }) => name)
  assert.deepEqual(
    admitted.toSorted(),
    [
      'conversation',
      'convertGuest',
      'delivery',
      'deliveryAppointment',
      'firstOrder',
      'funnelGateway',
      'onlineSupport',
      'onlineSupportContactForm',
      'onlineSupportDispute',
      'onlineSupportDisputeSuccess',
      'onlineSupportInvoice',
      'orderCancellationRecap',
      'orderDetails',
      'orderRecap',
      'payment',
      // Purlin Pro's own, open to whoever may fill a cart.
      'quickOrder',
      'refundForm',
      'returnConfirmation',
      'returnRequest',
      'shipmentDetails',
    ].toSorted(),
  )
})

test('R-285 every row of the table has a name of its own and is reached by each of its addresses', () => {
  assert.equal(new Set(routes.map(({ name }) => name)).size, routes.length)
  for (const { name, addresses } of routes) assert.ok(addresses.length > 0, name)
})

test('R-286 V-37 each row is served: by a page, a redirect or a handler of its own', () => {
  for (const { name, page, redirect, endpoint } of routes as readonly ShopRoute[])
    assert.equal([page, redirect, endpoint].filter((each) => each !== undefined).length, 1, name)
})

test('R-286 a row that is no page, or is not public, is not indexed', () => {
  for (const route of routes as readonly ShopRoute[]) {
    if (route.page === undefined || route.access !== 'public') assert.equal(isIndexable(route), false, route.name)
  }
})

test('every page file in the table exists', () => {
  for (const route of routes as readonly ShopRoute[]) {
    if (route.page) assert.ok(existsSync(join(import.meta.dirname, route.page)), `${route.name}: ${route.page}`)
  }
})

test('every link built by paths resolves to its own page', () => {
  const params = {
    slug: 'a-b',
    id: 12,
    category: 'tools',
    brand: 'acme',
    type: 'flash',
    query: 'drill 18 V / ½"',
    path: 'my/orders',
    token: 't',
    pageType: 'trade',
    customerOrderId: 'C1',
    sellerOrderId: 'S1',
    orderId: 'O1',
    messageId: 'M1',
    requestId: 'R1',
    pageNumber: 3,
  }
  for (const { name } of routes) {
    const link = (paths[name] as (given: object) => string)(params)
    const row: ShopRoute = routes.find((one) => one.name === name)!
    assert.equal(match(link, row.only)?.route.name, name, link)
  }
})

test('paths are typed and escape their parameters', () => {
  assert.equal(paths.product({ slug: 'hammer', id: 12 }), '/p/hammer-12')
  assert.equal(paths.cart(), '/cart')
  assert.equal(paths.myOrders(), '/orders')
  assert.equal(paths.myOrders({ pageNumber: 2 }), '/orders/page/2')
  assert.equal(paths.search({ query: 'a/b & c' }, { page: 2 }), '/search/a%2Fb%20%26%20c?page=2')
  // @ts-expect-error a product link needs its id
  assert.throws(() => paths.product({ slug: 'hammer' }), /needs a id/)
})
