/** The collector's calls. A browser opens few connections to a host: none of these may hold one while the visitor goes on shopping. */

const patienceMs = 5000
const type = 'application/json'
let hasAnswered = false

/** Whether the shop has answered this page: only then is anything sent that cannot be called off. */
export const mayOutlive = () => hasAnswered

const send = (address: string, body: string, more: RequestInit) =>
  fetch(address, { method: 'POST', headers: { 'content-type': type }, body, ...more })

/** Sends while the page is open; the request ends with it, or when no answer comes in time. */
export async function post(address: string, body: object): Promise<void> {
  await send(address, JSON.stringify(body), { signal: AbortSignal.timeout(patienceMs) })
  hasAnswered = true
}

/** A request that outlives the page; over HTTP where the browser refuses the beacon. */
export function beacon(address: string, body: object): void {
  const text = JSON.stringify(body)
  if (!navigator.sendBeacon?.(address, new Blob([text], { type }))) send(address, text, { keepalive: true }).catch(() => undefined)
}
