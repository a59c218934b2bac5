import type { Db, SiteScope, Statement } from '#platform'

// `updated_at` stays: it is the version in the addresses of pictures, which have not changed.
const raise: Statement = {
  name: 'catalogue.raise-popularity',
  text: `update catalogue.product product set popularity = least(1000000, product.popularity + raised.weight)
         from jsonb_to_recordset($1::jsonb) as raised("productId" bigint, weight integer)
         where product.id = raised."productId" and raised.weight > 0 returning product.id::text as id`,
}

/** Adds to the ranking signal of products and has them reindexed. */
export async function raisePopularity(
  { db, emit }: { db: Db; emit: SiteScope['emit'] },
  weights: readonly { productId: string; weight: number }[],
): Promise<void> {
  if (weights.length === 0) return
  const raised = await db.rows<{ id: string }>(raise, [JSON.stringify(weights)])
  for (const { id } of raised) emit('product.changed', { productId: id })
}
