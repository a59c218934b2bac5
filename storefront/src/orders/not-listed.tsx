import { Alert } from '@purlin/ui/alert.tsx'
import type { ReactNode } from 'react'
import type { ShopContext } from '../shell/context.ts'
import { providerAccountHref } from '../sign-in/callback.ts'

/** Where an order belongs that a signed-in customer may see and that their list of orders does not contain. */
export function NotListed({ email, t }: { email: string; t: ShopContext['t'] }): ReactNode {
  return (
    <Alert severity="info">
      {t.rich('checkout.order.not-listed', { link: (text) => <a href={providerAccountHref('email')}>{text}</a> }, { email })}
    </Alert>
  )
}
