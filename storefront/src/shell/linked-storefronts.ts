import { LinkedStorefrontsDocument } from '../generated/documents.ts'
import type { ShopContext } from './context.ts'

/** Whether the two storefronts link to each other, unless the operator keeps them apart. */
export function areLinked({ b2b }: { b2b?: { isLinked: boolean } | null }): boolean {
  return b2b?.isLinked !== false
}

/** The same for a page that asks for nothing else. */
export async function loadAreLinked({ client }: ShopContext): Promise<boolean> {
  return areLinked((await client.query(LinkedStorefrontsDocument)).platformConfig)
}
