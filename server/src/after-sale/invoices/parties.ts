import type { Market } from '@purlin/contract/markets.ts'
import { customerIdOfOwner } from '#accounts'
import type { Address, CustomerOrder, SoldBy } from '#orders'
import { settings, type Db } from '#platform'
import { departedSeller, type Seller } from '#sellers'
import { companyTaxOwner, customerTaxOwner, operatorCountry, readTaxRecord, type TaxRecord } from '#tax'
import type { Party } from './invoice.ts'

export const noDetails = { line2: null, vatNumber: null, registration: null, email: null, fiscalNumber: null, sdiCode: null, pec: null }

/** The seller under the name and number of the sale, with the address of today. */
export function sellerParty(sold: SoldBy, current: Seller | undefined): Party {
  const { address, registration, email } = current ?? departedSeller(sold)
  return {
    ...noDetails,
    name: sold.name,
    legalName: sold.legalName,
    line1: address.line1 ?? '',
    line2: address.line2 ?? null,
    postcode: address.postcode ?? '',
    city: address.city ?? '',
    country: sold.country,
    vatNumber: sold.vatNumber || null,
    registration: registration || null,
    email: email || null,
  }
}

/** The marketplace, from the settings of its operator: name, street, and a town with its postcode. */
export function platformParty(market: Market): Party {
  const { name, address, register, vatNumber, email } = settings().operator
  const [line1 = '', ...rest] = address
  return {
    ...noDetails,
    name,
    legalName: name,
    line1,
    postcode: '',
    city: rest.join(', '),
    country: operatorCountry(market),
    vatNumber,
    registration: register,
    email,
  }
}

export function addressParty(address: Address): Party {
  const person = `${address.firstName} ${address.lastName}`.trim()
  const { line1, line2, postcode, city, country } = address
  return { ...noDetails, name: person, legalName: address.company ?? person, line1, line2, postcode, city, country }
}

export interface BuyerDetails {
  buyer: Party
  /** Only a number that a register has confirmed changes the VAT. */
  confirmedVatNumber: string | null
}

/**
 * The buyer as their tax information names them, otherwise as the billing address of the order does. No law asks for the e-mail
 * address, so no document contains it.
 */
export async function buyerDetails(db: Db, order: Pick<CustomerOrder, 'owner' | 'companyId' | 'billingAddress'>): Promise<BuyerDetails> {
  const billed = { ...addressParty(order.billingAddress), vatNumber: order.billingAddress.vatNumber }
  const customerId = customerIdOfOwner(order.owner)
  const owner = order.companyId !== null ? companyTaxOwner(order.companyId) : customerId !== null ? customerTaxOwner(customerId) : null
  const record = owner === null ? undefined : await readTaxRecord(db, owner)
  return {
    buyer: asRegistered(billed, record),
    confirmedVatNumber: record?.vatState === 'valid' ? record.vatNumber : null,
  }
}

/** A party as its tax information names it, with its seat if that is stated in full. */
export function asRegistered(party: Party, record: TaxRecord | undefined): Party {
  if (!record) return party
  const { legalName, line1, line2, postcode, city, country, vatNumber, fiscalNumber, sdiCode, pec } = record
  const named = legalName ? { name: legalName, legalName } : {}
  const placed = line1 && postcode && city && country ? { line1, line2, postcode, city, country } : {}
  return { ...party, ...named, ...placed, vatNumber: vatNumber ?? party.vatNumber, fiscalNumber, sdiCode, pec }
}
