import { purgePages, type SiteScope } from '#platform'
import { sellersTag } from './known-sellers.ts'

const write = {
  name: 'sellers.write-rating',
  text: `update sellers.seller set rating = $2, rating_count = $3 where id = $1
    returning old.rating is distinct from new.rating as "isOther"`,
}

/** The average of a seller's published reviews. Their products are reindexed only when it is another one: a count is on their own page alone. */
export async function writeSellerRating(
  { db, emit }: Pick<SiteScope, 'db' | 'emit'>,
  sellerId: number,
  { rating, count }: { rating: number | null; count: number },
): Promise<void> {
  const written = await db.row<{ isOther: boolean }>(write, [sellerId, rating, count])
  if (written?.isOther) emit('seller.changed', { sellerId })
  else if (written) await purgePages(db, [sellersTag, `seller:${sellerId}`])
}
