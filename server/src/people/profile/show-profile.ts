import { markets } from '@purlin/contract/markets.ts'
import { customerIdOf, readCustomer } from '#accounts'
import type { Scope } from '#platform'
import { readPhoneCode } from './phone-code-store.ts'
import { isSmsOffered } from './ports.ts'
import { readConsents, readProfile } from './store.ts'

/** The customer's profile, with the field names of the specification's query; null for guests and staff. Source: spec §3. */
export async function showProfile(scope: Scope) {
  const { db, market, mode } = scope
  const id = customerIdOf(scope)
  if (id === null) return null
  const [customer, profile, consents, code] = await Promise.all([
    readCustomer(db, id),
    readProfile(db, id),
    readConsents(db, id),
    readPhoneCode(db, id, scope.now),
  ])
  if (!customer) return null
  const { email, name, givenName, familyName, createdAt } = customer
  // Accounts opened before the names were kept apart.
  const [first = '', ...rest] = name.split(' ')
  const sms = consents.find(({ channel }) => channel === 'sms')
  return {
    id,
    uuid: id,
    firstName: givenName ?? profile?.firstName ?? first,
    lastName: familyName ?? profile?.lastName ?? rest.join(' '),
    email,
    username: email,
    phone: profile?.phone ?? null,
    profileImage: null,
    platform: `${market}-${mode}`,
    timeZone: markets[market].timeZone,
    language: profile?.language ?? markets[market].language,
    fiscalNumber: profile?.fiscalNumber ?? null,
    receiveOffers: consents.some(({ channel, isGranted }) => channel === 'email' && isGranted),
    receiveSmsOffers: sms?.isGranted ?? false,
    receiveOffersPhoneNumber: sms?.isGranted ? sms.phone : null,
    phoneToConfirm: code?.phone ?? null,
    unconfirmedPhone: sms?.isGiven && !sms.isGranted ? sms.phone : null,
    isSmsOffered: isSmsOffered(),
    createdAt,
    updatedAt: profile?.updatedAt ?? createdAt,
    socialAuthIds: [],
    refererId: null,
    isGuest: false,
    market: customer.market,
  }
}

/** Offers the customer has agreed to, by channel; null for guests and staff. */
export async function showOptIns(scope: Scope): Promise<{ email: boolean; sms: boolean } | null> {
  const id = customerIdOf(scope)
  if (id === null) return null
  const granted = (await readConsents(scope.db, id)).filter(({ isGranted }) => isGranted).map(({ channel }) => channel)
  return { email: granted.includes('email'), sms: granted.includes('sms') }
}
