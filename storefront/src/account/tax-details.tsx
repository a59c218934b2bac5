import { addressFormats, isAddressCountry } from '@purlin/contract/addresses.ts'
import { hasFiscalNumbers } from '@purlin/contract/fiscal-numbers.ts'
import { Alert, Button, ErrorSummary, Field, Select } from '@purlin/ui'
import { fieldsOf, namesOf } from '@purlin/web/form-action.ts'
import type { FormFields } from '@purlin/web/form.ts'
import type { ReactNode } from 'react'
import type { MyTaxInformationQuery, RefusalFragment } from '../generated/documents.ts'
import type { ShopContext } from '../shell/context.ts'
import styles from './account.module.css'
import { addressCountries } from './addresses-form.ts'
import { taxDetailsForm } from './tax-form.ts'
import { vatExamples } from './vat-examples.ts'
import { Fact } from './vat-status.tsx'

type Tax = NonNullable<MyTaxInformationQuery['tax']>

const name = namesOf(taxDetailsForm)
/** Fields of a country; electronic invoices are Italy's. */
function fieldsIn(country: string) {
  const everywhere = ['legalName', 'country', 'line1', 'line2', 'postcode', 'city'] as const
  const fiscal = hasFiscalNumbers(country) ? (['fiscalNumber'] as const) : []
  const electronic = country === 'IT' ? (['sdiCode', 'pec'] as const) : []
  return [...everywhere, ...fiscal, ...electronic]
}

interface FormProps {
  tax: Tax
  context: ShopContext
  refusal: RefusalFragment | undefined
  typed: FormFields | undefined
}

export function TaxDetailsForm({ tax, context, refusal, typed: sent }: FormProps): ReactNode {
  const { t, country: home, locale } = context
  const typed = sent?.get('do') === 'save' ? sent : undefined
  const known = (key: string) =>
    (key === 'vatNumber' ? tax.vat?.number : key === 'country' ? (tax.country ?? home) : String(tax[key as keyof Tax] ?? '')) ?? ''
  const field = fieldsOf(taxDetailsForm, { typed, refusal, known })
  const shown = fieldsIn(home)
  const country = field('country')
  const format = addressFormats[isAddressCountry(country.defaultValue) ? country.defaultValue : 'GB']
  const regions = new Intl.DisplayNames(locale, { type: 'region' })
  const label = (key: (typeof shown)[number]) => t(`tax.${key}`)
  const labelled = [{ key: 'vatNumber' as const, label: t('tax.vat-field') }, ...shown.map((key) => ({ key, label: label(key) }))]
  const errors = labelled.flatMap(({ key, label: words }) => {
    const { error } = field(key)
    return error ? [{ href: `#${key}`, message: t('form.fault', { field: words, message: error }) }] : []
  })
  return (
    <form method="post" className={`${styles.card} ${styles.form}`} autoComplete="on">
      <h2>{t('tax.form')}</h2>
      {refusal && errors.length === 0 && (
        <Alert severity="danger" announces>
          {refusal.message}
        </Alert>
      )}
      <ErrorSummary title={refusal?.message ?? ''} errors={errors} />
      <input type="hidden" name={name('do')} value="save" />
      <Field
        {...field('vatNumber')}
        label={t('tax.vat-field')}
        hint={t('tax.vat-field.hint', { example: vatExamples[home] ?? '' })}
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
      />
      <Field {...field('legalName')} label={label('legalName')} autoComplete="organization" />
      <Select
        id="country"
        name={country.name}
        error={country.error}
        label={label('country')}
        options={addressCountries.map((value) => ({ value, label: regions.of(value) ?? value }))}
        autoComplete="country"
        defaultValue={country.defaultValue}
      />
      <Field {...field('line1')} label={label('line1')} autoComplete="address-line1" />
      <Field {...field('line2')} label={label('line2')} autoComplete="address-line2" />
      <div className={styles.pair}>
        <Field {...field('postcode')} label={label('postcode')} inputMode={format.keyboard} autoComplete="postal-code" />
        <Field {...field('city')} label={label('city')} autoComplete="address-level2" />
      </div>
      {shown.includes('fiscalNumber') && <Field {...field('fiscalNumber')} label={label('fiscalNumber')} autoComplete="off" />}
      {shown.includes('sdiCode') && (
        <div className={styles.pair}>
          <Field {...field('sdiCode')} label={label('sdiCode')} hint={t('tax.sdiCode.hint')} autoComplete="off" />
          <Field {...field('pec')} label={label('pec')} type="email" inputMode="email" autoComplete="off" />
        </div>
      )}
      <p>
        <Button>{t('tax.save')}</Button>
      </p>
    </form>
  )
}

/** The same, read-only, for members who may not change it. */
export function TaxFacts({ tax, context: { t, country, locale } }: { tax: Tax; context: ShopContext }): ReactNode {
  const regions = new Intl.DisplayNames(locale, { type: 'region' })
  const facts = fieldsIn(country).flatMap((key) => {
    const value = tax[key]
    return value ? [{ key, value: key === 'country' ? (regions.of(value) ?? value) : value }] : []
  })
  return (
    <section className={`${styles.card} ${styles.form}`} aria-labelledby="details">
      <h2 id="details">{t('tax.form')}</h2>
      {facts.length === 0 ? (
        <p>{t('tax.none')}</p>
      ) : (
        <dl className={styles.factList}>
          {facts.map(({ key, value }) => (
            <Fact key={key} label={t(`tax.${key}`)} value={value} />
          ))}
        </dl>
      )}
      <p className={styles.quiet}>{t('tax.read-only')}</p>
    </section>
  )
}
