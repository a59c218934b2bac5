import { redirect, type Redirect } from '@purlin/web/outcomes.ts'
import { OpenOrderByTokenDocument, type OpenOrderByTokenMutation } from '../generated/documents.ts'
import { paths } from '../paths.ts'
import type { ShopContext } from '../shell/context.ts'

type OpenedOrder = NonNullable<OpenOrderByTokenMutation['openOrderByToken']['order']>

/**
 * Exchanges the token of a mail's link for access to the order, and removes the token from the address. A company's order asks
 * for sign-in; null for a link that opens nothing, and if the page has nothing to show of the order.
 */
export async function openByLink(
  { client, prefix, pathname }: ShopContext,
  token: string,
  pageOf: (order: OpenedOrder) => string | null,
): Promise<Redirect | null> {
  const opened = (await client.mutate(OpenOrderByTokenDocument, { token }))?.openOrderByToken
  if (opened?.refusal?.reason === 'members-only')
    return redirect(302, paths.login({}, { error: 'CompanyOrder', callbackUrl: prefix + pathname }))
  const page = opened?.order ? pageOf(opened.order) : null
  return page === null ? null : redirect(302, page)
}
