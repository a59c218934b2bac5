import type { Severity } from '@purlin/ui/alert.tsx'

/** Dispatches a message to the page's flash area. */
export interface FlashRequest {
  severity: Severity
  message: string
  link?: { href: string; label: string }
  /** A message with the id of an earlier one takes its place. */
  id?: string
}

export function showFlash(request: FlashRequest): void {
  document.dispatchEvent(new CustomEvent('shop:flash', { detail: request }))
}

/** Updates the cart count in the header. */
export function showCartCount(count: number): void {
  document.dispatchEvent(new CustomEvent('shop:cart-count', { detail: count }))
}

/** Counts what was just added, before the shop has responded. */
export function growCartCount(by: number): void {
  document.dispatchEvent(new CustomEvent('shop:cart-grow', { detail: by }))
}
