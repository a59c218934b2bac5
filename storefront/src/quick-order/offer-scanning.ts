import type { Problem } from './scan-barcodes.ts'

/** Shows the buttons for barcodes; the code that reads them is loaded on the first tap. */
export function offerScanning(form: HTMLElement, onCode: (code: string) => void): void {
  const group = form.querySelector<HTMLElement>('[data-scan]')
  const start = group?.querySelector<HTMLButtonElement>('[data-scan-start]')
  const picture = group?.querySelector<HTMLInputElement>('[data-scan-picture]')
  const status = group?.querySelector<HTMLElement>('[data-scan-status]')
  const video = group?.querySelector('video')
  if (!group || !start || !picture || !status || !video) return
  const say = (message: Message, code = '') => {
    status.textContent = (group.dataset[message] ?? '').replace('%', code)
  }
  const found = (code: string) => {
    onCode(code)
    say('found', code)
  }
  let stop: AbortController | null = null

  const show = (isOpen: boolean) => {
    video.hidden = !isOpen
    start.ariaExpanded = String(isOpen)
    start.textContent = group.dataset[isOpen ? 'stop' : 'start'] ?? ''
  }
  const close = () => {
    stop?.abort()
    stop = null
    show(false)
  }
  const scan = async () => {
    const mine = new AbortController()
    stop = mine
    show(true)
    say('opening')
    const problem = await reading(({ scanBarcodes }) =>
      scanBarcodes(video, { signal: mine.signal, onOpen: () => say('looking'), onCode: found }),
    )
    if (mine.signal.aborted) return
    close()
    if (problem) say(problem)
  }
  start.addEventListener('click', () => {
    if (!stop) return void scan()
    close()
    status.textContent = ''
  })
  picture.addEventListener('change', () => {
    const [file] = picture.files ?? []
    if (!file) return
    close()
    say('opening')
    void reading(async ({ readPicture }) => {
      const code = await readPicture(file)
      if (code === null) return 'nothing'
      found(code)
      return null
    }).then((problem) => {
      if (problem) say(problem)
      // The same picture can be chosen again.
      picture.value = ''
    })
  })
  // A camera is not left on behind another page.
  window.addEventListener('pagehide', close)
  document.addEventListener('visibilitychange', () => {
    if (document.hidden) close()
  })
  group.hidden = false
}

/** Names of the group's messages. */
type Message = Problem | 'opening' | 'looking' | 'found'

type Reader = typeof import('./scan-barcodes.ts')

async function reading(read: (reader: Reader) => Promise<Problem | null>): Promise<Problem | null> {
  try {
    return await read(await import('./scan-barcodes.ts'))
  } catch {
    return 'broken'
  }
}
