/**
 * Name of an order for measurements: the receipt's page view carries it, and the paid order is noted under it. It does not
 * disclose the order's number.
 */
export async function transactionOf(customerOrderId: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(`transaction:${customerOrderId}`))
  return Array.from(new Uint8Array(digest).subarray(0, 16), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
