import type { Market, Mode } from '@purlin/contract/markets.ts'
import { addDays, localDay, workingDayAfter } from '#pricing'

/** The parties to a conversation. */
export const sides = ['buyer', 'seller', 'operator'] as const
export type Side = (typeof sides)[number]

export const topics = ['delivery', 'product', 'damage', 'return', 'invoice', 'other'] as const
export type Topic = (typeof topics)[number]

export const reportReasons = ['insult', 'fraud', 'spam', 'elsewhere', 'other'] as const
export type ReportReason = (typeof reportReasons)[number]

/** Sentences that a buyer or a seller can send with one click; their texts are `messages.quick.<side>.<id>`. */
export const quickReplies = {
  buyer: ['when', 'thanks', 'solved', 'waiting'],
  seller: ['looking-into-it', 'shipped', 'photo', 'return'],
  operator: [],
} as const satisfies Record<Side, readonly string[]>

export interface Conversation {
  id: string
  sellerOrderId: string
  customerOrderId: string
  sellerId: number
  market: Market
  mode: Mode
  owner: string
  companyId: string | null
  email: string
  topic: Topic
  about: About
  lastSeq: number
  buyerRead: number
  sellerRead: number
  answerDueAt: Date | null
}

/** The details by which people recognise the order. */
export interface About {
  sellerName: string
  title: string
  imageUrl: string
  lineCount: number
}

export interface Message {
  id: string
  seq: number
  author: Side
  body: string
  isMasked: boolean
  files: { id: string; name: string }[]
  at: Date
  /** Stars the buyer has given; null for none. */
  rating: number | null
}

export const limits = { bodyLength: 3_000, files: 3, page: 50, listPage: 10, perHour: { buyer: 20, seller: 200, operator: 200 } }

/** A repeated submission of the same text within this time is the same message. */
export const repeatMs = 2 * 60_000

/** Working days within which a seller answers, and after which they are reminded. */
const answerDays = 2
const reminderDays = 1

/** When a seller is reminded of a message, and when an answer is due: at the same time of day, working days of the market later. */
export function answerDeadline(market: Market, now: Date): { remindAt: Date; dueAt: Date } {
  return { remindAt: workingDaysLater(market, now, reminderDays), dueAt: workingDaysLater(market, now, answerDays) }
}

/** The same time of day, `count` working days of the market later. What arrives on a day off counts from the next working day. */
export function workingDaysLater(market: Market, now: Date, count: number): Date {
  const today = localDay(market, now)
  const last = workingDayAfter(market, today, count)
  let days = 0
  while (addDays(today, days) < last) days += 1
  return new Date(now.getTime() + days * 86_400_000)
}
