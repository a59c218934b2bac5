import type { Db } from '#platform'

/** A product that a code names. */
interface CodedProduct {
  code: string
  productId: string
}

// Two lookups, each with an index of its own; what a code names first wins: an EAN, then a part number. Our own product ids are no codes: any of them may
// be a part number of goods that we do not have.
const find = {
  name: 'catalogue.products-by-code',
  text: `with wanted as (select distinct code from unnest($1::text[]) as w (code)), named as (
      select w.code, 1 as rank, p.id, p.status from wanted w join catalogue.product p
        on p.ean = case when w.code ~ '^[0-9]{12}$' then '0' || w.code else w.code end
      union all
      select w.code, 2, p.id, p.status from wanted w join catalogue.product p on lower(p.mpn) = lower(w.code)
    ), found as (
      select code, rank, id from named where status = 'active'
      union all
      select code, 3, min(id) from named where status = 'ended' group by code
    )
    select code, id::text as "productId" from found f
    where rank = (select min(g.rank) from found g where g.code = f.code) order by code, id`,
}

/** Products named by EAN or part number, by code; several where brands share a part number. An ended product is found where no other has its number. */
export async function productsByCode(db: Db, codes: readonly string[]): Promise<Map<string, string[]>> {
  const byCode = new Map<string, string[]>()
  if (codes.length === 0) return byCode
  for (const { code, productId } of await db.rows<CodedProduct>(find, [codes])) {
    byCode.set(code, [...(byCode.get(code) ?? []), productId])
  }
  return byCode
}

const eans = { name: 'catalogue.eans', text: 'select id::text as id, ean from catalogue.product where id = any($1::bigint[])' }

/** EANs by product. */
export async function eansOf(db: Db, productIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const rows = await db.rows<{ id: string; ean: string }>(eans, [productIds])
  return new Map(rows.map(({ id, ean }) => [id, ean]))
}
