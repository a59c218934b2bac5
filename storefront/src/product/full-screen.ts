/** Shows a picture of the gallery over the whole screen: zoomed by click or Enter, turned with arrows, closed with Escape. */
export function showFullScreen(gallery: HTMLElement, first: number): void {
  const pictures = [...gallery.querySelectorAll<HTMLAnchorElement>('a[data-enlarge]')]
  const { zoom = '', previous = '', next = '', close = '' } = gallery.dataset
  const dialog = document.createElement('dialog')
  const image = document.createElement('img')
  const larger = buttonOf(zoom)
  larger.dataset['zoom'] = ''
  larger.append(image)
  dialog.append(larger)
  let at = first

  const show = (index: number) => {
    at = (index + pictures.length) % pictures.length
    const picture = pictures[at]!
    image.src = picture.href
    image.alt = picture.querySelector('img')?.alt ?? ''
    larger.setAttribute('aria-pressed', 'false')
  }
  const steps: [name: string, label: string, act: () => void][] = [['close', close, () => dialog.close()]]
  if (pictures.length > 1) steps.push(['previous', previous, () => show(at - 1)], ['next', next, () => show(at + 1)])
  for (const [name, label, act] of steps) {
    const button = buttonOf(label)
    button.dataset['do'] = name
    button.addEventListener('click', act)
    dialog.append(button)
  }
  larger.addEventListener('click', () => larger.setAttribute('aria-pressed', String(larger.getAttribute('aria-pressed') !== 'true')))
  dialog.addEventListener('keydown', ({ key }) => {
    if (key === 'ArrowLeft') show(at - 1)
    if (key === 'ArrowRight') show(at + 1)
  })
  dialog.addEventListener('close', () => {
    dialog.remove()
    pictures[at]?.focus()
  })
  show(first)
  gallery.append(dialog)
  dialog.showModal()
}

function buttonOf(label: string): HTMLButtonElement {
  const button = document.createElement('button')
  button.type = 'button'
  button.setAttribute('aria-label', label)
  return button
}
