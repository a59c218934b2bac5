import { idInQuery } from '../referer/referer.ts'
import { happensWithin, report } from './happens-within.ts'

/** What the page's `load` says about it, for page views. Source: spec §3. */
export interface PageData {
  pageName: string
  pageType: string
  pageViewCustomData: Readonly<Record<string, string | number>>
  /** Of the page beyond this view, such as its categoryId. */
  pageCustomData: Readonly<Record<string, string | number>>
  referer: string
  statusCode: number
}

const patienceMs = 10_000

function factsIn(query: string | undefined): Record<string, string | number> {
  const facts = [...new URLSearchParams(query)]
  return Object.fromEntries(facts.map(([name, value]) => [name, /^\d{1,15}$/.test(value) ? Number(value) : value]))
}

function read(): PageData {
  const { page = '', pageType = '', view, custom, status } = document.documentElement.dataset
  // The partner whose link led here.
  const publisherId = idInQuery('publisher_id', location.search)
  return {
    pageName: page,
    pageType,
    pageViewCustomData: { ...factsIn(view), ...(publisherId !== null && { publisherId }) },
    pageCustomData: factsIn(custom),
    referer: document.referrer,
    statusCode: Number(status) || 200,
  }
}

const isPending = () => 'viewPending' in document.documentElement.dataset

/**
 * The page's data. A page that completes them by script marks itself with `data-view-pending` until it has; after ten seconds
 * the page view does without.
 */
export async function pageData(): Promise<PageData> {
  const isComplete =
    !isPending() ||
    (await happensWithin(patienceMs, (completed) => {
      const watching = new MutationObserver(() => !isPending() && completed())
      watching.observe(document.documentElement, { attributeFilter: ['data-view-pending'] })
      return () => watching.disconnect()
    }))
  if (!isComplete) report('PAGE_VIEW_WAIT', `${patienceMs} ms`)
  return read()
}
