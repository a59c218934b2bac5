const maxBigint = 9_223_372_036_854_775_807n

/** Addresses and forms may contain anything; only ids the column can hold are looked up. */
export function isOfferId(id: unknown): id is string {
  return typeof id === 'string' && /^[1-9][0-9]{0,18}$/.test(id) && BigInt(id) <= maxBigint
}
