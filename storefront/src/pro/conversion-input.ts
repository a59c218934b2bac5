import { choice, optionalText, text } from '@purlin/web/form-input.ts'
import * as v from 'valibot'
import { addressCountries } from '../account/addresses-form.ts'

/** A company that requests a professional account. One of the two numbers is required, which the gateway checks. */
export const conversionForm = v.object({
  companyName: text(120),
  country: choice(addressCountries),
  line1: text(100),
  line2: optionalText(100),
  postcode: text(10),
  city: text(80),
  vatNumber: optionalText(30),
  registerNumber: optionalText(40),
})
