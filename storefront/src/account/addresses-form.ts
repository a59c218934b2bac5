import { addressFormats } from '@purlin/contract/addresses.ts'
import { marketCodes, markets } from '@purlin/contract/markets.ts'
import { namesOf } from '@purlin/web/form-action.ts'
import { choice, optionalText, text } from '@purlin/web/form-input.ts'
import * as v from 'valibot'

/** Countries allowed in an address, in market order. */
export const addressCountries = marketCodes.map((market) => markets[market].country).filter((country) => country in addressFormats)

/** An address as entered. Further rules depend on its country and are checked by the gateway. */
export const keptAddressForm = v.object({
  do: v.literal('keep'),
  /** Id of the address being edited; empty for a new one. */
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

/** The forms of the page, distinguished by `do`. */
export const addressesForm = v.variant('do', [
  keptAddressForm,
  v.object({ do: v.literal('prefer'), id: text(40), use: choice(['delivery', 'billing']) }),
  v.object({ do: v.literal('drop'), id: text(40) }),
])
export const addressesField = namesOf(addressesForm)
