import { Enhance } from '@purlin/web'
import type { ReactNode } from 'react'
import type { ShopContext } from '../shell/context.ts'

/** Around a form with addresses: towns and streets are completed while it is filled in. */
export function CompletedAddress({
  context: { country, catalogue },
  children,
}: {
  context: Pick<ShopContext, 'country' | 'catalogue'>
  children: ReactNode
}): ReactNode {
  return (
    <Enhance with="address" when="interact">
      <span hidden data-country={country} data-filled={JSON.stringify(catalogue['address.filled'])} />
      {children}
    </Enhance>
  )
}
