import { randomUUID } from 'node:crypto'
import { after } from 'node:test'
import { actions, type Grants } from '@purlin/contract/actions.ts'
import { loadEdges, loadSdl } from '@purlin/server/edges/gateway/load-schema.ts'
import { buildSchema, getNamedType, isInputObjectType, type GraphQLArgument, type GraphQLField, type GraphQLInputField } from 'graphql'
import { shopWithVisitors, type Asker, type Belongings, type Owner } from './visitors.ts'

export const shop = await shopWithVisitors()
after(() => shop.close())
const schema = buildSchema(loadSdl())
const actionOf = new Map((await loadEdges()).flatMap((edge) => Object.entries(edge.actions ?? {})))
/** Operators whose role covers everybody's objects see them by right. */
export function seesAll(visitor: Asker, { kind, field }: Root): boolean {
  const action = actionOf.get(`${kind === 'query' ? 'Query' : 'Mutation'}.${field.name}`)
  const rule = action && (actions[action] as Grants)
  return visitor === 'operator' && rule?.operator?.support === 'any'
}

/** Personal objects, and a well-formed unknown id of each. */
export const unknownIds = {
  order: () => `P${randomUUID().replaceAll('-', '').slice(0, 16).toUpperCase()}`,
  part: () => `P${randomUUID().replaceAll('-', '').slice(0, 16).toUpperCase()}-1`,
  sellerOrder: () => `P${randomUUID().replaceAll('-', '').slice(0, 16).toUpperCase()}-1`,
  parcel: randomUUID,
  message: randomUUID,
  dispute: randomUUID,
  payout: randomUUID,
  address: randomUUID,
  wishlist: randomUUID,
  upload: randomUUID,
  card: randomUUID,
  company: randomUUID,
  membership: randomUUID,
  invitation: randomUUID,
  site: randomUUID,
  costCentre: randomUUID,
  approval: randomUUID,
  quote: randomUUID,
  statement: randomUUID,
  credential: randomUUID,
  refund: randomUUID,
  return: randomUUID,
} satisfies Record<string, () => string>
export type Thing = keyof typeof unknownIds

/** Things that only companies have, on the professional storefront. */
export const ofCompanies: ReadonlySet<Thing> = new Set<Thing>([
  'company',
  'membership',
  'invitation',
  'site',
  'costCentre',
  'approval',
  'quote',
  'statement',
  'credential',
])
/** The attack a foreign id of this kind is. */
export const attacks: Partial<Record<string, string>> = {
  wishlist: 'A5',
  address: 'A7',
  card: 'A9',
  refund: 'A10',
  invoice: 'A3',
  statement: 'A3',
  conversation: 'A4',
  return: 'A6',
}

