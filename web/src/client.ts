/** The browser's half of the page layer: activates scripts and islands when they are due. */

/** Every `*.enhance.ts` by path. */
export type Enhancers = Record<string, { enhance?(element: HTMLElement): void }>
/** Every `*.island.tsx` by path, each in a file of its own that is loaded with the first of its islands. */
export type Islands = Record<string, () => Promise<Record<string, unknown>>>

const touches = ['pointerdown', 'focusin', 'keydown', 'input', 'click', 'submit']

/**
 * Activates the parts of a page. One rendered ahead has no visitor yet: it requests, stores and reports nothing until it is opened.
 * (V-40)
 */
export function startParts(enhancers: Enhancers, islands: Islands): void {
  const start = () => startAll(enhancers, islands)
  if ((document as { prerendering?: boolean }).prerendering) document.addEventListener('prerenderingchange', start)
  else start()
}

function startAll(enhancers: Enhancers, islands: Islands): void {
  for (const element of document.querySelectorAll<HTMLElement>('page-island')) {
    const { enhance, island, when } = element.dataset
    const script = find(enhancers, `/${enhance}.enhance.ts`)?.enhance
    const load = find(islands, `/${island}.island.tsx`)
    if (script) improve(element, when, script)
    else if (load) sleep(element, when, load)
    else if (island) reportError(new Error(`There is no ${island}.island.tsx`))
  }
}

function find<Each>(files: Record<string, Each>, end: string): Each | undefined {
  return Object.entries(files).find(([path]) => path.endsWith(end))?.[1]
}

/** A failing script must not affect the others; its error still reaches window.onerror. */
function improve(element: HTMLElement, when: string | undefined, enhance: (element: HTMLElement) => void): void {
  let isDone = false
  const go = () => {
    if (isDone) return
    isDone = true
    try {
      enhance(element)
    } catch (error) {
      reportError(error)
    }
  }
  // In the capture phase, so that listeners added by the script receive even the first event.
  for (const type of touches) element.addEventListener(type, go, { capture: true, once: true })
  schedule(element, when, go)
}

/**
 * An island before hydration. Clicks and submits are queued meanwhile and replayed once it is hydrated, or if
 * hydration fails: then the browser handles them, as it would without scripts.
 */
function sleep(element: HTMLElement, when: string | undefined, load: Islands[string]): void {
  const asleep = new AbortController()
  const held: (() => void)[] = []
  let isWaking = false
  const wake = async () => {
    if (isWaking) return
    isWaking = true
    const loaded = await Promise.all([import('./hydrate.tsx'), load()]).catch(reportError)
    asleep.abort()
    if (loaded) loaded[0].hydrate(element, Object.values(loaded[1])[0])
    for (const again of held) {
      // One after another, each on the state left by the previous one.
      await Promise.resolve()
      again()
    }
  }
  const touched = (event: Event) => {
    void wake()
    const again = repeat(element, event)
    if (!again) return
    event.preventDefault()
    event.stopImmediatePropagation()
    held.push(again)
  }
  for (const type of touches) element.addEventListener(type, touched, { capture: true, signal: asleep.signal })
  schedule(element, when, () => void wake())
}

/** How to replay a user action; undefined for actions that need not wait. */
function repeat(island: HTMLElement, event: Event): (() => void) | undefined {
  const target = event.target as HTMLElement
  if (event.type !== 'submit' && (event.type !== 'click' || target.closest('a[href]'))) return undefined
  const place = [...island.querySelectorAll('*')].indexOf(target)
  return () => {
    // If the element was replaced, because React failed or rendered something else, the replacement is the target.
    const now = target.isConnected ? target : island.querySelectorAll<HTMLElement>('*')[place]
    if (event.type === 'click') now?.click()
    else if (now instanceof HTMLFormElement)
      now.requestSubmit(now.contains((event as SubmitEvent).submitter) ? (event as SubmitEvent).submitter : null)
  }
}

function schedule(element: HTMLElement, when: string | undefined, go: () => void): void {
  if (when === 'load') go()
  else if (when === 'idle') {
    if ('requestIdleCallback' in window) requestIdleCallback(go, { timeout: 2000 })
    else setTimeout(go, 200)
  } else if (when === 'visible') {
    const seen = new IntersectionObserver(
      (entries) => {
        if (!entries.some((entry) => entry.isIntersecting)) return
        seen.disconnect()
        go()
      },
      { rootMargin: '200px' },
    )
    // The element itself has no box (display: contents), so its first child is observed.
    seen.observe(element.firstElementChild ?? element)
  }
}
