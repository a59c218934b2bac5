import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { actions, isAnonymous, isForStaff, stageOf, type Action, type PersonalAction, type Reach } from '@purlin/contract/actions.ts'
import type { Actor, Principal } from '@purlin/contract/principal.ts'
import { authorize, findSession, ownerOf, sessionIdOf, type Owned, type SessionFamily } from '#accounts'
import { allowByToken, findOrder } from '#orders'
import { testDatabase } from '#platform/testing'
import { loadEdges } from '../../edges/gateway/load-schema.ts'
import { testGateway } from '../../edges/gateway/testing.ts'
import { addCompany, addCustomer, addMembership, addStaff, signIn } from '../../people/accounts/testing.ts'
import { removeMember } from '../../people/companies/change-members.ts'
import { openOrderByToken } from './open-order-by-token.ts'
import { addOffer, draftOrder, fillShop, must, newBuyer, place } from './testing.ts'

/** Every action for every kind of principal, on their own objects and on others', according to the table, through the gateway. */

const database = await testDatabase()
const { db, pool } = database
await fillShop(database)
await addOffer(database, { id: '9001' })
const gateway = await testGateway(pool)

interface Person {
  principal: Principal
  cookie: string
}

async function person(token: string, family: SessionFamily = 'b2c'): Promise<Person> {
  const found = await findSession(db, sessionIdOf(token) ?? '', family)
  return { principal: found?.principal ?? { kind: 'guest', id: null, email: null }, cookie: `__Host-purlin=${token}` }
}
const signedIn = async (who: Parameters<typeof signIn>[1]) => person((await signIn(db, who)).token)

async function guest(email: string | null): Promise<Person> {
  const { id, token } = await signIn(db, {})
  await pool.query('update accounts.session set guest_email = $2 where id = $1', [id, email])
  return person(token)
}

const company = await addCompany(db)
async function member(role: string, of = company): Promise<Person> {
  const { id } = await addCustomer(db)
  await addMembership(db, id, of.id, role)
  return signedIn({ customerId: id, companyId: of.id })
}
/** Signed in to the offices; the token of the offices is planted where a customer's would be, too. */
async function staff(of: Parameters<typeof addStaff>[1]): Promise<Person> {
  const { id } = await addStaff(db, of)
  const planted = await signIn(db, { staffId: id })
  const { token } = await signIn(db, { staffId: id, family: 'staff' })
  const { principal } = await person(token, 'staff')
  return { principal, cookie: `__Host-purlin-staff=${token}; __Host-purlin=${planted.token}` }
}

const people: Record<string, Person> = {
  'a stranger': { principal: { kind: 'guest', id: null, email: null }, cookie: '' },
  'a visitor': await guest(null),
  'a guest with an e-mail address': await guest('guest@example.com'),
  'a customer': await signedIn({ customerId: (await addCustomer(db)).id }),
  'a buyer of a company': await member('buyer'),
  'an approver of a company': await member('approver'),
  'an admin of a company': await member('admin'),
  'an accountant of a company': await member('accountant'),
  'a viewer of a company': await member('viewer'),
  'an admin of another company': await member('admin', await addCompany(db)),
  'somebody of a seller': await staff({ sellerId: 1, roles: [{ role: 'seller', market: null }] }),
  'an owner of a seller': await staff({
    sellerId: 1,
    roles: [
      { role: 'seller', market: null },
      { role: 'owner', market: null },
    ],
  }),
  'an operator of support': await staff({ roles: [{ role: 'support', market: null }] }),
  'an operator of search in France': await staff({ roles: [{ role: 'search', market: 'fr' }] }),
  'an operator without a role': await staff({}),
}
const machines: Record<string, Actor> = { 'a job': { kind: 'system' }, 'the provider': { kind: 'provider' } }

const personal = (Object.keys(actions) as Action[]).filter((action): action is PersonalAction => !isAnonymous(action))

/** The table as documented, written out independently of the code the shop uses. */
function declared(actor: Actor, action: PersonalAction): Reach | null {
  const rule: Partial<Record<Actor['kind'], Reach | Partial<Record<string, Reach>>>> = actions[action]
  const given = rule[actor.kind]
  if (given === undefined || typeof given === 'string') return given ?? null
  const roles: string[] =
    actor.kind === 'guest'
      ? [stageOf(actor)]
      : actor.kind === 'member'
        ? [actor.role]
        : 'roles' in actor
          ? actor.roles.filter(({ market }) => market === null || market === 'gb').map(({ role }) => role)
          : []
  return roles.map((role) => given[role]).find((reach) => reach !== undefined) ?? null
}

/** `left`: what the principal did for a company of which they are no member any more, or not in this session. */
type Relation = 'own' | 'shared' | 'company' | 'seller' | 'left' | 'none'
const within: Record<Reach, readonly Relation[]> = {
  own: ['own'],
  shared: ['own', 'shared'],
  company: ['own', 'shared', 'company'],
  seller: ['seller'],
  any: ['own', 'shared', 'company', 'seller', 'left', 'none'],
}
const isDeclared = (actor: Actor, action: PersonalAction, relation: Relation) => {
  const reach = declared(actor, action)
  // A link gives a member of a company no more than it gives a customer.
  const { customer }: { customer?: Reach } = actions[action] as object
  if (relation === 'shared' && customer !== 'shared' && reach !== 'any') return false
  return reach !== null && within[reach].includes(relation)
}

