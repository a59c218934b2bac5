import { randomUUID } from 'node:crypto'
import { ErrorSummary } from '@purlin/ui/field.tsx'
import { marketCodes, markets } from '@purlin/contract/markets.ts'
import { formAction } from '@purlin/web/form-action.ts'
import { redirect, refuse } from '@purlin/web/outcomes.ts'
import type { ReactNode } from 'react'
import type * as v from 'valibot'
import { approvalPath } from '../approval/chosen-points.ts'
import { ActingFor } from '../company/acting-for.tsx'
import { paths } from '../paths.ts'
import type { PageProps, ShopContext } from '../shell/context.ts'
import { addressFields, addressForm, addressForms, addressInput, billingFields } from './address-form.ts'
import styles from './checkout.module.css'
import { SiteChoices } from './company-choices.tsx'
import { CompletedAddress } from './completed-address.tsx'
import { DetailsForm } from './details-form.tsx'
import { CartSummary, SummaryBar } from './cart-summary.tsx'
import { FunnelSteps } from './funnel-steps.tsx'
import { choicesOf, pointsNear } from './points-near.ts'
import { followReminder } from './remind-me.tsx'
import { SavedChoices } from './saved-choices.tsx'
import {
  BuyerDocument,
  ChooseCartDeliveryDocument,
  CheckoutDetailsDocument,
  ChooseSavedAddressDocument,
  ChooseSiteDocument,
  ContinueAsGuestDocument,
  CustomerOrderDocument,
  OrderReferenceDocument,
  OrderTargetsDocument,
  PlaceOrderDocument,
  SaveAddressDocument,
  SaveOrderReferenceDocument,
  type RefusalFragment,
} from '../generated/documents.ts'

export async function load(context: ShopContext) {
  const { funnel, cart, basketReminder } = await context.client.query(CheckoutDetailsDocument)
  // Changes since the goods were put into the cart are shown and confirmed there.
  const isBuyable = cart.changes.length === 0 && cart.sellers.every(({ deliveryOptions }) => deliveryOptions.length > 0)
  if (funnel.step === 'cart' || !isBuyable) return redirect(302, paths.cart())
  const saved = funnel.customerOrderId === null ? null : await savedAddress(context, funnel.customerOrderId)
  const { kind } = await context.principal()
  const isGuest = kind === 'guest'
  const reference =
    kind === 'member' && funnel.customerOrderId !== null
      ? (await context.client.query(OrderReferenceDocument, { customerOrderId: funnel.customerOrderId })).orderReference
      : null
  const { companySites: targets, companies } =
    kind === 'member' ? await context.client.query(OrderTargetsDocument) : { companySites: null, companies: [] }
  const known = isGuest ? null : await context.client.query(BuyerDocument)
  const names = new Intl.DisplayNames(context.locale, { type: 'region' })
  const countries = marketCodes.map((market) => ({ value: markets[market].country, label: names.of(markets[market].country) ?? market }))
  // An address abroad is for invoices only: goods are delivered within the market's country.
  const choices = known?.myAddresses.filter(({ country }) => country === context.country) ?? null
  const isPickedUp = cart.sellers.some(({ deliveryKind }) => deliveryKind === 'relay')
  const points = await pointsNear(context, isPickedUp ? (saved?.postcode ?? null) : null)
  return {
    data: {
      saved,
      points,
      profile: known?.customerProfile ?? null,
      choices,
      countries,
      isGuest,
      isMember: kind === 'member',
      reference,
      targets,
      companies,
      email: funnel.email ?? '',
      reminder: isGuest ? (basketReminder ?? null) : null,
      cart,
      // One key per rendering of the form: a double submit places one order, a reload allows a new attempt.
      idempotencyKey: randomUUID(),
    },
    title: context.t('checkout.address.title'),
    robots: 'noindex',
  }
}

async function savedAddress(context: ShopContext, id: string) {
  const { customerOrder } = await context.client.query(CustomerOrderDocument, { id })
  return customerOrder?.address ?? null
}

export const action = formAction(addressForms, async (context: ShopContext, input) => {
  if (input.do === 'type') return order(context, input)
  if (input.do === 'site') {
    const site = (await context.client.mutate(ChooseSiteDocument, { siteId: input.siteId }))?.chooseSite
    return site?.order ? redirect(303, paths.delivery({ customerOrderId: site.order.id })) : refused(context, site?.refusal)
  }
  const { order: draft, refusal } =
    (await context.client.mutate(ChooseSavedAddressDocument, { addressId: input.addressId }))?.chooseSavedAddress ?? {}
  return draft ? redirect(303, paths.delivery({ customerOrderId: draft.id })) : refused(context, refusal)
})

