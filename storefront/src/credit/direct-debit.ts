import { DirectDebitDocument, type DirectDebitQuery } from '../generated/documents.ts'
import type { ShopContext } from '../shell/context.ts'

/** Direct debit for the viewer's company; null where there is none, and for everybody the page of the mandate is closed to. */
export async function directDebitOf({ client }: Pick<ShopContext, 'client'>): Promise<DirectDebitQuery['directDebit']> {
  return (await client.query(DirectDebitDocument)).directDebit
}
