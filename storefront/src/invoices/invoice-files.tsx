import { ButtonLink } from '@purlin/ui'
import type { ReactNode } from 'react'
import account from '../account/account.module.css'
import type { InvoiceSummaryFragment } from '../generated/documents.ts'
import type { ShopContext } from '../shell/context.ts'
import styles from './invoices.module.css'

/** Invoices and credit notes with their downloads. */
export function InvoiceFiles({ invoices, context }: { invoices: readonly InvoiceSummaryFragment[]; context: ShopContext }): ReactNode {
  const { t, formats } = context
  if (invoices.length === 0) return null
  return (
    <ul className={styles.files}>
      {invoices.map(({ id, kindLabel, number, issuedAt, gross, pdfUrl, xmlUrl }) => (
        <li key={id} className={styles.file}>
          <div>
            <p className={styles.name}>
              {kindLabel} {number}
            </p>
            <p className={account.quiet}>
              {t('invoice.issued-on', { date: formats.date(issuedAt) })} · {gross.formatted}
            </p>
          </div>
          <p className={styles.downloads}>
            <ButtonLink look="secondary" size="s" href={pdfUrl} aria-label={t('invoice.download.of', { number })}>
              {t('invoice.download')}
            </ButtonLink>
            <a href={xmlUrl} aria-label={t('invoice.xml.of', { number })}>
              {t('invoice.xml')}
            </a>
          </p>
        </li>
      ))}
    </ul>
  )
}
