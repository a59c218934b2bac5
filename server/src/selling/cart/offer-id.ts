const maxBigint = 9_223_372_036_854_775_807n

/** Addresses and forms bring anything; only what the column can hold is asked for. */
export function isOfferId(id: unknown): id is string {
  return typeof id === 'string' && /^[1-9][0-9]{0,18}$/.test(id) && BigInt(id) <= maxBigint
}
