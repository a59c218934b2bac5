import type { Db } from '#platform'

/** The owner of the cart of a purchasing system's order, which is in nobody's basket. */
export function systemsCartOwner(mark: string): string {
  return `o:${mark}`
}

const isSystems = { name: 'cart.is-of-system', text: `select 1 from cart.cart where id = $1 and owner like 'o:%'` }
/** Whether a purchasing system has ordered what this cart holds. */
export async function isSystemsCart(db: Db, cartId: string): Promise<boolean> {
  return (await db.row(isSystems, [cartId])) !== undefined
}

const ofRequest = { name: 'cart.request-of', text: `select substr(owner, 3) as id from cart.cart where id = $1 and owner like 'a:%'` }
/** The request for approval that has this cart; null if it is a basket. */
export async function requestOfCart(db: Db, cartId: string): Promise<string | null> {
  return (await db.row<{ id: string }>(ofRequest, [cartId]))?.id ?? null
}
