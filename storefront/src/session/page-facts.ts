/** What a page says of its site and of itself, for scripts: attributes of its root, the same for everybody who gets the page. */
export interface PageFacts {
  market: string
  mode: string
  version: string
  /** The page asks for a sign-in. */
  isProtected: boolean
  /** REQUEST_TIMEOUT, in milliseconds. */
  timeoutMs: number
}

export function pageFacts(): PageFacts {
  const { market = '', mode = '', version = '', access, timeout } = document.documentElement.dataset
  return { market, mode, version, isProtected: access === 'restricted' || access === 'b2b', timeoutMs: Number(timeout) || 10_000 }
}
