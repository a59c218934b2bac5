import { markets } from '@purlin/contract/markets.ts'
import { companyIdOf, customerIdOf } from '#accounts'
import { enqueue, newId, type Db, type Scope } from '#platform'
import { checkTaxDetails, giveTaxDetails, type TaxDetails, type TaxFault } from '#tax'
import { registerNumberOf, type Conversion } from './conversion.ts'
import { sayReceived } from './say-decision.ts'
import { countRecentRequests, insertConversion, readConversion } from './store.ts'

export interface ConversionInput {
  companyName: string
  line1: string
  line2?: string | null
  postcode: string
  city: string
  country: string
  vatNumber?: string | null
  registerNumber?: string | null
}
export type ConversionFault = TaxFault | 'register-number' | 'proof'
export type ConversionRefusal =
  | { ok: false; reason: 'conversion-invalid'; fields: Partial<Record<string, ConversionFault>> }
  | { ok: false; reason: 'already-requested' | 'already-converted' | 'too-many-requests' }

/** Requests of a customer in a day: mistypes are corrected, registers are not searched. */
export const maxRequestsPerDay = 5
/** A working register has answered by then; otherwise a mail announces the delay. */
export const patienceMs = 2 * 60_000

/**
 * A consumer requests to become a professional customer. A VAT number is sufficient proof once its register has confirmed it; the
 * number of another register is looked up by an operator. A professional whose registration was refused asks again in the same way.
 */
export async function requestConversion(scope: Scope, input: ConversionInput): Promise<{ ok: true } | ConversionRefusal> {
  const customerId = customerIdOf(scope)
  if (customerId === null) throw new Error('Only customers can convert')
  const { db, market, mode, origin } = scope
  const checked = checkConversion(input, markets[market].country)
  if ('fields' in checked) return { ok: false, reason: 'conversion-invalid', fields: checked.fields }
  const companyId = await companyIdOf(db, customerId)
  if (companyId !== null && !(await isUnproven(db, customerId, companyId))) return { ok: false, reason: 'already-converted' }
  if ((await countRecentRequests(db, customerId)) >= maxRequestsPerDay) return { ok: false, reason: 'too-many-requests' }

  const { details, registerNumber } = checked
  const { vatNumber } = details
  const country = details.country ?? markets[market].country
  const id = newId()
  const reason = vatNumber === null ? 'register-number' : null
  const companyName = details.legalName ?? ''
  const isNew = await insertConversion(db, {
    id,
    customerId,
    reason,
    companyName,
    country,
    vatNumber,
    registerNumber,
    registeredCompanyId: companyId,
    market,
    mode,
    origin,
  })
  if (!isNew) return { ok: false, reason: 'already-requested' }
  await giveTaxDetails(scope, customerId, details)
  if (vatNumber === null) await sayReceived(scope, id)
  else await enqueue(db, { name: 'companies.still-waiting', key: id, payload: { id }, runAt: new Date(scope.now.getTime() + patienceMs) })
  return { ok: true }
}

/** Whether the customer's company exists by their registration alone, without proof so far. */
async function isUnproven(db: Db, customerId: string, companyId: string): Promise<boolean> {
  const last = await readConversion(db, customerId)
  return last !== undefined && last.state !== 'converted' && last.registeredCompanyId === companyId
}

function checkConversion(
  { companyName, registerNumber: typed, ...rest }: ConversionInput,
  home: string,
): { details: TaxDetails; registerNumber: string | null } | { fields: Partial<Record<string, ConversionFault>> } {
  const checked = checkTaxDetails({ ...rest, legalName: companyName }, { country: home, isCompany: true })
  const registerNumber = typed?.trim() ? registerNumberOf(rest.country, typed) : null
  const { legalName, ...others }: Partial<Record<string, ConversionFault>> = 'fields' in checked ? checked.fields : {}
  const fields = {
    ...others,
    ...(legalName && { companyName: legalName }),
    ...(typed?.trim() && registerNumber === null && { registerNumber: 'register-number' as const }),
    ...(!typed?.trim() && !rest.vatNumber?.trim() && { vatNumber: 'proof' as const }),
  }
  if ('fields' in checked || Object.keys(fields).length > 0) return { fields }
  return { details: checked.details, registerNumber }
}

export interface ShownConversion {
  status: 'converted' | 'lead' | 'refused' | 'unknown'
  conversion: Conversion | null
}

/** The status of the customer's own request; unknown without one. */
export async function showConversion(scope: Scope): Promise<ShownConversion | null> {
  const customerId = customerIdOf(scope)
  if (customerId === null) return null
  const [companyId, conversion] = await Promise.all([companyIdOf(scope.db, customerId), readConversion(scope.db, customerId)])
  const isUndecided = conversion !== undefined && conversion.state !== 'converted' && conversion.registeredCompanyId === companyId
  if (companyId !== null && !isUndecided) return { status: 'converted', conversion: conversion ?? null }
  // A membership that ended ends the conversion too: they may ask again.
  if (!conversion || conversion.state === 'converted') return { status: 'unknown', conversion: null }
  return { status: conversion.state, conversion }
}
