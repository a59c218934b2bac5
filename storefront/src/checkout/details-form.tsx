import { needsPhone } from '@purlin/contract/delivery-phone.ts'
import { Button } from '@purlin/ui/button.tsx'
import { Check, Field, Select } from '@purlin/ui/field.tsx'
import { fieldsOf, type FieldName } from '@purlin/web/form-action.ts'
import type { FormFields } from '@purlin/web/form.ts'
import type { ReactNode } from 'react'
import type {
  AddressFragment,
  BuyerProfileFragment,
  CheckoutCartFragment,
  CheckoutSellerFragment,
  RefusalFragment,
} from '../generated/documents.ts'
import { paths } from '../paths.ts'
import type { ShopContext } from '../shell/context.ts'
import { signInHref } from '../sign-in/callback.ts'
import { addressForm, savedValue } from './address-form.ts'
import styles from './checkout.module.css'
import { CostCentreField, SiteField, type OrderTargets } from './company-choices.tsx'
import { DeliveryOptions } from './delivery-options.tsx'
import page from './details.module.css'
import type { PointsNear } from './points-near.ts'
import { RemindMe } from './remind-me.tsx'

interface Details {
  /** The address of the draft. */
  saved: AddressFragment | null
  profile: BuyerProfileFragment | null
  /** Saved addresses offered above the form; null for guests. */
  choices: readonly unknown[] | null
  countries: { value: string; label: string }[]
  isGuest: boolean
  isMember: boolean
  /** A company's own names for the draft. */
  reference: { purchaseOrder: string | null; costCentre: string | null; siteId: string | null } | null
  /** Of the member's company. */
  targets: OrderTargets | null
  email: string
  /** Whether this guest has agreed to a reminder of the basket; null where nobody is reminded. */
  reminder: { hasAgreed: boolean } | null
  cart: CheckoutCartFragment & { siteId: string | null }
  points: PointsNear | null
  idempotencyKey: string
}

interface Props {
  data: Details
  context: ShopContext
  refusal: RefusalFragment | undefined
  typed: FormFields | undefined
}

