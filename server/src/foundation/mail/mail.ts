import type { Market, Mode } from '@purlin/contract/markets.ts'

/** The storefront a mail speaks for: its market's language, and the origin links lead to. */
export interface MailSite {
  market: Market
  mode: Mode
  origin: string
}

export interface MailItem {
  title: string
  quantity: number
  amount: string
  /** Absolute address of a picture; null: no picture. */
  picture: string | null
}

/** Pieces of a mail. Each is written as HTML and as plain text, so that both always say the same. */
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
  /** The preheader: text that mail clients show beside the subject. */
  preview: string
  blocks: MailBlock[]
}

export interface RenderedMail {
  subject: string
  text: string
  html: string
}
