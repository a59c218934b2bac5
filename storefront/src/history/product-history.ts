import { browserConsent } from '../consent/browser-consent.ts'
import { ProductHistoryDocument } from '../generated/documents.ts'
import { callApi } from '../session/api-client.ts'
import type { AuthState } from '../session/auth-state.ts'
import { ask } from '../session/graphql-client.ts'

/** What a visitor has looked at, in their browser, and on the account once they sign in. Source: spec §3, §4, §9. */
export interface HistoryEntry {
  productId: string
  viewedAt: string
  /** The account may not have it; the time from which it is sent. What a guest or a professional has viewed stays so. */
  due?: number
}

/** The slice of the client's state. */
export interface HistoryState {
  status: 'pending' | 'fetched' | 'failed' | 'merge success' | 'merge failure'
  isFetched: boolean
  entries: readonly HistoryEntry[]
}

/** Keys and limits of the specification. */
export const historyKey = 'product-history'
export const previousStatusKey = 'product-history-auth-status'
const maxEntries = 20
const keptMonths = 3

/** Stored entries that are still young enough, the last viewed first. */
export function readEntries(storage: Pick<Storage, 'getItem'>, now = new Date()): HistoryEntry[] {
  try {
    // A stored value that is not an array has no filter method: the exception makes it an empty history.
    return tidy((JSON.parse(storage.getItem(historyKey) ?? '[]') as unknown[]).filter(isEntry), now)
  } catch {
    return []
  }
}

function writeEntries(storage: Pick<Storage, 'setItem' | 'removeItem'>, entries: readonly HistoryEntry[]): void {
  if (entries.length === 0) storage.removeItem(historyKey)
  else storage.setItem(historyKey, JSON.stringify(entries))
}

/** Adds a view, which no account has yet: one entry per product, at most twenty, none older than three months. */
export function withView(entries: readonly HistoryEntry[], productId: string, now = new Date()): HistoryEntry[] {
  return tidy([{ productId, viewedAt: now.toISOString(), due: 1 }, ...entries.filter((entry) => entry.productId !== productId)], now)
}

function tidy(entries: readonly HistoryEntry[], now: Date): HistoryEntry[] {
  const oldest = new Date(now)
  oldest.setUTCMonth(oldest.getUTCMonth() - keptMonths)
  return entries
    .filter(({ viewedAt }) => Date.parse(viewedAt) > oldest.getTime())
    .toSorted((a, b) => Date.parse(b.viewedAt) - Date.parse(a.viewedAt))
    .slice(0, maxEntries)
}

/** Times that are none are too old. */
function isEntry(value: unknown): value is HistoryEntry {
  const { productId, viewedAt } = Object(value) as Partial<Record<keyof HistoryEntry, unknown>>
  return typeof productId === 'string' && /^\d{1,18}$/.test(productId) && typeof viewedAt === 'string'
}

/**
 * The history of this visitor: the browser's for guests, and for users classed as b2b, whose account has none. At the first page after
 * signing in, a consumer's is merged with the account's. A failed merge leaves an empty history. Later only views that did not reach the
 * account are sent; once that has failed, the shop is left alone for a minute. What the browser holds of a customer is left neither to a
 * guest nor to the next customer.
 * While nobody knows who the visitor is, nothing is removed, and only a guest's is shown.
 */
export async function syncHistory(
  { hasRetrievedAuthStatus, isAuthenticated, isB2B, userId }: Viewer,
  storage: Storage = localStorage,
  calls: HistoryCalls = { merge, fetch: fetchHistory },
): Promise<HistoryState> {
  const status = isAuthenticated ? `authenticated ${userId}` : guest
  const previous = storage.getItem(previousStatusKey) ?? guest
  if (!hasRetrievedAuthStatus) return { status: 'failed', isFetched: false, entries: previous === guest ? readEntries(storage) : [] }
  storage.setItem(previousStatusKey, status)
  if (previous !== guest && previous !== status) writeEntries(storage, [])
  let local = readEntries(storage)
  if (!isAuthenticated || isB2B) return { status: 'fetched', isFetched: true, entries: local }
  const merges = previous !== status && local.length > 0
  const unsent = local.filter(({ due }) => merges || due)
  const first = unsent.at(-1)
  const begun = new Date().toISOString()
  try {
    if (!((first?.due as number) > Date.now())) {
      let known = await (first ? calls.merge(unsent) : calls.fetch())
      // What another tab has added meanwhile is not in that answer.
      for (const { productId, viewedAt, due } of readEntries(storage))
        if (due && viewedAt > begun) known = withView(known, productId, new Date(viewedAt))
      return kept(storage, merges ? 'merge success' : 'fetched', known)
    }
  } catch {
    if (merges) return kept(storage, 'merge failure', [])
    // Read again: meanwhile another tab may have added a view, or sent these.
    local = readEntries(storage)
    for (const entry of local) entry.due &&= Date.now() + 6e4
    kept(storage, 'failed', local)
  }
  return { status: 'failed', isFetched: false, entries: local }
}

/** Asked anew after each wait: another tab may have withdrawn it. */
export const mayRemember = () => browserConsent().allows('userPreferences')
const guest = 'guest'
type Viewer = Pick<AuthState, 'hasRetrievedAuthStatus' | 'isAuthenticated' | 'isB2B' | 'userId'>

function kept(storage: Storage, status: HistoryState['status'], entries: readonly HistoryEntry[]): HistoryState {
  const tidied = tidy(entries, new Date())
  writeEntries(storage, mayRemember() ? tidied : [])
  return { status, isFetched: true, entries: tidied }
}

export interface HistoryCalls {
  merge(entries: readonly HistoryEntry[]): Promise<HistoryEntry[]>
  fetch(): Promise<HistoryEntry[]>
}

/** Source: spec §7, R-402, R-576, R-577. */
export async function merge(entries: readonly HistoryEntry[]): Promise<HistoryEntry[]> {
  const content = entries.map(({ productId, viewedAt }) => ({ product_id: productId, viewed_at: viewedAt }))
  const answer = await callApi('/api/v2/product-history/merge', { body: { content } })
  // A refusal has no content, so that reading it throws.
  const merged = (await answer.json()) as { content: { product_id: string; viewed_at: string }[] }
  return merged.content.map(({ product_id, viewed_at }) => ({ productId: product_id, viewedAt: viewed_at }))
}

async function fetchHistory(): Promise<HistoryEntry[]> {
  return [...(await ask(ProductHistoryDocument, {}, { prefersGet: true })).productHistory]
}

/** Records a view in the browser, and sends it to the account of a consumer who is signed in; where that fails, the next page does. */
export async function recordView(viewer: Viewer, productId: string, storage: Storage = localStorage, calls?: HistoryCalls): Promise<void> {
  writeEntries(storage, withView(readEntries(storage), productId))
  await syncHistory(viewer, storage, calls)
}
