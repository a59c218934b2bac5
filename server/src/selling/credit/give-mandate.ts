import { companyOf, customerIdOf } from '#accounts'
import { creditProvider, directDebitCreditor, ProviderRefusal } from '#payments'
import {
  enqueue,
  newId,
  openBankAccount,
  parseHolder,
  parseIban,
  sealAccountsAnew,
  sealBankAccount,
  senderHashOf,
  takeNumbers,
  takeQuota,
  type CallContext,
  type IbanFault,
  type JobScope,
  type Scope,
} from '#platform'
import { endMandate, planReportOfEnd } from './end-mandate.ts'
import { ineligibleCompany } from './eligibility.ts'
import { mailAccounting } from './mail-accounting.ts'
import { mandateMail } from './mails.ts'
import { hasDirectDebit, mandateText, noticeDays, type Mandate } from './mandate.ts'
import { activateMandate, insertMandate, lockMandate, readMandate, sealedMandates } from './mandate-store.ts'
import { situationOf } from './offer-invoice.ts'
import { isCollective } from './statement-store.ts'

const firstNumber = 10_001

interface Account {
  holder: string
  iban: string
}
export type MandateFaults = { iban?: IbanFault; holder?: 'holder-missing'; isAgreed?: 'not-agreed' }
export type Given =
  | { ok: true }
  | { ok: false; reason: 'mandate-not-offered' | 'mandate-exists' | 'too-many-attempts' }
  | { ok: false; reason: 'mandate-invalid'; faults: MandateFaults }

/** The reason no mandate can be given is not told apart: another market, no creditor, no payment by invoice, no monthly statements. */
export async function isOffered(scope: Scope, companyId: string): Promise<boolean> {
  return (
    hasDirectDebit(scope.market) &&
    directDebitCreditor() !== null &&
    ineligibleCompany(await situationOf(scope)) === null &&
    (await isCollective(scope.db, companyId))
  )
}

/** A mandate for the statements from the next one on. The provider, which is the creditor, registers it and then keeps the account. */
export async function giveMandate(
  scope: Scope,
  { iban, holder, isAgreed }: { iban: string; holder: string; isAgreed: boolean },
): Promise<Given> {
  const { db, market, origin, now } = scope
  const [companyId, signedBy] = [companyOf(scope), customerIdOf(scope)]
  const creditor = directDebitCreditor()
  if (companyId === null || signedBy === null || creditor === null || !(await isOffered(scope, companyId)))
    return { ok: false, reason: 'mandate-not-offered' }
  const parsed = parseIban(iban)
  const name = parseHolder(holder)
  if (!parsed.ok || name === null || !isAgreed) {
    const faults: MandateFaults = {
      ...(!parsed.ok && { iban: parsed.fault }),
      ...(name === null && { holder: 'holder-missing' }),
      ...(!isAgreed && { isAgreed: 'not-agreed' }),
    }
    return { ok: false, reason: 'mandate-invalid', faults }
  }
  const { ok } = await takeQuota('mandate', { customer: signedBy, address: scope.remoteAddress })
  if (!ok) return { ok: false, reason: 'too-many-attempts' }
  const id = newId()
  const inserted = await insertMandate(db, {
    id,
    companyId,
    market,
    origin,
    reference: `PURLIN-M${await takeNumbers(db, 'mandate', 1, firstNumber)}`,
    creditorName: creditor.name,
    creditorId: creditor.identifier,
    holder: name,
    ibanEnd: parsed.iban.slice(-4),
    bank: sealAccount(id, { holder: name, iban: parsed.iban }),
    textVersion: mandateText,
    signedBy,
    signedAt: now,
    senderHash: senderHashOf(scope.remoteAddress),
  })
  if (!inserted) return { ok: false, reason: 'mandate-exists' }
  await enqueue(db, { name: 'credit.register-mandate', key: id, payload: { mandateId: id } })
  return { ok: true }
}

export type Registered = { isAccepted: boolean } | null

/** Hands a mandate with its account to the provider; null for one that needs it no longer. */
export async function registerMandate({ db, signal }: Pick<CallContext, 'db' | 'signal'>, mandateId: string): Promise<Registered> {
  const mandate = await readMandate(db, mandateId)
  if (mandate?.state !== 'pending' || mandate.bank === null) return null
  const { reference, companyId } = mandate
  const given = { reference, companyId, ...openAccount(mandateId, mandate.bank) }
  return creditProvider()
    .registerMandate(given, { key: `mandate-${mandateId}`, signal })
    .catch((error: unknown) => {
      if (error instanceof ProviderRefusal) return { isAccepted: false }
      throw error
    })
}

/** Applies the provider's response. A mandate that was revoked meanwhile may have reached the provider after its end. */
export async function keepRegistered(scope: JobScope, mandateId: string, registered: Registered): Promise<void> {
  const mandate = await lockMandate(scope.db, mandateId)
  if (mandate?.state === 'ended') return planReportOfEnd(scope, mandateId)
  if (mandate?.state !== 'pending' || !registered) return
  if (!registered.isAccepted) {
    await endMandate(scope, mandate, 'rejected')
    return mailMandate(scope, mandate, 'rejected')
  }
  await activateMandate(scope.db, mandateId)
  await mailMandate(scope, mandate, 'active')
}

export async function mailMandate(scope: JobScope, mandate: Mandate, event: 'active' | 'rejected' | 'revoked'): Promise<void> {
  const { id, reference, creditorName, creditorId, holder, ibanEnd } = mandate
  const payload = { event, reference, creditor: creditorName, creditorId, holder, end: ibanEnd, days: noticeDays }
  await mailAccounting(scope, mandate, mandateMail, payload, `mandate:${id}:${event}`)
}

/** Sealed for its mandate, so that an account cannot be moved to another one. */
const sealAccount = (id: string, account: Account): Buffer => sealBankAccount('purlin mandates', id, account)
const openAccount = (id: string, sealed: Buffer): Account => openBankAccount('purlin mandates', id, sealed) as Account

/** Seals accounts that wait for the provider again with the current key, so that the previous key may be changed. */
export async function sealMandatesAnew({ db }: Pick<JobScope, 'db'>): Promise<void> {
  await sealAccountsAnew(db, 'purlin mandates', sealedMandates)
}
