import { browserConsent } from '../consent/browser-consent.ts'
import type { RefererInfo } from '../referer/referer.ts'
import { say } from './data-layer.ts'
import { knownAuth } from './known-auth.ts'
import { pageData } from './page-data.ts'

/** A page view does not wait longer for where the visitor came from. */
const refererPatienceMs = 3000

/** One page view, with the page's data, the sign-in, and where the visitor came from if they have just arrived. */
export async function sayPageView(arrived?: Promise<RefererInfo | null>): Promise<void> {
  const late = new Promise<null>((resolve) => setTimeout(resolve, refererPatienceMs, null))
  const [data, { isAuthenticated, cluster }, info] = await Promise.all([pageData(), knownAuth(), Promise.race([arrived ?? null, late])])
  say({ event: 'page_view', ...data, ...info, isAuthenticated, ...(cluster && { cluster }) })
}

/** A page that the browser restores, instead of loading it, is viewed again: only the browser knows. */
export function watchRestoredPages(): void {
  addEventListener('pageshow', ({ persisted }) => {
    // Consent may have been withdrawn on the page in between.
    if (!persisted || !browserConsent().allows('statistics')) return
    const change = { code: '200', method: 'restore', to: location.pathname, from: leftPage() }
    fetch(`/api/v1/client-page-change?${new URLSearchParams(change)}`, { signal: AbortSignal.timeout(5000) }).catch(() => undefined)
    void sayPageView()
  })
}

interface Activation {
  navigation?: { activation?: { from?: { url?: string | null } | null } | null }
}

/** Where the visitor was in between, if the browser tells. */
function leftPage(): string {
  const { origin, pathname } = new URL((window as Activation).navigation?.activation?.from?.url ?? location.href)
  return origin === location.origin ? pathname : location.pathname
}
