import { newId, type Db } from '#platform'
import { removeOfferDataOf } from './offers-store.ts'
import { removePhoneCode } from './phone-code-store.ts'
import type { Channel, Consent, Profile } from './profile.ts'

const find = {
  name: 'profile.find',
  text: `select first_name as "firstName", last_name as "lastName", phone, language, fiscal_number as "fiscalNumber", updated_at as "updatedAt"
    from profile.profile where customer_id = $1`,
}
const save = {
  name: 'profile.save',
  text: `insert into profile.profile (customer_id, first_name, last_name, phone, language, fiscal_number) values ($1, $2, $3, $4, $5, $6)
    on conflict (customer_id) do update set first_name = excluded.first_name, last_name = excluded.last_name, phone = excluded.phone,
      language = excluded.language, fiscal_number = excluded.fiscal_number, updated_at = now()`,
}
const consents = {
  name: 'profile.consents',
  text: `select distinct on (channel) channel, is_granted and (channel <> 'sms' or is_confirmed) as "isGranted", is_granted as "isGiven", phone, at
    from profile.consent where customer_id = $1 order by channel, at desc, id desc`,
}
const history = {
  name: 'profile.consent-history',
  text: `select channel, is_granted as "isGranted", is_confirmed as "isConfirmed", phone, at, wording, source from profile.consent where customer_id = $1 order by at, id`,
}
const give = {
  name: 'profile.give-consent',
  text: `insert into profile.consent (id, customer_id, channel, is_granted, wording, source, phone, is_confirmed)
    values ($1, $2, $3, $4, $5, $6, $7, $8)`,
}
const turn = { name: 'profile.take-turn', text: 'select pg_advisory_xact_lock(hashtextextended($1, 0))' }

export function readProfile(db: Db, customerId: string): Promise<Profile | undefined> {
  return db.row<Profile>(find, [customerId])
}

export async function writeProfile(db: Db, customerId: string, profile: Omit<Profile, 'updatedAt'>): Promise<void> {
  const { firstName, lastName, phone, language, fiscalNumber } = profile
  await db.run(save, [customerId, firstName, lastName, phone, language, fiscalNumber])
}

const fiscal = {
  name: 'profile.set-fiscal-number',
  text: `insert into profile.profile (customer_id, fiscal_number) values ($1, $2)
    on conflict (customer_id) do update set fiscal_number = excluded.fiscal_number, updated_at = now()`,
}

export async function setFiscalNumber(db: Db, customerId: string, number: string | null): Promise<void> {
  await db.run(fiscal, [customerId, number])
}

/** The latest consent per channel; one to text messages counts as granted if its number was confirmed. */
export function readConsents(db: Db, customerId: string): Promise<Consent[]> {
  return db.rows<Consent>(consents, [customerId])
}

/** All consents, oldest first, as evidence. */
export function readConsentHistory(
  db: Db,
  customerId: string,
): Promise<(Omit<Consent, 'isGiven'> & { isConfirmed: boolean; wording: string; source: string })[]> {
  return db.rows(history, [customerId])
}

export interface NewConsent {
  channel: Channel
  isGranted: boolean
  wording: string
  source: string
  phone: string | null
  /** Whether a code sent to the number was entered. */
  isConfirmed?: boolean
}

export async function insertConsent(db: Db, customerId: string, consent: NewConsent): Promise<void> {
  const { channel, isGranted, wording, source, phone, isConfirmed = false } = consent
  await db.run(give, [newId(), customerId, channel, isGranted, wording, source, phone, isConfirmed])
}

/** Serialises changes to one customer's profile until the transaction ends. */
export async function takeTurn(db: Db, customerId: string): Promise<void> {
  await db.run(turn, [`profile ${customerId}`])
}

const removeProfile = { name: 'profile.delete', text: 'delete from profile.profile where customer_id = $1' }
const removeConsents = { name: 'profile.delete-consents', text: 'delete from profile.consent where customer_id = $1' }

/** Deletes the profile of a customer whose account is deleted. */
export async function removeProfileOf(db: Db, customerId: string): Promise<void> {
  await db.run(removeProfile, [customerId])
  await db.run(removeConsents, [customerId])
  await removePhoneCode(db, customerId)
  await removeOfferDataOf(db, customerId)
}
