import { Button, Container, Field } from '@purlin/ui'
import { redirect } from '@purlin/web/outcomes.ts'
import type { ReactNode } from 'react'
import { CustomerOrderDocument } from '../generated/documents.ts'
import { paths } from '../paths.ts'
import type { PageProps, ShopContext } from '../shell/context.ts'
import styles from './account.module.css'

export async function load(context: ShopContext) {
  const principal = await context.principal()
  // After registering, the visitor is a customer and can see their orders, or why this one is not among them.
  if (principal.kind !== 'guest') return redirect(302, (await unlistedOrder(context)) ?? paths.myOrders())
  return { data: { email: principal.email ?? '' }, title: context.t('account.convert'), robots: 'noindex' }
}

/** The page of the order with which the guest began, if the new account's list does not contain it. */
async function unlistedOrder({ query, client }: ShopContext): Promise<string | null> {
  if (typeof query['order'] !== 'string') return null
  const { customerOrder: order } = await client.query(CustomerOrderDocument, { id: query['order'] })
  const [first] = order?.sellerOrders ?? []
  return order && !order.isInMyOrders && first ? paths.orderDetails({ customerOrderId: order.id, sellerOrderId: first.id }) : null
}

/** A guest becomes a customer: one prefilled field. Cart, orders and wishlists move to the account at the sign-in that follows. */
export function Page({ data: { email }, context: { t } }: PageProps<typeof load>): ReactNode {
  return (
    <Container>
      <div className={styles.alone}>
        <h1>{t('account.convert')}</h1>
        <ConvertForm email={email} t={t} />
      </div>
    </Container>
  )
}

/** The field itself, also shown on the receipt: it leads to the identity provider, which verifies the address before creating the account. */
export function ConvertForm({ email, orderId, t }: { email: string; orderId?: string; t: ShopContext['t'] }): ReactNode {
  return (
    <form method="get" action={paths.registerCall()} className={`${styles.card} ${styles.form}`}>
      <p>{t('account.convert.text')}</p>
      <input type="hidden" name="callbackUrl" value={paths.convertGuest({}, orderId === undefined ? {} : { order: orderId })} />
      <Field
        id="convert-email"
        name="email"
        type="email"
        inputMode="email"
        autoComplete="email"
        label={t('account.convert.email')}
        {...(orderId !== undefined && { hint: t('account.convert.hint') })}
        defaultValue={email}
        required
        maxLength={254}
      />
      <p>
        <Button>{t('account.convert.do')}</Button>
      </p>
    </form>
  )
}