for (const [name, actor] of [
  ...Object.entries(people).map(([who, { principal }]) => [who, principal] as const),
  ...Object.entries(machines),
]) {
  test(`A16 V-51: ${name} may do exactly what the table allows`, () => {
    const owner = ownerOf({ principal: actor })
    const objects: Partial<Record<Relation, Owned>> = {
      ...(owner !== null && { own: { owner }, shared: { owner: 's:other', isShared: true }, left: { owner, companyId: randomUUID() } }),
      ...(actor.kind === 'member' && { company: { owner: 'c:other', companyId: actor.company.id } }),
      ...(actor.kind === 'sellerMember' && { seller: { sellerId: actor.sellerId } }),
      none: { owner: 'c:other', companyId: randomUUID(), sellerId: 99 },
    }
    for (const action of personal) {
      for (const [relation, object] of Object.entries(objects) as [Relation, Owned][]) {
        const expected = isDeclared(actor, action, relation)
        assert.equal(authorize({ principal: actor, market: 'gb' }, action, object), expected, `${action}, ${relation}`)
      }
      // An object without an owner belongs to nobody, whichever field of the principal is missing.
      for (const nothing of [{}, { owner: null, companyId: null, sellerId: null }])
        assert.equal(
          authorize({ principal: actor, market: 'gb' }, action, nothing),
          declared(actor, action) === 'any',
          `${action}, nobody's`,
        )
    }
  })
}

