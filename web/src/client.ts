/** The browser's half of the page layer: improves each part of a page with its script, when its time has come. */

/** Every `*.enhance.ts` by path. */
export type Enhancers = Record<string, { enhance?(element: HTMLElement): void }>

export function startEnhancers(enhancers: Enhancers): void {
  for (const element of document.querySelectorAll<HTMLElement>('page-island')) {
    const end = `/${element.dataset['enhance']}.enhance.ts`
    const path = Object.keys(enhancers).find((one) => one.endsWith(end))
    const enhance = path && enhancers[path]?.enhance
    if (enhance) schedule(element, element.dataset['when'], onlyOnce(element, enhance))
  }
}

/** A part that fails must not take the others with it; its error still reaches window.onerror. */
function onlyOnce(element: HTMLElement, enhance: (element: HTMLElement) => void): () => void {
  let isDone = false
  return () => {
    if (isDone) return
    isDone = true
    try {
      enhance(element)
    } catch (error) {
      reportError(error)
    }
  }
}

function schedule(element: HTMLElement, when: string | undefined, go: () => void): void {
  if (when === 'load') return go()
  // Caught on its way down, so that what the script listens for is heard from the very first time.
  for (const type of ['pointerdown', 'focusin', 'keydown', 'input', 'click', 'submit']) {
    element.addEventListener(type, go, { capture: true, once: true })
  }
  if (when === 'idle') {
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
