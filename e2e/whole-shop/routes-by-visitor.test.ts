/** Each row of the route table, for seven kinds of visitors on both storefronts: the declared outcome, from the real API and tables. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { accessOf, actions, type Action, type Grants, type Reach } from '@purlin/contract/actions.ts'
import { modes, type Mode } from '@purlin/contract/markets.ts'
import { buildUrl } from '@purlin/contract/path-helper.ts'
import { routes, type PageName, type ShopRoute } from '@purlin/storefront/routes.ts'
import { pageFiles } from '@purlin/storefront/testing/shop.ts'
import { addressFor } from './route-addresses.ts'
import { hosts, owners, shopWithVisitors, visitorNames, type Belongings, type Owner, type VisitorName } from './visitors.ts'

const shop = await shopWithVisitors()
after(() => shop.close())
const rows = routes as readonly ShopRoute[]

/** One request: a visitor requests a row's page, about an owner's objects. */
interface Cell {
  visitor: VisitorName
  mode: Mode
  owner: Owner
  things: Belongings
  address: string
}
/** The status, and where a redirect leads. */
type Outcome = string
type Opened = (cell: Cell) => Outcome

const signedIn: readonly VisitorName[] = ['customer', 'member', 'other member']
const isSignedIn = ({ visitor }: Cell) => signedIn.includes(visitor)
/** The visitor's own objects; a guest's belong to the session of one storefront. */
const isOwn = ({ visitor, owner, mode }: Cell) => visitor === owner && (owner !== 'guest' || mode === 'b2c')
/** A cart belongs to its owner and to one storefront; all of them are on the consumer storefront. */
const cartOf = ({ visitor, mode }: Cell) => (mode === 'b2c' ? owners.find((owner) => owner === visitor) : undefined)

const shown: Opened = () => '200'
const ofOwn =
  (own: Opened): Opened =>
  (cell) =>
    isOwn(cell) ? own(cell) : '404'
/** An object of the first member's company. */
const ofCompany =
  (own: Opened): Opened =>
  (cell) =>
    cell.visitor === 'member' ? own(cell) : '404'
const forGuests =
  (guest: Opened, others: Outcome): Opened =>
  (cell) =>
    isSignedIn(cell) ? others : guest(cell)
const withCart =
  (filled: Outcome): Opened =>
  (cell) =>
    cartOf(cell) ? filled : '302 /cart'
const signInPage = forGuests(shown, '302 /customer-area')

/**
 * Derived from the table: an account page without an id is shown, and a public page is the same for
 * everybody as for anonymous visitors.
 */
function byItself({ action, addresses }: ShopRoute): Opened | undefined {
  if ('anonymous' in actions[action]) return () => 'alike'
  return action === 'account.see' && !addresses[0]?.includes('{') ? shown : undefined
}

const requestOf = ({ approval }: Belongings) => `/my-account/approvals/${approval}`

