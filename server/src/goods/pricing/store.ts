import type { Market } from '@purlin/contract/markets.ts'
import type { Db } from '#platform'
import type { VatRule } from './vat.ts'

const selectVatRules = {
  name: 'pricing.vat-rules',
  text: `select market, category_id, rate_bp, flag, valid_from::text, valid_to::text from pricing.vat_rule order by id`,
}

export async function readVatRules(db: Db): Promise<VatRule[]> {
  const rows = await db.rows<{
    market: Market
    category_id: number | null
    rate_bp: number
    flag: string | null
    valid_from: string
    valid_to: string | null
  }>(selectVatRules)
  return rows.map((row) => ({
    market: row.market,
    categoryId: row.category_id,
    rateBp: row.rate_bp,
    flag: row.flag,
    validFrom: row.valid_from,
    validTo: row.valid_to,
  }))
}
