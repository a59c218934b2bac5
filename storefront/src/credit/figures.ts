import { FinancingExampleDocument } from '../generated/documents.ts'
import type { ShopContext } from '../shell/context.ts'

/** The example of the address: its amount and term, or the usual ones where those are not financed. */
export async function exampleOf({ client, query }: Pick<ShopContext, 'client' | 'query'>) {
  const numberOf = (text: unknown) => (typeof text === 'string' && /^\d{1,6}$/.test(text) ? Number(text) : null)
  const variables = { amount: numberOf(query['amount']), months: numberOf(query['months']) }
  return (await client.query(FinancingExampleDocument, variables)).financingExample
}

export function percentOf({ locale }: Pick<ShopContext, 'locale'>, share: number): string {
  return new Intl.NumberFormat(locale, { style: 'percent', minimumFractionDigits: 2, maximumFractionDigits: 2 }).format(share)
}
