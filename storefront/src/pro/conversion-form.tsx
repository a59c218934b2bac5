import { addressFormats, isAddressCountry } from '@purlin/contract/addresses.ts'
import { Alert, Button, ErrorSummary, Field, Select } from '@purlin/ui'
import { fieldsOf } from '@purlin/web/form-action.ts'
import type { FormFields } from '@purlin/web/form.ts'
import type { ReactNode } from 'react'
import styles from '../account/account.module.css'
import { addressCountries } from '../account/addresses-form.ts'
import { vatExamples } from '../account/vat-examples.ts'
import type { ProConversionQuery, RefusalFragment } from '../generated/documents.ts'
import type { ShopContext } from '../shell/context.ts'
import { conversionForm } from './conversion-input.ts'

const registerExamples: Readonly<Record<string, string>> = {
  GB: '01234567',
  FR: '732 829 320',
  DE: 'HRB 12345',
  ES: 'B12345674',
  IT: 'MI-1234567',
}

interface Props {
  /** The refused request, whose company and numbers are corrected; null for a first one. */
  refused: Pick<NonNullable<ProConversionQuery['conversion']>, 'companyName' | 'vatNumber' | 'registerNumber'> | null
  context: ShopContext
  refusal: RefusalFragment | undefined
  typed: FormFields | undefined
}

/** The company, and one of two numbers that prove it. */
export function ConversionForm({ refused, context, refusal, typed }: Props): ReactNode {
  const { t, country: home, locale } = context
  const known = (name: string) =>
    name === 'country' ? home : ((refused && Object.hasOwn(refused, name) ? refused[name as keyof typeof refused] : null) ?? '')
  const field = fieldsOf(conversionForm, { typed, refusal, known })
  const country = field('country')
  const format = addressFormats[isAddressCountry(country.defaultValue) ? country.defaultValue : 'GB']
  const regions = new Intl.DisplayNames(locale, { type: 'region' })
  const labels = {
    companyName: t('conversion.companyName'),
    country: t('tax.country'),
    line1: t('tax.line1'),
    line2: t('tax.line2'),
    postcode: t('tax.postcode'),
    city: t('tax.city'),
    vatNumber: t('conversion.vatNumber'),
    registerNumber: t('conversion.registerNumber'),
  }
  const names = Object.keys(labels) as (keyof typeof labels)[]
  const errors = names.flatMap((name) => {
    const { error } = field(name)
    return error ? [{ href: `#${name}`, message: t('form.fault', { field: labels[name], message: error }) }] : []
  })
  return (
    <form method="post" className={`${styles.card} ${styles.form}`} autoComplete="on">
      <h2>{t('conversion.form')}</h2>
      {refusal && errors.length === 0 && (
        <Alert severity="danger" announces>
          {refusal.message}
        </Alert>
      )}
      <ErrorSummary title={refusal?.message ?? ''} errors={errors} />
      <Field {...field('companyName')} label={labels.companyName} autoComplete="organization" />
      <Select
        id="country"
        name={country.name}
        error={country.error}
        label={labels.country}
        options={addressCountries.map((value) => ({ value, label: regions.of(value) ?? value }))}
        autoComplete="country"
        defaultValue={country.defaultValue}
      />
      <Field {...field('line1')} label={labels.line1} autoComplete="address-line1" />
      <Field {...field('line2')} label={labels.line2} autoComplete="address-line2" />
      <div className={styles.pair}>
        <Field {...field('postcode')} label={labels.postcode} inputMode={format.keyboard} autoComplete="postal-code" />
        <Field {...field('city')} label={labels.city} autoComplete="address-level2" />
      </div>
      <p className={styles.quiet}>{t('conversion.proof')}</p>
      <Field
        {...field('vatNumber')}
        label={labels.vatNumber}
        hint={t('tax.vat-field.hint', { example: vatExamples[home] ?? '' })}
        autoComplete="off"
        spellCheck={false}
      />
      <Field
        {...field('registerNumber')}
        label={labels.registerNumber}
        hint={t('conversion.registerNumber.hint', { example: registerExamples[home] ?? '' })}
        autoComplete="off"
        spellCheck={false}
      />
      <p>
        <Button>{t(refused ? 'conversion.retry' : 'conversion.submit')}</Button>
      </p>
    </form>
  )
}
