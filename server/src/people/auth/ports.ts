import type { Mode } from '@purlin/contract/markets.ts'
import type { SiteSettings } from '@purlin/contract/site-settings.ts'
import { followEmail } from '#accounts'
import { enqueue, type Db, type JobScope } from '#platform'

/** A guest has signed in: their belongings as a guest move to the account. */
export interface SignIn {
  /** The owner of the guest's data, in the form `ownerOf` returns. */
  from: string
  /** The new owner. */
  into: string
  /** The site of the sign-in. */
  storefront: Mode
  /** Verified by the identity provider. */
  email: string
}

/** Runs in the transaction of the sign-in, and again a little later for requests in flight. It may run several times. */
export type FollowSignIn = (scope: Pick<JobScope, 'db'>, signIn: SignIn) => Promise<void>

/** A customer whose address the identity provider has confirmed. */
export interface ConfirmedAddress {
  /** As `ownerOf` returns it. */
  into: string
  email: string
}

/** Gives a customer what guests have placed with their address and what is open to them already. It may run several times. */
export type FollowAddress = (scope: Pick<JobScope, 'db'>, address: ConfirmedAddress) => Promise<void>

let follower: FollowAddress | undefined

export function connectAddress(follow: FollowAddress): void {
  follower = follow
}

export async function followAddress(scope: Pick<JobScope, 'db'>, address: ConfirmedAddress): Promise<void> {
  await follower?.(scope, address)
}

export const followAddressJob = 'auth.follow-address'

/** For callers that do not load the modules a customer's orders belong to. */
export async function followAddressLater(db: Db, customerId: string): Promise<void> {
  await enqueue(db, { name: followAddressJob, key: customerId, payload: { customerId } })
}

/** The provider has confirmed another address of an identity. */
export async function followConfirmedEmail(db: Db, issuer: string, subject: string, email: string): Promise<void> {
  const customerId = await followEmail(db, issuer, subject, email)
  if (customerId !== null) await followAddressLater(db, customerId)
}

let followers: readonly FollowSignIn[] = []

/** Set once per process, where all modules meet (edges/connect-modules.ts). */
export function connectSignIn(...all: readonly FollowSignIn[]): void {
  followers = all
}

export async function followSignIn(scope: Pick<JobScope, 'db'>, signIn: SignIn): Promise<void> {
  for (const follow of followers) await follow(scope, signIn)
}

/** A browser, and the site it is on. */
export interface Browser {
  site: SiteSettings
  headers: Readonly<Record<string, string | string[] | undefined>>
}

/** Set-Cookie lines for the browser of the customer who is signed in there; null: nobody is, or nobody any more. Never throws. */
export type FollowCustomer = (db: Db, browser: Browser, customerId: string | null) => Promise<string[]>

let followCustomer: FollowCustomer = async () => []

/** Set once per process, as the followers of sign-ins are. */
export function connectBrowsers(follow: FollowCustomer): void {
  followCustomer = follow
}

export const cookiesOfCustomer: FollowCustomer = (db, browser, customerId) => followCustomer(db, browser, customerId)
