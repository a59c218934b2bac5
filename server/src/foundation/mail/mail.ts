import type { Market, Mode } from '@purlin/contract/markets.ts'

/** The storefront a mail is sent for: its market's language, and the origin of its links. */
export interface MailSite {
  market: Market
  mode: Mode
  origin: string
}

export interface MailItem {
  title: string
  quantity: number
  amount: string
  /** Absolute address of a picture; null for none. */
  picture: string | null
}

/** Content blocks of a mail. Each is rendered as HTML and as plain text, so that both always agree. */
export type MailBlock =
  | { kind: 'text'; text: string }
  | { kind: 'quiet'; lines: string[] }
  | { kind: 'button'; label: string; url: string }
  | { kind: 'items'; title: string; note: string; delivery: string; items: MailItem[] }
  | { kind: 'totals'; rows: [label: string, amount: string][] }
  | { kind: 'columns'; columns: { title: string; lines: string[] }[] }
  | { kind: 'small-print'; title: string; url: string; parts: { kind: 'heading' | 'paragraph' | 'item'; text: string }[] }

export interface MailContent {
  subject: string
  /** The preheader: text that mail clients show next to the subject. */
  preview: string
  blocks: MailBlock[]
}

export interface RenderedMail {
  subject: string
  text: string
  html: string
}
