import { Button, Field } from '@purlin/ui'
import type { ReactNode } from 'react'
import type { ShopContext } from '../shell/context.ts'
import { sheetField } from './quick-order-form.ts'
import styles from './quick-order.module.css'

/** Sends a CSV or Excel file; the browser comes back with its rows. */
export function SheetForm({ context: { t } }: { context: ShopContext }): ReactNode {
  return (
    <form
      method="post"
      action="/api/v1/quick-order/sheet"
      encType="multipart/form-data"
      className={styles.sheet}
      aria-labelledby="sheet-title"
    >
      <h2 id="sheet-title">{t('quick-order.sheet.title')}</h2>
      <p id="sheet-hint">{t('quick-order.sheet.hint')}</p>
      <Field
        id="sheet"
        name={sheetField('sheet')}
        label={t('quick-order.sheet.file')}
        type="file"
        required
        accept=".csv,.txt,.xlsx,text/csv"
        aria-describedby="sheet-hint"
      />
      <Button look="secondary">{t('quick-order.sheet.send')}</Button>
    </form>
  )
}
