import type { Severity } from '@purlin/ui/alert.tsx'

/** Asks the flash area of the page to show a message. */
export interface FlashRequest {
  severity: Severity
  message: string
  link?: { href: string; label: string }
}

export function showFlash(request: FlashRequest): void {
  document.dispatchEvent(new CustomEvent('shop:flash', { detail: request }))
}

/** Tells the header how much is in the cart. */
export function tellCartCount(count: number): void {
  document.dispatchEvent(new CustomEvent('shop:cart-count', { detail: count }))
}
