import { say } from './data-layer.ts'

/** Rows of recommendations: seen once each, and every product chosen in one. Scripts may add rows at any time. */
export function watchRecommendations(): void {
  const seen = new IntersectionObserver(
    (entries) => {
      for (const { isIntersecting, target } of entries) {
        if (!isIntersecting) continue
        seen.unobserve(target)
        say({ event: 'recommendation_view', ...rowOf(target) })
      }
    },
    { threshold: 0.5 },
  )
  const known = new WeakSet<Element>()
  const watch = () => {
    for (const row of document.querySelectorAll('[data-recommended]')) {
      if (known.has(row)) continue
      known.add(row)
      seen.observe(row)
    }
  }
  watch()
  new MutationObserver(watch).observe(document.body, { childList: true, subtree: true })
  // A new tab is opened by the middle button, whose clicks are no clicks.
  for (const type of ['click', 'auxclick'] as const) document.addEventListener(type, (event) => sayChosen(event), true)
}

function sayChosen({ target, button }: MouseEvent): void {
  const link = target instanceof Element && button < 2 && target.closest<HTMLAnchorElement>('[data-recommended] a[href]')
  const productId = link && /-(\d{1,15})$/.exec(link.pathname)?.[1]
  const row = link && link.closest('[data-recommended]')
  if (!productId || !row) return
  const items = [...row.querySelectorAll('li')]
  const position = items.findIndex((item) => item.contains(link)) + 1
  say({ event: 'recommendation_click', ...rowOf(row), productId: Number(productId), position })
}

function rowOf(row: Element): { placement: string; source: string } {
  const [placement = '', source = ''] = row.getAttribute('data-recommended')?.split(' ') ?? []
  return { placement, source }
}
