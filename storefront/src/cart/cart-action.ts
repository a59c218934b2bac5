import { redirect, refuse, type Flash, type Redirect, type Refuse } from '@purlin/web/outcomes.ts'
import type { FormFields } from '@purlin/web/form.ts'
import { paths } from '../paths.ts'
import type { ShopContext } from '../shell/context.ts'

/** A cart form that was refused: which one, and the words of it in the market's language. */
export interface CartRefusal {
  form: string
  offerId: string
  message: string
}

interface Command {
  /** Mutation with its variables, named `result`. */
  document: string
  variables: (form: FormFields) => Record<string, unknown>
  flash?: string
}

const answer = '{ refusal { reason message } }'
const quantityOf = (text: string) => (/^\d{1,6}$/.test(text) ? Number(text) : Number.NaN)

/** What the forms of the cart may ask, by the value of `do`. */
const commands: Record<string, Command> = {
  add: {
    document: `mutation ($offerId: ID!, $quantity: Int!) { result: addToCart(offerId: $offerId, quantity: $quantity) ${answer} }`,
    variables: (form) => ({ offerId: form.get('offerId'), quantity: quantityOf(form.get('quantity') || '1') }),
    flash: 'flash.cart-added',
  },
  set: {
    document: `mutation ($offerId: ID!, $quantity: Int!) { result: setCartQuantity(offerId: $offerId, quantity: $quantity) ${answer} }`,
    // The buttons of the stepper send `to`; Enter in the field sends the field.
    variables: (form) => ({ offerId: form.get('offerId'), quantity: quantityOf(form.get('to') || form.get('quantity')) }),
  },
  remove: {
    document: `mutation ($offerId: ID!) { result: removeFromCart(offerId: $offerId) ${answer} }`,
    variables: (form) => ({ offerId: form.get('offerId') }),
    flash: 'flash.cart-removed',
  },
  coupon: {
    document: `mutation ($code: String!) { result: applyCoupon(code: $code) ${answer} }`,
    variables: (form) => ({ code: form.get('code').trim().slice(0, 64) }),
    flash: 'flash.coupon-applied',
  },
  'remove-coupon': { document: `mutation { result: removeCoupon ${answer} }`, variables: () => ({}), flash: 'flash.coupon-removed' },
  delivery: {
    document: `mutation ($sellerId: Int!, $kind: String!) { result: chooseCartDelivery(sellerId: $sellerId, kind: $kind) ${answer} }`,
    variables: (form) => ({ sellerId: Number(form.get('sellerId')), kind: form.get('kind') }),
  },
  confirm: { document: `mutation { result: confirmCartChanges ${answer} }`, variables: () => ({}) },
}

/** One form, one command; afterwards the cart is shown again, so that a reload repeats nothing. */
export async function cartAction(context: ShopContext, form: FormFields): Promise<Redirect | Refuse<CartRefusal>> {
  const name = form.get('do')
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  const no = (message: string) => refuse<CartRefusal>({ form: name, offerId: form.get('offerId'), message })
  if (!command) return no(context.t('cart.not-understood'))
  const variables = command.variables(form)
  if (Object.values(variables).some((value) => value === '' || (typeof value === 'number' && !Number.isSafeInteger(value)))) {
    return no(context.t(name === 'coupon' ? 'cart.coupon-empty' : 'cart.not-understood'))
  }
  const data = await context.client.mutate<{ result: { refusal: { reason: string; message: string } | null } }>(command.document, variables)
  const refusal = data?.result.refusal
  if (refusal) return no(refusal.message)
  const flash: Flash | undefined = command.flash ? { severity: 'success', key: command.flash } : undefined
  return redirect(303, paths.cart(), flash)
}