/** Referent of each id or token argument: a personal object, public data, or a secret that grants access by itself. */
export const named: Record<string, Thing | 'public' | 'secret'> = {
  'keepAddress.id': 'address',
  'preferAddress.id': 'address',
  'dropAddress.id': 'address',
  'chooseSavedAddress.addressId': 'address',
  'customerOrder.id': 'order',
  'selfCareInvoice.orderId': 'order',
  'requestInvoice.orderId': 'order',
  'chooseDelivery.customerOrderId': 'order',
  'placeOrder.customerOrderId': 'order',
  'placeOrder.choices.pointId': 'public',
  'placeOrder.choices.slotId': 'public',
  'requestApproval.points.pointId': 'public',
  'exchangeApprovalPoints.points.pointId': 'public',
  'exchangeApprovalPoints.points.sellerId': 'public',
  'chooseDelivery.choices.pointId': 'public',
  'chooseDelivery.choices.slotId': 'public',
  'reopenOrder.customerOrderId': 'order',
  'choosePaymentMethod.customerOrderId': 'order',
  'choosePaymentMethod.idempotencyKey': 'secret',
  'invoiceOffer.customerOrderId': 'order',
  'orderAgain.customerOrderId': 'order',
  'yourPrices.offerIds': 'public',
  'orderReference.customerOrderId': 'order',
  'saveOrderReference.customerOrderId': 'order',
  'saveOrderReference.input.siteId': 'site',
  // Consumers' orders ignore it; members' are tested in `express-order.test.ts`.
  'placeExpressOrder.reference.siteId': 'public',
  // The same; members' are tested in `renamed-order.test.ts`.
  'placeOrder.reference.siteId': 'public',
  'punchOutStart.token': 'secret',
  'createPunchOutCredential.input.memberId': 'membership',
  'revokePunchOutCredential.id': 'credential',
  'openOrderByToken.token': 'secret',
  'placeOrder.idempotencyKey': 'secret',
  'addQuickOrder.idempotencyKey': 'secret',
  'wishlist.id': 'wishlist',
  'wishlistRows.id': 'wishlist',
  'addToWishlist.listId': 'wishlist',
  'removeFromWishlist.listId': 'wishlist',
  'renameWishlist.id': 'wishlist',
  'setWishlistQuantity.id': 'wishlist',
  'setWishlistQuantity.productId': 'public',
  'setWishlistSite.id': 'wishlist',
  'setWishlistSite.siteId': 'site',
  'createWishlist.siteId': 'site',
  'copyWishlist.id': 'wishlist',
  'copyWishlist.intoId': 'wishlist',
  'addWishlistToCart.id': 'wishlist',
  'shareWishlist.id': 'wishlist',
  'deleteWishlist.id': 'wishlist',
  'moveToCart.listId': 'wishlist',
  'sharedWishlist.token': 'secret',
  'addToWishlist.productId': 'public',
  'removeFromWishlist.productId': 'public',
  'moveToCart.productId': 'public',
  'moveToCart.offerId': 'public',
  'addToCart.offerId': 'public',
  'setCartQuantity.offerId': 'public',
  'removeFromCart.offerId': 'public',
  // Answered alike whatever it is; the link goes to the buyer's own address.
  'requestOrderLink.orderId': 'public',
  'replaceInCart.offerId': 'public',
  'replaceInCart.byOfferId': 'public',
  'chooseCartDelivery.sellerId': 'public',
  'chooseDelivery.choices.sellerId': 'public',
  'placeOrder.choices.sellerId': 'public',
  'requestApproval.points.sellerId': 'public',
  'category.id': 'public',
  'product.id': 'public',
  'paint.productId': 'public',
  'feedGoods.after': 'public',
  'menuCampaigns.categoryId': 'public',
  'menuCampaigns.familyId': 'public',
  'seller.id': 'public',
  'brand.id': 'public',
  'dispute.messageId': 'message',
  'disputesOfOrder.customerOrderId': 'order',
  'sellerDispute.id': 'dispute',
  'sellerPayout.id': 'payout',
  'openDispute.input.orderId': 'part',
  'openDispute.input.messageId': 'message',
  'openDispute.input.attachments': 'upload',
  'moveDispute.input.id': 'dispute',
  'moveDispute.input.attachments': 'upload',
  'answerDispute.input.id': 'dispute',
  'answerDispute.input.attachments': 'upload',
  'conversation.orderId': 'part',
  'writeMessage.orderId': 'part',
  'writeMessage.input.quickReply': 'public',
  'writeMessage.input.attachments': 'upload',
  'sellerConversation.orderId': 'part',
  'answerConversation.orderId': 'part',
  'answerConversation.input.quickReply': 'public',
  'answerConversation.input.attachments': 'upload',
  'markSellerConversationRead.orderId': 'part',
  'reportBuyerMessage.input.orderId': 'part',
  'markConversationRead.orderId': 'part',
  'reportMessage.input.orderId': 'part',
  'rateAnswer.input.orderId': 'part',
  'preferSavedCard.id': 'card',
  'dropSavedCard.id': 'card',
  'changeMemberRole.id': 'membership',
  'removeMember.id': 'membership',
  'switchCompany.id': 'company',
  'revokeInvitation.id': 'invitation',
  'saveSite.id': 'site',
  'archiveSite.id': 'site',
  'chooseSite.siteId': 'site',
  'changeCostCentre.id': 'costCentre',
  'setBudget.subjectId': 'membership',
  'approval.id': 'approval',
  'decideApproval.id': 'approval',
  'orderApproved.id': 'approval',
  'orderApproved.idempotencyKey': 'secret',
  'exchangeApprovalPoints.id': 'approval',
  'returnApprovalToCart.id': 'approval',
  'approvalByToken.token': 'secret',
  'decideApprovalByToken.token': 'secret',
  'requestApproval.customerOrderId': 'order',
  'approvalNeed.customerOrderId': 'order',
  'invoiceStatement.id': 'statement',
  'quote.quoteId': 'quote',
  'acceptQuote.quoteId': 'quote',
  'endQuote.quoteId': 'quote',
  'sumOfItems.items.offerId': 'public',
  'quoteDraft.sellerId': 'public',
  'quoteDraft.offerId': 'public',
  'quoteDraft.quoteId': 'quote',
  'requestQuote.input.sellerId': 'public',
  'requestQuote.input.offerId': 'public',
  'requestQuote.input.quoteId': 'quote',
  'companyInvitation.token': 'secret',
  'acceptInvitation.token': 'secret',
  'placeExpressOrder.idempotencyKey': 'secret',
  'changeWishlistNotices.id': 'wishlist',
  'endWishlistNotices.token': 'secret',
  'confirmSubscription.token': 'secret',
  'endOffers.token': 'secret',
  'confirmBasketReminder.token': 'secret',
  'endBasketReminder.token': 'secret',
  'endSubscription.token': 'secret',
  'addAllToCart.items.offerId': 'public',
  'seenProducts.productIds': 'public',
  'suggestedFromHistory.productIds': 'public',
  'recommendations.productIds': 'public',
  'recommendations.categoryId': 'public',
  'entry.id': 'public',
  'entries.categoryId': 'public',
  'entries.departmentId': 'public',
  'bestSellersOf.categoryId': 'public',
  'operation.id': 'public',
  'hub.categoryId': 'public',
  'popularQueriesOf.categoryId': 'public',
  'listing.input.id': 'public',
  'listing.input.modelId': 'public',
  'deliverySlots.customerOrderId': 'order',
  'deliverySlots.sellerId': 'public',
  'chooseDeliverySlot.customerOrderId': 'order',
  'chooseDeliverySlot.sellerOrderId': 'public',
  'chooseDeliverySlot.slotId': 'public',
  'cancellation.customerOrderId': 'order',
  'cancellation.sellerOrderId': 'public',
  'cancellation.lines.offerId': 'public',
  'cancelLines.input.customerOrderId': 'order',
  'cancelLines.input.sellerOrderId': 'public',
  'cancelLines.input.lines.offerId': 'public',
  // For owners of a seller alone.
  'revokeSellerKey.id': 'public',
  // For sellers and operators alone.
  'decideCancellation.id': 'public',
  'returnOptions.customerOrderId': 'order',
  'returnOptions.sellerOrderId': 'public',
  'returnOptions.lines.offerId': 'public',
  'returnRequest.id': 'return',
  'returnsOfOrder.customerOrderId': 'order',
  'requestReturn.input.customerOrderId': 'order',
  'requestReturn.input.sellerOrderId': 'public',
  'requestReturn.input.lines.offerId': 'public',
  'requestReturn.input.photos': 'upload',
  'stepReturn.id': 'return',
  'homeCollection.token': 'secret',
  'returnToRate.token': 'secret',
  'acceptHomeCollection.token': 'secret',
  'changeHomeCollectionAddress.token': 'secret',
  'cancelHomeCollection.token': 'secret',
  'rateReturn.token': 'secret',
  // For sellers, about their own parts, and operators.
  'handleReturn.id': 'public',
  'refund.id': 'refund',
  'refundsOfOrder.customerOrderId': 'order',
  'giveRefundAccount.refundId': 'refund',
  // For sellers, about their own part, and operators.
  'giveRefund.input.customerOrderId': 'public',
  'giveRefund.input.sellerOrderId': 'public',
  'giveRefund.input.offerId': 'public',
  'giveRefund.input.idempotencyKey': 'secret',
  // For operators alone, who may see all of them.
  'confirmRefundTransfer.refundId': 'public',
  'returnRefundTransfer.refundId': 'public',
  'settleRefundAtProvider.refundId': 'public',
  'dropRefund.refundId': 'public',
  'bearChargeback.chargebackId': 'public',
  'bearChargeback.sellerOrderId': 'public',
  'reviewable.token': 'secret',
  'writeReview.input.key': 'secret',
  'writeReview.input.token': 'secret',
  'writeReview.input.photos': 'upload',
  'voteOnReview.id': 'public',
  'answerReview.id': 'public',
  'endReviewInvitations.token': 'secret',
  'askQuestion.input.productId': 'public',
  'answerQuestion.id': 'public',
  'replyToQuestion.id': 'public',
  'trackedParcel.token': 'secret',
  'sale.sellerOrderId': 'sellerOrder',
  'acceptSale.sellerOrderId': 'sellerOrder',
  'acceptSale.lines.offerId': 'public',
  'refuseSale.sellerOrderId': 'sellerOrder',
  'refuseSale.lines.offerId': 'public',
  'cancelSale.sellerOrderId': 'sellerOrder',
  'cancelSale.lines.offerId': 'public',
  'shipSale.sellerOrderId': 'sellerOrder',
  'shipSale.lines.offerId': 'public',
  'shipSale.idempotencyKey': 'secret',
  'reportParcel.parcelId': 'parcel',
  'sendMessage.input.attachments': 'upload',
  // Free text by the sender, passed on as text.
  'sendMessage.input.orderId': 'public',
}

