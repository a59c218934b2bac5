import { choice, optionalText } from '@purlin/web/form-input.ts'
import * as v from 'valibot'
import { addressCountries } from './addresses-form.ts'

/** Invoice details. Further rules depend on the country and are checked by the gateway. */
export const taxDetailsForm = v.object({
  do: v.literal('save'),
  vatNumber: optionalText(30),
  legalName: optionalText(120),
  country: choice(addressCountries),
  line1: optionalText(100),
  line2: optionalText(100),
  postcode: optionalText(10),
  city: optionalText(80),
  fiscalNumber: optionalText(25),
  sdiCode: optionalText(10),
  pec: optionalText(254),
})

/** The forms of the page, distinguished by `do`. */
export const taxForm = v.variant('do', [taxDetailsForm, v.object({ do: v.literal('check') })])
