import { marketCodes, markets } from '@purlin/contract/markets.ts'
import { choice, optionalText, text } from '@purlin/web/form-input.ts'
import * as v from 'valibot'
import type { AddressFragment, AddressInput, BuyerProfileFragment } from '../generated/documents.ts'

/** A saved address, chosen with one click. */
export const chosenForm = v.object({ do: v.literal('choose'), addressId: text(40) })

/** Fields of the address form, in order. Further rules depend on the country and are checked by the gateway. */
export const addressForm = v.object({
  do: v.literal('type'),
  firstName: text(100),
  lastName: text(100),
  company: optionalText(100),
  vatNumber: optionalText(20),
  line1: text(100),
  line2: optionalText(100),
  postcode: text(10),
  city: text(100),
  phone: text(25),
  instructions: optionalText(300),
  /** Ticked by a customer who wants to save the address. */
  keep: optionalText(2),
  billing: v.optional(
    v.object({
      name: optionalText(100),
      line1: optionalText(100),
      line2: optionalText(100),
      postcode: optionalText(10),
      city: optionalText(100),
      country: v.optional(choice(marketCodes.map((market) => markets[market].country))),
    }),
    {},
  ),
})

/** The forms of the page, distinguished by `do`. */
export const addressForms = v.variant('do', [chosenForm, addressForm])

export const addressFields = [
  'firstName',
  'lastName',
  'company',
  'vatNumber',
  'line1',
  'line2',
  'postcode',
  'city',
  'phone',
  'instructions',
] as const
export const billingFields = ['name', 'line1', 'line2', 'postcode', 'city', 'country'] as const

/** The form as input for the gateway: without a billing address if none was entered. */
export function addressInput({ billing, keep, do: _, ...typed }: v.InferOutput<typeof addressForm>): AddressInput {
  const address = { ...typed, keep: keep !== null }
  const isBilled = billingFields.some((field) => field !== 'country' && billing[field] !== null)
  if (!isBilled) return { ...address, billing: null }
  const { name, line1, line2, postcode, city, country } = billing
  const written = { name: name ?? '', line1: line1 ?? '', postcode: postcode ?? '', city: city ?? '', country: country ?? '' }
  return { ...address, billing: { ...written, line2 } }
}

/** What the fields show of the address saved before, or of the customer's profile. */
export function savedValue(saved: Partial<AddressFragment> | BuyerProfileFragment | null, name: string): string {
  const known: Partial<Record<string, string | null>> = saved ?? {}
  return Object.hasOwn(known, name) ? (known[name] ?? '') : ''
}
