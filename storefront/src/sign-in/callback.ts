import { ownPath } from '@purlin/web/own-path.ts'
import { paths } from '../paths.ts'
import type { ShopContext } from '../shell/context.ts'

/** The destination after signing in: a page of this site. */
export function callbackOf({ query, origin }: Pick<ShopContext, 'query' | 'origin'>): string {
  const { callbackUrl } = query
  const given = typeof callbackUrl === 'string' && callbackUrl.startsWith(`${origin}/`) ? callbackUrl.slice(origin.length) : callbackUrl
  return ownPath(given, paths.customerArea())
}

/** Leads to the identity provider; a link, so that it works without a script. */
export function signInHref(callbackUrl: string): string {
  return paths.auth({ path: 'pre-login' }, { callbackUrl })
}

export function registerHref(callbackUrl: string): string {
  return paths.registerCall({}, { callbackUrl })
}

export function forgottenHref(callbackUrl: string): string {
  return paths.auth({ path: 'pre-login' }, { callbackUrl, step: 'forgotten' })
}

/** A page of the account at the identity provider: `overview` has second step, passkeys and devices. */
export function providerAccountHref(page: 'email' | 'password' | 'overview'): string {
  return paths.auth({ path: 'account' }, { page })
}
