import { FinancingExampleDocument } from '../generated/documents.ts'
import type { ShopContext } from '../shell/context.ts'

/**
 * The example of the address: its amount and term, or the usual ones where those are not financed. `wrong` is an amount of the
 * address that is not financed, as it was typed.
 */
export async function exampleOf({ client, query }: Pick<ShopContext, 'client' | 'query'>) {
  const numberOf = (text: unknown) => (typeof text === 'string' && /^\d{1,6}$/.test(text) ? Number(text) : null)
  const variables = { amount: numberOf(query['amount']), months: numberOf(query['months']) }
  const { financingExample: example } = await client.query(FinancingExampleDocument, variables)
  const typed = typeof query['amount'] === 'string' ? query['amount'].trim().slice(0, 20) : ''
  return { ...example, wrong: typed === '' || variables.amount === example.amount ? null : typed }
}

type Example = Awaited<ReturnType<typeof exampleOf>>

/** Value, currency and error of the field for the amount. */
export function amountField({ t }: Pick<ShopContext, 't'>, example: Example) {
  const { amount, wrong, least, most, financed } = example
  const error = t('financing.amount.wrong', { least: least.formatted, most: most.formatted, amount: financed.formatted })
  return {
    // The sign of the currency, as the API writes it.
    before: most.formatted.replaceAll(/[\d\s.,]/g, ''),
    defaultValue: wrong ?? String(amount),
    ...(wrong !== null && { error }),
  }
}

export function percentOf({ locale }: Pick<ShopContext, 'locale'>, share: number): string {
  return new Intl.NumberFormat(locale, { style: 'percent', minimumFractionDigits: 2, maximumFractionDigits: 2 }).format(share)
}
