import { Button } from '@purlin/ui/button.tsx'
import { Check, ErrorSummary, Field, Select } from '@purlin/ui/field.tsx'
import { marketCodes, markets } from '@purlin/contract/markets.ts'
import { fieldsOf, formAction, namesOf, type FieldName } from '@purlin/web/form-action.ts'
import { redirect, refuse } from '@purlin/web/outcomes.ts'
import type { ReactNode } from 'react'
import { paths } from '../paths.ts'
import type { PageProps, ShopContext } from '../shell/context.ts'
import { AddressBlock } from './address-block.tsx'
import { addressFields, addressForm, addressForms, addressInput, chosenForm, billingFields, savedValue } from './address-form.ts'
import styles from './checkout.module.css'
import { CompletedAddress } from './completed-address.tsx'
import { FunnelSteps } from './funnel-steps.tsx'
import { OrderEmail } from './order-email.tsx'
import {
  ChooseSavedAddressDocument,
  BuyerDocument,
  FunnelDocument,
  CustomerOrderDocument,
  SaveAddressDocument,
  type RefusalFragment,
  type SavedAddressFragment,
} from '../generated/documents.ts'

export async function load(context: ShopContext) {
  const { funnel } = await context.client.query(FunnelDocument)
  if (funnel.step === 'cart') return redirect(302, paths.cart())
  if (funnel.step === 'register') return redirect(302, paths.funnelLogin())
  const saved = funnel.customerOrderId === null ? null : await savedAddress(context, funnel.customerOrderId)
  const known = (await context.principal()).kind === 'guest' ? null : await context.client.query(BuyerDocument)
  const kept = known?.myAddresses ?? null
  const names = new Intl.DisplayNames(context.locale, { type: 'region' })
  const countries = marketCodes.map((market) => ({ value: markets[market].country, label: names.of(markets[market].country) ?? market }))
  // An address abroad is for invoices only: goods are delivered within the market's country.
  const choices = kept?.filter(({ country }) => country === context.country) ?? null
  return {
    data: { saved, profile: known?.customerProfile ?? null, choices, countries, email: funnel.email },
    title: context.t('checkout.address.title'),
    robots: 'noindex',
  }
}

async function savedAddress(context: ShopContext, id: string) {
  const { customerOrder } = await context.client.query(CustomerOrderDocument, { id })
  return customerOrder?.address ?? null
}

const name = namesOf(addressForm)
const chosen = namesOf(chosenForm)

export const action = formAction(addressForms, async (context: ShopContext, input) => {
  const { client } = context
  const { order, refusal } =
    input.do === 'choose'
      ? ((await client.mutate(ChooseSavedAddressDocument, { addressId: input.addressId }))?.chooseSavedAddress ?? {})
      : ((await client.mutate(SaveAddressDocument, { input: addressInput(input) }))?.saveAddress ?? {})
  if (refusal?.reason === 'cart-empty') return redirect(303, paths.cart())
  if (refusal || !order) return refuse(refusal ?? { reason: 'input-invalid', message: context.t('checkout.error.title'), fields: [] })
  return redirect(303, paths.delivery({ customerOrderId: order.id }))
})