/** For the staff of a seller and of the marketplace: the clerk's seller has sold all of these, so to the clerk they are no foreign ones. */
export const forStaff: ReadonlySet<string> = new Set([
  'sellerConversation.orderId',
  'answerConversation.orderId',
  'markSellerConversationRead.orderId',
  'reportBuyerMessage.input.orderId',
  'sellerDispute.id',
  'sellerPayout.id',
  'answerDispute.input.id',
])

export interface Root {
  kind: 'query' | 'mutation'
  field: GraphQLField<unknown, unknown>
}
export const roots: Root[] = [
  ...Object.values(schema.getQueryType()?.getFields() ?? {}).map((field) => ({ kind: 'query' as const, field })),
  ...Object.values(schema.getMutationType()?.getFields() ?? {}).map((field) => ({ kind: 'mutation' as const, field })),
]

const looksLikeAnId = /(?:^id|Id|Ids|^token|Token|Key)$/

/** Paths of all arguments and input fields that identify something. */
export function idsOf(path: string, values: readonly (GraphQLArgument | GraphQLInputField)[], seen: readonly string[] = []): string[] {
  return values.flatMap(({ name, type }) => {
    const at = `${path}.${name}`
    const of = getNamedType(type)
    if (isInputObjectType(of)) return seen.includes(of.name) ? [] : idsOf(at, Object.values(of.getFields()), [...seen, of.name])
    return of.name === 'ID' || looksLikeAnId.test(name) ? [at] : []
  })
}

