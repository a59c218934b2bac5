import type { Mutant } from './find-mutants.ts'

/** Mutants that no test kills, each with a reason: usually that the mutated code behaves the same. */
export interface Survivor {
  /** The line before and after the mutation. */
  code: string
  becomes: string
  reason: string
}

export const survivors: Record<string, Survivor[]> = {
  'server/src/selling/cart/allocate.ts': [
    {
      code: 'const order = shares.map((_, index) => index).sort((a, b) => (shares[b]?.rest ?? 0) - (shares[a]?.rest ?? 0) || a - b)',
      becomes: 'const order = shares.map((_, index) => index).sort((a, b) => (shares[b]?.rest ?? 1) - (shares[a]?.rest ?? 0) || a - b)',
      reason: 'The place is one of the list, so the value after ?? is never taken.',
    },
    {
      code: 'const order = shares.map((_, index) => index).sort((a, b) => (shares[b]?.rest ?? 0) - (shares[a]?.rest ?? 0) || a - b)',
      becomes: 'const order = shares.map((_, index) => index).sort((a, b) => (shares[b]?.rest ?? 0) - (shares[a]?.rest ?? 1) || a - b)',
      reason: 'The place is one of the list, so the value after ?? is never taken.',
    },
  ],
  'server/src/selling/cart/price-cart.ts': [
    {
      code: 'line.discount = discounts[index] ?? 0',
      becomes: 'line.discount = discounts[index] ?? 1',
      reason: 'There is a discount for every line, so the value after ?? is never taken.',
    },
    {
      code: 'deliveryByRate: rates.map((rate, index) => [rate, shares[index] ?? 0]),',
      becomes: 'deliveryByRate: rates.map((rate, index) => [rate, shares[index] ?? 1]),',
      reason: 'There is a share for every rate, so the value after ?? is never taken.',
    },
  ],
  'server/src/selling/cart/price-lines.ts': [
    { code: 'net: 0,', becomes: 'net: 1,', reason: 'Written before it is read, a few lines below.' },
    { code: 'discount: 0,', becomes: 'discount: 1,', reason: 'Written before it is read, a few lines below.' },
    { code: 'vatAmount: 0,', becomes: 'vatAmount: 1,', reason: 'Written before it is read, a few lines below.' },
    {
      code: "if (counted < quantity || quantityRefusal(offer, quantity)) return 'less-stock'",
      becomes: "if ((counted < quantity) && (quantityRefusal(offer, quantity))) return 'less-stock'",
      reason: 'Whatever leaves fewer than wanted is refused as well; the first half saves the second its work.',
    },
  ],
  'server/src/goods/pricing/tax-mode.ts': [
    {
      code: "const key = business ? `${market}:b2b:${prefersVat ? 'vat' : 'net'}:${customerCountry}` : `${market}:b2c`",
      becomes: 'const key = business ? `${market}:b2b:${prefersVat ? "vat~" : \'net\'}:${customerCountry}` : `${market}:b2c`',
      reason: 'A key has to differ from the others; it is not shown.',
    },
  ],
  'server/src/goods/pricing/vat.ts': [
    {
      code: 'return dividend < 0 ? -quotient || 0 : quotient',
      becomes: 'return (dividend) <= (0) ? -quotient || 0 : quotient',
      reason: 'Nothing divided is nothing either way.',
    },
    {
      code: 'const depth = rule.categoryId === null ? -1 : categoryPath.indexOf(rule.categoryId)',
      becomes: 'const depth = rule.categoryId === null ? -2 : categoryPath.indexOf(rule.categoryId)',
      reason: 'Below every depth in the path either way.',
    },
    {
      code: 'return dividend < 0 ? -quotient || 0 : quotient',
      becomes: 'return dividend < 1 ? -quotient || 0 : quotient',
      reason: 'Only zero is between them, and its quotient is zero either way.',
    },
  ],
  'server/src/goods/pricing/local-time.ts': [
    { code: 'formats.set(market, format)', becomes: ';', reason: 'Only what is remembered changes: the format is made again.' },
    {
      code: 'remembered.set(market, { minute, time })',
      becomes: 'remembered.set(market, { minute: time, time: minute })',
      reason: 'Only what is remembered changes; the time is worked out again.',
    },
  ],
  'server/src/goods/pricing/money-format.ts': [
    {
      code: 'if (known.size >= rememberedMax) known.clear()',
      becomes: 'if (known.size >= rememberedMax) ;',
      reason: 'Bounds memory alone; amounts are the same.',
    },
  ],
  'server/src/goods/pricing/buy-box.ts': [
    {
      code: '(a.offer.id < b.offer.id ? -1 : 1)',
      becomes: '(a.offer.id < b.offer.id ? -1 : 2)',
      reason: 'Only the sign of a comparison counts.',
    },
  ],
  'server/src/goods/pricing/holidays.ts': [
    {
      code: 'const d = (19 * a + b - Math.floor(b / 4) - Math.floor((b - Math.floor((b + 8) / 25) + 1) / 3) + 15) % 30',
      becomes: 'const d = (19 * a + b - Math.floor(b / 4) - Math.floor((b - Math.floor((b + 8) / 26) + 1) / 3) + 15) % 30',
      reason: 'Gives the same Easter in every year from 1800 to 2299.',
    },
  ],
  'server/src/goods/pricing/delivery-promise.ts': [
    {
      code: 'if (!cheapest || !fastest) return null',
      becomes: 'if ((!cheapest) && (!fastest)) return null',
      reason: 'Both are there, or neither.',
    },
  ],
}

export function reasonOf({ path, code, becomes }: Pick<Mutant, 'path' | 'code' | 'becomes'>): string | undefined {
  return survivors[path]?.find((listed) => listed.code === code && listed.becomes === becomes)?.reason
}
