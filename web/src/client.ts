/**
 * Brings the islands of a page to life. Small and without React: that is fetched with the first island
 * that needs it, so a page without islands ships none of it.
 */

type Load = () => Promise<Record<string, unknown>>
type Wake = () => Promise<void>

export interface ClientModules {
  /** `*.island.tsx` by path, as the server registered them. */
  islands: Record<string, Load>
  /** Every `*.enhance.ts` by path, together in one file; each exports `enhance(element)`. */
  enhancers: () => Promise<{ enhancers: Record<string, Record<string, unknown>> }>
  hydrate: () => Promise<{ hydrateIsland(element: HTMLElement, component: unknown, state: PageState): void }>
}

export interface PageState {
  locale: string
  site: unknown
  messages: Record<string, string>
}

export function startIslands(modules: ClientModules): void {
  const state: PageState = JSON.parse(document.getElementById('page-state')?.textContent ?? '{}')
  const asleep = new Map<Element, Wake>()

  const wakeOnce = (element: HTMLElement): Wake => {
    let waking: Promise<void> | undefined
    return () => (waking ??= wake(element).finally(() => asleep.delete(element)))
  }
  const wake = async (element: HTMLElement): Promise<void> => {
    const { island, enhance } = element.dataset
    if (enhance) {
      const { enhancers } = await modules.enhancers()
      const found = Object.entries(enhancers).find(([path]) => path.endsWith(`/${enhance}.enhance.ts`))?.[1]
      if (typeof found?.enhance === 'function') found.enhance(element)
      return
    }
    const [path = '', name = ''] = (island ?? '').split('#')
    const [module, { hydrateIsland }] = await Promise.all([modules.islands[path]!(), modules.hydrate()])
    hydrateIsland(element, module[name], state)
  }

  for (const element of document.querySelectorAll<HTMLElement>('page-island')) {
    const start = wakeOnce(element)
    asleep.set(element, start)
    schedule(element, element.dataset.when ?? 'visible', start)
  }
  replayEarlyInteractions(asleep)
}

function schedule(element: HTMLElement, when: string, start: Wake): void {
  const go = () => void start().catch(reportLater)
  if (when === 'load') go()
  else if (when === 'idle') {
    if ('requestIdleCallback' in window) requestIdleCallback(go, { timeout: 2000 })
    else setTimeout(go, 200)
  } else if (when === 'visible') {
    // The element itself has no box (display: contents), so its first child is watched.
    const seen = new IntersectionObserver(
      (entries) => {
        if (!entries.some((entry) => entry.isIntersecting)) return
        seen.disconnect()
        go()
      },
      { rootMargin: '200px' },
    )
    seen.observe(element.firstElementChild ?? element)
  }
}

/**
 * A click or a submit in an island that sleeps wakes it and is played again afterwards. When its script cannot be
 * had, the browser's own answer is let through: links and forms work without.
 */
function replayEarlyInteractions(asleep: Map<Element, Wake>): void {
  // Islands may lie inside an enhanced part: whatever sleeps around the target wakes.
  const sleeperOf = (event: Event): Wake | undefined => {
    const sleepers: Wake[] = []
    for (
      let at = event.target instanceof Element ? event.target.closest('page-island') : null;
      at;
      at = at.parentElement?.closest('page-island') ?? null
    ) {
      const wake = asleep.get(at)
      if (wake) sleepers.push(wake)
    }
    return sleepers.length > 0 ? () => Promise.all(sleepers.map((wake) => wake())).then(() => {}) : undefined
  }
  let letThrough = false
  const again = (event: MouseEvent | SubmitEvent, wake: Wake) => {
    const target = event.target as HTMLElement
    event.preventDefault()
    event.stopImmediatePropagation()
    const replay = () => {
      if (!target.isConnected) return
      if (event.type === 'submit') (target as HTMLFormElement).requestSubmit((event as SubmitEvent).submitter)
      else target.click()
    }
    wake().then(
      // React attaches its listeners while hydrating, which it does in a task of its own.
      () => setTimeout(replay, 0),
      (error: unknown) => {
        reportLater(error)
        letThrough = true
        replay()
        letThrough = false
      },
    )
  }
  document.addEventListener(
    'click',
    (event) => {
      const wake = letThrough ? undefined : sleeperOf(event)
      if (!wake || event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return
      const target = event.target as Element
      if (target.closest('a[href]') || !target.closest('button, summary, [role="button"], input[type="checkbox"], input[type="radio"]')) {
        void wake().catch(reportLater)
        return
      }
      // A submit button's click becomes a submit, which is replayed as such.
      const button = target.closest<HTMLButtonElement>('button')
      if (button?.form && button.type === 'submit') return
      again(event, wake)
    },
    true,
  )
  document.addEventListener(
    'submit',
    (event) => {
      const wake = letThrough ? undefined : sleeperOf(event)
      if (wake) again(event, wake)
    },
    true,
  )
  for (const type of ['pointerdown', 'focusin', 'keydown', 'input']) {
    document.addEventListener(type, (event) => void sleeperOf(event)?.().catch(reportLater), { capture: true, passive: true })
  }
}

// A part that does not come alive must not take the page with it; the error still reaches window.onerror.
function reportLater(error: unknown): void {
  setTimeout(() => {
    throw error
  })
}
