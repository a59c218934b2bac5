import { changeState, onAuthState, authState } from '../session/auth-state.ts'
import { dueModal, type ProModal } from './due-modal.ts'

/** Shows a professional unread notes, one at a time; closing one in any way is recorded in their segments. */
export function showProModals(element: HTMLElement): void {
  const dialogs = [...element.querySelectorAll<HTMLDialogElement>('dialog[data-modal]')]
  const names = dialogs.map(({ dataset }) => dataset['modal'] ?? '')
  let isShown = false
  // Only where a tester or the shop has set a flag at all: the register of flags is not part of every page.
  if (document.querySelector('[data-flags]') || document.cookie.includes('mm_flag_overrides='))
    void import('./modal-design.ts').then(({ isRevamped }) => {
      if (isRevamped()) for (const dialog of dialogs) dialog.dataset['design'] = 'revamp'
    })
  onAuthState((state) => {
    const name = dueModal(state, names)
    // A visitor who is typing is not interrupted; there will be another page.
    if (!name || isShown || document.activeElement?.matches('input, textarea, select') || wasClosed(name)) return
    const dialog = dialogs[names.indexOf(name)]
    if (!dialog) return
    isShown = true
    show(dialog, name)
  })
}

function show(dialog: HTMLDialogElement, name: ProModal): void {
  const remembered = () => remember(name)
  dialog.addEventListener('close', remembered, { once: true })
  // Outside the box is the dialog itself: a click there closes it, as people expect.
  dialog.addEventListener('click', (event) => event.target === dialog && dialog.close())
  dialog.addEventListener('submit', (event) => {
    const form = event.target as HTMLFormElement
    if (form.method === 'dialog') return
    event.preventDefault()
    dialog.removeEventListener('close', remembered)
    void remember(name).then(() => form.submit())
  })
  for (const back of dialog.querySelectorAll<HTMLInputElement>('input[name="back"]')) back.value = location.pathname + location.search
  dialog.showModal()
}

async function remember(name: ProModal): Promise<void> {
  try {
    sessionStorage.setItem(`purlin.${name}`, 'closed')
  } catch {}
  const { segments } = authState()
  if (segments) changeState({ segments: { ...segments, [name]: true } })
  const { updateSegments } = await import('../session/customer-requests.ts')
  await updateSegments({ [name]: true })
}

/** In this tab: a change that was not taken must not bring the modal back at once. */
function wasClosed(name: ProModal): boolean {
  try {
    return sessionStorage.getItem(`purlin.${name}`) === 'closed'
  } catch {
    return false
  }
}
