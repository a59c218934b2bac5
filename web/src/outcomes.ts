/**
 * The outcomes a page's `load` or `action` may return instead of data. Plain tagged objects: the page layer runs
 * in Node while pages come out of the bundle, so no class or symbol is shared between the two.
 */

export type RedirectStatus = 301 | 302 | 303 | 307 | 308

export interface Redirect {
  outcome: 'redirect'
  status: RedirectStatus
  to: string
  /** Shown on the next page. */
  flash?: Flash
}

/** A message for the next page: its key in the catalogue, never free text, so that a forged cookie cannot show text of its own. */
export interface Flash {
  severity: 'info' | 'success' | 'warning' | 'danger'
  key: string
}

export interface NotFound {
  outcome: 'not-found'
  /** What the error page may say about it. */
  explanation?: unknown
}

export interface Gone {
  outcome: 'gone'
  /** Alternatives for the 410 page. */
  data: unknown
}

/** A refusal by an action: the page is shown again with the entered values; with status 200 an answer to a form that only asks. */
export interface Refuse<Refusal = unknown> {
  outcome: 'refuse'
  refusal: Refusal
  status: 200 | 409 | 422 | 429
}

export type Outcome = Redirect | NotFound | Gone

/** Redirects the visitor. `to` must be one of our addresses or one allowed by the settings. */
export function redirect(status: RedirectStatus, to: string, flash?: Flash): Redirect {
  return flash ? { outcome: 'redirect', status, to, flash } : { outcome: 'redirect', status, to }
}

/**
 * 301 to the canonical address if the requested one has another slug, keeping the query; null if it is canonical.
 * `const moved = canonicalSlug(context, product.url); if (moved) return moved`
 */
export function canonicalSlug({ pathname, search }: { pathname: string; search: string }, url: string): Redirect | null {
  return plain(pathname) === plain(url) ? null : redirect(301, url + search)
}

function plain(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

export function notFound(explanation?: unknown): NotFound {
  return { outcome: 'not-found', ...(explanation !== undefined && { explanation }) }
}

/** The page is gone for good: 410, with alternatives. */
export function gone(data: unknown = null): Gone {
  return { outcome: 'gone', data }
}

export function refuse<Refusal>(refusal: Refusal, status: Refuse['status'] = 422): Refuse<Refusal> {
  return { outcome: 'refuse', refusal, status }
}

export function isOutcome(answer: object): answer is Outcome | Refuse {
  return 'outcome' in answer
}
