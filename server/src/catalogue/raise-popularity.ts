import type { Db, Scope, Statement } from '#platform'

const raise: Statement = {
  name: 'catalogue.raise-popularity',
  text: `update catalogue.product product set popularity = least(1000000, product.popularity + raised.weight), updated_at = now()
         from jsonb_to_recordset($1::jsonb) as raised("productId" bigint, weight integer)
         where product.id = raised."productId" and raised.weight > 0 returning product.id::text as id`,
}

/** Adds to the ranking signal of products and has them indexed again. */
export async function raisePopularity(
  { db, emit }: { db: Db; emit: Scope['emit'] },
  weights: readonly { productId: string; weight: number }[],
): Promise<void> {
  if (weights.length === 0) return
  const raised = await db.rows<{ id: string }>(raise, [JSON.stringify(weights)])
  for (const { id } of raised) emit('product.changed', { productId: id })
}
