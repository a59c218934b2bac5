/** A request that outlives the page; over HTTP where the browser refuses the beacon. */
export function beacon(address: string, body: object): void {
  const text = JSON.stringify(body)
  const type = 'application/json'
  if (navigator.sendBeacon?.(address, new Blob([text], { type }))) return
  fetch(address, { method: 'POST', keepalive: true, headers: { 'content-type': type }, body: text }).catch(() => undefined)
}