/** Id of an owner's object; null for objects of sellers, the rights to which are tested in after-sale/fulfilment. */
function idIn({ placed, paid, ...others }: Belongings, thing: Thing): string | null {
  if (thing === 'parcel' || thing === 'sellerOrder') return null
  return { order: placed, part: `${paid}-1`, ...others }[thing]
}
export const theirs = (owner: Owner, thing: Thing): string | null => idIn(shop.belongings[owner], thing)

/** Fields about an order that has been paid, or is still a draft. */
const stateOf: Readonly<Record<string, 'paid' | 'draft'>> = {
  'requestReturn.input.customerOrderId': 'paid',
  'chooseDeliverySlot.customerOrderId': 'paid',
  'selfCareInvoice.orderId': 'paid',
  'approvalNeed.customerOrderId': 'draft',
  'requestApproval.customerOrderId': 'draft',
}
/** The object of an owner that a path names. */
export const objectOf = (things: Belongings, path: string, thing: Thing): string | null => {
  const state = thing === 'order' ? stateOf[path] : undefined
  return state ? things[state] : idIn(things, thing)
}

/** The other arguments of a field: objects the caller owns, so that validation gets as far as the argument under test. */
export function besideOf(path: string, { paid, placed, message, dispute, wishlist }: Belongings): Record<string, string> {
  const beside: Record<string, Record<string, string>> = {
    'openDispute.input.messageId': { 'openDispute.input.orderId': `${paid}-1` },
    'openDispute.input.attachments': { 'openDispute.input.orderId': `${paid}-1`, 'openDispute.input.messageId': message },
    'openDispute.input.orderId': { 'openDispute.input.messageId': message },
    'moveDispute.input.attachments': { 'moveDispute.input.id': dispute },
    'writeMessage.input.attachments': { 'writeMessage.orderId': `${paid}-1`, 'writeMessage.input.text': 'Look at this.' },
    'sendMessage.input.attachments': { 'sendMessage.input.text': 'Look at this.' },
    'setWishlistQuantity.id': { 'setWishlistQuantity.productId': '41' },
    'setWishlistSite.siteId': { 'setWishlistSite.id': wishlist },
    'saveOrderReference.input.siteId': { 'saveOrderReference.customerOrderId': placed },
    'requestReturn.input.photos': { 'requestReturn.input.customerOrderId': paid, 'requestReturn.input.sellerOrderId': `${paid}-1` },
  }
  return beside[path] ?? {}
}
