import { redirect } from '@purlin/web/outcomes.ts'
import type { ReactNode } from 'react'
import type { ShopContext } from '../shell/context.ts'
import { callbackOf, registerHref } from './callback.ts'

/** The registration form is the identity provider's. */
export async function load(context: ShopContext) {
  const callback = callbackOf(context)
  return redirect(302, (await context.principal()).kind === 'guest' ? registerHref(callback) : callback)
}

/** Never shown: `load` always redirects. */
export function Page(): ReactNode {
  return null
}
