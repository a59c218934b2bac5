import type { Market } from '@purlin/contract/markets.ts'
import type { Db, SealedAccounts } from '#platform'
import type { Mandate } from './mandate.ts'

const columns = `m.id, m.company_id as "companyId", m.market, m.origin, m.reference, m.creditor_name as "creditorName",
  m.creditor_id as "creditorId", m.state, m.ended_by as "endedBy", m.ended_at as "endedAt", m.holder, m.iban_end as "ibanEnd",
  m.signed_at as "signedAt"`

const insert = {
  name: 'credit.insert-mandate',
  text: `insert into credit.mandate (id, company_id, market, origin, reference, creditor_name, creditor_id, holder, iban_end, bank, text_version,
      signed_by, signed_at, sender_hash) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)
    on conflict (company_id, market) where state <> 'ended' do nothing`,
}
export type NewMandate = Omit<Mandate, 'state' | 'endedBy' | 'endedAt'> & {
  bank: Buffer
  textVersion: string
  signedBy: string
  senderHash: string | null
}

/** False if the company has a mandate. */
export async function insertMandate(db: Db, mandate: NewMandate): Promise<boolean> {
  const { id, companyId, market, origin, reference, creditorName, creditorId, holder, ibanEnd } = mandate
  const { bank, textVersion, signedBy, signedAt, senderHash } = mandate
  const facts = [id, companyId, market, origin, reference, creditorName, creditorId, holder, ibanEnd]
  return (await db.run(insert, [...facts, bank, textVersion, signedBy, signedAt, senderHash])) === 1
}

const latest = {
  name: 'credit.latest-mandate',
  text: `select ${columns} from credit.mandate m where m.company_id = $1 and m.market = $2
    order by m.state = 'ended', m.signed_at desc limit 1`,
}
/** The mandate in force, else the last one. */
export function readLatestMandate(db: Db, companyId: string, market: Market): Promise<Mandate | undefined> {
  return db.row<Mandate>(latest, [companyId, market])
}

const byId = { name: 'credit.mandate', text: `select ${columns}, m.bank from credit.mandate m where m.id = $1` }
export function readMandate(db: Db, id: string): Promise<(Mandate & { bank: Buffer | null }) | undefined> {
  return db.row(byId, [id])
}

const lock = { name: 'credit.lock-mandate', text: `select ${columns} from credit.mandate m where m.id = $1 for update` }
const lockOpen = {
  name: 'credit.lock-open-mandate',
  text: `select ${columns} from credit.mandate m where m.company_id = $1 and m.market = $2 and m.state <> 'ended' for update`,
}
export function lockMandate(db: Db, id: string): Promise<Mandate | undefined> {
  return db.row<Mandate>(lock, [id])
}

/** The mandate in force, or the one the provider has not answered about yet. */
export function lockOpenMandate(db: Db, companyId: string, market: Market): Promise<Mandate | undefined> {
  return db.row<Mandate>(lockOpen, [companyId, market])
}

const activate = { name: 'credit.activate-mandate', text: `update credit.mandate set state = 'active', bank = null where id = $1` }
const end = {
  name: 'credit.end-mandate',
  text: `update credit.mandate set state = 'ended', ended_by = $2, ended_at = $3, bank = null where id = $1 and state <> 'ended'`,
}
/** The provider has the account from now on, and the shop its last digits. */
export async function activateMandate(db: Db, id: string): Promise<void> {
  await db.run(activate, [id])
}

export async function writeMandateEnd(db: Db, id: string, endedBy: string, now: Date): Promise<void> {
  await db.run(end, [id, endedBy, now])
}

export const sealedMandates: SealedAccounts = {
  otherwise: {
    name: 'credit.mandates-sealed-with-another-key',
    text: `select id::text, bank as sealed from credit.mandate where bank is not null and substring(bank for 12) <> $1
      limit 1000 for update skip locked`,
  },
  replace: { name: 'credit.seal-mandate-anew', text: 'update credit.mandate set bank = $2 where id = $1' },
}

const ofSigner = {
  name: 'credit.mandates-signed-by',
  text: `select m.reference, m.creditor_name as "creditorName", m.state, m.holder, m.iban_end as "ibanEnd", m.text_version as "textVersion",
      m.signed_at as "signedAt", m.ended_at as "endedAt"
    from credit.mandate m where m.signed_by = $1 order by m.signed_at, m.id`,
}
/** Mandates that a customer has given for a company. */
export function readMandatesBy(db: Db, customerId: string) {
  return db.rows<
    Pick<Mandate, 'reference' | 'creditorName' | 'state' | 'holder' | 'ibanEnd' | 'signedAt' | 'endedAt'> & { textVersion: string }
  >(ofSigner, [customerId])
}

const openOf = {
  name: 'credit.open-mandates-of',
  text: `select m.company_id as "companyId", m.market from credit.mandate m where m.company_id = any($1::uuid[]) and m.state <> 'ended'`,
}
const blank = {
  name: 'credit.blank-mandates',
  text: `update credit.mandate set sender_hash = null, holder = case when company_id = any($2::uuid[]) then '' else holder end,
      iban_end = case when company_id = any($2::uuid[]) then '' else iban_end end
    where signed_by = $1 or company_id = any($2::uuid[])`,
}
export function readOpenMandatesOf(db: Db, companyIds: readonly string[]): Promise<Pick<Mandate, 'companyId' | 'market'>[]> {
  return db.rows(openOf, [companyIds])
}

/** Removes the traces of a signer, and of the accounts of companies that are closed; the creditor keeps the mandates themselves. */
export async function blankMandates(db: Db, signedBy: string, companyIds: readonly string[]): Promise<void> {
  await db.run(blank, [signedBy, companyIds])
}
