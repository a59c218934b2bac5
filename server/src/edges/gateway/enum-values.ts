/**
 * Enum values follow GraphQL's convention on the wire (`AWAITING_PAYMENT`) and ours in the server and the database
 * (`awaiting-payment`). Upper-case values map to lower case with hyphens; all others stay as they are.
 */
export function valueOfName(name: string): string {
  return /^[A-Z][A-Z0-9_]*$/.test(name) ? name.toLowerCase().replaceAll('_', '-') : name
}
