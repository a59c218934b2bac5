import { markets } from '@purlin/contract/markets.ts'
import type { Intent } from './intent.ts'

/** Text into HTML, attributes included. */
export function escape(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)
}

export function page(intent: Intent, title: string, body: string, options: { done?: boolean } = {}): string {
  return `<!doctype html><html lang="${markets[intent.market].language}" data-shop="${escape(intent.frameOrigin)}"><head><meta charset="utf-8"><title>${escape(title)}</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex"><meta name="referrer" content="no-referrer">
<link rel="icon" href="data:,"><link rel="stylesheet" href="/frame.css"><script type="module" src="/frame.js"></script></head>
<body${options.done ? ' data-done' : ''}><main>${body}</main></body></html>`
}
