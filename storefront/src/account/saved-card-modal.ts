import { changeState, onAuthState } from '../session/auth-state.ts'

/**
 * Asks before a saved card is deleted. The auth state says which card it is about, so that signing out, in this tab or
 * another, closes the dialog.
 */
export function askBeforeDeleting(form: HTMLFormElement): void {
  const dialog = form.closest('[data-enhance]')?.querySelector<HTMLDialogElement>('dialog[data-saved-card]')
  if (!dialog) return form.submit()
  const id = String(new FormData(form).get('id'))
  const name = form.dataset['saved'] ?? ''
  const stop = onAuthState(({ savedCardModal }) => {
    if (dialog.open && !savedCardModal) dialog.close('')
  })
  dialog.addEventListener(
    'close',
    () => {
      stop()
      changeState({ savedCardModal: null })
      if (dialog.returnValue === 'drop') form.submit()
    },
    { once: true },
  )
  dialog.returnValue = ''
  const shownName = dialog.querySelector('[data-card-name]')
  if (shownName) shownName.textContent = name
  changeState({ savedCardModal: { id, name } })
  dialog.showModal()
}