/** The outcome for permitted visitors. A built row that is neither here nor shown by itself fails. */
const opened: Partial<Record<PageName, Opened>> = {
  ...each(['product', 'productInformations', 'category', 'search', 'brand', 'seller', 'contactWebsiteUse', 'authError', 'cart'], shown),
  // A product without variants in the catalogue has one address.
  catalogueProduct: () => '301 /p/cordless-drill-41',
  catalogueProductInformations: () => '301 /p/cordless-drill-41/informations',
  login: signInPage,
  register: forGuests(() => '302 /api/v1/register?callbackUrl=%2Fcustomer-area', '302 /customer-area'),
  authPreLogout: (cell) => (isSignedIn(cell) ? '200' : '302 /'),
  convertGuest: forGuests(shown, '302 /orders'),
  funnelLogin: forGuests(withCart('200'), '302 /order'),
  firstOrder: withCart('200'),
  funnelGateway: (cell) => {
    const owner = cartOf(cell)
    return owner ? `302 /order/${shop.belongings[owner].draft}/delivery` : '302 /cart'
  },
  // A draft is made from its cart, which the other storefront does not have; the member's waits for an approval there.
  delivery: ofOwn((cell) => (cell.mode === 'b2b' && cell.owner === 'member' ? `302 ${requestOf(cell.things)}` : withCart('200')(cell))),
  payment: ofOwn(shown),
  orderRecap: ofOwn(shown),
  orderDetails: ofOwn(shown),
  onlineSupportInvoice: ofOwn(shown),
  myMessages: shown,
  conversation: ofOwn(shown),
  onlineSupport: ofOwn(shown),
  onlineSupportDispute: ofOwn(shown),
  onlineSupportDisputeSuccess: ofOwn(shown),
  orderSelection: shown,
  onlineSupportContactForm: ofOwn(shown),
  shipmentDetails: ofOwn(shown),
  // Their order comes without an appointment.
  deliveryAppointment: () => '404',
  onlineSupportFollowDelivery: ofOwn(shown),
  spartacuxPayment: ofOwn(({ things }) => `302 /order/${things.paid}/secure-payment/receipt`),
  wishlist: ofOwn(shown),
  refundForm: ofOwn(shown),
  review: shown,
  reviewListing: shown,
  orderCancellationRecap: ofOwn(shown),
  returnRequest: ofOwn(shown),
  returnConfirmation: ofOwn(shown),
  // No list has been shared under this token.
  sharedWishlist: () => '404',
  companySettings: shown,
  companySites: shown,
  proAtAGlance: shown,
  companyBudgets: shown,
  companyPunchOut: shown,
  // The token opens no visit, and nobody came from a purchasing system.
  punchOutStart: () => '410',
  punchOutReturn: () => '404',
  companySpending: shown,
  // The example has been placed, and no request has its token.
  approvalRequest: ofOwn(({ things }) => `302 /order/${things.paid}/delivery`),
  approvals: shown,
  approval: ofCompany(shown),
  approvalLink: () => '404',
  // Members choose a plan; everybody else is led to the public page.
  subscription: ({ visitor }) => (visitor === 'member' || visitor === 'other member' ? '200' : '302 /static/subscription'),
  subscriptionManagement: ({ visitor }) => (visitor === 'customer' ? '302 /static/subscription' : '200'),
  subscriptionCheckout: shown,
  proServicesInvoices: shown,
  // A company's statements are its admins' and accountants'; the member is a buyer.
  invoiceStatement: () => '404',
  // The United Kingdom has no SEPA direct debit.
  directDebit: () => '404',
  billie: shown,
  financing: shown,
  financingDetails: shown,
  buyAgain: shown,
  quickOrder: shown,
  quotes: shown,
  quoteRequest: shown,
  quote: ofCompany(shown),
  loyaltyLanding: shown,
  // Written content, of which this shop has none; `pro-pages.test.ts` has it.
  loyaltyProgramFaq: () => '404',
  // The token belongs to no invitation.
  companyInvitation: () => '404',
}

/** Addresses served by handlers of their own. */
const served: Partial<Record<PageName, Opened>> = {
  manifest: shown,
  // The address behind the prefix has its own access rule; the example's is public.
  webview: () => '404',
  auth: shown,
  // A browser without a session to transfer is redirected to the other storefront, which knows whether it has one.
  exchangeToPro: ({ mode }) => `302 ${mode === 'b2c' ? hosts.b2b : hosts.b2c}`,
  exchangeToB2c: ({ mode }) => `302 ${mode === 'b2c' ? hosts.b2b : hosts.b2c}`,
  logout: () => '302 /auth/pre-logout',
  // Read as a page, it answers with the form's own address.
  credentials: () => '404',
  registerCall: () => `302 ${new URL(shop.provider.url).host}`,
}

function each(names: readonly PageName[], what: Opened): Partial<Record<PageName, Opened>> {
  return Object.fromEntries(names.map((name) => [name, what]))
}

/** The table of actions as documented. Staff have a back office: on a storefront they are anonymous. */
function mayDo(visitor: VisitorName, action: Action): boolean {
  const rule: Grants | { anonymous: true } = actions[action]
  if ('anonymous' in rule) return true
  const within = (grant: Reach | Partial<Record<string, Reach>> | undefined, role: string) =>
    (typeof grant === 'string' ? grant : grant?.[role]) !== undefined
  if (visitor === 'customer') return rule.customer !== undefined
  if (visitor === 'member') return within(rule.member, 'buyer')
  if (visitor === 'other member') return within(rule.member, 'admin')
  return within(rule.guest, visitor === 'guest' ? 'named' : 'stranger')
}

/** Source: spec §4, §6, decision 4. */
function refused(row: ShopRoute, { visitor, mode, address }: Cell): Outcome {
  const isForCompanies = accessOf(row.action) === 'b2b'
  if (visitor === 'customer') return `302 /pro-account/signup?from=${encodeURIComponent(address)}`
  if (signedIn.includes(visitor)) return '404'
  if (isForCompanies && mode === 'b2c') return '404'
  return `302 ${row.layout === 'funnel' ? '/checkout/register' : '/login'}?callbackUrl=${encodeURIComponent(address)}`
}