/** One address, in the format of its country; nothing is requested twice. */
export function Page({ data, context, refusal, typed }: PageProps<typeof load, RefusalFragment>): ReactNode {
  const { t, mode } = context
  const asks = fieldsOf(addressForm, { typed, refusal, known: (name) => savedValue(data.saved ?? data.profile, name) })
  const field = (name: FieldName<typeof addressForm>, label: string, more: Partial<Parameters<typeof Field>[0]> = {}) => (
    <Field {...asks(name)} label={label} {...more} />
  )
  const billingCountry = asks('billing.country')
  const errors = refusal ? (refusal.fields.length > 0 ? refusal.fields : [{ field: 'firstName', message: refusal.message }]) : []
  return (
    <div className={styles.narrow}>
      <FunnelSteps current="address" t={t} />
      <h1>{t('checkout.address.title')}</h1>
      {data.email !== null && <OrderEmail email={data.email} context={context} />}
      <ErrorSummary
        title={t('checkout.error.title')}
        errors={asAsked(errors).map(({ field: name, message }) => ({ href: `#${name}`, message: named(name, message, t) }))}
      />
      {data.choices !== null && data.choices.length > 0 && <SavedChoices choices={data.choices} context={context} />}
      <CompletedAddress context={context}>
        <form method="post" className={styles.panel} autoComplete="on">
          {data.choices !== null && data.choices.length > 0 && <h2>{t('checkout.address.other')}</h2>}
          <input type="hidden" name={name('do')} value="type" />
          <div className={styles.pair}>
            {field('firstName', t('checkout.address.firstName'), { autoComplete: 'given-name' })}
            {field('lastName', t('checkout.address.lastName'), { autoComplete: 'family-name' })}
          </div>
          <div className={styles.pair}>
            {field('company', t(mode === 'b2b' ? 'checkout.address.company' : 'checkout.address.companyOptional'), {
              autoComplete: 'organization',
              required: mode === 'b2b',
            })}
            {mode === 'b2b' && field('vatNumber', t('checkout.address.vatNumber'), { autoComplete: 'off' })}
          </div>
          {field('line1', t('checkout.address.line1'), { autoComplete: 'address-line1' })}
          {field('line2', t('checkout.address.line2'), { autoComplete: 'address-line2' })}
          <div className={styles.pair}>
            {field('postcode', t('checkout.address.postcode'), {
              autoComplete: 'postal-code',
              inputMode: context.market === 'gb' ? 'text' : 'numeric',
            })}
            {field('city', t('checkout.address.city'), { autoComplete: 'address-level2' })}
          </div>
          {field('phone', t('checkout.address.phone'), { type: 'tel', inputMode: 'tel', autoComplete: 'tel' })}
          {field('instructions', t('checkout.address.instructions'), { autoComplete: 'off' })}
          <details
            className={styles.billing}
            open={asks('billing.name').defaultValue !== '' || errors.some(({ field: name }) => name.startsWith('billing'))}
          >
            <summary>{t('checkout.address.billing')}</summary>
            <p className={styles.quiet}>{t('checkout.address.billingHint')}</p>
            {field('billing.name', t('checkout.address.billingName'), { autoComplete: 'billing organization' })}
            {field('billing.line1', t('checkout.address.line1'), { autoComplete: 'billing address-line1' })}
            {field('billing.line2', t('checkout.address.line2'), { autoComplete: 'billing address-line2' })}
            <div className={styles.pair}>
              {field('billing.postcode', t('checkout.address.postcode'), { autoComplete: 'billing postal-code' })}
              {field('billing.city', t('checkout.address.city'), { autoComplete: 'billing address-level2' })}
            </div>
            <Select
              id={billingCountry.id}
              name={billingCountry.name}
              error={billingCountry.error}
              label={t('checkout.address.country')}
              options={data.countries}
              autoComplete="billing country"
              defaultValue={billingCountry.defaultValue || context.country}
            />
          </details>
          {data.choices !== null && (
            <Check name={asks('keep').name} label={t('checkout.address.keep')} defaultChecked={asks('keep').defaultValue !== ''} />
          )}
          <Button size="l" wide>
            {t('checkout.address.continue')}
          </Button>
        </form>
      </CompletedAddress>
    </div>
  )
}

/** Saved addresses, each one click away from the next step. */
function SavedChoices({ choices, context: { t, locale } }: { choices: readonly SavedAddressFragment[]; context: ShopContext }): ReactNode {
  return (
    <section className={styles.panel} aria-labelledby="saved">
      <h2 id="saved">{t('checkout.address.saved')}</h2>
      <ul className={styles.choices}>
        {choices.map((address) => (
          <li key={address.id}>
            <AddressBlock address={address} locale={locale} />
            <form method="post">
              <input type="hidden" name={chosen('addressId')} value={address.id} />
              <Button
                name={chosen('do')}
                value="choose"
                look={address.isDeliveryDefault ? 'primary' : 'secondary'}
                aria-label={t('checkout.address.choose-named', { address: address.line1 })}
              >
                {t('checkout.address.choose')}
              </Button>
            </form>
          </li>
        ))}
      </ul>
    </section>
  )
}

const asked = [...addressFields, ...billingFields.map((name) => `billing.${name}` as const)] as const

/** Errors in the order of the form. */
function asAsked<Fault extends { field: string }>(faults: readonly Fault[]): Fault[] {
  const place = ({ field }: Fault) => asked.findIndex((name) => name === field)
  return faults.toSorted((one, other) => place(one) - place(other))
}

/** "Postcode: Please fill this in.": in the summary nothing else identifies the field. */
function named(field: string, message: string, t: ShopContext['t']): string {
  const known = asked.find((name) => name === field)
  if (!known) return message
  const label = known === 'billing.name' ? 'billingName' : (known.replace('billing.', '') as Exclude<typeof known, `billing.${string}`>)
  return t('form.fault', { field: t(`checkout.address.${label}`), message })
}
