import { onAuthState } from '../session/auth-state.ts'

/** Only a signed-in visitor may have an unread note; for everybody else the script that shows them is not loaded. */
export function enhance(element: HTMLElement): void {
  const stop = onAuthState(({ isAuthenticated }) => {
    if (!isAuthenticated) return
    queueMicrotask(() => stop())
    void import('./show-pro-modals.ts').then(({ showProModals }) => showProModals(element)).catch(() => undefined)
  })
}
