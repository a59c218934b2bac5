import { createHmac, hkdfSync } from 'node:crypto'
import { settings, type Db } from '#platform'

/** What is known of companies that were closed: a keyed hash of their number, by which the same company is recognised when it returns. */

/** With the current key, and with the one from before RETENTION_KEY was set. */
function hashesOf(vatNumber: string): [today: Buffer, ...older: Buffer[]] {
  const { retentionKey, mail } = settings()
  const hash = (secret: string) =>
    createHmac('sha256', Buffer.from(hkdfSync('sha256', secret, '', 'purlin closed companies', 32)))
      .update(vatNumber.toUpperCase().replace(/[^A-Z0-9]/g, ''))
      .digest()
  return retentionKey === undefined ? [hash(mail.linkSecret)] : [hash(retentionKey), hash(mail.linkSecret)]
}

const keep = {
  name: 'accounts.keep-closed-number',
  text: 'insert into accounts.closed_number (hash, company_id) values ($1, $2) on conflict do nothing',
}

export async function keepClosedNumber(db: Db, companyId: string, vatNumber: string): Promise<void> {
  await db.run(keep, [hashesOf(vatNumber)[0], companyId])
}

const closedWith = {
  name: 'accounts.closed-with-number',
  text: 'select distinct company_id as id from accounts.closed_number where hash = any($1)',
}

/** Closed companies that had this number. */
export async function closedCompaniesWith(db: Db, vatNumber: string): Promise<string[]> {
  return (await db.rows<{ id: string }>(closedWith, [hashesOf(vatNumber)])).map(({ id }) => id)
}

const sameNumber = {
  name: 'accounts.companies-of-same-number',
  text: `select other.id, other.vat_number as "vatNumber" from accounts.company own
    join accounts.company other on other.id = own.id or other.vat_number = own.vat_number
    where own.id = $1`,
}

/**
 * The company with the others of its number, and those that were closed: an operator may accept a number that is a customer's already.
 * Trials, first orders and the limit of invoices are counted for all of them.
 */
export async function companyWithFormer(db: Db, companyId: string): Promise<string[]> {
  const companies = await db.rows<{ id: string; vatNumber: string | null }>(sameNumber, [companyId])
  const vatNumber = companies[0]?.vatNumber
  const closed = vatNumber ? await closedCompaniesWith(db, vatNumber) : []
  return [...new Set([companyId, ...companies.map(({ id }) => id), ...closed])]
}

/** The oldest company of the same number: whatever a number has once is noted with it. */
export async function firstOfNumber(db: Db, companyId: string): Promise<string> {
  return (await companyWithFormer(db, companyId)).toSorted()[0] ?? companyId
}

const release = {
  name: 'accounts.release-closed-numbers',
  text: `delete from accounts.closed_number where closed_at < now() - interval '10 years'`,
}

/** As long as what is retained of invoices. */
export async function releaseClosedNumbers(db: Db): Promise<void> {
  await db.run(release)
}
