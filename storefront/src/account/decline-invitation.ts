import { updateSegments } from '../session/customer-requests.ts'

/** "I buy for myself" is kept with the customer's segments; the invitation then goes, and stays where that fails. */
export function offerToDecline(invitation: HTMLElement): void {
  const button = invitation.querySelector<HTMLButtonElement>('[data-not-pro]')
  if (!button) return
  button.hidden = false
  button.addEventListener('click', () => {
    button.setAttribute('aria-busy', 'true')
    void updateSegments({ b2b_suspected_pro: 'NOT_SUSPECTED_PRO' })
      .catch(() => false)
      .then((isKept) => {
        button.removeAttribute('aria-busy')
        if (!isKept) return
        invitation.remove()
        document.getElementById('content')?.focus()
      })
  })
}
