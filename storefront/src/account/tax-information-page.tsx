import { notFound, redirect, refuse } from '@purlin/web/outcomes.ts'
import { formAction } from '@purlin/web/form-action.ts'
import type { ReactNode } from 'react'
import {
  ChangeTaxInformationDocument,
  CheckVatNumberAgainDocument,
  MyTaxInformationDocument,
  type RefusalFragment,
} from '../generated/documents.ts'
import { paths } from '../paths.ts'
import type { PageProps, ShopContext } from '../shell/context.ts'
import { AccountFrame } from './account-frame.tsx'
import styles from './account.module.css'
import { TaxDetailsForm, TaxFacts } from './tax-details.tsx'
import { taxForm } from './tax-form.ts'
import { VatStatus } from './vat-status.tsx'

export async function load(context: ShopContext) {
  const { tax } = await context.client.query(MyTaxInformationDocument)
  if (!tax) return notFound()
  return { data: { tax }, title: context.t(tax.isCompany ? 'tax.company-title' : 'tax.title'), robots: 'noindex' }
}

export const action = formAction(taxForm, async ({ client }: ShopContext, input) => {
  const saved = { severity: 'success', key: 'flash.tax-saved' } as const
  const pending = { severity: 'info', key: 'flash.vat-number-pending' } as const
  if (input.do === 'check') {
    const refusal = (await client.mutate(CheckVatNumberAgainDocument))?.result.refusal
    return refusal ? refuse(refusal) : redirect(303, paths.myTaxInformation(), pending)
  }
  const { do: _, ...details } = input
  const result = (await client.mutate(ChangeTaxInformationDocument, { input: details }))?.result
  if (result?.refusal) return refuse(result.refusal)
  return redirect(303, paths.myTaxInformation(), result?.isAsked ? pending : saved)
})

/** How invoices name the customer or their company, and whether the VAT number is right. */
export function Page({ data: { tax }, context, refusal, typed }: PageProps<typeof load, RefusalFragment>): ReactNode {
  const { t } = context
  return (
    <AccountFrame context={context} here="myTaxInformation" title={t(tax.isCompany ? 'tax.company-title' : 'tax.title')}>
      <p className={styles.quiet}>{t('tax.lead')}</p>
      {tax.vat && <VatStatus vat={tax.vat} canCheck={tax.canChange} isWaiting={!refusal} context={context} />}
      {tax.canChange ? (
        <TaxDetailsForm tax={tax} context={context} refusal={refusal} typed={typed} />
      ) : (
        <TaxFacts tax={tax} context={context} />
      )}
    </AccountFrame>
  )
}
