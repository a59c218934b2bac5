import type { Realm } from '@purlin/contract/identity.ts'
import type { Db } from '@purlin/server/foundation/platform/index.ts'

export interface Account {
  realm: Realm
  id: string
  email: string
  /** PHC string; null for an account without a password. */
  password: string | null
  givenName: string
  familyName: string
  locale: string
  companyName: string | null
  trade: string | null
  vatNumber: string | null
  /** Number in the company register, of a business without a VAT number. */
  registerNumber: string | null
  professionalRole: string | null
  isDemo: boolean
}

/** Canonical form of an address: trimmed, lower case, NFC. */
export function normalizeEmail(email: string): string {
  return email.trim().normalize('NFC').toLowerCase()
}

const columns = `realm, id, email, password, given_name as "givenName", family_name as "familyName", locale, company_name as "companyName",
  trade, vat_number as "vatNumber", register_number as "registerNumber", professional_role as "professionalRole", is_demo as "isDemo"`
const byId = {
  name: 'identity.account-by-id',
  text: `select ${columns} from identity.account where realm = $1 and id = $2 and closed_at is null`,
}
const byEmail = {
  name: 'identity.account-by-email',
  text: `select ${columns} from identity.account where realm = $1 and email = $2 and closed_at is null`,
}
const insert = {
  name: 'identity.account-insert',
  text: `insert into identity.account (realm, id, email, password, given_name, family_name, locale, company_name, trade, vat_number,
      register_number, professional_role, is_demo, password_at)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, case when $4::text is not null then now() end)
    on conflict do nothing`,
}
const setPassword = {
  name: 'identity.account-password',
  text: 'update identity.account set password = $3, password_at = now() where realm = $1 and id = $2 and closed_at is null',
}

export async function findAccount(db: Db, realm: Realm, id: string): Promise<Account | undefined> {
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id)) return undefined
  return db.row<Account>(byId, [realm, id])
}

export function findAccountByEmail(db: Db, realm: Realm, email: string): Promise<Account | undefined> {
  return db.row<Account>(byEmail, [realm, normalizeEmail(email)])
}

/** False when the realm already has an account with this id or address. */
export async function insertAccount(db: Db, account: Account): Promise<boolean> {
  const { realm, id, email, password, givenName, familyName, locale, companyName, trade, vatNumber, registerNumber } = account
  const values = [realm, id, normalizeEmail(email), password, givenName, familyName, locale, companyName, trade, vatNumber]
  // A registration that was pending when this field was added has none.
  return (await db.run(insert, [...values, registerNumber ?? null, account.professionalRole, account.isDemo])) === 1
}

export async function writePassword(db: Db, { realm, id }: Pick<Account, 'realm' | 'id'>, password: string): Promise<void> {
  await db.run(setPassword, [realm, id, password])
}

const rehash = {
  name: 'identity.account-rehash',
  text: 'update identity.account set password = $4 where realm = $1 and id = $2 and closed_at is null and password = $3',
}
/** Stores the same password under stronger parameters, unless another one has been chosen meanwhile. */
export async function rehashPassword(db: Db, account: Account, hash: string): Promise<Account> {
  const isSame = (await db.run(rehash, [account.realm, account.id, account.password, hash])) === 1
  return isSame ? { ...account, password: hash } : account
}

// Waits for a change under way, which holds the row.
const samePassword = {
  name: 'identity.account-same-password',
  text: `select 1 from identity.account where realm = $1 and id = $2 and closed_at is null and password is not distinct from $3 for share`,
}
/** Whether the password is still the one the account was read with. */
export async function hasSamePassword(db: Db, { realm, id, password }: Account): Promise<boolean> {
  return (await db.row(samePassword, [realm, id, password])) !== undefined
}

const setEmail = {
  name: 'identity.account-email',
  text: `update identity.account a set email = $3 where realm = $1 and id = $2 and closed_at is null
    and not exists (select 1 from identity.account other where other.realm = $1 and other.email = $3 and other.closed_at is null)`,
}

/** False when the realm has an account of this address, or none of this id. */
export async function writeEmail(db: Db, { realm, id }: Pick<Account, 'realm' | 'id'>, email: string): Promise<boolean> {
  return (await db.run(setEmail, [realm, id, normalizeEmail(email)])) === 1
}
