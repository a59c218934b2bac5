/** The collector's calls. A browser opens few connections to a host: none of these may hold one while the visitor goes on shopping. */

const patienceMs = 5000
const type = 'application/json'
let hasAnswered = false

/** Whether the shop has answered this page: only then is anything sent that cannot be called off. */
export const mayOutlive = () => hasAnswered

/** Sends while the page is open; the request ends with it, or when no answer comes in time. */
export async function post(address: string, body: object): Promise<void> {
  const signal = AbortSignal.timeout(patienceMs)
  await fetch(address, { method: 'POST', headers: { 'content-type': type }, body: JSON.stringify(body), signal })
  hasAnswered = true
}

/** A request that outlives the page; over HTTP where the browser refuses the beacon. */
export function beacon(address: string, body: object): void {
  const text = JSON.stringify(body)
  if (navigator.sendBeacon?.(address, new Blob([text], { type }))) return
  fetch(address, { method: 'POST', keepalive: true, headers: { 'content-type': type }, body: text }).catch(() => undefined)
}
