import type { Db, SiteScope, Statement } from '#platform'

// `updated_at` stays: it is the version in the addresses of pictures, which have not changed.
const adjust: Statement = {
  name: 'catalogue.adjust-popularity',
  text: `update catalogue.product product set popularity = greatest(0, least(1000000, product.popularity + change.weight))
         from jsonb_to_recordset($1::jsonb) as change("productId" bigint, weight integer)
         where product.id = change."productId" and change.weight <> 0 returning product.id::text as id`,
}

/** Changes the ranking signal of products by these weights and has them reindexed. */
export async function adjustPopularity(
  { db, emit }: { db: Db; emit: SiteScope['emit'] },
  weights: readonly { productId: string; weight: number }[],
): Promise<void> {
  if (weights.length === 0) return
  const changed = await db.rows<{ id: string }>(adjust, [JSON.stringify(weights)])
  for (const { id } of changed) emit('product.changed', { productId: id })
}
