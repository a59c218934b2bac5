import type { Realm } from '@purlin/contract/identity.ts'
import { type Account, findAccountByEmail, writePassword } from './accounts.ts'
import type { IdentityContext } from './context.ts'
import { hashPassword, isOutdated, verifyPassword } from './password.ts'

/** The account of this address and password; the time taken is the same where there is none. */
export async function signIn(
  { pool }: IdentityContext,
  realm: Realm,
  { email, password }: { email: string; password: string },
): Promise<Account | undefined> {
  const account = await findAccountByEmail(pool.db, realm, email)
  if (!(await verifyPassword(password, account?.password)) || !account?.password) return undefined
  if (isOutdated(account.password)) await writePassword(pool.db, account, await hashPassword(password))
  return account
}
