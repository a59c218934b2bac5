/** Thumbnails scroll the gallery instead of the page, and mark the visible picture. */
export function followThumbs(stage: HTMLElement, thumbs: readonly HTMLAnchorElement[]): void {
  const calm = matchMedia('(prefers-reduced-motion: reduce)')

  for (const [index, thumb] of thumbs.entries()) {
    thumb.addEventListener('click', (event) => {
      event.preventDefault()
      stage.scrollTo({ left: index * stage.clientWidth, behavior: calm.matches ? 'instant' : 'smooth' })
    })
  }
  const seen = new IntersectionObserver(
    (entries) => {
      for (const entry of entries) {
        if (!entry.isIntersecting) continue
        const shown = [...stage.children].indexOf(entry.target)
        for (const [index, thumb] of thumbs.entries()) {
          if (index === shown) thumb.setAttribute('aria-current', 'true')
          else thumb.removeAttribute('aria-current')
        }
        // A picture out of sight is no stop for the keyboard: the thumbnails lead to it.
        for (const [index, picture] of [...stage.children].entries()) {
          const link = picture.querySelector<HTMLElement>('a[data-enlarge]')
          if (link) link.tabIndex = index === shown ? 0 : -1
        }
      }
    },
    { root: stage, threshold: 0.6 },
  )
  for (const picture of stage.children) seen.observe(picture)
}
