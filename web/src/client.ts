/** The browser's half of the page layer: brings each part of a page to life, when its time has come. */

/** Every `*.enhance.ts` by path. */
export type Enhancers = Record<string, { enhance?(element: HTMLElement): void }>
/** Every `*.island.tsx` by path, each in a file of its own that is fetched when the first of its islands wakes. */
export type Islands = Record<string, () => Promise<Record<string, unknown>>>

const touches = ['pointerdown', 'focusin', 'keydown', 'input', 'click', 'submit']

export function startParts(enhancers: Enhancers, islands: Islands): void {
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

/** A part that fails must not take the others with it; its error still reaches window.onerror. */
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
  // Caught on its way down, so that what the script listens for is heard from the very first time.
  for (const type of touches) element.addEventListener(type, go, { capture: true, once: true })
  schedule(element, when, go)
}

/**
 * An island until React has it. Clicks and submits are held meanwhile and done again when it is awake, or when it
 * cannot be woken: then the browser answers them, as it would without script.
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
      // One after the other, each with what the last has changed.
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

/** How to do again what a person did; undefined for what need not wait. */
function repeat(island: HTMLElement, event: Event): (() => void) | undefined {
  const target = event.target as HTMLElement
  if (event.type !== 'submit' && (event.type !== 'click' || target.closest('a[href]'))) return undefined
  const place = [...island.querySelectorAll('*')].indexOf(target)
  return () => {
    // Where something else was put in its place, because React failed or saw it otherwise, that is meant.
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
    // The element itself has no box (display: contents), so its first child is watched.
    seen.observe(element.firstElementChild ?? element)
  }
}
