import { Alert, Button, ButtonLink, Disclosure, Field } from '@purlin/ui'
import { fieldsOf, namesOf } from '@purlin/web/form-action.ts'
import type { FormFields } from '@purlin/web/form.ts'
import type { ReactNode } from 'react'
import type { EraseMyAccountMutation, RefusalFragment, SettingsQuery } from '../generated/documents.ts'
import { paths } from '../paths.ts'
import type { ShopContext } from '../shell/context.ts'
import { FormRefusal } from '../shell/form-refusal.tsx'
import styles from './account.module.css'
import { dataForm, eraseForm } from './settings-form.ts'

const dataName = namesOf(dataForm)
const eraseName = namesOf(eraseForm)

/** The export of the customer's data. */
export function DataPart({ file, context: { t, formats } }: { file: SettingsQuery['myDataExport']; context: ShopContext }): ReactNode {
  return (
    <section id="data" className={`${styles.card} ${styles.form}`} aria-labelledby="data-title">
      <h2 id="data-title">{t('privacy.title')}</h2>
      <p>{t('privacy.export.text')}</p>
      {file?.isReady && file.url ? (
        <>
          {file.expiresAt && <p className={styles.quiet}>{t('privacy.export.ready', { date: formats.date(file.expiresAt) })}</p>}
          <p>
            <ButtonLink href={file.url} look="secondary" icon="document">
              {t('privacy.export.download')}
            </ButtonLink>
          </p>
          <p className={styles.quiet}>{t('privacy.again')}</p>
        </>
      ) : file ? (
        <Alert severity="info">{t('privacy.export.waiting')}</Alert>
      ) : (
        <form method="post">
          <Button look="secondary" name={dataName('do')} value="data">
            {t('privacy.export.request')}
          </Button>
        </form>
      )}
    </section>
  )
}

type Result = NonNullable<EraseMyAccountMutation['result']>

/** A refusal to close the account, with the order that leads to an open return or dispute, and the company it is about. */
export type ErasureRefusal = RefusalFragment & { waitsFor?: Result['waitsFor'] | undefined; company?: Result['company'] | undefined }

interface EraseProps {
  context: ShopContext
  refusal: ErasureRefusal | undefined
  typed: FormFields | undefined
}

const anchors: Readonly<Record<string, string>> = {
  'return-under-way': '#returns',
  'dispute-open': '#disputes',
  'refund-under-way': '#refunds',
}

/** Where a customer ends what keeps the account open: the members of a company, or the order. */
function WayOut({ refusal, context }: { refusal: ErasureRefusal; context: ShopContext }): ReactNode {
  const { t, mode, otherModeUrl } = context
  const { waitsFor, company, reason } = refusal
  const at = (path: string) => (mode === 'b2b' ? path : otherModeUrl(paths.exchangeToPro({}, { callbackUrl: path })))
  if (company && !company.isCurrent) {
    const href = at(`${paths.companySettings()}#companies`)
    const link = (text: ReactNode) => (href === null ? text : <a href={href}>{text}</a>)
    return <p>{t.rich('privacy.erase.switch-company', { link }, { company: company.name })}</p>
  }
  if (reason === 'last-admin') {
    const href = at(`${paths.companySettings()}#members`)
    return company && href !== null && <WayTo href={href}>{t('privacy.erase.see-members', { company: company.name })}</WayTo>
  }
  return waitsFor && <WayTo href={signedIn(waitsFor.url + (anchors[reason] ?? ''), context)}>{t('privacy.erase.see-order')}</WayTo>
}

/** The way to a page of the other storefront of this market takes the session along: without one, no order is to be seen there. */
function signedIn(url: string, { mode, otherModeUrl }: ShopContext): string {
  const other = otherModeUrl('/')
  if (!other || !url.startsWith(other)) return url
  const callback = { callbackUrl: url.slice(other.length - 1) }
  return otherModeUrl(mode === 'b2b' ? paths.exchangeToB2c({}, callback) : paths.exchangeToPro({}, callback)) ?? url
}

const WayTo = ({ href, children }: { href: string; children: ReactNode }) => (
  <p>
    <a href={href}>{children}</a>
  </p>
)

/** Closes the account, confirmed by typing its e-mail address. */
export function ErasePart({ context, refusal, typed }: EraseProps): ReactNode {
  const { t, query } = context
  const field = fieldsOf(eraseForm, { typed, refusal })
  return (
    <Disclosure title={t('privacy.erase.title')} open={refusal !== undefined || query['close'] !== undefined} id="erase">
      <form method="post" className={styles.form}>
        <FormRefusal refusal={refusal} />
        {refusal && <WayOut refusal={refusal} context={context} />}
        <p>{t('privacy.erase.text')}</p>
        <p className={styles.quiet}>{t('privacy.again')}</p>
        <Field {...field('email')} label={t('privacy.erase.email')} type="email" inputMode="email" autoComplete="off" />
        <p>
          <Button look="danger" icon="trash" name={eraseName('do')} value="erase">
            {t('privacy.erase.do')}
          </Button>
        </p>
      </form>
    </Disclosure>
  )
}