/** Guests fill in five fields, and a phone number if freight has to be announced. What few need is behind a choice. */
export function DetailsForm({ data, context, refusal, typed }: Props): ReactNode {
  const { t, mode } = context
  const asks = fieldsOf(addressForm, {
    typed,
    refusal,
    known: (name) => {
      if (name === 'email') return data.email
      if (name === 'remind') return data.reminder?.hasAgreed ? '1' : ''
      if (name === 'siteId') return data.reference?.siteId ?? data.cart.siteId ?? ''
      if (name === 'purchaseOrder' || name === 'costCentre') return data.reference?.[name] ?? ''
      return savedValue(data.saved ?? data.profile, name)
    },
  })
  const field = (name: FieldName<typeof addressForm>, label: string, more: Partial<Parameters<typeof Field>[0]> = {}) => (
    <Field {...asks(name)} label={label} {...more} />
  )
  const { sellers } = data.cart
  const isAnnounced = sellers.some(({ deliveryOptions }) => deliveryOptions.some(({ kind }) => needsPhone(kind)))
  const isAlwaysAnnounced = sellers.some(({ deliveryOptions }) => deliveryOptions.every(({ kind }) => needsPhone(kind)))
  const isOpen = (names: readonly FieldName<typeof addressForm>[]) =>
    names.some((name) => asks(name).defaultValue !== '' || asks(name).error !== undefined)
  const signIn = (words: ReactNode) => (
    <a href={signInHref(paths.funnelGateway())} rel="nofollow">
      {words}
    </a>
  )
  return (
    <form method="post" autoComplete="on" data-details>
      <input type="hidden" name={asks('do').name} value="type" />
      <input type="hidden" name={asks('idempotencyKey').name} value={data.idempotencyKey} />
      {data.isGuest && (
        <section className={styles.panel} aria-labelledby="contact">
          <div className={page.head}>
            <h2 id="contact">{t('checkout.address.contact')}</h2>
            <p>{t.rich('checkout.address.account', { link: signIn })}</p>
          </div>
          {field('email', t('checkout.register.email'), {
            type: 'email',
            inputMode: 'email',
            autoComplete: 'email',
            required: true,
            hint: t('checkout.register.guest.text'),
          })}
          <RemindMe remind={asks('remind')} reminded={asks('reminded')} reminder={data.reminder} t={t} />
        </section>
      )}
      <section className={styles.panel} aria-labelledby="to">
        <h2 id="to">{t(data.choices && data.choices.length > 0 ? 'checkout.address.other' : 'checkout.delivery.to')}</h2>
        {field('name', t('checkout.address.name'), { autoComplete: 'name' })}
        {mode === 'b2b' && field('company', t('checkout.address.company'), { autoComplete: 'organization', required: true })}
        {mode === 'b2b' && field('vatNumber', t('checkout.address.vatNumber'), { autoComplete: 'off' })}
        {field('line1', t('checkout.address.line1'), { autoComplete: 'address-line1' })}
        <div className={page.pairOfTown}>
          {field('postcode', t('checkout.address.postcode'), {
            autoComplete: 'postal-code',
            inputMode: context.market === 'gb' ? 'text' : 'numeric',
          })}
          {field('city', t('checkout.address.city'), { autoComplete: 'address-level2' })}
        </div>
        {isAnnounced &&
          field('phone', t('checkout.address.phone'), {
            type: 'tel',
            inputMode: 'tel',
            autoComplete: 'tel',
            required: isAlwaysAnnounced,
          })}
        <details className={styles.billing} open={isOpen(['line2', 'instructions', ...(mode === 'b2b' ? [] : ['company' as const])])}>
          <summary>{t('checkout.address.more')}</summary>
          {field('line2', t('checkout.address.line2'), { autoComplete: 'address-line2' })}
          {mode === 'b2c' && field('company', t('checkout.address.companyOptional'), { autoComplete: 'organization' })}
          {field('instructions', t('checkout.address.instructions'), { autoComplete: 'off' })}
        </details>
        <Billing data={data} context={context} field={field} country={asks('billing.country')} isOpen={isOpen} />
        {data.choices !== null && (
          <Check name={asks('keep').name} label={t('checkout.address.keep')} defaultChecked={asks('keep').defaultValue !== ''} />
        )}
      </section>
      {data.isMember && (
        <section className={styles.panel} aria-labelledby="references">
          <h2 id="references">{t('order-reference.title')}</h2>
          {field('purchaseOrder', t('order-reference.purchase-order'), { autoComplete: 'off', hint: t('order-reference.text') })}
          <SiteField {...asks('siteId')} targets={data.targets} known={data.reference?.siteId ?? null} context={context} />
          <CostCentreField
            {...asks('costCentre')}
            targets={data.targets}
            label={t('order-reference.cost-centre')}
            known={data.reference?.costCentre ?? null}
          />
        </section>
      )}
      <h2>{t('checkout.delivery.title')}</h2>
      {sellers.map((part: CheckoutSellerFragment) => (
        <DeliveryOptions
          key={part.seller.id}
          part={part}
          name={asks(`delivery.${part.seller.id}`).name}
          chosen={typed?.get(`delivery.${part.seller.id}`) || (part.deliveryKind ?? '')}
          points={{
            name: asks(`point.${part.seller.id}`).name,
            chosen: typed?.get(`point.${part.seller.id}`) ?? '',
            found: data.points,
          }}
          context={context}
        />
      ))}
      <p className={styles.quiet}>{t('checkout.delivery.hold')}</p>
      <Button size="l" wide>
        {t('checkout.address.continue')}
      </Button>
    </form>
  )
}

interface BillingProps {
  data: Details
  context: ShopContext
  field: (name: FieldName<typeof addressForm>, label: string, more?: Partial<Parameters<typeof Field>[0]>) => ReactNode
  country: ReturnType<ReturnType<typeof fieldsOf<typeof addressForm>>>
  isOpen: (names: readonly FieldName<typeof addressForm>[]) => boolean
}

/** Equal to the delivery address unless somebody unfolds it. */
function Billing({ data, context, field, country, isOpen }: BillingProps): ReactNode {
  const { t } = context
  return (
    <details
      className={styles.billing}
      open={isOpen(['billing.name', 'billing.line1', 'billing.postcode', 'billing.city']) || country.error !== undefined}
    >
      <summary>{t('checkout.address.billing')}</summary>
      <p className={styles.quiet}>{t('checkout.address.billingHint')}</p>
      {field('billing.name', t('checkout.address.billingName'), { autoComplete: 'billing organization' })}
      {field('billing.line1', t('checkout.address.line1'), { autoComplete: 'billing address-line1' })}
      {field('billing.line2', t('checkout.address.line2'), { autoComplete: 'billing address-line2' })}
      <div className={page.pairOfTown}>
        {field('billing.postcode', t('checkout.address.postcode'), { autoComplete: 'billing postal-code' })}
        {field('billing.city', t('checkout.address.city'), { autoComplete: 'billing address-level2' })}
      </div>
      <Select
        id={country.id}
        name={country.name}
        error={country.error}
        label={t('checkout.address.country')}
        options={data.countries}
        autoComplete="billing country"
        defaultValue={country.defaultValue || context.country}
      />
    </details>
  )
}
