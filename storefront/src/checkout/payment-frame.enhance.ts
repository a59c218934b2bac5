/**
 * Listens to the payment provider's frame, which reports its height and when the buyer is done. Only messages from the
 * frame's own origin are accepted; the outcome of the payment is read from the server, never from a message.
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
      frame.style.blockSize = `${Math.min(2000, Math.max(200, Math.ceil(message.height)))}px`
    }
    if (message?.type === 'payment.done') location.assign(back)
  })
}
