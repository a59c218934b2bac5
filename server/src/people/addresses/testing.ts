import type { Market } from '@purlin/contract/markets.ts'
import type { AddressInput } from './address-rules.ts'

/** For tests: an address in each market. */
export const addresses: Record<Market, AddressInput> = {
  gb: { firstName: 'Robin', lastName: 'Field', line1: '1 Mill Lane', postcode: 'SW1A 1AA', city: 'London', phone: '07700 900123' },
  fr: { firstName: 'Camille', lastName: 'Leroy', line1: '1 rue du Moulin', postcode: '75001', city: 'Paris', phone: '06 12 34 56 78' },
  de: { firstName: 'Kim', lastName: 'Becker', line1: 'Mühlweg 1', postcode: '10115', city: 'Berlin', phone: '0151 23456789' },
  es: { firstName: 'Alex', lastName: 'García', line1: 'Calle del Molino 1', postcode: '28001', city: 'Madrid', phone: '612 345 678' },
  it: { firstName: 'Andrea', lastName: 'Conti', line1: 'Via del Mulino 1', postcode: '00184', city: 'Roma', phone: '312 345 6789' },
}
