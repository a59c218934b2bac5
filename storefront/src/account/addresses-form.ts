import { addressFormats } from '@purlin/contract/addresses.ts'
import { marketCodes, markets } from '@purlin/contract/markets.ts'
import { namesOf } from '@purlin/web/form-action.ts'
import { choice, optionalText, text } from '@purlin/web/form-input.ts'
import * as v from 'valibot'

/** Countries an address may be in, in the order of the markets. */
export const addressCountries = marketCodes.map((market) => markets[market].country).filter((country) => country in addressFormats)

/** An address as it is typed. What it needs beyond that depends on its country: the gateway knows. */
export const keptAddressForm = v.object({
  do: v.literal('keep'),
  /** The address that is changed; empty for a new one. */
  id: optionalText(40),
  country: choice(addressCountries),
  firstName: text(60),
  lastName: text(60),
  company: optionalText(100),
  line1: text(100),
  line2: optionalText(100),
  postcode: text(10),
  city: text(80),
  phone: text(25),
  instructions: optionalText(300),
  delivery: optionalText(2),
  billing: optionalText(2),
})

export const addressFields = [
  'country',
  'firstName',
  'lastName',
  'company',
  'line1',
  'line2',
  'postcode',
  'city',
  'phone',
  'instructions',
] as const

/** The forms of the page, told apart by `do`. */
export const addressesForm = v.variant('do', [
  keptAddressForm,
  v.object({ do: v.literal('prefer'), id: text(40), use: choice(['delivery', 'billing']) }),
  v.object({ do: v.literal('drop'), id: text(40) }),
])
export const addressesField = namesOf(addressesForm)