const unknown = 'P0000000000000000'
const anOrder = (id: string) => `"${id}"`
/** A request for each resolver that checks an action: none may be left out. */
const asked: Record<string, (id: string) => string> = {
  'Query.cart': () => '{ answer: cart { id } }',
  'Cart.siteId': () => '{ answer: cart { siteId } }',
  'Cart.instead': () => '{ answer: cart { instead { __typename } } }',
  'Site.cartCount': () => '{ answer: site { cartCount } }',
  'Query.myQuotes': () => '{ answer: myQuotes { id } }',
  'Query.myQuoteCount': () => '{ answer: myQuoteCount { total } }',
  'Query.quote': () => `{ answer: quote(quoteId: "${randomUUID()}") { id } }`,
  'Query.quoteDraft': () => '{ answer: quoteDraft(offerId: "404") { sellerId } }',
  'Mutation.requestQuote': () =>
    'mutation { answer: requestQuote(input: { offerId: "404", quantity: 1, message: "" }) { refusal { reason } } }',
  'Mutation.acceptQuote': () => `mutation { answer: acceptQuote(quoteId: "${randomUUID()}") { refusal { reason } } }`,
  'Mutation.endQuote': () => `mutation { answer: endQuote(quoteId: "${randomUUID()}") { refusal { reason } } }`,
  'Site.hasYourPrices': () => '{ answer: site { hasYourPrices } }',
  'Query.sumOfItems': () => '{ answer: sumOfItems(items: [{ offerId: "404", quantity: 1 }]) { taxKey } }',
  'Query.myWelcomeOffer': () => '{ answer: myWelcomeOffer { code } }',
  'Query.yourPrices': () => '{ answer: yourPrices(offerIds: ["404"]) { price } }',
  'Query.funnel': () => '{ answer: funnel { step } }',
  'Query.customerOrder': (id) => `{ answer: customerOrder(id: ${anOrder(id)}) { id } }`,
  'Query.myOrders': () => '{ answer: myOrders { total } }',
  'Query.boughtProducts': () => '{ answer: boughtProducts { total } }',
  'Query.myStatements': () => '{ answer: myStatements { id } }',
  'Query.invoiceStatement': () => `{ answer: invoiceStatement(id: "${randomUUID()}") { id } }`,
  'Query.myInvoices': () => '{ answer: myInvoices { total } }',
  'Query.selfCareInvoice': (id) => `{ answer: selfCareInvoice(orderId: ${anOrder(id)}) { customerOrderId } }`,
  'Mutation.requestInvoice': (id) => `mutation { answer: requestInvoice(orderId: ${anOrder(id)}) { refusal { reason } } }`,
  'Query.productHistory': () => '{ answer: productHistory { productId } }',
  'Query.wishlists': () => '{ answer: wishlists { id } }',
  'Query.wishlistRows': () => `{ answer: wishlistRows(id: "${randomUUID()}") { code } }`,
  'Query.wishlist': () => `{ answer: wishlist(id: "${randomUUID()}") { id } }`,
  'Query.sitesForLists': () => '{ answer: sitesForLists { id } }',
  'Query.wishedProducts': () => '{ answer: wishedProducts }',
  'Mutation.addToWishlist': () => 'mutation { answer: addToWishlist(productId: "404404") { refusal { reason } } }',
  'Mutation.removeFromWishlist': () => 'mutation { answer: removeFromWishlist(productId: "404404") { refusal { reason } } }',
  'Mutation.setWishlistQuantity': () =>
    `mutation { answer: setWishlistQuantity(id: "${randomUUID()}", productId: "1", quantity: 1) { refusal { reason } } }`,
  'Mutation.createWishlist': () => 'mutation { answer: createWishlist(name: "") { refusal { reason } } }',
  'Mutation.setWishlistSite': () => `mutation { answer: setWishlistSite(id: "${randomUUID()}") { refusal { reason } } }`,
  'Mutation.copyWishlist': () => `mutation { answer: copyWishlist(id: "${randomUUID()}", intoId: "x") { refusal { reason } } }`,
  'Mutation.addWishlistToCart': () => `mutation { answer: addWishlistToCart(id: "${randomUUID()}") { added } }`,
  'Mutation.renameWishlist': () => `mutation { answer: renameWishlist(id: "${randomUUID()}", name: "x") { refusal { reason } } }`,
  'Mutation.shareWishlist': () => `mutation { answer: shareWishlist(id: "${randomUUID()}", isShared: true) { refusal { reason } } }`,
  'Mutation.changeWishlistNotices': () =>
    `mutation { answer: changeWishlistNotices(id: "${randomUUID()}", isWanted: true) { refusal { reason } } }`,
  'Mutation.endWishlistNotices': () => 'mutation { answer: endWishlistNotices(token: "none") }',
  'Mutation.deleteWishlist': () => `mutation { answer: deleteWishlist(id: "${randomUUID()}") { refusal { reason } } }`,
  'Mutation.moveToCart': () => `mutation { answer: moveToCart(listId: "${randomUUID()}", productId: "404404") { refusal { reason } } }`,
  'Mutation.addToCart': () => 'mutation { answer: addToCart(offerId: "404", quantity: 1) { refusal { reason } } }',
  'Query.quickOrder': () => '{ answer: quickOrder(rows: [{ code: "404", quantity: "1" }]) { ready } }',
  'Query.keptOrderRows': () => '{ answer: keptOrderRows { code } }',
  'Mutation.addQuickOrder': () => 'mutation { answer: addQuickOrder(rows: [{ code: "404", quantity: "1" }]) { added } }',
  'Query.orderReference': (id) => `{ answer: orderReference(customerOrderId: ${anOrder(id)}) { canChange } }`,
  'Mutation.saveOrderReference': (id) =>
    `mutation { answer: saveOrderReference(customerOrderId: ${anOrder(id)}, input: { purchaseOrder: "PO 1" }) { refusal { reason } } }`,
  'Mutation.addAllToCart': () => 'mutation { answer: addAllToCart(items: [{ offerId: "404", quantity: 1 }]) { refusal { reason } } }',
  'Mutation.setCartQuantity': () => 'mutation { answer: setCartQuantity(offerId: "404", quantity: 1) { refusal { reason } } }',
  'Mutation.removeFromCart': () => 'mutation { answer: removeFromCart(offerId: "404") { refusal { reason } } }',
  'Mutation.requestOrderLink': () => 'mutation { answer: requestOrderLink(orderId: "P404", email: "a@example.org") }',
  'Mutation.replaceInCart': () => 'mutation { answer: replaceInCart(offerId: "404", byOfferId: "405") { refusal { reason } } }',
  'Mutation.applyCoupon': () => 'mutation { answer: applyCoupon(code: "NONE") { refusal { reason } } }',
  'Mutation.removeCoupon': () => 'mutation { answer: removeCoupon { refusal { reason } } }',
  'Mutation.chooseCartDelivery': () => 'mutation { answer: chooseCartDelivery(sellerId: 99, kind: "none") { refusal { reason } } }',
  'Mutation.confirmCartChanges': () => 'mutation { answer: confirmCartChanges { refusal { reason } } }',
  'CartResult.cart': () => 'mutation { answer: removeCoupon { cart { id } } }',
  'Mutation.continueAsGuest': () => 'mutation { answer: continueAsGuest(email: "no address") { refusal { reason } } }',
  'FunnelResult.funnel': () => 'mutation { answer: continueAsGuest(email: "no address") { funnel { step } } }',
  'Mutation.saveAddress': () =>
    `mutation { answer: saveAddress(input: { firstName: "", lastName: "", line1: "", postcode: "", city: "", phone: "" }) { refusal { reason } } }`,
  'Mutation.chooseSavedAddress': () => `mutation { answer: chooseSavedAddress(addressId: "${randomUUID()}") { refusal { reason } } }`,
  'Query.myDataExport': () => '{ answer: myDataExport { isReady } }',
  'Mutation.requestMyData': () => 'mutation { answer: requestMyData { isReady } }',
  'Mutation.eraseMyAccount': () => 'mutation { answer: eraseMyAccount(email: "another@example.com") { refusal { reason } } }',
  'Query.optInStatus': () => '{ answer: optInStatus { email } }',
  'Query.conversations': () => '{ answer: conversations { total } }',
  'Query.unreadConversations': () => '{ answer: unreadConversations }',
  'Query.sellerConversations': () => '{ answer: sellerConversations { next } }',
  'Query.conversation': () => '{ answer: conversation(orderId: "P0000000000000000-1") { viewer } }',
  'Mutation.writeMessage': () =>
    'mutation { answer: writeMessage(orderId: "P0000000000000000-1", input: { text: "x" }) { refusal { reason } } }',
  'Query.dispute': () => `{ answer: dispute(messageId: "${randomUUID()}") { number } }`,
  'Query.sellerDispute': () => `{ answer: sellerDispute(id: "${randomUUID()}") { number } }`,
  'Query.sellerBalance': () => '{ answer: sellerBalance { takesIban } }',
  'Query.sellerPayouts': () => '{ answer: sellerPayouts { next } }',
  'Query.sellerPayout': () => `{ answer: sellerPayout(id: "${randomUUID()}") { number } }`,
  'Mutation.changePayoutAccount': () => 'mutation { answer: changePayoutAccount(input: { holder: "" }) { refusal { reason } } }',
  'Query.sellerDisputes': () => '{ answer: sellerDisputes { number } }',
  'Mutation.openDispute': () =>
    `mutation { answer: openDispute(input: { orderId: "P0000000000000000-1", messageId: "${randomUUID()}", reason: OTHER, wish: REFUND, note: "x" }) { refusal { reason } } }`,
  'Mutation.moveDispute': () => `mutation { answer: moveDispute(input: { id: "${randomUUID()}", action: ADD }) { refusal { reason } } }`,
  'Mutation.answerDispute': () =>
    `mutation { answer: answerDispute(input: { id: "${randomUUID()}", action: ADD }) { refusal { reason } } }`,
  'Query.sellerConversation': () => '{ answer: sellerConversation(orderId: "P0000000000000000-1") { viewer } }',
  'Mutation.answerConversation': () =>
    'mutation { answer: answerConversation(orderId: "P0000000000000000-1", input: { text: "x" }) { refusal { reason } } }',
  'Mutation.markSellerConversationRead': () => 'mutation { answer: markSellerConversationRead(orderId: "P0000000000000000-1", upTo: 1) }',
  'Mutation.reportBuyerMessage': () =>
    'mutation { answer: reportBuyerMessage(input: { orderId: "P0000000000000000-1", seq: 1, reason: spam }) { refusal { reason } } }',
  'Mutation.markConversationRead': () => 'mutation { answer: markConversationRead(orderId: "P0000000000000000-1", upTo: 1) }',
  'Mutation.reportMessage': () =>
    'mutation { answer: reportMessage(input: { orderId: "P0000000000000000-1", seq: 1, reason: spam }) { refusal { reason } } }',
  'Mutation.rateAnswer': () =>
    'mutation { answer: rateAnswer(input: { orderId: "P0000000000000000-1", seq: 1, stars: 5 }) { refusal { reason } } }',
  'Query.loyalty': () => '{ answer: loyalty { tier } }',
  'Query.customerSegments': () => '{ answer: customerSegments { b2b_intention } }',
  'Query.myCompany': () => '{ answer: myCompany { name } }',
  'Query.myCompanies': () => '{ answer: myCompanies { id } }',
  'Company.review': () => '{ answer: myCompany { review { state } } }',
  'Query.companyInvitation': () => '{ answer: companyInvitation(token: "none") { role } }',
  'Mutation.inviteMember': () => 'mutation { answer: inviteMember(email: "no address", role: BUYER) { refusal { reason } } }',
  'Mutation.revokeInvitation': () => `mutation { answer: revokeInvitation(id: "${randomUUID()}") { refusal { reason } } }`,
  'Mutation.acceptInvitation': () => 'mutation { answer: acceptInvitation(token: "none") { refusal { reason } } }',
  'Mutation.changeMemberRole': () => `mutation { answer: changeMemberRole(id: "${randomUUID()}", role: BUYER) { refusal { reason } } }`,
  'Mutation.switchCompany': () => `mutation { answer: switchCompany(id: "${randomUUID()}") { refusal { reason } } }`,
  'Mutation.removeMember': () => `mutation { answer: removeMember(id: "${randomUUID()}") { refusal { reason } } }`,
  'Query.punchOutCredentials': () => '{ answer: punchOutCredentials { origin } }',
  'Query.punchOutReturn': () => '{ answer: punchOutReturn { returnsTo } }',
  'Query.punchOutForm': () => '{ answer: punchOutForm { url } }',
  'Mutation.createPunchOutCredential': () =>
    `mutation { answer: createPunchOutCredential(input: { name: "", protocol: OCI, memberId: "${randomUUID()}" }) { refusal { reason } } }`,
  'Mutation.revokePunchOutCredential': () => `mutation { answer: revokePunchOutCredential(id: "${randomUUID()}") { refusal { reason } } }`,
  'Query.companyBudgets': () => '{ answer: companyBudgets { month } }',
  'Query.companySpending': () => '{ answer: companySpending(by: SITE) { currency } }',
  'Mutation.requireCostCentre': () => 'mutation { answer: requireCostCentre(isRequired: false) { refusal { reason } } }',
  'Mutation.setBudget': () => `mutation { answer: setBudget(kind: SITE, subjectId: "${randomUUID()}") { refusal { reason } } }`,
  'Query.approval': () => `{ answer: approval(id: "${randomUUID()}") { id } }`,
  'Query.approvalByToken': () => '{ answer: approvalByToken(token: "none") { id } }',
  'Query.approvals': () => '{ answer: approvals { id } }',
  'Query.approvalCount': () => '{ answer: approvalCount { total } }',
  'Query.approvalNeed': (id) => `{ answer: approvalNeed(customerOrderId: ${anOrder(id)}) { site } }`,
  'Mutation.requestApproval': (id) =>
    `mutation { answer: requestApproval(customerOrderId: ${anOrder(id)}, payBy: CARD, note: "") { refusal { reason } } }`,
  'Mutation.decideApproval': () =>
    `mutation { answer: decideApproval(id: "${randomUUID()}", decision: { isApproved: false, comment: "" }) { refusal { reason } } }`,
  'Mutation.decideApprovalByToken': () =>
    'mutation { answer: decideApprovalByToken(token: "none", decision: { isApproved: false, comment: "" }) { refusal { reason } } }',
  'Mutation.orderApproved': () =>
    `mutation { answer: orderApproved(id: "${randomUUID()}", idempotencyKey: "${randomUUID()}") { refusal { reason } } }`,
  'Mutation.exchangeApprovalPoints': () =>
    `mutation { answer: exchangeApprovalPoints(id: "${randomUUID()}", points: []) { refusal { reason } } }`,
  'Mutation.returnApprovalToCart': () => `mutation { answer: returnApprovalToCart(id: "${randomUUID()}") { refusal { reason } } }`,
  'Query.companySites': () => '{ answer: companySites { isFree } }',
  'Mutation.saveSite': () =>
    'mutation { answer: saveSite(input: { name: "", firstName: "", lastName: "", phone: "", line1: "", postcode: "", city: "" }) { refusal { reason } } }',
  'Mutation.archiveSite': () => `mutation { answer: archiveSite(id: "${randomUUID()}", isArchived: true) { refusal { reason } } }`,
  'Mutation.addCostCentre': () => 'mutation { answer: addCostCentre(code: "", name: "") { refusal { reason } } }',
  'Mutation.changeCostCentre': () =>
    `mutation { answer: changeCostCentre(id: "${randomUUID()}", isArchived: true) { refusal { reason } } }`,
  'Mutation.changeCostCentreRule': () => 'mutation { answer: changeCostCentreRule(isFree: true) { refusal { reason } } }',
  'Mutation.chooseStatements': () => 'mutation { answer: chooseStatements(isOn: true) { isChosen } }',
  'Query.directDebit': () => '{ answer: directDebit { noticeDays } }',
  'Mutation.giveMandate': () => 'mutation { answer: giveMandate(input: { holder: "", iban: "", isAgreed: false }) { refusal { reason } } }',
  'Mutation.revokeMandate': () => 'mutation { answer: revokeMandate { isRevoked } }',
  'Mutation.chooseSite': () => `mutation { answer: chooseSite(siteId: "${randomUUID()}") { refusal { reason } } }`,
  'Query.proConversion': () => '{ answer: proConversion { status } }',
  'Mutation.requestProConversion': () =>
    'mutation { answer: requestProConversion(input: { companyName: "", line1: "", postcode: "", city: "", country: "GB" }) { refusal { reason } } }',
  'Query.myTaxInformation': () => '{ answer: myTaxInformation { isCompany } }',
  'Mutation.changeTaxInformation': () => 'mutation { answer: changeTaxInformation(input: { vatNumber: "GB1" }) { refusal { reason } } }',
  'Mutation.checkVatNumberAgain': () => 'mutation { answer: checkVatNumberAgain { refusal { reason } } }',
  'Query.customerProfile': () => '{ answer: customerProfile { id } }',
  'Mutation.subscribeToNewsletter': () => 'mutation { answer: subscribeToNewsletter(email: "no address") { refusal { reason } } }',
  'Mutation.confirmSubscription': () => 'mutation { answer: confirmSubscription(token: "none") }',
  'Mutation.endOffers': () => 'mutation { answer: endOffers(token: "none") }',
  'Query.basketReminder': () => '{ answer: basketReminder { hasAgreed } }',
  'Mutation.agreeToBasketReminder': () => 'mutation { answer: agreeToBasketReminder }',
  'Mutation.withdrawBasketReminder': () => 'mutation { answer: withdrawBasketReminder }',
  'Mutation.confirmBasketReminder': () => 'mutation { answer: confirmBasketReminder(token: "none") }',
  'Mutation.endBasketReminder': () => 'mutation { answer: endBasketReminder(token: "none") }',
  'Mutation.endSubscription': () => 'mutation { answer: endSubscription(token: "none") }',
  'Query.office': () => '{ answer: office { kind } }',
  'Query.sellerInvoices': () => '{ answer: sellerInvoices { total } }',
  'Mutation.changeProfile': () => 'mutation { answer: changeProfile(input: { firstName: "", lastName: "" }) { refusal { reason } } }',
  'Mutation.changeOptIns': () => 'mutation { answer: changeOptIns(input: { email: false, sms: true, phone: "x" }) { refusal { reason } } }',
  'Mutation.sendAnotherPhoneCode': () => 'mutation { answer: sendAnotherPhoneCode { refusal { reason } } }',
  'Mutation.confirmPhone': () => 'mutation { answer: confirmPhone(code: "0") { refusal { reason } } }',
  'Mutation.chooseVatDisplay': () => 'mutation { answer: chooseVatDisplay(withVat: true) }',
  'ProfileResult.profile': () => 'mutation { answer: changeProfile(input: { firstName: "", lastName: "" }) { profile { id } } }',
  'Query.myAddresses': () => '{ answer: myAddresses { id } }',
  'Mutation.keepAddress': () =>
    `mutation { answer: keepAddress(input: { firstName: "", lastName: "", line1: "", postcode: "", city: "", country: "GB", phone: "", defaults: [] }) { refusal { reason } } }`,
  'Mutation.preferAddress': () => `mutation { answer: preferAddress(id: "${randomUUID()}", use: billing) { refusal { reason } } }`,
  'Mutation.dropAddress': () => `mutation { answer: dropAddress(id: "${randomUUID()}") { refusal { reason } } }`,
  'Query.myCoupons': () => '{ answer: myCoupons { code } }',
  'Query.mySubscription': () => '{ answer: mySubscription { state } }',
  'Mutation.startSubscription': () => 'mutation { answer: startSubscription(period: MONTHLY) { refusal { reason } } }',
  'Mutation.changeSubscriptionCard': () => 'mutation { answer: changeSubscriptionCard { refusal { reason } } }',
  'Mutation.changeSubscriptionPeriod': () => 'mutation { answer: changeSubscriptionPeriod(period: MONTHLY) { refusal { reason } } }',
  'Mutation.cancelSubscription': () => 'mutation { answer: cancelSubscription { refusal { reason } } }',
  'Mutation.resumeSubscription': () => 'mutation { answer: resumeSubscription { refusal { reason } } }',
  'Mutation.withdrawSubscription': () => 'mutation { answer: withdrawSubscription { refusal { reason } } }',
  'Query.mySavedCards': () => '{ answer: mySavedCards { id } }',
  'Mutation.preferSavedCard': () => `mutation { answer: preferSavedCard(id: "${randomUUID()}") { refusal { reason } } }`,
  'Mutation.dropSavedCard': () => `mutation { answer: dropSavedCard(id: "${randomUUID()}") { refusal { reason } } }`,
  'Mutation.chooseDelivery': (id) =>
    `mutation { answer: chooseDelivery(customerOrderId: ${anOrder(id)}, choices: [{ sellerId: 1, kind: "express" }]) { refusal { reason } } }`,
  'Mutation.placeOrder': (id) =>
    `mutation { answer: placeOrder(customerOrderId: ${anOrder(id)}, idempotencyKey: "${randomUUID()}") { refusal { reason } } }`,
  'Query.expressCheckout': () => '{ answer: expressCheckout { card { id } } }',
  'Mutation.placeExpressOrder': () => `mutation { answer: placeExpressOrder(idempotencyKey: "${randomUUID()}") { refusal { reason } } }`,
  'Query.myCredit': () => '{ answer: myCredit { companyName } }',
  'Query.invoiceOffer': (id) => `{ answer: invoiceOffer(customerOrderId: ${anOrder(id)}) { reason } }`,
  'Mutation.requestFinancing': () =>
    'mutation { answer: requestFinancing(input: { amount: 5000, months: 12, purpose: "A crane", phone: "+44 20 7946 0000" }) { number } }',
  'Mutation.checkCreditLimit': () => 'mutation { answer: checkCreditLimit { isRequested } }',
  'Mutation.choosePaymentMethod': (id) =>
    `mutation { answer: choosePaymentMethod(customerOrderId: ${anOrder(id)}, idempotencyKey: "${randomUUID()}", method: CARD) { refusal { reason } } }`,
  'Mutation.orderAgain': (id) => `mutation { answer: orderAgain(customerOrderId: ${anOrder(id)}) { added } }`,
  'Mutation.reopenOrder': (id) => `mutation { answer: reopenOrder(customerOrderId: ${anOrder(id)}) { refusal { reason } } }`,
  'OrderResult.order': () => 'mutation { answer: openOrderByToken(token: "wrong") { order { id } } }',
  'Mutation.openOrderByToken': () => 'mutation { answer: openOrderByToken(token: "wrong") { refusal { reason } } }',
  'Query.cancellation': (id) => `{ answer: cancellation(customerOrderId: ${anOrder(id)}, sellerOrderId: "x") { sellerName } }`,
  'Query.cancellationRequests': () => '{ answer: cancellationRequests { id } }',
  'Mutation.cancelLines': (id) =>
    `mutation { answer: cancelLines(input: { customerOrderId: ${anOrder(id)}, sellerOrderId: "x", lines: [], reason: "other" }) { refusal { reason } } }`,
  'Query.sellerKeys': () => '{ answer: sellerKeys { id } }',
  'Mutation.createSellerKey': () => 'mutation { answer: createSellerKey(input: { name: "", scopes: [], days: 0 }) { refusal { reason } } }',
  'Mutation.revokeSellerKey': () => `mutation { answer: revokeSellerKey(id: "${randomUUID()}") }`,
  'Mutation.decideCancellation': () => `mutation { answer: decideCancellation(id: "${randomUUID()}", grant: true) { refusal { reason } } }`,
  'Query.returnOptions': (id) => `{ answer: returnOptions(customerOrderId: ${anOrder(id)}, sellerOrderId: "x") { sellerName } }`,
  'Query.returnRequest': () => `{ answer: returnRequest(id: "${randomUUID()}") { id } }`,
  'Query.returnsOfOrder': (id) => `{ answer: returnsOfOrder(customerOrderId: ${anOrder(id)}) { id } }`,
  'Query.returnsToHandle': () => '{ answer: returnsToHandle { id } }',
  'Mutation.requestReturn': (id) =>
    `mutation { answer: requestReturn(input: { customerOrderId: ${anOrder(id)}, sellerOrderId: "x", lines: [], reason: "wrong", wish: "refund", method: "label", description: "", photos: [] }) { refusal { reason } } }`,
  'Mutation.stepReturn': () => `mutation { answer: stepReturn(id: "${randomUUID()}", isHandedOver: true) { refusal { reason } } }`,
  'Mutation.handleReturn': () => `mutation { answer: handleReturn(id: "${randomUUID()}", do: ACCEPT) { refusal { reason } } }`,
  'Query.returnFeedback': () => '{ answer: returnFeedback { next } }',
  'Query.disputesOfOrder': (id) => `{ answer: disputesOfOrder(customerOrderId: ${anOrder(id)}) { number } }`,
  'Query.disputesToAnswer': () => '{ answer: disputesToAnswer { number } }',
  'Query.deliverySlots': (id) => `{ answer: deliverySlots(customerOrderId: ${anOrder(id)}, sellerId: 1) { isAvailable } }`,
  'Mutation.chooseDeliverySlot': (id) =>
    `mutation { answer: chooseDeliverySlot(customerOrderId: ${anOrder(id)}, sellerOrderId: "x", slotId: "x") { refusal { reason } } }`,
  'Query.homeCollection': () => '{ answer: homeCollection(token: "none") { number } }',
  'Query.returnToRate': () => '{ answer: returnToRate(token: "none") { number } }',
  'Mutation.acceptHomeCollection': () =>
    'mutation { answer: acceptHomeCollection(token: "none", appointment: "2026-11-26/morning") { refusal { reason } } }',
  'Mutation.changeHomeCollectionAddress': () =>
    'mutation { answer: changeHomeCollectionAddress(token: "none", input: { firstName: "A", lastName: "B", line1: "1 Mill Lane", postcode: "LS1 1AA", city: "Leeds", phone: "" }) { refusal { reason } } }',
  'Mutation.cancelHomeCollection': () => 'mutation { answer: cancelHomeCollection(token: "none") { refusal { reason } } }',
  'Mutation.rateReturn': () => 'mutation { answer: rateReturn(token: "none", rating: 5) { refusal { reason } } }',
  'Query.refund': () => `{ answer: refund(id: "${randomUUID()}") { id } }`,
  'Query.refundsOfOrder': (id) => `{ answer: refundsOfOrder(customerOrderId: ${anOrder(id)}) { id } }`,
  'Query.openRefunds': () => '{ answer: openRefunds { id } }',
  'Query.chargebacks': () => '{ answer: chargebacks { id } }',
  'Mutation.giveRefundAccount': () =>
    `mutation { answer: giveRefundAccount(refundId: "${randomUUID()}", iban: "x", holder: "x") { refusal { reason } } }`,
  'Mutation.giveRefund': (id) =>
    `mutation { answer: giveRefund(input: { customerOrderId: ${anOrder(id)}, sellerOrderId: "x", amount: 1, idempotencyKey: "key-00001" }) { refusal { reason } } }`,
  'Mutation.confirmRefundTransfer': () => `mutation { answer: confirmRefundTransfer(refundId: "${randomUUID()}") }`,
  'Mutation.returnRefundTransfer': () => `mutation { answer: returnRefundTransfer(refundId: "${randomUUID()}") }`,
  'Mutation.settleRefundAtProvider': () => `mutation { answer: settleRefundAtProvider(refundId: "${randomUUID()}") }`,
  'Mutation.dropRefund': () => `mutation { answer: dropRefund(refundId: "${randomUUID()}") }`,
  'Mutation.bearChargeback': () => `mutation { answer: bearChargeback(chargebackId: "${randomUUID()}") }`,
  'Query.reviewable': () => '{ answer: reviewable { page } }',
  'Mutation.writeReview': () =>
    `mutation { answer: writeReview(input: { key: "none", stars: 5, title: "Good", body: "A drill that does what it says.", author: "Ann" }) { refusal { reason } } }`,
  'Mutation.voteOnReview': () => `mutation { answer: voteOnReview(id: "${randomUUID()}", isHelpful: true) { refusal { reason } } }`,
  'Mutation.answerReview': () =>
    `mutation { answer: answerReview(id: "${randomUUID()}", text: "Thank you for this.") { refusal { reason } } }`,
  'Mutation.endReviewInvitations': () => 'mutation { answer: endReviewInvitations(token: "none") }',
  'Mutation.askQuestion': () =>
    'mutation { answer: askQuestion(input: { productId: "404404", text: "Is a battery included?", author: "Ann" }) { refusal { reason } } }',
  'Mutation.answerQuestion': () => `mutation { answer: answerQuestion(id: "${randomUUID()}", text: "Yes, two.") { refusal { reason } } }`,
  'Mutation.replyToQuestion': () => `mutation { answer: replyToQuestion(id: "${randomUUID()}", text: "Yes, two.") { refusal { reason } } }`,
  'Mutation.answerSurvey': () => 'mutation { answer: answerSurvey(score: 11) { refusal { reason } } }',
  'Query.sale': (id) => `{ answer: sale(sellerOrderId: "${id}-1") { sellerOrderId } }`,
  'Query.salesDue': () => '{ answer: salesDue(kind: accept) { next } }',
  'Mutation.acceptSale': (id) => `mutation { answer: acceptSale(sellerOrderId: "${id}-1") { refusal { reason } } }`,
  'Mutation.refuseSale': (id) => `mutation { answer: refuseSale(sellerOrderId: "${id}-1", reason: OTHER) { refusal { reason } } }`,
  'Mutation.cancelSale': (id) => `mutation { answer: cancelSale(sellerOrderId: "${id}-1", reason: OTHER) { refusal { reason } } }`,
  'Mutation.shipSale': (id) =>
    `mutation { answer: shipSale(sellerOrderId: "${id}-1", carrier: { name: "Royal Mail", trackingNumber: "RM123456" }, idempotencyKey: "${randomUUID()}") { refusal { reason } } }`,
  'Mutation.reportParcel': () => `mutation { answer: reportParcel(parcelId: "${randomUUID()}", kind: LOST) { refusal { reason } } }`,
  'Mutation.sendMessage': () =>
    'mutation { answer: sendMessage(input: { kind: question, name: "", email: "", text: "" }) { refusal { reason } } }',
}

