import type { Severity } from '@purlin/ui/alert.tsx'

/** Dispatches a message to the page's flash area. */
export interface FlashRequest {
  severity: Severity
  message: string
  link?: { href: string; label: string }
}

export function showFlash(request: FlashRequest): void {
  document.dispatchEvent(new CustomEvent('shop:flash', { detail: request }))
}

/** Updates the cart count in the header. */
export function tellCartCount(count: number): void {
  document.dispatchEvent(new CustomEvent('shop:cart-count', { detail: count }))
}
