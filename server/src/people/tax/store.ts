import { dequeue, newId, type Db } from '#platform'
import { companyTaxOwner, customerTaxOwner, type TaxDetails, type TaxRecord } from './tax-record.ts'
import type { VatRegister } from './vat-number.ts'
import type { VatAnswer, VatStanding } from './vat-state.ts'

const columns = `owner, legal_name as "legalName", line1, line2, postcode, city, country, fiscal_number as "fiscalNumber", sdi_code as "sdiCode", pec,
  vat_number as "vatNumber", vat_state as "vatState", vat_doubts as "vatDoubts", vat_tries as "vatTries", vat_checked_at as "vatCheckedAt",
  vat_next_at as "vatNextAt"`
const find = { name: 'tax.record', text: `select ${columns} from tax.record where owner = $1` }
const lock = { name: 'tax.lock-record', text: `select ${columns} from tax.record where owner = $1 for update` }
// The same number keeps its result, unless its register is queried about it anew ($12).
const save = {
  name: 'tax.save-record',
  text: `insert into tax.record as r (owner, legal_name, line1, line2, postcode, city, country, fiscal_number, sdi_code, pec, vat_number, vat_state)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, case when $11::text is not null then 'pending' end)
    on conflict (owner) do update set legal_name = excluded.legal_name, line1 = excluded.line1, line2 = excluded.line2,
      postcode = excluded.postcode, city = excluded.city, country = excluded.country, fiscal_number = excluded.fiscal_number,
      sdi_code = excluded.sdi_code, pec = excluded.pec, vat_number = excluded.vat_number,
      vat_state = case when r.vat_number = excluded.vat_number and not $12 then r.vat_state else excluded.vat_state end,
      vat_doubts = case when r.vat_number = excluded.vat_number and not $12 then r.vat_doubts else 0 end,
      vat_tries = case when r.vat_number = excluded.vat_number and not $12 then r.vat_tries else 0 end,
      vat_checked_at = case when r.vat_number = excluded.vat_number and not $12 then r.vat_checked_at end,
      vat_next_at = case when r.vat_number = excluded.vat_number and not $12 then r.vat_next_at end,
      updated_at = now()`,
}
const register = {
  name: 'tax.register-company',
  text: `insert into tax.record (owner, legal_name, country, vat_number, vat_state, line1, postcode, city)
    values ($1, $2, $3, $4, 'pending', $5, $6, $7) on conflict do nothing`,
}
const stand = {
  name: 'tax.set-standing',
  text: `update tax.record set vat_state = $3, vat_doubts = $4, vat_tries = $5, vat_next_at = $6,
      vat_checked_at = case when $7 then $8 else vat_checked_at end
    where owner = $1 and vat_number = $2`,
}
const answer = {
  name: 'tax.keep-answer',
  text: `insert into tax.answer (id, owner, vat_number, service, outcome, fault, consultation_number, requester, name, address, asked_at, body)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
}
const answers = {
  name: 'tax.answers',
  text: `select vat_number as "vatNumber", service, outcome, fault, consultation_number as "consultationNumber", requester, name, address,
      asked_at as "askedAt" from tax.answer where owner = $1 order by asked_at desc, id desc limit $2`,
}
const recent = {
  name: 'tax.count-answers',
  text: `select count(*)::int as answers from tax.answer where owner = $1 and asked_at > now() - interval '1 day'`,
}
const removeRecord = { name: 'tax.delete-record', text: 'delete from tax.record where owner = $1' }
const removeAnswers = { name: 'tax.delete-answers', text: 'delete from tax.answer where owner = $1' }

export function readRecord(db: Db, owner: string): Promise<TaxRecord | undefined> {
  return db.row<TaxRecord>(find, [owner])
}

/** Changes to one record follow one another until the transaction ends. */
export function lockRecord(db: Db, owner: string): Promise<TaxRecord | undefined> {
  return db.row<TaxRecord>(lock, [owner])
}

/** `isAsked`: the register is queried about the number, which is pending until then. */
export async function saveRecord(db: Db, owner: string, details: TaxDetails, { isAsked }: { isAsked: boolean }): Promise<void> {
  const { legalName, line1, line2, postcode, city, country, fiscalNumber, sdiCode, pec, vatNumber } = details
  await db.run(save, [owner, legalName, line1, line2, postcode, city, country, fiscalNumber, sdiCode, pec, vatNumber, isAsked])
}

export interface SeatAddress {
  line1: string
  postcode: string
  city: string
}

/** The number a company was registered with; false when the company has a record already. */
export async function insertRegistered(
  db: Db,
  owner: string,
  { name, country, vatNumber, address }: { name: string; country: string; vatNumber: string; address?: SeatAddress },
): Promise<boolean> {
  const { line1 = null, postcode = null, city = null } = address ?? {}
  return (await db.run(register, [owner, name, country, vatNumber, line1, postcode, city])) === 1
}

/** The standing of a number after an answer, unless the number has changed meanwhile. */
export async function writeStanding(
  db: Db,
  { owner, vatNumber }: { owner: string; vatNumber: string },
  { state, doubts, tries }: VatStanding,
  { nextAt, answeredAt }: { nextAt: Date | null; answeredAt: Date | null },
): Promise<void> {
  await db.run(stand, [owner, vatNumber, state, doubts, tries, nextAt, answeredAt !== null, answeredAt])
}

export interface KeptAnswer {
  vatNumber: string
  service: VatRegister
  outcome: VatAnswer['outcome']
  fault: string | null
  consultationNumber: string | null
  requester: string | null
  name: string | null
  address: string | null
  askedAt: Date
}

export async function keepAnswer(
  db: Db,
  {
    owner,
    vatNumber,
    service,
    requester,
    askedAt,
  }: Pick<KeptAnswer, 'vatNumber' | 'service' | 'requester' | 'askedAt'> & { owner: string },
  given: VatAnswer,
): Promise<void> {
  const { outcome, body } = given
  const fault = outcome === 'unanswered' ? given.fault : null
  const consultation = outcome === 'unanswered' ? null : given.consultationNumber
  const [name, address] = outcome === 'valid' ? [given.name, given.address] : [null, null]
  const written = body === null || body === undefined ? null : JSON.stringify(body)
  await db.run(answer, [newId(), owner, vatNumber, service, outcome, fault, consultation, requester, name, address, askedAt, written])
}

/** The proof, newest first. */
export function readAnswers(db: Db, owner: string, limit = 1000): Promise<KeptAnswer[]> {
  return db.rows<KeptAnswer>(answers, [owner, limit])
}

export async function countRecentAnswers(db: Db, owner: string): Promise<number> {
  return (await db.row<{ answers: number }>(recent, [owner]))?.answers ?? 0
}

const withConfirmed = {
  name: 'tax.companies-with-vat-number',
  text: `select owner from tax.record where vat_number = $1 and vat_state = 'valid' and owner like 'company:%'`,
}
const moveRecord = { name: 'tax.move-record', text: 'update tax.record set owner = $2 where owner = $1' }
const moveAnswers = { name: 'tax.move-answers', text: 'update tax.answer set owner = $2 where owner = $1' }

/** Companies in whose tax information this number is confirmed. */
export async function companiesWithConfirmed(db: Db, vatNumber: string): Promise<string[]> {
  const rows = await db.rows<{ owner: string }>(withConfirmed, [vatNumber])
  return rows.map(({ owner }) => owner.slice('company:'.length))
}

const confirm = {
  name: 'tax.confirm-number',
  text: `update tax.record set vat_state = 'valid', vat_doubts = 0
    where owner = $1 and vat_number = $2 and (vat_state = 'valid' or (vat_state = 'pending' and vat_checked_at is not null))`,
}

/** A number in review is its owner's from now on. False for one that its register has not reported as valid. */
export async function confirmNumber(db: Db, owner: string, vatNumber: string): Promise<boolean> {
  return (await db.run(confirm, [owner, vatNumber])) === 1
}

const inReview = {
  name: 'tax.numbers-in-review',
  text: `select r.owner, r.legal_name as "legalName", r.line1, r.postcode, r.city, r.country, r.vat_number as "vatNumber",
      r.vat_checked_at as "checkedAt", a.name as "registeredName", a.address as "registeredAddress"
    from tax.record r left join lateral (
      select name, address from tax.answer where owner = r.owner and vat_number = r.vat_number and outcome = 'valid' order by asked_at desc limit 1
    ) a on true
    where r.vat_state = 'pending' and r.vat_checked_at is not null and ($1::text is null or r.owner > $1) order by r.owner limit $2`,
}

interface NumberInReview {
  owner: string
  legalName: string | null
  line1: string | null
  postcode: string | null
  city: string | null
  country: string | null
  vatNumber: string
  checkedAt: Date
  registeredName: string | null
  registeredAddress: string | null
}

/** Numbers that registers know under another name than the owner's or without telling one, by owner. */
export function listNumbersInReview(db: Db, { after, limit }: { after: string | null; limit: number }): Promise<NumberInReview[]> {
  return db.rows<NumberInReview>(inReview, [after, limit])
}

/** Another owner for a record, its answers included. */
export async function moveRecordTo(db: Db, from: string, to: string): Promise<void> {
  await db.run(moveRecord, [from, to])
  await db.run(moveAnswers, [from, to])
}

/** Deletes everything about a customer whose account is deleted. Details of a company stay with the company. */
export async function removeTaxInformationOf(db: Db, customerId: string): Promise<void> {
  const owner = customerTaxOwner(customerId)
  await db.run(removeRecord, [owner])
  await db.run(removeAnswers, [owner])
}

/** Deletes everything about a company that closed with its only member's account. */
export async function removeTaxInformationOfCompany(db: Db, companyId: string): Promise<void> {
  const owner = companyTaxOwner(companyId)
  await dequeue(db, 'tax.check-vat', owner)
  await db.run(removeRecord, [owner])
  await db.run(removeAnswers, [owner])
}

const withNumber = {
  name: 'tax.with-vat-number',
  text: `select owner from tax.record where owner = any($1) and vat_number is not null and vat_state <> 'not-valid'`,
}

/** Customers who gave a VAT number of their own that is not known to be wrong. */
export async function readCustomersWithVatNumber(db: Db, customerIds: readonly string[]): Promise<Set<string>> {
  const rows = await db.rows<{ owner: string }>(withNumber, [customerIds.map((id) => `customer:${id}`)])
  return new Set(rows.map(({ owner }) => owner.slice('customer:'.length)))
}