/** Fields reached only through the result of a command. */
const through: Record<string, string> = {
  'CartResult.cart': 'Mutation.removeCoupon',
  'Company.review': 'Query.myCompany',
  'FunnelResult.funnel': 'Mutation.continueAsGuest',
  'OrderResult.order': 'Mutation.openOrderByToken',
  'ProfileResult.profile': 'Mutation.changeProfile',
}

interface Body {
  data?: { answer?: { refusal?: { reason: string } | null; id?: string; total?: number } | null } | null
  errors?: { message: string; extensions: { code: string } }[]
}
async function ask(field: string, cookie: string, id = unknown): Promise<Body> {
  const document = asked[field]
  assert.ok(document, `this test asks nothing of ${field}`)
  return (await gateway.post(document(id), {}, { cookie })).body
}

const named = new Map<string, PersonalAction>()
for (const edge of await loadEdges())
  for (const [field, action] of Object.entries(edge.actions ?? {})) if (action && !isAnonymous(action)) named.set(field, action)

for (const [name, { principal, cookie }] of Object.entries(people)) {
  test(`A16 V-51: through the gateway ${name} reaches the resolvers of their permitted actions, and no other resolver runs`, async () => {
    assert.deepEqual([...named.keys()].toSorted(), Object.keys(asked).toSorted(), 'a request for each resolver that asks who acts')
    for (const [field, action] of named) {
      const { errors } = await ask(field, cookie)
      const codes = errors?.map(({ extensions }) => extensions.code) ?? []
      // For the offices whoever is signed in to the shop is not signed in, and staff are nobody in the shop.
      const isStaff = principal.kind === 'operator' || principal.kind === 'sellerMember'
      const actor: Actor = isStaff && !isForStaff(action) ? { kind: 'guest', id: null, email: null } : principal
      const isRefused = [action, named.get(through[field] ?? '') ?? action].some((each) => declared(actor, each) === null)
      const refusal = actor.kind === 'guest' || (isForStaff(action) && !isStaff) ? 'UNAUTHENTICATED' : 'FORBIDDEN'
      assert.deepEqual(codes, isRefused ? [refusal] : [], `${field} is ${action}`)
    }
  })
}

