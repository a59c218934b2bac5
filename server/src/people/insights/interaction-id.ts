import { createHmac } from 'node:crypto'
import { lineHashOf, settings } from '#platform'

/**
 * The id of an interaction that a line reports: the same each time, so that it is stored once a day and has one vote. It differs by
 * interaction, and without the key tells neither the line nor what else that has reported. Our own network is a single line.
 */
export function interactionIdOf(address: string, pageName: string, detail: string): string {
  const text = `interaction:${lineHashOf(address) ?? 'near'}:${pageName}:${detail}`
  const hex = createHmac('sha256', settings().mail.linkSecret).update(text).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
