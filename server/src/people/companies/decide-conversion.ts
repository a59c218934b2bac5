import { actForCompany, closedCompaniesWith, confirmCompany, openCompany } from '#accounts'
import { newId, type JobScope } from '#platform'
import { isVatNumberTaken, lockVatNumber, moveTaxDetails, namesAgree, type VatNews } from '#tax'
import type { ConversionReason } from './conversion.ts'
import { sayDecision, sayReceived } from './say-decision.ts'
import { lockConversion, lockLeadOf, writeDecision, type KeptConversion } from './store.ts'

/** A register has answered about a number. If a request to convert waits for it, it is decided, or handed to an operator. */
export async function vatDecidesConversion(scope: JobScope, { customerId, vatNumber, state, answer }: VatNews): Promise<void> {
  if (customerId === null || answer.outcome === 'unanswered') return
  const lead = await lockLeadOf(scope.db, customerId)
  if (!lead || lead.vatNumber !== vatNumber || lead.reason !== null) return
  if (state === 'not-valid') return refuse(scope, lead, 'vat-not-valid', 'register')
  if (answer.outcome !== 'valid') return
  const doubt = await doubtAbout(scope, lead, answer.name)
  if (doubt === null) return convert(scope, lead, 'register')
  await writeDecision(scope.db, lead.id, { state: 'lead', reason: doubt, companyId: null, decidedBy: 'register' })
  await sayReceived(scope, lead.id)
}

/** VAT numbers are public: one that is registered under another name or none that is told, or with a company that is or was a customer already, proves nothing. */
async function doubtAbout({ db }: JobScope, { vatNumber, companyName, registeredCompanyId }: KeptConversion, registered: string | null) {
  const own = registeredCompanyId === null ? [] : [registeredCompanyId]
  if (vatNumber !== null) await lockVatNumber(db, vatNumber)
  if (vatNumber !== null && (await isVatNumberTaken(db, vatNumber, own))) return 'known-company' as const
  // One that was closed returns with what it owed and has used up.
  if (vatNumber !== null && (await closedCompaniesWith(db, vatNumber)).length > 0) return 'known-company' as const
  // Some registers keep names to themselves: an operator looks the company up, as one that gave a register number.
  if (registered === null) return 'name-undisclosed' as const
  return namesAgree(companyName, registered) ? null : ('name-differs' as const)
}

export type OperatorDecision = 'accept' | 'refuse'
export type Decided = { ok: true; conversion: KeptConversion } | { ok: false; reason: 'unknown-conversion' | 'decided-otherwise' }

/** An operator has looked the company up. The same decision twice is one. */
export async function decideConversion(scope: JobScope, id: string, decision: OperatorDecision): Promise<Decided> {
  const known = await lockConversion(scope.db, id)
  if (!known) return { ok: false, reason: 'unknown-conversion' }
  if (known.state !== 'lead') {
    const isSame = known.state === (decision === 'accept' ? 'converted' : 'refused')
    return isSame ? { ok: true, conversion: known } : { ok: false, reason: 'decided-otherwise' }
  }
  if (decision === 'accept') await convert(scope, known, 'operator')
  else await refuse(scope, known, 'not-a-company', 'operator')
  const conversion = await lockConversion(scope.db, id)
  return conversion ? { ok: true, conversion } : { ok: false, reason: 'unknown-conversion' }
}

/** Name, country and number that were checked are the registered company's from now on, whatever was typed before: it may pay by invoice, if the credit provider agrees. */
async function confirmRegistered(
  scope: JobScope,
  { id, customerId, companyName: name, country, vatNumber }: KeptConversion,
  companyId: string,
  decidedBy: 'register' | 'operator',
): Promise<void> {
  if (vatNumber !== null) await lockVatNumber(scope.db, vatNumber)
  await confirmCompany(scope.db, { id: companyId, name, country, vatNumber })
  await moveTaxDetails(scope, { customerId, companyId, vatNumber })
  await writeDecision(scope.db, id, { state: 'converted', reason: null, companyId, decidedBy })
  scope.emit('company.registered', { companyId, name, country, vatNumber })
}

/** The customer is the admin of a new company, at once and in every session on the professional storefront. */
async function convert(scope: JobScope, conversion: KeptConversion, decidedBy: 'register' | 'operator'): Promise<void> {
  const { id, customerId, companyName: name, country, vatNumber, registeredCompanyId } = conversion
  if (registeredCompanyId !== null) {
    await confirmRegistered(scope, conversion, registeredCompanyId, decidedBy)
    // An applicant who was told to wait is told the decision.
    return conversion.reason === null ? undefined : sayDecision(scope, conversion, 'accepted')
  }
  const companyId = newId()
  if (vatNumber !== null) await lockVatNumber(scope.db, vatNumber)
  await openCompany(scope.db, { id: companyId, name, country, vatNumber }, customerId)
  await moveTaxDetails(scope, { customerId, companyId, vatNumber })
  await actForCompany(scope.db, customerId, companyId)
  await writeDecision(scope.db, id, { state: 'converted', reason: null, companyId, decidedBy })
  await sayDecision(scope, conversion, 'accepted')
}

async function refuse(
  scope: JobScope,
  conversion: KeptConversion,
  reason: ConversionReason,
  decidedBy: 'register' | 'operator',
): Promise<void> {
  await writeDecision(scope.db, conversion.id, { state: 'refused', reason, companyId: null, decidedBy })
  await sayDecision(scope, conversion, 'refused')
}