/** E-mail address, delivery address and delivery of each seller in one form; the next page takes the payment. (V-41) */
async function order(context: ShopContext, input: v.InferOutput<typeof addressForm>) {
  const { client } = context
  if (input.email !== undefined && (await context.principal()).kind === 'guest') {
    const known = await client.mutate(ContinueAsGuestDocument, { email: input.email })
    if (known?.continueAsGuest.refusal) return refused(context, known.continueAsGuest.refusal)
    await followReminder(context, input)
  }
  const { order: draft, refusal } = (await client.mutate(SaveAddressDocument, { input: addressInput(input) }))?.saveAddress ?? {}
  if (!draft) return refused(context, refusal)
  const { purchaseOrder, costCentre, siteId } = input
  // Also where all are empty: they may have been named before.
  if (context.mode === 'b2b' && (await context.principal()).kind === 'member') {
    const named = await client.mutate(SaveOrderReferenceDocument, { customerOrderId: draft.id, purchaseOrder, costCentre, siteId })
    if (!named || named.result.refusal) return refused(context, named?.result.refusal)
  }
  const choices = choicesOf(input.delivery, input.point)
  // Without scripts the points are shown by the next page, once the address is known; the times always are.
  const pointless = choices.filter(({ kind, pointId }) => (kind === 'relay' && !pointId) || kind === 'appointment')
  if (pointless.length > 0) {
    for (const { sellerId, kind } of pointless) await client.mutate(ChooseCartDeliveryDocument, { sellerId, kind })
    return redirect(303, paths.delivery({ customerOrderId: draft.id }))
  }
  const placed = await client.mutate(PlaceOrderDocument, { id: draft.id, key: input.idempotencyKey, choices })
  if (placed?.placeOrder.refusal?.reason === 'approval-needed') {
    for (const { sellerId, kind } of choices) await client.mutate(ChooseCartDeliveryDocument, { sellerId, kind })
    return redirect(303, approvalPath(draft.id, choices))
  }
  if (!placed || placed.placeOrder.refusal) return refused(context, placed?.placeOrder.refusal)
  return redirect(303, paths.payment({ customerOrderId: draft.id }))
}

/** Changed prices and stock are shown and confirmed in the cart, with alternatives; any other refusal is shown here. */
function refused(context: ShopContext, refusal: RefusalFragment | null | undefined) {
  if (!refusal) return refuse<RefusalFragment>({ reason: 'input-invalid', message: context.t('checkout.error.title'), fields: [] })
  const { reason } = refusal
  if (reason === 'cart-empty' || reason === 'cart-changed' || reason === 'sold-out') return redirect(303, paths.cart())
  return refuse(asTyped(context, refusal), 409)
}

/** The gateway knows two names, the form one field. */
function asTyped({ t }: ShopContext, refusal: RefusalFragment): RefusalFragment {
  const ofName = refusal.fields.find(({ field }) => field === 'firstName' || field === 'lastName')
  if (!ofName) return refusal
  const isHalf = ofName.field === 'lastName'
  const name = { field: 'name', message: isHalf ? t('checkout.address.nameWhole') : ofName.message }
  return { ...refusal, fields: [name, ...refusal.fields.filter(({ field }) => field !== 'firstName' && field !== 'lastName')] }
}

/** Everything but the payment on one page: who, where to, and how each seller delivers, beside the goods and their total. */
export function Page({ data, context, refusal, typed }: PageProps<typeof load, RefusalFragment>): ReactNode {
  const { t } = context
  const errors = refusal ? (refusal.fields.length > 0 ? refusal.fields : [{ field: 'name', message: refusal.message }]) : []
  const hasChoices = data.choices !== null && data.choices.length > 0
  return (
    <div className={styles.withSummary}>
      <div>
        <FunnelSteps current="identity" t={t} />
        <h1>{t('checkout.address.title')}</h1>
        <SummaryBar cart={data.cart} t={t} />
        <ErrorSummary
          title={t('checkout.error.title')}
          errors={asAsked(errors).map(({ field: name, message }) => ({ href: `#${name}`, message: named(name, message, t) }))}
        />
        <ActingFor companies={data.companies} context={context} className={styles.quiet} />
        {data.targets && <SiteChoices targets={data.targets} fromList={data.cart.siteId} context={context} />}
        {hasChoices && <SavedChoices choices={data.choices ?? []} context={context} />}
        <CompletedAddress context={context}>
          <DetailsForm data={data} context={context} refusal={refusal} typed={typed} />
        </CompletedAddress>
        <form id="near" method="get" />
      </div>
      <CartSummary cart={data.cart} t={t} />
    </div>
  )
}

const asked = ['email', ...addressFields, ...billingFields.map((name) => `billing.${name}` as const)] as const

/** Errors in the order of the form. */
function asAsked<Fault extends { field: string }>(faults: readonly Fault[]): Fault[] {
  const place = ({ field }: Fault) => asked.findIndex((name) => name === field)
  return faults.toSorted((one, other) => place(one) - place(other))
}

/** "Postcode: Please fill this in.": in the summary nothing else identifies the field. */
function named(field: string, message: string, t: ShopContext['t']): string {
  const known = asked.find((name) => name === field)
  if (!known) return message
  if (known === 'email') return t('form.fault', { field: t('checkout.register.email'), message })
  const label =
    known === 'billing.name' ? 'billingName' : (known.replace('billing.', '') as Exclude<typeof known, `billing.${string}` | 'email'>)
  return t('form.fault', { field: t(`checkout.address.${label}`), message })
}
