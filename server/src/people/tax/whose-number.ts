import { findCompanies, readCompany, readMemberships } from '#accounts'
import type { Db } from '#platform'
import { namesAgree } from './company-names.ts'
import { companiesWithConfirmed } from './store.ts'
import { companyIdOfOwner, customerOf, type TaxRecord } from './tax-record.ts'

const lock = { name: 'tax.lock-vat-number', text: `select pg_advisory_xact_lock(hashtextextended('companies.vat ' || $1, 0))` }

/** Decisions about one VAT number follow one another: of two companies at the same moment, the second sees that the first one has it. */
export async function lockVatNumber(db: Db, vatNumber: string): Promise<void> {
  await db.run(lock, [vatNumber])
}

/**
 * Whether a company other than these has the number: because it was confirmed with it, whatever its tax information states today, or
 * because its tax information states it and the register confirmed the name. A number that was merely entered is nobody's.
 */
export async function isVatNumberTaken(db: Db, vatNumber: string, ownCompanies: readonly string[]): Promise<boolean> {
  const [confirmed, opened] = await Promise.all([
    companiesWithConfirmed(db, vatNumber),
    findCompanies(db, { ids: [], vatNumbers: [vatNumber] }),
  ])
  return [...confirmed, ...opened.map(({ id }) => id)].some((id) => !ownCompanies.includes(id))
}

/** Whether a company has the number that is not the owner of the record, nor one of the customer who is. */
export async function isTakenFor(db: Db, owner: string, vatNumber: string): Promise<boolean> {
  const companyId = companyIdOfOwner(owner)
  const own = companyId === null ? (await readMemberships(db, customerOf(owner) ?? '')).map(({ id }) => id) : [companyId]
  return isVatNumberTaken(db, vatNumber, own)
}

/**
 * VAT numbers are public. One that its register has confirmed is its owner's if the company was confirmed with it; otherwise if the
 * register names the owner, and no other company has it.
 */
export async function isNumberOf(
  db: Db,
  { owner, legalName }: Pick<TaxRecord, 'owner' | 'legalName'>,
  vatNumber: string,
  registeredName: string | null,
): Promise<boolean> {
  const companyId = companyIdOfOwner(owner)
  if (companyId !== null) {
    await lockVatNumber(db, vatNumber)
    if ((await readCompany(db, companyId))?.vatNumber === vatNumber) return true
  }
  if (registeredName === null || legalName === null || !namesAgree(legalName, registeredName)) return false
  return !(await isTakenFor(db, owner, vatNumber))
}
