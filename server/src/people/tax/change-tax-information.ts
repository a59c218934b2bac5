import { markets } from '@purlin/contract/markets.ts'
import { takeQuota, type Db, type Scope } from '#platform'
import { setFiscalNumber } from '#profile'
import { enqueueVatCheck } from './check-vat-number.ts'
import { countRecentAnswers, lockRecord, readAnswers, saveRecord } from './store.ts'
import { checkTaxDetails, isInReview, taxOwnerOf, type TaxDetails, type TaxFault, type TaxInput, type TaxRecord } from './tax-record.ts'
import { isNumberOf, isTakenFor } from './whose-number.ts'

/** Questions to the registers in a day, by owner: they count theirs, too. */
export const maxAnswersPerDay = 30

export type TaxChange =
  | { ok: true; asked: boolean }
  | { ok: false; reason: 'tax-invalid'; fields: Partial<Record<keyof TaxDetails, TaxFault>> }
  | { ok: false; reason: 'too-many-checks' | 'no-vat-number' }

/** Keeps how invoices name the customer, or the company they act for. Another VAT number is pending until its register has answered. */
export async function changeTaxInformation(scope: Scope, input: TaxInput): Promise<TaxChange> {
  const owner = taxOwnerOf(scope)
  if (owner === null) throw new Error('Only customers and members of companies have tax information')
  const { db, market } = scope
  const { key, customerId, company } = owner
  const checked = checkTaxDetails(input, { country: company?.country ?? markets[market].country, isCompany: company !== null })
  if ('fields' in checked) return { ok: false, reason: 'tax-invalid', fields: checked.fields }
  const { details } = checked
  const known = await lockRecord(db, key)
  const isNew = details.vatNumber !== null && details.vatNumber !== known?.vatNumber
  if (isNew && !(await takeQuota('vat-number', { customer: customerId, line: scope.remoteAddress })).ok)
    return { ok: false, reason: 'too-many-checks' }
  // A number is that of one company: a stranger must not take on the standing of another (A23).
  if (isNew && details.vatNumber !== null && (await isTakenFor(db, key, details.vatNumber)))
    return { ok: false, reason: 'tax-invalid', fields: { vatNumber: 'vat-number-taken' } }
  const isAsked = isNew || (known !== undefined && (await needsCheckAs(db, known, details)))
  if (isAsked && (await countRecentAnswers(db, key)) >= maxAnswersPerDay) return { ok: false, reason: 'too-many-checks' }

  // A person's fiscal number belongs to the profile, which shows it too.
  await saveRecord(db, key, company ? details : { ...details, fiscalNumber: null }, { isAsked })
  if (!company) await setFiscalNumber(db, customerId, details.fiscalNumber)
  if (isAsked) await enqueueVatCheck(scope, key)
  return { ok: true, asked: isAsked }
}

/** Whether the known number has to be checked under the new name: one in review may be confirmed by it, a valid one may no longer be. */
async function needsCheckAs(db: Db, known: TaxRecord, { legalName, vatNumber }: TaxDetails): Promise<boolean> {
  if (vatNumber === null || legalName === known.legalName) return false
  if (known.vatState !== 'valid') return isInReview(known)
  const answers = await readAnswers(db, known.owner)
  const registered = answers.find((one) => one.vatNumber === vatNumber && one.outcome === 'valid')?.name ?? null
  return !(await isNumberOf(db, { ...known, legalName }, vatNumber, registered))
}

/** Queries the register again now, instead of at its next turn. */
export async function checkAgain(scope: Scope): Promise<TaxChange> {
  const key = taxOwnerOf(scope)?.key
  const known = key === undefined ? undefined : await lockRecord(scope.db, key)
  if (key === undefined || !known || known.vatNumber === null) return { ok: false, reason: 'no-vat-number' }
  if ((await countRecentAnswers(scope.db, key)) >= maxAnswersPerDay) return { ok: false, reason: 'too-many-checks' }
  await enqueueVatCheck(scope, key)
  return { ok: true, asked: true }
}
