/** A search typed into a page of the account. Characters that no GraphQL variable may contain become U+FFFD, which matches nothing. */
export function searchText(typed: unknown): string {
  return typeof typed === 'string' ? typed.trim().slice(0, 100).toWellFormed().replaceAll('\0', '\uFFFD') : ''
}
