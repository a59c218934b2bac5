import { townLines } from '@purlin/contract/addresses.ts'
import type { ReactNode } from 'react'
import type { AddressFragment } from '../generated/documents.ts'

/** An address in the format of an envelope. */
type Printed = Pick<AddressFragment, 'company' | 'firstName' | 'lastName' | 'line1' | 'line2' | 'postcode' | 'city' | 'country'>

export function AddressBlock({ address, locale }: { address: Printed; locale: string }): ReactNode {
  const country = new Intl.DisplayNames(locale, { type: 'region' }).of(address.country) ?? address.country
  const lines = [
    address.company,
    [address.firstName, address.lastName].filter(Boolean).join(' '),
    address.line1,
    address.line2,
    ...townLines(address),
    country,
  ].filter((line): line is string => Boolean(line))
  return (
    <address>
      {lines.map((line) => (
        <span key={line}>
          {line}
          <br />
        </span>
      ))}
    </address>
  )
}
