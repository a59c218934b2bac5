/** Pictures open over the whole screen; thumbnails scroll the gallery, once their script is there: until then they are links. */
export function enhance(element: HTMLElement): void {
  const stage = element.querySelector<HTMLElement>('[data-gallery] > ul')
  const thumbs = [...element.querySelectorAll<HTMLAnchorElement>('[data-thumb]')]
  const gallery = stage?.parentElement
  if (!stage || !gallery) return
  stage.addEventListener('click', (event) => {
    const link = (event.target as Element).closest<HTMLAnchorElement>('a[data-enlarge]')
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    void import('./full-screen.ts').then(({ showFullScreen }) => showFullScreen(gallery, Number(link.dataset['enlarge'])))
  })
  if (thumbs.length > 0) void import('./follow-thumbs.ts').then(({ followThumbs }) => followThumbs(stage, thumbs))
}
