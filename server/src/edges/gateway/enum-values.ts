/**
 * Names of states on the wire are those GraphQL knows (`AWAITING_PAYMENT`), in the server and the database ours
 * (`awaiting-payment`). A value in capitals stands for the same words with hyphens; any other stands for itself.
 */
export function valueOfName(name: string): string {
  return /^[A-Z][A-Z0-9_]*$/.test(name) ? name.toLowerCase().replaceAll('_', '-') : name
}
