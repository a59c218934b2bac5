import { reachOf } from '@purlin/contract/actions.ts'
import { companyOf, ownerOf, staffOf } from '#accounts'
import type { Scope } from '#platform'
import { limits } from './conversation.ts'
import { countOfBuyer, countUnreadOf, readOfBuyer, readOfSeller, readPartsOf, type ConversationRow } from './store.ts'

/** Pages use an offset from the latest conversation, so page numbers no customer reaches are not looked up. */
const lastPage = 1000

/** The principal's conversations, latest first; for a company's admin or approver, the company's. */
export async function listConversations(scope: Scope, page: number) {
  const { db, market, principal } = scope
  const asked = Math.min(Math.max(1, page), lastPage)
  const owner = ownerOf(scope)
  if (owner === null) return { conversations: [], total: 0, unread: 0, page: asked, pages: 0 }
  const memberOf = companyOf(scope)
  const companyId = reachOf(principal, 'conversation.list', market) === 'company' ? memberOf : null
  const which = { owner, companyId, memberOf, market }
  const [rows, { total, unread }] = await Promise.all([
    readOfBuyer(db, which, limits.listPage, (asked - 1) * limits.listPage),
    countOfBuyer(db, which),
  ])
  return { conversations: rows.map(show), total, unread, page: asked, pages: Math.ceil(total / limits.listPage) }
}

export async function countUnread(scope: Scope): Promise<number> {
  const owner = ownerOf(scope)
  return owner === null ? 0 : countUnreadOf(scope.db, { owner, memberOf: companyOf(scope), market: scope.market })
}

/** Seller orders that the principal has written about as their buyer. */
export async function partsWrittenAbout(scope: Scope): Promise<string[]> {
  const owner = ownerOf(scope)
  return owner === null ? [] : readPartsOf(scope.db, { owner, memberOf: companyOf(scope), market: scope.market })
}

/** Conversations with the principal's seller, latest first, by cursor: the list of a large seller is long. */
export async function listSellerConversations(scope: Scope, { after, isWaiting }: { after: string | null; isWaiting: boolean }) {
  const { db, market } = scope
  const sellerId = staffOf(scope)?.sellerId ?? null
  if (sellerId === null) return { conversations: [], next: null }
  const which = { sellerId, market, isWaiting }
  const rows = await readOfSeller(db, which, cursorFrom(after), limits.listPage + 1)
  const shown = rows.slice(0, limits.listPage)
  const last = shown.at(-1)
  return { conversations: shown.map(show), next: rows.length > limits.listPage && last ? `${last.lastAt.toISOString()}_${last.id}` : null }
}

/** An invalid cursor counts as none. */
function cursorFrom(after: string | null): { at: Date; id: string } | null {
  const [, time = '', id = ''] = /^([\d:.TZ-]{20,30})_([0-9a-f-]{36})$/.exec(after ?? '') ?? []
  const at = new Date(time)
  return id !== '' && !Number.isNaN(at.getTime()) ? { at, id } : null
}

const previewLength = 160

function show({ sellerOrderId, customerOrderId, topic, about, lastAt, answerDueAt, unread, author, body }: ConversationRow) {
  const preview = body.replace(/\s+/g, ' ')
  return {
    orderId: sellerOrderId,
    customerOrderId,
    topic,
    ...about,
    lastAt,
    answerDueAt,
    unread,
    lastAuthor: author,
    preview: preview.length > previewLength ? `${preview.slice(0, previewLength - 1)}…` : preview,
  }
}
