import type { IncomingHttpHeaders } from 'node:http'

export interface ContentPolicy {
  /** Allowed form targets besides our own origin: the payment provider's page. */
  formAction?: readonly string[]
  /** Origins that may be framed: hosted card fields. */
  frames?: readonly string[]
  /** Allowed origins of pictures besides our own. */
  images?: readonly string[]
  /** Sent only over https. */
  secure?: boolean
}

/** Permissions that one view gives its browser beyond the headers of its site. */
export interface ViewAllowance {
  /** Whether its scripts may ask for the camera. */
  camera?: boolean
  /** Further origins that its forms may be sent to. */
  formAction?: readonly string[]
}

/** Headers of responses that belong to no page of a site. */
export const bareHeaders = {
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
}

/** The headers of a site as one view of it needs them. */
export function widened(headers: Record<string, string>, { camera, formAction = [] }: ViewAllowance): Record<string, string> {
  const policy = headers['content-security-policy'] ?? ''
  const permissions = headers['permissions-policy'] ?? ''
  return {
    ...headers,
    'content-security-policy': policy.replace(/form-action [^;]*/, (directive) => [directive, ...formAction].join(' ')),
    'permissions-policy': camera ? permissions.replace('camera=()', 'camera=(self)') : permissions,
  }
}

/**
 * Headers of every page. Scripts are only our own files: no page has an inline script, so there are
 * no nonces, and a cached page is as strict as any other.
 */
export function securityHeaders(policy: ContentPolicy = {}): Record<string, string> {
  const list = (origins: readonly string[] = []) => ["'self'", ...origins].join(' ')
  const directives = [
    "default-src 'self'",
    "script-src 'self'",
    // Style sheets are files; the attribute is for values that only the data knows (the width of a bar).
    "style-src 'self'",
    "style-src-attr 'unsafe-inline'",
    `img-src ${list(policy.images)} data:`,
    "font-src 'self'",
    "connect-src 'self'",
    `frame-src ${list(policy.frames)}`,
    `form-action ${list(policy.formAction)}`,
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "object-src 'none'",
    "manifest-src 'self'",
    ...(policy.secure ? ['upgrade-insecure-requests'] : []),
  ]
  return {
    'content-security-policy': directives.join('; '),
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'strict-origin-when-cross-origin',
    'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=(self), browsing-topics=()',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'x-frame-options': 'DENY',
    ...(policy.secure ? { 'strict-transport-security': 'max-age=63072000; includeSubDomains' } : {}),
  }
}

/**
 * Whether a request that changes something comes from one of our own pages (reliability rule 9). Both headers are
 * set by browsers and cannot be set by a page; a request with neither is refused.
 */
export function isOwnRequest(headers: IncomingHttpHeaders, origin: string): boolean {
  const fetchSite = headers['sec-fetch-site']
  const from = headers.origin
  if (fetchSite !== undefined && fetchSite !== 'same-origin') return false
  if (from !== undefined) return from === origin
  return fetchSite === 'same-origin'
}
