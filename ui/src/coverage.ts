/** How many pieces cover a need: "12.5 m² at 1.44 m² per pack, plus a tenth for waste". */
export interface CoverageNeed {
  /** Square metres, litres … needed. */
  wanted: number
  /** The same measure per piece. */
  perArticle: number
  /** Whole percent added for cuts and waste. */
  sparePercent?: number
  /** Pack size: sold in multiples of this. */
  step?: number
  max?: number
}

/** Pieces to order, rounded up to the pack size; null for invalid numbers. */
export function articlesFor({
  wanted,
  perArticle,
  sparePercent = 0,
  step = 1,
  max = Number.MAX_SAFE_INTEGER,
}: CoverageNeed): number | null {
  if (!(wanted > 0) || !(perArticle > 0) || !Number.isFinite(wanted)) return null
  const needed = (wanted * (100 + sparePercent)) / 100 / perArticle
  // 2.0000000001 packs are two: measurements are never that exact.
  const steps = Math.max(1, Math.ceil(needed / step - 1e-9))
  const articles = steps * step
  return articles > max ? null : articles
}

/** Parses a number as entered: "12,5" and "12.5" are the same; null for anything else. */
export function typedNumber(text: string): number | null {
  const plain = text.trim().replace(/\s/g, '').replace(',', '.')
  return /^\d{1,7}(\.\d{1,4})?$/.test(plain) ? Number(plain) : null
}
