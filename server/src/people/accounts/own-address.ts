/** An address that an account has confirmed. What others leave with it later is theirs, such as a successor at a firm. */
export interface OwnAddress {
  email: string
  /** The time at which the account got another one; null for the present address. */
  until: Date | null
}

/**
 * SQL: whether this address is one of `addresses`, a parameter with `OwnAddress[]` as JSON, and was theirs at the time. The array is
 * read once, so that an index of addresses is used.
 */
export const wasTheirs = (email: string, at: string, addresses: string): string =>
  `(lower(${email}) = any(array(select lower(known->>'email') from jsonb_array_elements(${addresses}::jsonb) known))
      and exists (select 1 from jsonb_array_elements(${addresses}::jsonb) known where lower(known->>'email') = lower(${email})
        and ${at} <= coalesce((known->>'until')::timestamptz, 'infinity')))`