function declared(row: ShopRoute, name: PageName, cell: Cell): Outcome {
  if (row.redirect) return `${row.redirect.status} ${row.redirect.to}`
  if (!mayDo(cell.visitor, row.action)) return refused(row, cell)
  if (!row.endpoint && !row.page) return '404'
  const outcome = row.endpoint ? served[name] : (opened[name] ?? byItself(row))
  assert.ok(outcome, `${name} is answered, and this test does not say how: declare it here`)
  return outcome(cell)
}

const ownedRows = ['conversation', 'onlineSupportDisputeSuccess', 'refundForm', 'spartacuxPayment', 'wishlist']

/** Only a built page can distinguish one owner's objects from another's. */
const ownersOf = (row: ShopRoute, pattern: string): readonly Owner[] =>
  row.page && (/customerOrderId|online-support\/\{orderId/.test(pattern) || ownedRows.includes(row.name)) ? owners : ['member']

const built = new Set(Object.keys(pageFiles))

for (const row of rows) {
  // `row` has it from `routes`.
  const name = row.name as PageName
  const pattern = row.addresses[0] ?? '/'
  test(`A16 R-502 R-507 R-508 ${name} responds to seven kinds of visitors on two storefronts as declared`, async () => {
    assert.ok(row.page === undefined || built.has(row.page), `${row.page} is named in testing/shop.ts`)
    const cells = ownersOf(row, pattern).flatMap((owner) => {
      const things = shop.belongings[owner]
      const address = addressFor(pattern, name, things)
      return modes.flatMap((mode) => visitorNames.map((visitor): Cell => ({ visitor, mode, owner, things, address })))
    })
    const wrong = await Promise.all(
      cells.filter(({ mode }) => row.only === undefined || row.only === mode).map((cell) => mistake(row, name, cell)),
    )
    assert.equal(wrong.flat().join('\n'), '')
  })
}

async function mistake(row: ShopRoute, name: PageName, cell: Cell): Promise<string[]> {
  const { visitor, mode, owner, address } = cell
  const wrong: string[] = []
  const expect = (what: string, is: string, wanted: string) => {
    if (is !== wanted) wrong.push(`${visitor}, ${mode}, ${owner}'s, ${address}: ${what} ${is}, not ${wanted}`)
  }
  const reply = await shop.ask(visitor, mode, address)
  const outcome = told(reply.status, reply.headers.location, mode)
  const wanted = await asAlike(declared(row, name, cell), cell)
  expect('GET', outcome, wanted)
  if (reply.status >= 500) expect('GET', outcome, 'no failure')
  if (row.page && wanted === '200') expect('page', /data-page="(\w+)"/.exec(reply.body)?.[1] ?? 'none', name)
  if (row.access !== 'public')
    expect('cache', String(reply.headers['cache-control']), reply.status === 302 ? 'private, no-cache' : 'private, no-store')
  // A visitor who may not see a page, or for whom there is none, may not submit its form either.
  if (row.page && (wanted === '404' || !mayDo(visitor, row.action))) {
    const sent = await shop.ask(visitor, mode, address, { form: { do: 'anything' } })
    const refusal = mayDo(visitor, row.action) ? await refusedForm(row.page, name, cell) : wanted.replace(/^302/, '303')
    expect('POST', told(sent.status, sent.headers.location, mode), refusal)
  }
  return wrong
}

/** A form sent to a page that shows the visitor nothing; pages without a form accept none. */
async function refusedForm(file: string, name: PageName, cell: Cell): Promise<Outcome> {
  const files: Readonly<Record<string, () => Promise<object>>> = pageFiles
  const page = await files[file]?.()
  if (page === undefined || !('action' in page)) return '405'
  // Whoever is not signed in is asked to do so before the invitation is looked up.
  return name === 'companyInvitation' && !isSignedIn(cell) ? '401' : '404'
}

test('R-507 R-525 a company’s own pages open for its admin, and are not found for the admin of another company', async () => {
  const things = shop.belongings.member
  for (const name of ['approval', 'invoiceStatement', 'quote', 'companySettings'] as const) {
    const row = rows.find((each) => each.name === name)
    const address = addressFor(row?.addresses[0] ?? '', name, things)
    const own = await shop.ask('admin', 'b2b', address)
    assert.equal(own.status, 200, address)
    assert.match(own.body, new RegExp(`data-page="${name}"`))
    if (name === 'companySettings') continue
    for (const options of [{}, { form: { do: 'anything' } }])
      assert.ok([404, 405].includes((await shop.ask('other member', 'b2b', address, options)).status), address)
  }
})

const ofAnonymous = new Map<string, Promise<Outcome>>()

/** For a page that is the same for everybody: the anonymous visitor's outcome. */
async function asAlike(outcome: Outcome, { mode, address }: Cell): Promise<Outcome> {
  if (outcome !== 'alike') return outcome
  const key = `${mode} ${address}`
  const known =
    ofAnonymous.get(key) ?? shop.ask('anonymous', mode, address).then(({ status, headers }) => told(status, headers.location, mode))
  ofAnonymous.set(key, known)
  return known
}

/** An address on this host as a path, one on another host by its host only. */
function told(status: number, location: string | undefined, mode: Mode): Outcome {
  if (location === undefined) return String(status)
  const own = `http://${hosts[mode]}`
  const to = new URL(location, own)
  return `${status} ${to.origin === own ? to.pathname + to.search : to.host}`
}

test('R-285 a named path redirects everybody to its page’s address, and without its parameters to the fallback', async () => {
  const wrong: string[] = []
  const asks = rows.flatMap((row) => (row.redirect || row.endpoint ? [] : (row.named ?? []).map((named) => ({ row, named }))))
  for (const { row, named } of asks) {
    const [pattern = ''] = row.addresses
    if (pattern === named) continue
    const needed = [...pattern.matchAll(/\{(\w+)(?!\w|\*)/g)].map(([, key = '']) => key)
    const query = new URLSearchParams(needed.map((key) => [key, key === 'id' ? '41' : key === 'pageType' ? 'trade' : 'x'])).toString()
    const to = buildUrl(pattern, Object.fromEntries(new URLSearchParams(query)))
    // The three pages that share a name differ by where they are linked from: requested directly it is the first.
    const first = rows.find(({ named: names }) => names?.includes(named))
    if (first !== row) continue
    const mode = row.only ?? 'b2c'
    for (const visitor of visitorNames) {
      const [full, bare] = await Promise.all([shop.ask(visitor, mode, query ? `${named}?${query}` : named), shop.ask(visitor, mode, named)])
      if (told(full.status, full.headers.location, mode) !== `308 ${to}`)
        wrong.push(`${visitor} ${named}: ${full.status} ${full.headers.location}`)
      const without = needed.length > 0 && row.fallback !== undefined ? `302 ${row.fallback}` : `308 ${to}`
      const is = told(bare.status, bare.headers.location, mode)
      if (is !== without && row.addresses.length === 1) wrong.push(`${visitor} ${named} without parameters: ${is}, not ${without}`)
    }
  }
  assert.deepEqual(wrong, [])
})

test('the staff of a seller see its balance and payouts in the office; everybody else reads whom the page is for', async () => {
  const seen = async (visitor: VisitorName) => (await shop.ask(visitor, 'b2c', '/office/payouts')).body
  const clerk = await seen('clerk')
  assert.match(clerk, /<h2 id="payouts">Payouts<\/h2><p>No payouts yet/)
  assert.match(clerk, /Only owners change the bank details/)
  for (const visitor of ['anonymous', 'guest', 'customer', 'member', 'operator'] as const)
    assert.match(await seen(visitor), /for the staff of sellers/, visitor)
})

test('R-507 the office says who a member of staff is and what they may do; customers and visitors are asked to sign in', async () => {
  const seen = async (visitor: VisitorName) => (await shop.ask(visitor, 'b2c', '/office')).body
  for (const visitor of ['anonymous', 'guest', 'customer', 'member'] as const) {
    assert.match(await seen(visitor), /\/api\/auth\/pre-login\?provider=keycloak-staff&amp;callbackUrl=%2Foffice/, visitor)
    assert.doesNotMatch(await seen(visitor), /<code>/, visitor)
  }
  assert.match(await seen('operator'), /Customer service.*<code>conversion\.decide<\/code>/s)
  const clerk = await seen('clerk')
  assert.match(clerk, /You work for <a href="\/seller-2">/)
  assert.doesNotMatch(clerk, /<code>conversion\.decide<\/code>/)
})
