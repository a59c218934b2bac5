/** Gateway responses are data: never sniffed, cached or framed. A route may override them; no response goes out without. (V-18) */
export const defaultHeaders = {
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
}
