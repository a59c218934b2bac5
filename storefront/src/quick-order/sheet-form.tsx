import { quantityColumns } from '@purlin/contract/order-columns.ts'
import { Button, Field, Select } from '@purlin/ui'
import type { ReactNode } from 'react'
import type { ShopContext } from '../shell/context.ts'
import { sheetField } from './quick-order-form.ts'
import styles from './quick-order.module.css'

interface Props {
  /** After a file: whoever sees wrong quantities sends it again and says where they are. */
  wasRead: boolean
  context: ShopContext
}

/** Sends a CSV or Excel file; the browser comes back with its rows. */
export function SheetForm({ wasRead, context: { t } }: Props): ReactNode {
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
      {wasRead && (
        // Before the file: what comes after it is read too late.
        <Select
          id="column"
          name={sheetField('column')}
          label={t('quick-order.sheet.column')}
          defaultValue=""
          options={[
            { value: '', label: t('quick-order.sheet.column-found') },
            ...[...quantityColumns].map((letter) => ({ value: letter, label: t('quick-order.sheet.column-of', { letter }) })),
          ]}
        />
      )}
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
