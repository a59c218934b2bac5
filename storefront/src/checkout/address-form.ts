import { marketCodes, markets } from '@purlin/contract/markets.ts'
import { choice, email, optionalText, text } from '@purlin/web/form-input.ts'
import * as v from 'valibot'
import { chosenSiteForm } from './company-choices.tsx'
import { reminderFields } from './remind-me.tsx'
import { chargedFields } from '../orders/order-reference.tsx'
import type { AddressFragment, AddressInput, BuyerProfileFragment } from '../generated/documents.ts'

/** A saved address, chosen with one click. */
export const chosenForm = v.object({ do: v.literal('choose'), addressId: text(40) })

/** Fields of the address form, in order. Further rules depend on the country and are checked by the gateway. */
export const addressForm = v.object({
  do: v.literal('type'),
  idempotencyKey: text(100),
  /** Asked of guests alone. */
  email: v.optional(email()),
  ...reminderFields,
  /** One field for the whole name; `nameParts` splits it. */
  name: text(121),
  company: optionalText(100),
  vatNumber: optionalText(20),
  line1: text(100),
  line2: optionalText(100),
  postcode: text(10),
  city: text(100),
  /** Asked only where a delivery needs it. */
  phone: optionalText(25),
  instructions: optionalText(300),
  /** A delivery kind per seller, by seller id. */
  delivery: v.optional(v.record(v.string(), text(40)), {}),
  /** A company's own names for the order; asked of its members. */
  ...chargedFields,
  /** A pick-up point per seller, where one is chosen. */
  point: v.optional(v.record(v.string(), text(40)), {}),
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
export const addressForms = v.variant('do', [chosenForm, chosenSiteForm, addressForm])

export const addressFields = ['name', 'company', 'vatNumber', 'line1', 'line2', 'postcode', 'city', 'phone', 'instructions'] as const
export const billingFields = ['name', 'line1', 'line2', 'postcode', 'city', 'country'] as const

/** The form as input for the gateway: without a billing address if none was entered. */
export function addressInput(typed: v.InferOutput<typeof addressForm>): AddressInput {
  const { billing, keep, company, vatNumber, line1, line2, postcode, city, phone, instructions } = typed
  const address = { ...nameParts(typed.name), company, vatNumber, line1, line2, postcode, city, phone, instructions, keep: keep !== null }
  const isBilled = billingFields.some((field) => field !== 'country' && billing[field] !== null)
  if (!isBilled) return { ...address, billing: null }
  const written = {
    name: billing.name ?? '',
    line1: billing.line1 ?? '',
    postcode: billing.postcode ?? '',
    city: billing.city ?? '',
    country: billing.country ?? '',
  }
  return { ...address, billing: { ...written, line2: billing.line2 } }
}

/**
 * The first word, by which mails greet, and the rest. Labels and invoices print both with a space between, so that a name is
 * printed as it was typed, wherever it is split.
 */
export function nameParts(name: string): { firstName: string; lastName: string } {
  const [firstName = '', ...rest] = name.trim().split(/\s+/)
  return { firstName, lastName: rest.join(' ') }
}

/** Initial values of the fields, from the address saved before or from the customer's profile. */
export function savedValue(saved: Partial<AddressFragment> | BuyerProfileFragment | null, name: string): string {
  const known: Partial<Record<string, string | null>> = { name: fullName(saved), ...saved }
  return Object.hasOwn(known, name) ? (known[name] ?? '') : ''
}

function fullName(saved: Partial<AddressFragment> | BuyerProfileFragment | null): string {
  return [saved?.firstName, saved?.lastName].filter(Boolean).join(' ')
}
