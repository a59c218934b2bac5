import { formAction } from '@purlin/web/form-action.ts'
import { redirect, refuse, type Flash } from '@purlin/web/outcomes.ts'
import { ownPath } from '@purlin/web/own-path.ts'
import { approvalPath } from '../approval/chosen-points.ts'
import { paths } from '../paths.ts'
import {
  AddAllToCartDocument,
  AddToCartFormDocument,
  ApplyCouponDocument,
  type CartAnswerFragment,
  ChooseCartDeliveryDocument,
  ChooseSavedAddressDocument,
  ConfirmCartChangesDocument,
  ExpressAddressDocument,
  PlaceExpressOrderDocument,
  RemoveCouponDocument,
  RemoveFromCartDocument,
  ReplaceInCartDocument,
  SaveOrderReferenceDocument,
  SetCartQuantityDocument,
} from '../generated/documents.ts'
import type { GatewayClient, ShopContext } from '../shell/context.ts'
import { cartForm, type CartInput } from './cart-form.ts'
import { removedField, splitPack } from './pack.ts'

type Express = Extract<CartInput, { do: 'express' }>

/** A refused cart form: which one, and the message in the market's language. */
export interface CartRefusal {
  form: string
  offerId: string
  message: string
}

/** The command each form of the cart sends. */
function send(
  client: GatewayClient,
  input: Exclude<CartInput, { do: 'express' | 'add-all' }>,
): Promise<{ result: CartAnswerFragment } | null> {
  switch (input.do) {
    case 'add': {
      const { offerId, quantity } = splitPack(input.offerId)
      return client.mutate(AddToCartFormDocument, { offerId, quantity: quantity ?? input.quantity })
    }
    case 'set':
      // The stepper's buttons send `to`; Enter in the field sends the field.
      return client.mutate(SetCartQuantityDocument, { offerId: input.offerId, quantity: input.to ?? input.quantity })
    case 'remove':
      return client.mutate(RemoveFromCartDocument, { offerId: splitPack(input.offerId).offerId })
    case 'replace':
      return client.mutate(ReplaceInCartDocument, { offerId: input.offerId, byOfferId: input.byOfferId })
    case 'coupon':
      return client.mutate(ApplyCouponDocument, { code: input.code })
    case 'remove-coupon':
      return client.mutate(RemoveCouponDocument)
    case 'delivery':
      return client.mutate(ChooseCartDeliveryDocument, { sellerId: input.sellerId, kind: input.kind })
    case 'confirm':
      return client.mutate(ConfirmCartChangesDocument)
  }
}

/** Flash message shown by the next page on success. */
const told: Partial<Record<CartInput['do'], string>> = {
  add: 'flash.cart-added',
  remove: 'flash.cart-removed',
  replace: 'flash.cart-replaced',
  coupon: 'flash.coupon-applied',
  'remove-coupon': 'flash.coupon-removed',
}

const isUnavailable = ({ reason }: { reason: string }) => reason === 'out-of-stock' || reason === 'unknown-offer'

/** A shopping list: items that could not be added are reported, and do not keep the rest from the cart. */
async function addAll({ client, t }: ShopContext, { take, quantities, from }: Extract<CartInput, { do: 'add-all' }>) {
  if (take.length === 0) {
    return from === undefined
      ? refuse<CartRefusal>({ form: 'add-all', offerId: '', message: t('cart.list-empty') })
      : redirect(303, ownPath(from), { severity: 'warning', key: 'flash.list-empty' })
  }
  const items = take.map((offerId) => ({ offerId, quantity: Math.max(1, quantities[offerId] ?? 1) }))
  const added = (await client.mutate(AddAllToCartDocument, { items }))?.result
  if (added?.refusal) {
    // Nothing of it is on sale in this quantity: the list stays, rather than a cart that has nothing of it.
    if (from !== undefined && isUnavailable(added.refusal))
      return redirect(303, ownPath(from), { severity: 'warning', key: 'flash.list-unavailable' })
    return refuse<CartRefusal>({ form: 'add-all', offerId: '', message: added.refusal.message })
  }
  const isWhole = added?.left.length === 0
  return redirect(303, paths.cart(), {
    severity: isWhole ? 'success' : 'warning',
    key: isWhole ? 'flash.list-added' : 'flash.list-added-in-part',
  })
}

/** One form, one command, then a redirect to the cart, so that a reload repeats nothing. */
export const cartAction = formAction(
  cartForm,
  async (context: ShopContext, input, form) => {
    if (input.do === 'express') return buyAtOnce(context, input)
    if (input.do === 'add-all') return addAll(context, input)
    const refusal = (await send(context.client, input))?.result.refusal
    if (refusal) return refuse<CartRefusal>({ form: input.do, offerId: form.get('offerId'), message: refusal.message })
    const key = told[input.do]
    const flash: Flash | undefined = key === undefined ? undefined : { severity: 'success', key }
    // The cart offers to put it back, as many as there were. (V-39)
    const removed = input.do === 'remove' && splitPack(input.offerId).quantity !== null ? `?${removedField}=${input.offerId}` : ''
    return redirect(303, paths.cart() + removed, flash)
  },
  ({ t }, { fields }, form): CartRefusal => {
    const name = form.get('do')
    const isEmpty = name === 'coupon' && fields.some(({ constraint }) => constraint === 'required')
    return { form: name, offerId: form.get('offerId'), message: t(isEmpty ? 'cart.coupon-empty' : 'cart.not-understood') }
  },
)

/** Places the order with the data saved in the account; the payment page shows all of it above the button. */
async function buyAtOnce({ client, t }: ShopContext, { idempotencyKey: key, ...names }: Express) {
  const { purchaseOrder, costCentre, siteId } = names
  const reference = purchaseOrder !== undefined && { reference: { purchaseOrder, costCentre, siteId } }
  const { order, refusal } = (await client.mutate(PlaceExpressOrderDocument, { key, ...reference }))?.result ?? {}
  if (order) return redirect(303, paths.payment({ customerOrderId: order.id }))
  const isApproved = refusal?.reason === 'approval-needed'
  // A pick-up point is chosen where the delivery is, an approval requested on a page of its own.
  if (isApproved || refusal?.reason === 'pick-up-point-missing') {
    const draftId = await draftOf(client, names)
    if (draftId === null) return redirect(303, paths.firstOrder())
    return redirect(303, isApproved ? approvalPath(draftId, []) : paths.delivery({ customerOrderId: draftId }))
  }
  return refuse<CartRefusal>({ form: 'express', offerId: '', message: refusal?.message ?? t('cart.not-understood') })
}

/** A refused purchase leaves no order: its address and the names typed with it go on into a draft. Null if that is refused as well. */
async function draftOf(client: GatewayClient, { purchaseOrder, costCentre, siteId }: Omit<Express, 'do' | 'idempotencyKey'>) {
  const { expressCheckout } = await client.query(ExpressAddressDocument)
  if (!expressCheckout) return null
  const drafted = await client.mutate(ChooseSavedAddressDocument, { addressId: expressCheckout.address.id })
  const customerOrderId = drafted?.chooseSavedAddress.order?.id
  if (customerOrderId === undefined) return null
  if (purchaseOrder === undefined) return customerOrderId
  const named = await client.mutate(SaveOrderReferenceDocument, { customerOrderId, purchaseOrder, costCentre, siteId })
  return named && !named.result.refusal ? customerOrderId : null
}
