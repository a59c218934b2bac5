import type { Db } from '#platform'

/** A product that a code names. */
interface CodedProduct {
  code: string
  productId: string
}

// Three lookups, each with an index of its own; what a code names first wins: an EAN, a part number, a product number.
const find = {
  name: 'catalogue.products-by-code',
  text: `with wanted as (select distinct code from unnest($1::text[]) as w (code)), found as (
      select w.code, 1 as rank, p.id from wanted w join catalogue.product p
        on p.ean = case when w.code ~ '^[0-9]{12}$' then '0' || w.code else w.code end where p.status = 'active'
      union all
      select w.code, 2, p.id from wanted w join catalogue.product p on lower(p.mpn) = lower(w.code) where p.status = 'active'
      union all
      select w.code, 3, p.id from wanted w join catalogue.product p
        on p.id = case when w.code ~ '^[1-9][0-9]{0,14}$' then w.code::bigint end where p.status = 'active'
    )
    select code, id::text as "productId" from found f
    where rank = (select min(g.rank) from found g where g.code = f.code) order by code, id`,
}

/** Active products named by EAN, part number or product number, by code; several where brands share a part number. */
export async function productsByCode(db: Db, codes: readonly string[]): Promise<Map<string, string[]>> {
  const byCode = new Map<string, string[]>()
  if (codes.length === 0) return byCode
  for (const { code, productId } of await db.rows<CodedProduct>(find, [codes])) {
    byCode.set(code, [...(byCode.get(code) ?? []), productId])
  }
  return byCode
}
