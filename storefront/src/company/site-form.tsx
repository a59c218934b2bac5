import { Alert, Button, ButtonLink, ErrorSummary, Field } from '@purlin/ui'
import { fieldsOf, namesOf } from '@purlin/web/form-action.ts'
import type { FormFields } from '@purlin/web/form.ts'
import type { ReactNode } from 'react'
import styles from '../account/account.module.css'
import { CompletedAddress } from '../checkout/completed-address.tsx'
import type { RefusalFragment, BuildingSiteFragment } from '../generated/documents.ts'
import { paths } from '../paths.ts'
import type { ShopContext } from '../shell/context.ts'
import { siteFields, siteForm } from './sites-form.ts'

const name = namesOf(siteForm)

interface Props {
  /** The site being edited; null for a new one. */
  site: BuildingSiteFragment | null
  context: ShopContext
  refusal: RefusalFragment | undefined
  typed: FormFields | undefined
}

/** Form for a new or existing building site: where, whom to call, and when somebody is there. */
export function SiteForm({ site, context, refusal, typed }: Props): ReactNode {
  const { t } = context
  const known = (field: string) => String((site !== null && Object.hasOwn(site, field) && site[field as keyof BuildingSiteFragment]) || '')
  const field = fieldsOf(siteForm, { typed, refusal, known })
  const labels = {
    name: t('site.name'),
    firstName: t('site.contact.firstName'),
    lastName: t('site.contact.lastName'),
    phone: t('site.contact.phone'),
    line1: t('checkout.address.line1'),
    line2: t('checkout.address.line2'),
    postcode: t('checkout.address.postcode'),
    city: t('checkout.address.city'),
    deliveryHours: t('site.hours'),
  }
  const errors = siteFields.flatMap((each) => {
    const { error } = field(each)
    return error ? [{ href: `#${each}`, message: t('form.fault', { field: labels[each], message: error }) }] : []
  })
  return (
    <CompletedAddress context={context}>
      <form method="post" className={`${styles.card} ${styles.form}`} autoComplete="off">
        {refusal && errors.length === 0 && (
          <Alert severity="danger" announces>
            {refusal.message}
          </Alert>
        )}
        <ErrorSummary title={t('checkout.error.title')} errors={errors} />
        <input type="hidden" name={name('do')} value="site" />
        <input type="hidden" name={name('id')} value={site?.id ?? ''} />
        <Field {...field('name')} label={labels.name} hint={t('site.name.hint')} />
        <Field {...field('line1')} label={labels.line1} />
        <Field {...field('line2')} label={labels.line2} />
        <div className={styles.pair}>
          <Field {...field('postcode')} label={labels.postcode} inputMode={context.market === 'gb' ? 'text' : 'numeric'} />
          <Field {...field('city')} label={labels.city} />
        </div>
        <div className={styles.pair}>
          <Field {...field('firstName')} label={labels.firstName} />
          <Field {...field('lastName')} label={labels.lastName} />
        </div>
        <Field {...field('phone')} label={labels.phone} type="tel" inputMode="tel" />
        <Field {...field('deliveryHours')} label={labels.deliveryHours} hint={t('site.hours.hint')} />
        <p className={styles.actions}>
          <Button size="l">{t('site.save')}</Button>
          <ButtonLink size="l" look="secondary" href={paths.companySites()}>
            {t('account.cancel')}
          </ButtonLink>
        </p>
      </form>
    </CompletedAddress>
  )
}
