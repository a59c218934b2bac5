import { mobilePhoneOf, phoneOf } from '@purlin/contract/addresses.ts'
import { isFiscalNumber } from '@purlin/contract/fiscal-numbers.ts'
import { maxNameLength } from '@purlin/contract/identity.ts'
import { languages, markets } from '@purlin/contract/markets.ts'
import { wordsFor } from '@purlin/words/catalogues.ts'
import { customerIdOf, renameCustomer } from '#accounts'
import type { Scope } from '#platform'
import { ensurePhoneCode } from './confirm-phone.ts'
import { removePhoneCode } from './phone-code-store.ts'
import type { ProfileChange, ProfileFault } from './profile.ts'
import { insertConsent, readConsents, readProfile, takeTurn, writeProfile } from './store.ts'

export interface ProfileInput {
  firstName: string
  lastName: string
  phone?: string | null
  language?: string | null
  fiscalNumber?: string | null
}

/** Changes a customer's profile. Fields missing from the input are emptied, as the form showed them empty. */
export async function changeProfile(scope: Scope, input: ProfileInput): Promise<ProfileChange> {
  const customerId = customerIdOf(scope)
  if (customerId === null) throw new Error('Only customers have a profile')
  const { country } = markets[scope.market]
  const fields: Record<string, ProfileFault> = {}
  const firstName = nameIn(input.firstName, 'firstName', fields)
  const lastName = nameIn(input.lastName, 'lastName', fields)
  const phone = input.phone?.trim() ? phoneOf(country, input.phone) : null
  if (input.phone?.trim() && phone === null) fields['phone'] = 'phone-format'
  const language = languages.find((one) => one === input.language) ?? null
  if (input.language && language === null) fields['language'] = 'language'
  const fiscalNumber = input.fiscalNumber?.toUpperCase().replace(/[\s.-]+/g, '') || null
  if (fiscalNumber !== null && !isFiscalNumber(country, fiscalNumber)) fields['fiscalNumber'] = 'fiscal-number'
  if (Object.keys(fields).length > 0) return { ok: false, reason: 'profile-invalid', fields }
  await writeProfile(scope.db, customerId, { firstName, lastName, phone, language, fiscalNumber })
  await renameCustomer(scope.db, customerId, { givenName: firstName, familyName: lastName })
  return { ok: true }
}

function nameIn(typed: string, field: string, fields: Record<string, ProfileFault>): string {
  const name = typed.normalize('NFC').replace(/\s+/g, ' ').trim()
  if (name === '') fields[field] = 'missing'
  else if (name.length > maxNameLength) fields[field] = 'too-long'
  else if (/[\p{Cc}\p{Cf}<>]/u.test(name)) fields[field] = 'signs'
  return name
}

export interface OptInInput {
  email: boolean
  sms: boolean
  phone?: string | null
}

/**
 * Opts in to or out of offers, by channel. Each change is recorded with the wording shown, the time and the source. Text messages to another
 * number than before end, and begin once the code sent to it has been entered (`confirm-phone.ts`). If it gets no code, they stay as they are,
 * and e-mails change all the same: nothing keeps anybody from withdrawing a consent.
 */
export async function changeOptIns(scope: Scope, input: OptInInput): Promise<ProfileChange> {
  const customerId = customerIdOf(scope)
  if (customerId === null) throw new Error('Only customers can opt in')
  const { db, market } = scope
  const typed = input.phone?.trim() ? input.phone : ((await readProfile(db, customerId))?.phone ?? '')
  const phone = mobilePhoneOf(markets[market].country, typed)
  if (input.sms && !typed) return { ok: false, reason: 'profile-invalid', fields: { smsPhone: 'missing' } }
  await takeTurn(db, customerId)
  const known = new Map((await readConsents(db, customerId)).map((consent) => [consent.channel, consent]))
  const sms = known.get('sms')
  const isSameNumber = input.sms && sms?.isGranted === true && sms.phone === phone
  const needsCode = input.sms && !isSameNumber
  const codeRefused = needsCode ? await ensurePhoneCode(scope, customerId, phone) : undefined
  if (!needsCode) await removePhoneCode(db, customerId)
  // A withdrawal needs a proof also if the consent has never counted.
  const before = { email: known.get('email')?.isGranted ?? false, sms: (input.sms ? sms?.isGranted : sms?.isGiven) ?? false }
  const wanted = { email: input.email, sms: codeRefused ? before.sms : isSameNumber }
  const words = wordsFor(market)
  for (const channel of ['email', 'sms'] as const)
    if (before[channel] !== wanted[channel])
      await insertConsent(db, customerId, {
        channel,
        isGranted: wanted[channel],
        wording: words(`settings.offers.${channel}`),
        source: 'settings',
        phone: null,
      })
  return codeRefused ? { ok: true, codeRefused } : { ok: true }
}
