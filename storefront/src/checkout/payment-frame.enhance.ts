/**
 * Listens to the payment provider's frame: it tells its height, and when the buyer is done. Only messages of the
 * frame's own origin count; what the payment came to is asked on the server, never taken from here.
 */
export function enhance(element: HTMLElement): void {
  const frame = element.querySelector('iframe')
  const back = frame?.dataset['return']
  if (!frame || !back) return
  const origin = new URL(frame.src).origin
  addEventListener('message', (event: MessageEvent<unknown>) => {
    if (event.origin !== origin || event.source !== frame.contentWindow) return
    const message = event.data as { type?: unknown; height?: unknown } | null
    if (message?.type === 'payment.height' && typeof message.height === 'number') {
      frame.style.blockSize = `${Math.min(1200, Math.max(200, Math.ceil(message.height)))}px`
    }
    if (message?.type === 'payment.done') location.assign(back)
  })
}
