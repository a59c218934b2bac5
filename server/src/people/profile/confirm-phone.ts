import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { wordsFor } from '@purlin/words/catalogues.ts'
import { customerIdOf } from '#accounts'
import { newId, settings, takeQuota, type Db, type Scope } from '#platform'
import { readPhoneCode, readPhoneCodeById, removePhoneCode, writePhoneCode, type PhoneCode } from './phone-code-store.ts'
import { isSmsOffered } from './ports.ts'
import { reasonOf, type CodeFault, type ProfileChange } from './profile.ts'
import { insertConsent, takeTurn } from './store.ts'

const codeMinutes = 10

/** Six digits that only the shop can derive from the id: the database holds no code to guess from. */
export function phoneCodeOf(id: string): string {
  const digest = createHmac('sha256', settings().mail.linkSecret).update(`phone code ${id}`).digest()
  return String(digest.readUInt32BE() % 1_000_000).padStart(6, '0')
}

/**
 * Has a code sent to the number for text messages. The response is the same whoever has the number, and whether it exists. Undefined, or the
 * reason none is sent: the shop has no provider, or too many have been requested, by this customer, from this address, or for this number,
 * whose owner may be somebody else.
 */
async function requestPhoneCode(scope: Scope, customerId: string, wanted: Omit<PhoneCode, 'id'>): Promise<CodeFault | undefined> {
  if (!isSmsOffered()) return 'sms-none'
  const { db, now, remoteAddress: address } = scope
  const { phone } = wanted
  const key = createHash('sha256').update(phone.replaceAll(' ', '')).digest('base64url')
  if (!(await takeQuota('phone-code', { address, line: address, customer: customerId, key })).ok) return 'too-many-codes'
  const code: PhoneCode = { id: newId(), ...wanted }
  await writePhoneCode(db, customerId, code, new Date(now.getTime() + codeMinutes * 60_000))
  scope.emit('phone-code.requested', { customerId, codeId: code.id })
  return undefined
}

/**
 * Has a code sent, unless the number waits for one that is still valid: its form may be saved for another reason. Null: no mobile phone of the
 * five countries. Undefined, or the reason no code is sent.
 */
export async function ensurePhoneCode(scope: Scope, customerId: string, phone: string | null): Promise<CodeFault | undefined> {
  const { db, market, now } = scope
  if (phone === null) return isSmsOffered() ? 'phone-mobile' : 'sms-none'
  if ((await readPhoneCode(db, customerId, now))?.phone === phone) return undefined
  return requestPhoneCode(scope, customerId, { phone, market, wording: wordsFor(market)('settings.offers.sms') })
}

/** Sends another code to the number that waits for one, in place of that. */
export async function sendAnotherPhoneCode(scope: Scope): Promise<ProfileChange> {
  const customerId = customerIdOf(scope)
  if (customerId === null) throw new Error('Only customers can confirm a number')
  await takeTurn(scope.db, customerId)
  const code = await readPhoneCode(scope.db, customerId, scope.now)
  if (!code) return { ok: false, reason: 'profile-invalid', fields: { code: 'code-wrong' } }
  const { phone, market, wording } = code
  const fault = await requestPhoneCode(scope, customerId, { phone, market, wording })
  return fault ? { ok: false, reason: reasonOf(fault), fields: { code: fault } } : { ok: true }
}

/** The number and text of a code that is still to be sent; null if it was replaced, used or has expired. */
export async function phoneCodeToSend(db: Db, codeId: string, now: Date): Promise<{ phone: string; text: string } | null> {
  const code = await readPhoneCodeById(db, codeId, now)
  return code ? { phone: code.phone, text: wordsFor(code.market)('sms.phone-code', { code: phoneCodeOf(code.id) }) } : null
}

/** Consent to text messages counts from here on. A code that is wrong, expired or was never requested gets the same response. */
export async function confirmPhone(scope: Scope, typed: string): Promise<ProfileChange> {
  const { db, now } = scope
  const customerId = customerIdOf(scope)
  if (customerId === null) throw new Error('Only customers can confirm a number')
  await takeTurn(db, customerId)
  const code = await readPhoneCode(db, customerId, now)
  // Outside of the transaction, which a refusal rolls back.
  if (code && !(await takeQuota('phone-code-guess', { key: code.id })).ok)
    return { ok: false, reason: 'too-many-attempts', fields: { code: 'code-wrong' } }
  if (!code || !isSame(typed.replace(/\s/g, ''), phoneCodeOf(code.id)))
    return { ok: false, reason: 'profile-invalid', fields: { code: 'code-wrong' } }
  await removePhoneCode(db, customerId)
  const { phone, wording } = code
  await insertConsent(db, customerId, { channel: 'sms', isGranted: true, isConfirmed: true, wording, source: 'settings', phone })
  return { ok: true }
}

function isSame(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)]
  return a.length === b.length && timingSafeEqual(a, b)
}