/** Existing orders, by their relation to a principal. */
async function ordersAround({ principal }: Person): Promise<Partial<Record<Relation, string>>> {
  const drafted = (who: Principal) => draftOrder(newBuyer(database, { principal: who }), [{ offerId: '9001', quantity: 1 }])
  const stranger = await guest('other@example.com')
  const none = await drafted(stranger.principal)
  if (ownerOf({ principal }) === null) return { none }
  const shared = await drafted((await guest('friend@example.com')).principal)
  const { token } = await allowByToken(db, 'a-link-secret-of-the-tests-long-enough', shared)
  must(await database.command({ principal }, (scope) => openOrderByToken(scope, token)))
  const colleague = principal.kind === 'member' ? await member('buyer', principal.company) : null
  const canDraft = principal.kind !== 'guest' || principal.email !== null
  return {
    none,
    shared,
    ...(canDraft && { own: await drafted(principal) }),
    ...(colleague && { company: await drafted(colleague.principal) }),
  }
}

for (const [name, someone] of Object.entries(people)) {
  test(`A1 A2 A15 V-51: ${name} and other people’s orders: to them those orders do not exist`, async () => {
    const { principal, cookie } = someone
    for (const [relation, id] of Object.entries(await ordersAround(someone)) as [Relation, string][]) {
      const seen = await ask('Query.customerOrder', cookie, id)
      if (isDeclared(principal, 'order.see', relation)) assert.equal(seen.data?.answer?.id, id, relation)
      else assert.deepEqual(seen, await ask('Query.customerOrder', cookie), `order.see, ${relation}`)
      for (const field of ['Mutation.chooseDelivery', 'Mutation.placeOrder', 'Mutation.reopenOrder']) {
        const did = await ask(field, cookie, id)
        const action = named.get(field)
        assert.ok(action)
        if (isDeclared(principal, action, relation)) assert.equal(did.data?.answer?.refusal, null, `${field}, ${relation}`)
        else assert.deepEqual(did, await ask(field, cookie), `${field}, ${relation}`)
      }
    }
  })
}

