import type { Db } from '#platform'
import { addCustomer, signIn } from '../../people/accounts/testing.ts'
import { writeImported } from './store.ts'

/** For tests: customers of high value, with a session on each storefront. */

export interface Valued {
  id: string
  email: string
  /** The Cookie header on each storefront. */
  cookies: { b2c: string; b2b: string }
  /** Changes what an external program says of them, such as `{ customer_value: 'low' }`. */
  become(segments: object): Promise<void>
}

export async function addValued(db: Db, segments: object = { customer_value: 'high' }): Promise<Valued> {
  const { id, email } = await addCustomer(db)
  const become = (imported: object) => writeImported(db, id, imported)
  await become(segments)
  const [b2c, b2b] = await Promise.all((['b2c', 'b2b'] as const).map((family) => signIn(db, { customerId: id, family })))
  return { id, email, cookies: { b2c: `__Host-purlin=${b2c?.token}`, b2b: `__Host-purlin=${b2b?.token}` }, become }
}
