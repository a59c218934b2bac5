import { addressFormats, isAddressCountry } from '@purlin/contract/addresses.ts'
import { Alert, Button, ButtonLink, Check, ErrorSummary, Field, Select } from '@purlin/ui'
import { fieldsOf, namesOf } from '@purlin/web/form-action.ts'
import type { FormFields } from '@purlin/web/form.ts'
import type { ReactNode } from 'react'
import type { BuyerProfileFragment, RefusalFragment, SavedAddressFragment } from '../generated/documents.ts'
import { savedValue } from '../checkout/address-form.ts'
import { CompletedAddress } from '../checkout/completed-address.tsx'
import { paths } from '../paths.ts'
import type { ShopContext } from '../shell/context.ts'
import styles from './account.module.css'
import { addressCountries, addressFields, keptAddressForm } from './addresses-form.ts'

const name = namesOf(keptAddressForm)

interface Props {
  /** The address being edited; null for a new one. */
  address: SavedAddressFragment | null
  /** Name and phone a new one begins with. */
  profile: BuyerProfileFragment | null
  /** The first address becomes the default automatically. */
  isFirst: boolean
  context: ShopContext
  refusal: RefusalFragment | undefined
  typed: FormFields | undefined
}

/** Form for a new or existing address of the account. */
export function AddressForm({ address, profile, isFirst, context, refusal, typed }: Props): ReactNode {
  const { t, locale } = context
  const known = (field: string) =>
    address === null
      ? field === 'country'
        ? context.country
        : savedValue(profile, field)
      : String(address[field as keyof SavedAddressFragment] ?? '')
  const field = fieldsOf(keptAddressForm, { typed, refusal, known })
  const country = field('country')
  const format = addressFormats[isAddressCountry(country.defaultValue) ? country.defaultValue : 'GB']
  const names = new Intl.DisplayNames(locale, { type: 'region' })
  const labels = Object.fromEntries(
    addressFields.map((name) => [name, t(`checkout.address.${name === 'company' ? 'companyOptional' : name}`)]),
  )
  const label = (name: (typeof addressFields)[number]) => labels[name] ?? ''
  const errors = addressFields.flatMap((name) => {
    const { error } = field(name)
    return error ? [{ href: `#${name}`, message: t('form.fault', { field: label(name), message: error }) }] : []
  })
  const isTicked = (name: 'delivery' | 'billing') =>
    typed ? typed.get(name) !== '' : Boolean(name === 'delivery' ? address?.isDeliveryDefault : address?.isBillingDefault)
  return (
    <CompletedAddress context={context}>
      <form method="post" className={`${styles.card} ${styles.form}`} autoComplete="on">
        {refusal && errors.length === 0 && (
          <Alert severity="danger" announces>
            {refusal.message}
          </Alert>
        )}
        <ErrorSummary title={t('checkout.error.title')} errors={errors} />
        <input type="hidden" name={name('do')} value="keep" />
        <input type="hidden" name={name('id')} value={address?.id ?? ''} />
        <Select
          id="country"
          name={country.name}
          error={country.error}
          label={label('country')}
          options={addressCountries.map((value) => ({ value, label: names.of(value) ?? value }))}
          autoComplete="country"
          defaultValue={country.defaultValue}
        />
        <div className={styles.pair}>
          <Field {...field('firstName')} label={label('firstName')} autoComplete="given-name" />
          <Field {...field('lastName')} label={label('lastName')} autoComplete="family-name" />
        </div>
        <Field {...field('company')} label={label('company')} autoComplete="organization" />
        <Field {...field('line1')} label={label('line1')} autoComplete="address-line1" />
        <Field {...field('line2')} label={label('line2')} autoComplete="address-line2" />
        <div className={styles.pair}>
          <Field
            {...field('postcode')}
            label={label('postcode')}
            autoComplete="postal-code"
            inputMode={format.keyboard}
            hint={t('account.addresses.example', { example: format.example })}
          />
          <Field {...field('city')} label={label('city')} autoComplete="address-level2" className={styles.end} />
        </div>
        <Field {...field('phone')} label={label('phone')} type="tel" inputMode="tel" autoComplete="tel" />
        <Field {...field('instructions')} label={label('instructions')} autoComplete="off" />
        {!isFirst && (
          <div>
            <Check
              name={name('delivery')}
              label={t('account.addresses.prefer-delivery')}
              defaultChecked={isTicked('delivery')}
              disabled={Boolean(address?.isDeliveryDefault)}
            />
            <Check
              name={name('billing')}
              label={t('account.addresses.prefer-billing')}
              defaultChecked={isTicked('billing')}
              disabled={Boolean(address?.isBillingDefault)}
            />
          </div>
        )}
        <p className={styles.actions}>
          <Button size="l">{t('account.addresses.keep')}</Button>
          <ButtonLink size="l" look="secondary" href={paths.addressSettings()}>
            {t('account.cancel')}
          </ButtonLink>
        </p>
      </form>
    </CompletedAddress>
  )
}