test('V-51: a company’s order belongs to the company: its admin sees it until the company closes', async () => {
  const firm = await addCompany(db)
  const buyer = await member('buyer', firm)
  const admin = await member('admin', firm)
  const id = await draftOrder(newBuyer(database, { principal: buyer.principal }), [{ offerId: '9001', quantity: 1 }])
  assert.equal((await ask('Query.customerOrder', admin.cookie, id)).data?.answer?.id, id)
  await pool.query('update accounts.company set closed_at = now() where id = $1', [firm.id])
  assert.deepEqual(await ask('Query.customerOrder', admin.cookie, id), { data: { answer: null } })
  assert.deepEqual(await ask('Query.customerOrder', buyer.cookie, id), { data: { answer: null } }, 'nor does whoever ordered')
})

test('V-51: a removed member has no say in the company’s orders any more: nothing is seen, listed, cancelled, returned or paid to them', async () => {
  const firm = await addCompany(db)
  const [admin, buyer] = [await member('admin', firm), await member('buyer', firm)]
  const ordering = newBuyer(database, { principal: buyer.principal })
  const id = await draftOrder(ordering, [{ offerId: '9001', quantity: 1 }])
  must(await place(ordering, id))
  const refundId = randomUUID()
  await pool.query(
    `insert into refunds.refund (id, number, key, customer_order_id, seller_order_id, payment_id, cause, state, amount, currency, market, borne_by)
      values ($1, 99001, 'left', $2, $2 || '-1', gen_random_uuid(), 'goodwill', 'iban-needed', 5000, 'GBP', 'gb', 'seller')`,
    [refundId, id],
  )
  const who = buyer.principal
  assert.ok(who.kind === 'member')
  const account = { kind: 'customer', id: who.id, email: who.email, name: who.name, market: 'gb' } as const
  const personally = newBuyer(database, { principal: account })
  const orderActions = [
    'order.see',
    'order.cancel',
    'refund.change',
    'invoice.see',
    'invoice.request',
    'return.ask',
    'order.place',
  ] as const
  const may = async () => {
    const found = await Promise.all(orderActions.map((action) => findOrder(personally.scope(), action, id)))
    return orderActions.filter((_, at) => found[at] !== undefined)
  }
  assert.equal((await ask('Query.myOrders', buyer.cookie)).data?.answer?.total, 1)
  must(await database.command({ principal: admin.principal }, (scope) => removeMember(scope, who.id)))
  assert.deepEqual(await may(), [])
  assert.deepEqual(await ask('Query.customerOrder', buyer.cookie, id), { data: { answer: null } })
  assert.equal((await ask('Query.myOrders', buyer.cookie)).data?.answer?.total, 0)
  const { body } = await gateway.post(
    'mutation ($id: ID!) { answer: giveRefundAccount(refundId: $id, iban: "DE89370400440532013000", holder: "Fred Left") { refusal { reason } } }',
    { id: refundId },
    { cookie: buyer.cookie },
  )
  assert.deepEqual((body as Body).data, { answer: { refusal: { reason: 'unknown-refund' } } })
  assert.equal((await ask('Query.customerOrder', admin.cookie, id)).data?.answer?.id, id, 'the company keeps its order')
})

test('V-51: a signed-in customer orders with the account’s e-mail address', async () => {
  const { principal } = await signedIn({ customerId: (await addCustomer(db)).id })
  const buyer = newBuyer(database, { principal })
  const id = await draftOrder(buyer, [{ offerId: '9001', quantity: 1 }])
  const { rows } = await pool.query('select owner, email, company_id from orders.customer_order where id = $1', [id])
  assert.equal(principal.kind, 'customer')
  assert.deepEqual(rows, [{ owner: ownerOf({ principal }), email: buyer.email, company_id: null }])
})
