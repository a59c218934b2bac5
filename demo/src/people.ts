import type { Realm } from '@purlin/contract/identity.ts'
import type { Market } from '@purlin/contract/markets.ts'
import type { MemberRole, OperatorRole } from '@purlin/contract/principal.ts'
import { inventVatNumber } from './vat-number.ts'

/** A company as known to the VAT registers. */
export interface DemoTrader {
  vatNumber: string
  name: string
  address: string
}

/** A company that buys. */
export interface DemoCompany {
  id: string
  name: string
  country: string
  trade: string
  vatNumber: string
  /** Of its seat, for invoices. */
  address: { line1: string; postcode: string; city: string }
}

interface DemoAccount {
  /** The subject in the tokens of each listed realm. */
  sub: string
  realms: readonly Realm[]
  email: string
  givenName: string
  familyName: string
  market: Market
  locale: string
}

export type DemoPerson = DemoAccount &
  (
    | { kind: 'consumer' }
    | { kind: 'member'; company: DemoCompany; role: MemberRole; professionalRole: string }
    | { kind: 'seller'; sellerId: number; isOwner: boolean }
    | { kind: 'operator'; roles: readonly OperatorRole[] }
  )

/** The shared password of the demo accounts. The README publishes it, and real domains have no demo. */
export const demoPassword = 'purlin-demo-2026'
/** Second factor of the staff; the provider shows the current code to demo accounts. */
export const demoTotpSecret = 'PURLINDEMOPURLINDEMOPURLINDEMO22'

const roofers: DemoCompany = {
  id: '0199c0de-0000-7000-8000-0000000000c1',
  name: 'Hartley Roofing Ltd',
  country: 'GB',
  trade: 'roofer',
  vatNumber: inventVatNumber('GB', 4101),
  address: { line1: '4 Slate Yard', postcode: 'S1 2AB', city: 'Sheffield' },
}
const electricians: DemoCompany = {
  id: '0199c0de-0000-7000-8000-0000000000c2',
  name: 'Électricité Mercier',
  country: 'FR',
  trade: 'electrician',
  vatNumber: inventVatNumber('FR', 4102),
  address: { line1: '12 rue des Ateliers', postcode: '69003', city: 'Lyon' },
}

const named = (number: number, email: string, givenName: string, familyName: string) => ({
  sub: `0199c0de-0000-7000-8000-${String(number).padStart(12, '0')}`,
  email,
  givenName,
  familyName,
})
const consumer = { kind: 'consumer', realms: ['b2c', 'unified'] } as const
const member = { kind: 'member', realms: ['b2b', 'unified'] } as const
const british = { market: 'gb', locale: 'en-GB' } as const
const french = { market: 'fr', locale: 'fr-FR' } as const
const german = { market: 'de', locale: 'de-DE' } as const

/** All demo accounts, with fixed subjects, so that orders and roles can be created for them in advance. */
export const demoPeople: readonly DemoPerson[] = [
  { ...consumer, ...british, ...named(1, 'grace@example.com', 'Grace', 'Whitmore') },
  { ...consumer, ...german, ...named(2, 'jonas@example.com', 'Jonas', 'Brandt') },
  {
    ...member,
    ...british,
    company: roofers,
    role: 'admin',
    professionalRole: 'owner',
    ...named(11, 'priya@hartley.example', 'Priya', 'Hartley'),
  },
  {
    ...member,
    ...british,
    company: roofers,
    role: 'approver',
    professionalRole: 'accountant',
    ...named(12, 'owen@hartley.example', 'Owen', 'Marsh'),
  },
  {
    ...member,
    ...british,
    company: roofers,
    role: 'buyer',
    professionalRole: 'buyer',
    ...named(13, 'leah@hartley.example', 'Leah', 'Novak'),
  },
  {
    ...member,
    ...french,
    company: electricians,
    role: 'admin',
    professionalRole: 'owner',
    ...named(14, 'camille@mercier.example', 'Camille', 'Mercier'),
  },
  {
    kind: 'seller',
    realms: ['staff'],
    ...french,
    sellerId: 1,
    isOwner: true,
    ...named(21, 'luc@vercors.example', 'Luc', 'Garnier'),
  },
  {
    kind: 'seller',
    realms: ['staff'],
    ...french,
    sellerId: 1,
    isOwner: false,
    ...named(22, 'ines@vercors.example', 'Inès', 'Faure'),
  },
  {
    kind: 'operator',
    realms: ['staff'],
    ...british,
    roles: ['support', 'search', 'catalogue', 'jobs'],
    ...named(31, 'ada@purlin.example', 'Ada', 'Sinclair'),
  },
]

/** The demo's companies, and some whose numbers may be tried out. Listed in the README. */
export const demoTraders: readonly DemoTrader[] = [
  { vatNumber: roofers.vatNumber, name: 'HARTLEY ROOFING LTD', address: '4 Slate Yard, Sheffield, S1 2AB' },
  { vatNumber: electricians.vatNumber, name: 'ELECTRICITE MERCIER', address: '12 RUE DES ATELIERS, 69003 LYON' },
  { vatNumber: inventVatNumber('GB', 4111), name: 'BRIGHT & SONS JOINERY LTD', address: '7 Mill Lane, Leeds, LS1 4DY' },
  { vatNumber: inventVatNumber('FR', 4112), name: 'MENUISERIE DUPONT', address: '3 RUE DU BOIS, 44000 NANTES' },
  { vatNumber: inventVatNumber('DE', 4113), name: 'Malerbetrieb Krause GmbH', address: 'Farbstr. 8, 50667 Köln' },
  { vatNumber: inventVatNumber('ES', 4114), name: 'REFORMAS GARCIA SL', address: 'CALLE MAYOR 5, 28013 MADRID' },
  // 888 is not a province.
  { vatNumber: 'IT00041158882', name: 'EDILIZIA ROSSI SRL', address: 'VIA ROMA 9, 00184 ROMA' },
]
