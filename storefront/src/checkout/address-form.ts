import type { FormFields } from '@purlin/web/form.ts'
import type { AddressFragment, AddressInput } from '../generated/documents.ts'

/** What the address form asks for, in the order it asks. */
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

/** The form as the gateway takes it: blanks trimmed, empty optional answers left out, no billing address when none was written. */
export function readAddressForm(form: FormFields): AddressInput {
  const read = (name: string) => form.get(name).trim()
  const optional = (name: string) => read(name) || null
  const billed = billingFields.some((field) => field !== 'country' && read(`billing.${field}`) !== '')
  return {
    firstName: read('firstName'),
    lastName: read('lastName'),
    company: optional('company'),
    vatNumber: optional('vatNumber'),
    line1: read('line1'),
    line2: optional('line2'),
    postcode: read('postcode'),
    city: read('city'),
    phone: read('phone'),
    instructions: optional('instructions'),
    billing: billed
      ? {
          name: read('billing.name'),
          line1: read('billing.line1'),
          line2: optional('billing.line2'),
          postcode: read('billing.postcode'),
          city: read('billing.city'),
          country: read('billing.country'),
        }
      : null,
  }
}

/** What the fields show: what was just typed, or the address saved before. */
export function addressValues(typed: FormFields | undefined, saved: AddressFragment | null): (name: string) => string {
  if (typed) return (name) => typed.get(name)
  return (name) => (saved && Object.hasOwn(saved, name) ? (saved[name as keyof AddressFragment] ?? '') : '')
}
