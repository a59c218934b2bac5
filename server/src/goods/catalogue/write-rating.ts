import type { SiteScope } from '#platform'

const write = {
  name: 'catalogue.write-rating',
  text: 'update catalogue.product set rating = $2, rating_count = $3 where id = $1',
}

/** The average of a product's published reviews, as cards show it; has the product reindexed. */
export async function writeProductRating(
  { db, emit }: Pick<SiteScope, 'db' | 'emit'>,
  productId: string,
  { rating, count }: { rating: number | null; count: number },
): Promise<void> {
  if ((await db.run(write, [productId, rating, count])) > 0) emit('product.changed', { productId })
}
