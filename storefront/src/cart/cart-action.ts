import { redirect, refuse, type Flash, type Redirect, type Refuse } from '@purlin/web/outcomes.ts'
import type { FormFields } from '@purlin/web/form.ts'
import { paths } from '../paths.ts'
import {
  AddToCartFormDocument,
  ApplyCouponDocument,
  type CartAnswerFragment,
  ChooseCartDeliveryDocument,
  ConfirmCartChangesDocument,
  RemoveCouponDocument,
  RemoveFromCartDocument,
  SetCartQuantityDocument,
} from '../generated/documents.ts'
import type { GatewayClient, ShopContext } from '../shell/context.ts'

/** A cart form that was refused: which one, and the words of it in the market's language. */
export interface CartRefusal {
  form: string
  offerId: string
  message: string
}

type Answer = Promise<{ result: CartAnswerFragment } | null>

/** A form with what it sends; the form that leaves something out sends nothing. */
function command<Variables extends object>(
  read: (form: FormFields) => Variables,
  send: (client: GatewayClient, variables: Variables) => Answer,
  flash?: string,
) {
  const isComplete = (variables: Variables) =>
    Object.values(variables).every((value) => value !== '' && (typeof value !== 'number' || Number.isSafeInteger(value)))
  return {
    flash,
    prepare: (form: FormFields) => {
      const variables = read(form)
      return isComplete(variables) ? (client: GatewayClient): Answer => send(client, variables) : null
    },
  }
}

const quantityOf = (text: string) => (/^\d{1,6}$/.test(text) ? Number(text) : Number.NaN)
const nothing = () => ({})

/** What the forms of the cart may ask, by the value of `do`. */
const commands = new Map([
  [
    'add',
    command(
      (form) => ({ offerId: form.get('offerId'), quantity: quantityOf(form.get('quantity') || '1') }),
      (client, variables) => client.mutate(AddToCartFormDocument, variables),
      'flash.cart-added',
    ),
  ],
  [
    'set',
    command(
      // The buttons of the stepper send `to`; Enter in the field sends the field.
      (form) => ({ offerId: form.get('offerId'), quantity: quantityOf(form.get('to') || form.get('quantity')) }),
      (client, variables) => client.mutate(SetCartQuantityDocument, variables),
    ),
  ],
  [
    'remove',
    command(
      (form) => ({ offerId: form.get('offerId') }),
      (client, variables) => client.mutate(RemoveFromCartDocument, variables),
      'flash.cart-removed',
    ),
  ],
  [
    'coupon',
    command(
      (form) => ({ code: form.get('code').trim().slice(0, 64) }),
      (client, variables) => client.mutate(ApplyCouponDocument, variables),
      'flash.coupon-applied',
    ),
  ],
  ['remove-coupon', command(nothing, (client) => client.mutate(RemoveCouponDocument), 'flash.coupon-removed')],
  [
    'delivery',
    command(
      (form) => ({ sellerId: Number(form.get('sellerId')), kind: form.get('kind') }),
      (client, variables) => client.mutate(ChooseCartDeliveryDocument, variables),
    ),
  ],
  ['confirm', command(nothing, (client) => client.mutate(ConfirmCartChangesDocument))],
])

/** One form, one command; afterwards the cart is shown again, so that a reload repeats nothing. */
export async function cartAction(context: ShopContext, form: FormFields): Promise<Redirect | Refuse<CartRefusal>> {
  const name = form.get('do')
  const known = commands.get(name)
  const no = (message: string) => refuse<CartRefusal>({ form: name, offerId: form.get('offerId'), message })
  if (!known) return no(context.t('cart.not-understood'))
  const send = known.prepare(form)
  if (!send) return no(context.t(name === 'coupon' ? 'cart.coupon-empty' : 'cart.not-understood'))
  const refusal = (await send(context.client))?.result.refusal
  if (refusal) return no(refusal.message)
  const flash: Flash | undefined = known.flash ? { severity: 'success', key: known.flash } : undefined
  return redirect(303, paths.cart(), flash)
}
