import { flashCookie, readFlash } from './flash.ts'
import type { FlashRequest } from './show-flash.ts'

/** How long messages stay; then the most severe one is dismissed. Source: spec §9, decision 7. */
const displayMs = 5000
const order = ['danger', 'warning', 'success', 'info']

/**
 * Messages over the page: those of scripts, and that of a redirect, which is in a cookie. At most three are shown; one
 * timer runs while any are; pointer or focus on the area pauses it. All stay in the log, which the button opens.
 */
export function enhance(element: HTMLElement): void {
  const area = element.querySelector<HTMLElement>('[data-flashes]')!
  const log = element.querySelector<HTMLElement>('[data-flash-log]')!
  const template = element.querySelector<HTMLTemplateElement>('template')!
  let timer: ReturnType<typeof setTimeout> | undefined

  const shown = () => [...area.querySelectorAll<HTMLElement>('[data-flash]')]
  const run = () => {
    clearTimeout(timer)
    timer = undefined
    if (shown().length === 0 || area.matches(':hover, :focus-within')) return
    timer = setTimeout(() => {
      shown()[0]?.remove()
      run()
    }, displayMs)
  }
  const keep = (message: string, id?: string) => {
    const line = document.createElement('li')
    if (id) line.dataset.flashId = id
    line.textContent = message
    log.querySelector('ul')!.prepend(line)
    log.hidden = false
  }
  const add = ({ severity, message, link, id }: FlashRequest) => {
    if (id) for (const earlier of element.querySelectorAll(`[data-flash-id="${id}"]`)) earlier.remove()
    const item = template.content.firstElementChild!.cloneNode(true) as HTMLElement
    item.dataset.flash = severity
    item.querySelector('i')!.style.setProperty('--icon', `var(--icon-${severity === 'success' ? 'good' : severity})`)
    const text = item.querySelector('p')!
    text.textContent = message
    if (link) {
      const anchor = document.createElement('a')
      anchor.href = link.href
      anchor.textContent = link.label
      text.append(' ', anchor)
    }
    if (id) item.dataset.flashId = id
    keep(message, id)
    const after = shown().find((other) => order.indexOf(other.dataset.flash!) > order.indexOf(severity))
    area.insertBefore(item, after ?? null)
    for (const extra of shown().slice(3)) extra.remove()
    run()
  }

  area.addEventListener('click', (event) => {
    const close = (event.target as Element).closest('[data-flash-close]')
    close?.closest('[data-flash]')?.remove()
    run()
  })
  for (const type of ['pointerenter', 'focusin', 'pointerleave', 'focusout']) area.addEventListener(type, () => setTimeout(run))
  document.addEventListener('shop:flash', (event) => add((event as CustomEvent<FlashRequest>).detail))

  for (const item of shown()) keep(item.querySelector('p')!.textContent ?? '')
  run()
  showWaiting(element, add)
}

/** The message of a redirect, when the page is shared and could not render it. */
function showWaiting(element: HTMLElement, add: (request: FlashRequest) => void): void {
  const line = document.cookie.split('; ').find((one) => one.startsWith(`${flashCookie}=`))
  if (!line) return
  document.cookie = `${flashCookie}=; path=/; max-age=0`
  const flash = readFlash(line.slice(flashCookie.length + 1))
  const lines = element.querySelector<HTMLElement>('[data-words]')?.dataset['words']?.split('\n') ?? []
  const start = `${flash?.key.slice('flash.'.length)}|`
  const message = flash && lines.find((line) => line.startsWith(start))?.slice(start.length)
  if (message) add({ severity: flash.severity, message })
}
