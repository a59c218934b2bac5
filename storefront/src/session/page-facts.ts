/** Site and page data for scripts: attributes of the root element, identical for every visitor. */
export interface PageFacts {
  market: string
  mode: string
  version: string
  /** The page requires a sign-in. */
  isProtected: boolean
  /** REQUEST_TIMEOUT, in milliseconds. */
  timeoutMs: number
}

export function pageFacts(): PageFacts {
  const { market = '', mode = '', version = '', access, timeout } = document.documentElement.dataset
  return { market, mode, version, isProtected: access === 'restricted' || access === 'b2b', timeoutMs: Number(timeout) || 10_000 }
}
