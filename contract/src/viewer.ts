/**
 * Who is looking. A guest may hold a cart and orders through the session, but no account.
 * Rights follow from this alone, never from a host or a cookie (decision 5).
 */
export type Viewer =
  | { kind: 'guest' }
  | { kind: 'b2c'; customerId: string }
  | { kind: 'b2b'; customerId: string; country: string; prefersVat: boolean }
