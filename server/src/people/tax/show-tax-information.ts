import { authorize, readCompany } from '#accounts'
import { readProfile } from '#profile'
import type { Scope } from '#platform'
import { readAnswers, readRecord } from './store.ts'
import { isInReview, taxOwnerOf } from './tax-record.ts'

/** Number of latest responses searched for the last conclusive one. */
const looked = 20

/** Invoice details of the customer, or of their company; null for everybody else. */
export async function showTaxInformation(scope: Scope) {
  const { db } = scope
  const owner = taxOwnerOf(scope)
  if (owner === null) return null
  const { key, customerId } = owner
  const [record, answers, company, profile] = await Promise.all([
    readRecord(db, key),
    readAnswers(db, key, looked),
    owner.company ? readCompany(db, owner.company.id) : undefined,
    owner.company ? undefined : readProfile(db, customerId),
  ])
  const vatNumber = record?.vatNumber ?? null
  const answer = answers.find((one) => one.vatNumber === vatNumber && one.outcome !== 'unanswered')
  return {
    isCompany: owner.company !== null,
    canChange: authorize(scope, 'tax.change', owner.company ? { companyId: owner.company.id } : { owner: `c:${customerId}` }),
    legalName: record?.legalName ?? company?.name ?? null,
    line1: record?.line1 ?? null,
    line2: record?.line2 ?? null,
    postcode: record?.postcode ?? null,
    city: record?.city ?? null,
    country: record?.country ?? company?.country ?? null,
    fiscalNumber: owner.company ? (record?.fiscalNumber ?? null) : (profile?.fiscalNumber ?? null),
    sdiCode: record?.sdiCode ?? null,
    pec: record?.pec ?? null,
    vat:
      record && vatNumber !== null && record.vatState !== null
        ? {
            number: vatNumber,
            state: record.vatState,
            isUnanswered: record.vatTries > 0,
            isInReview: isInReview(record),
            checkedAt: record.vatCheckedAt,
            nextCheckAt: record.vatNextAt,
            name: answer?.name ?? null,
            address: answer?.address ?? null,
            consultationNumber: answer?.consultationNumber ?? null,
          }
        : null,
  }
}
