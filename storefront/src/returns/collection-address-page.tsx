import { addressFormats, isAddressCountry } from '@purlin/contract/addresses.ts'
import { Button, ButtonLink, ErrorSummary, Field } from '@purlin/ui'
import { fieldsOf, formAction } from '@purlin/web/form-action.ts'
import { optionalText, text } from '@purlin/web/form-input.ts'
import { redirect, refuse } from '@purlin/web/outcomes.ts'
import type { ReactNode } from 'react'
import * as v from 'valibot'
import room from '../account/account.module.css'
import styles from '../checkout/checkout.module.css'
import { ChangeHomeCollectionAddressDocument, type RefusalFragment } from '../generated/documents.ts'
import { paths } from '../paths.ts'
import { RefusedNotice } from '../reviews/refused-notice.tsx'
import type { PageProps, ShopContext } from '../shell/context.ts'
import { ClosedCollection, LinkedPage, loadCollection, tokenOf } from './collection-view.tsx'

const addressForm = v.object({
  firstName: text(60),
  lastName: text(60),
  company: optionalText(100),
  line1: text(100),
  line2: optionalText(100),
  postcode: text(10),
  city: text(80),
  phone: text(25),
  instructions: optionalText(300),
})
const names = ['firstName', 'lastName', 'company', 'line1', 'line2', 'postcode', 'city', 'phone', 'instructions'] as const

export const load = (context: ShopContext) => loadCollection(context, context.t('collection.address.title'))

export const action = formAction(addressForm, async (context: ShopContext, input) => {
  const token = tokenOf(context)
  const answer = await context.client.mutate(ChangeHomeCollectionAddressDocument, { token, input })
  const refusal = answer?.changeHomeCollectionAddress.refusal
  if (refusal) return refuse(refusal)
  return redirect(303, paths.homeCollectionAccept({}, { token }), { severity: 'success', key: 'flash.collection-address' })
})

/** Where the driver goes, if not to the address of the order. */
export function Page({ data: { collection, token }, context, refusal, typed }: PageProps<typeof load, RefusalFragment>): ReactNode {
  const { t } = context
  const title = t('collection.address.title')
  if (!collection) return <LinkedPage title={title} about={null} context={context} />
  const { address, number, canChange } = collection
  const back = paths.homeCollectionAccept({}, { token })
  const field = fieldsOf(addressForm, {
    typed,
    refusal,
    known: (wanted) => Object.entries(address).find(([name]) => name === wanted)?.[1] ?? '',
  })
  const label = (name: (typeof names)[number]): string => {
    if (name === 'phone' || name === 'instructions') return t(`collection.address.${name}`)
    return t(`checkout.address.${name === 'company' ? 'companyOptional' : name}`)
  }
  const errors = names.flatMap((name) => {
    const { error } = field(name)
    return error ? [{ href: `#${name}`, message: t('form.fault', { field: label(name), message: error }) }] : []
  })
  const format = addressFormats[isAddressCountry(context.country) ? context.country : 'GB']
  return (
    <LinkedPage title={title} about={collection} context={context}>
      {canChange ? (
        <form method="post" action={paths.homeCollectionChangeAddress({}, { token })} className={`${styles.panel} ${room.form}`}>
          <p>{t('collection.address.text', { number })}</p>
          {errors.length === 0 && <RefusedNotice refusal={refusal} />}
          <ErrorSummary title={t('checkout.error.title')} errors={errors} />
          <div className={room.pair}>
            <Field {...field('firstName')} label={label('firstName')} autoComplete="given-name" />
            <Field {...field('lastName')} label={label('lastName')} autoComplete="family-name" />
          </div>
          <Field {...field('company')} label={label('company')} autoComplete="organization" />
          <Field {...field('line1')} label={label('line1')} autoComplete="address-line1" />
          <Field {...field('line2')} label={label('line2')} autoComplete="address-line2" />
          <div className={room.pair}>
            <Field
              {...field('postcode')}
              label={label('postcode')}
              autoComplete="postal-code"
              inputMode={format.keyboard}
              hint={t('account.addresses.example', { example: format.example })}
            />
            <Field {...field('city')} label={label('city')} autoComplete="address-level2" className={room.end} />
          </div>
          <Field {...field('phone')} label={label('phone')} type="tel" inputMode="tel" autoComplete="tel" />
          <Field {...field('instructions')} label={label('instructions')} autoComplete="off" />
          <p className={styles.actions}>
            <Button size="l">{t('collection.address.do')}</Button>
            <ButtonLink size="l" look="secondary" href={back}>
              {t('collection.back')}
            </ButtonLink>
          </p>
        </form>
      ) : (
        <section className={styles.panel}>
          <ClosedCollection collection={collection} context={context} />
          <p>
            <a href={back}>{t('collection.back')}</a>
          </p>
        </section>
      )}
    </LinkedPage>
  )
}
