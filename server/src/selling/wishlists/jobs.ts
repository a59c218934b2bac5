import { job, on } from '#platform'
import { lookSoon, tellOfProduct, type Changed } from './tell-of-product.ts'

export const handlers = [
  on('offer.changed', 'wishlists.price-changed', { commit: lookSoon }),
  on('stock.changed', 'wishlists.stock-changed', { commit: lookSoon }),
]

export const jobs = [job<Changed>('wishlists.tell', { run: tellOfProduct })]
