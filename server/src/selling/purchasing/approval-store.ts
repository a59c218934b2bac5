import type { Market } from '@purlin/contract/markets.ts'
import type { PickUpPoint } from '#pickup'
import type { Db } from '#platform'
import type { Exceeded } from './budget.ts'

/** `unneeded`: its order was placed without a decision, since the limits allowed it by then. */
export type ApprovalState = 'pending' | 'approved' | 'refused' | 'withdrawn' | 'expired' | 'unneeded'

export interface ProposedLine {
  offerId: string
  title: string
  url: string
  quantity: number
  /** Minor units with VAT, as the buyer saw them. */
  unitPrice: number
  total: number
}

export interface Proposal {
  lines: ProposedLine[]
  delivery: number
  discount: number
  /** As chosen by the buyer; missing in requests from before they could name any. */
  points?: ProposedPoint[]
  /** A purchasing system has ordered: its prices know no quotes of the buyer, and neither do those of the request. Missing otherwise. */
  isFromSystem?: boolean
}

export interface ProposedPoint {
  sellerId: number
  point: PickUpPoint
}

/** An order beyond its buyer's limits, which waits for a colleague's decision or has one. */
export interface Approval {
  id: string
  customerOrderId: string
  companyId: string
  customerId: string
  market: Market
  origin: string
  payBy: 'card' | 'invoice'
  state: ApprovalState
  total: number
  currency: string
  limits: Exceeded[]
  proposal: Proposal
  note: string | null
  comment: string | null
  decidedBy: string | null
  decidedAt: Date | null
  approvedTotal: number | null
  requestedAt: Date
  expiresAt: Date
}

const stateColumn = `case when a.state = 'withdrawn' and a.is_used then 'unneeded' else a.state end`
const columns = `a.id, a.customer_order_id as "customerOrderId", a.company_id as "companyId", a.customer_id as "customerId", a.market, a.origin,
  a.pay_by as "payBy", ${stateColumn} as state, a.total, a.currency, a.limits, a.proposal, a.note, a.comment, a.decided_by as "decidedBy",
  a.decided_at as "decidedAt", a.approved_total as "approvedTotal", a.requested_at as "requestedAt", a.expires_at as "expiresAt"`
const byId = { name: 'purchasing.approval', text: `select ${columns} from purchasing.approval a where a.id = $1` }
const locked = { name: 'purchasing.lock-approval', text: `select ${columns} from purchasing.approval a where a.id = $1 for update` }
const byToken = {
  name: 'purchasing.approval-of-token',
  text: 'select approval_id as "approvalId", approver_id as "approverId" from purchasing.approval_token where token_hash = $1',
}
// One that waits beyond its time has expired, whenever that is noted.
const ofCompany = `from purchasing.approval a where a.company_id = $1 and a.market = $2 and ($3::uuid is null or a.customer_id = $3)
    and ($4::text is null or $4 = case when a.state = 'pending' and a.expires_at <= $5 then 'expired' else ${stateColumn} end)`
const list = {
  name: 'purchasing.approvals',
  text: `select ${columns} ${ofCompany} order by a.state = 'pending' desc, a.requested_at desc, a.id desc limit $6 offset $7`,
}
const count = { name: 'purchasing.count-approvals', text: `select count(*)::int as count ${ofCompany}` }
const insert = {
  name: 'purchasing.insert-approval',
  text: `insert into purchasing.approval (id, customer_order_id, company_id, customer_id, market, origin, pay_by, total, currency, limits, proposal, note, expires_at)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13) on conflict do nothing`,
}
const insertTokens = {
  name: 'purchasing.insert-approval-tokens',
  text: `insert into purchasing.approval_token (token_hash, approval_id, approver_id)
    select hash, $1, approver from unnest($2::text[], $3::uuid[]) as t (hash, approver)`,
}
const settle = {
  name: 'purchasing.settle-approval',
  text: `update purchasing.approval set state = $2, comment = $3, decided_by = $4, is_by_link = $5, decided_at = $6
    where id = $1 and state = 'pending'`,
}
const approve = {
  name: 'purchasing.approve',
  text: `update purchasing.approval set state = 'approved', comment = $2, decided_by = $3, is_by_link = $4, approved_total = $5, decided_at = $6,
    expires_at = $7 where id = $1 and state = 'pending'`,
}
const lapse = {
  name: 'purchasing.lapse-approval',
  text: `update purchasing.approval set state = 'expired', approved_total = null where id = $1 and state = 'approved'`,
}
const use = { name: 'purchasing.use-approval', text: 'update purchasing.approval set is_used = true where id = $1' }
const approved = {
  name: 'purchasing.approved',
  text: `select ${columns} from purchasing.approval a where a.customer_order_id = $1 and a.state = 'approved'`,
}
const lockOfOrder = { name: 'purchasing.lock-approved', text: `${approved.text} for update` }
const parked = {
  name: 'purchasing.approval-of-order',
  text: `select id from purchasing.approval where customer_order_id = $1 and company_id = $2 and state in ('pending', 'approved')`,
}
const withGoods = {
  name: 'purchasing.request-with-goods',
  text: `select id from purchasing.approval where customer_order_id = $1 and company_id = $2
      and (state in ('pending', 'approved') or (state = 'withdrawn' and is_used))
    order by requested_at desc limit 1`,
}
const lockWithGoods = { name: 'purchasing.lock-request-with-goods', text: `${withGoods.text} for update` }
const waiting = {
  name: 'purchasing.count-pending-approvals',
  text: `select count(*)::int as count from purchasing.approval where company_id = $1 and customer_id = $2 and state = 'pending'`,
}
const overdue = {
  name: 'purchasing.overdue-approvals',
  text: `select ${columns} from purchasing.approval a where (a.state = 'pending' or (a.state = 'approved' and not a.is_used)) and a.expires_at < $1
    order by a.expires_at limit 100 for update skip locked`,
}

const requestedBy = {
  name: 'purchasing.approvals-requested-by',
  text: `select a.id, a.customer_order_id as "customerOrderId", a.market, a.pay_by as "payBy", a.total, a.currency, a.proposal, a.note,
      a.requested_at as "requestedAt", a.expires_at as "expiresAt", case when a.company_id = any($2::uuid[]) then jsonb_build_object('state', ${stateColumn},
        'limits', a.limits, 'comment', a.comment, 'decidedAt', a.decided_at, 'approvedTotal', a.approved_total) end as decision
    from purchasing.approval a where a.customer_id = $1 order by a.requested_at desc`,
}
const decidedBy = {
  name: 'purchasing.approvals-decided-by',
  text: `select id, state, comment, decided_at as "decidedAt" from purchasing.approval where decided_by = $1 order by decided_at desc`,
}
const forgetOf = {
  name: 'purchasing.forget-approvals',
  text: `update purchasing.approval set note = null, comment = null, proposal = proposal - 'points', decided_at = case when state = 'pending' then now() else decided_at end,
      state = case when state = 'pending' then 'withdrawn' else state end
    where customer_id = $1 returning id`,
}
const forgetComments = {
  name: 'purchasing.forget-comments',
  text: 'update purchasing.approval set comment = null where decided_by = $1 and comment is not null returning id',
}
const dropTokens = {
  name: 'purchasing.drop-approval-tokens',
  text: `delete from purchasing.approval_token where token_hash in
    (select t.token_hash from purchasing.approval_token t join purchasing.approval a on a.id = t.approval_id
     where coalesce(a.decided_at, a.expires_at) < $1 limit 1000)`,
}
const removeTokens = { name: 'purchasing.remove-approval-tokens', text: 'delete from purchasing.approval_token where approver_id = $1' }

export function readApproval(db: Db, id: string): Promise<Approval | undefined> {
  return db.row<Approval>(byId, [id])
}

/** Decisions about one request follow one another. */
export function lockApproval(db: Db, id: string): Promise<Approval | undefined> {
  return db.row<Approval>(locked, [id])
}

export function readApprovalToken(db: Db, tokenHash: string): Promise<{ approvalId: string; approverId: string } | undefined> {
  return db.row(byToken, [tokenHash])
}

export interface ApprovalsAsked {
  companyId: string
  market: Market
  /** Null: everybody's. */
  customerId: string | null
  /** Null: in any. */
  state: ApprovalState | null
  now: Date
}
const asked = ({ companyId, market, customerId, state, now }: ApprovalsAsked) => [companyId, market, customerId, state, now]

/** Pending ones first. */
export function readApprovals(db: Db, of: ApprovalsAsked, { limit, offset }: { limit: number; offset: number }): Promise<Approval[]> {
  return db.rows<Approval>(list, [...asked(of), limit, offset])
}

export async function countApprovals(db: Db, of: ApprovalsAsked): Promise<number> {
  return (await db.row<{ count: number }>(count, asked(of)))?.count ?? 0
}

export type NewApproval = Pick<
  Approval,
  | 'id'
  | 'customerOrderId'
  | 'companyId'
  | 'customerId'
  | 'market'
  | 'origin'
  | 'payBy'
  | 'total'
  | 'currency'
  | 'limits'
  | 'proposal'
  | 'note'
  | 'expiresAt'
>

/** False if the order has a request already. */
export async function insertApproval(
  db: Db,
  approval: NewApproval,
  tokens: readonly { hash: string; approverId: string }[],
): Promise<boolean> {
  const { id, customerOrderId, companyId, customerId, market, origin, payBy, total, currency, limits, proposal, note, expiresAt } = approval
  const values = [id, customerOrderId, companyId, customerId, market, origin, payBy, total, currency]
  const count = await db.run(insert, [...values, JSON.stringify(limits), JSON.stringify(proposal), note, expiresAt])
  if (count === 0) return false
  await db.run(insertTokens, [id, tokens.map(({ hash }) => hash), tokens.map(({ approverId }) => approverId)])
  return true
}

export interface Settled {
  state: 'refused' | 'withdrawn' | 'expired'
  comment: string | null
  /** Null if the buyer withdrew it or nobody decided in time. */
  decidedBy: string | null
  isByLink: boolean | null
  at: Date
}

/** False if it has been decided already. */
export async function settleApproval(db: Db, id: string, { state, comment, decidedBy, isByLink, at }: Settled): Promise<boolean> {
  return (await db.run(settle, [id, state, comment, decidedBy, isByLink, at])) === 1
}

export interface Approved extends Omit<Settled, 'state'> {
  decidedBy: string
  approvedTotal: number
  /** The order is placed by then, or the approval ends. */
  validUntil: Date
}

export async function writeApproved(
  db: Db,
  id: string,
  { comment, decidedBy, isByLink, approvedTotal, at, validUntil }: Approved,
): Promise<void> {
  await db.run(approve, [id, comment, decidedBy, isByLink, approvedTotal, at, validUntil])
}

/** Nothing was ordered in time. */
export async function lapseApproval(db: Db, id: string): Promise<void> {
  await db.run(lapse, [id])
}

/** The order has been placed: the approval does not expire any more. */
export async function noteUsed(db: Db, id: string): Promise<void> {
  await db.run(use, [id])
}

const putProposal = { name: 'purchasing.write-proposal', text: 'update purchasing.approval set proposal = $2 where id = $1' }
export async function writeProposal(db: Db, id: string, proposal: Proposal): Promise<void> {
  await db.run(putProposal, [id, JSON.stringify(proposal)])
}

const giveUp = {
  name: 'purchasing.give-up-approval',
  text: `update purchasing.approval set state = 'withdrawn', is_used = false, approved_total = null
    where id = $1 and (state = 'approved' or (state = 'withdrawn' and is_used))`,
}
/** The buyer does not order what was approved, or needed no approval. */
export async function giveUpOrder(db: Db, id: string): Promise<void> {
  await db.run(giveUp, [id])
}

const endPending = {
  name: 'purchasing.end-unneeded-approval',
  text: `update purchasing.approval set state = 'withdrawn', is_used = true, decided_at = $2 where customer_order_id = $1 and state = 'pending'`,
}
/** The order of a pending request is placed within the limits of today: there is nothing left to decide. */
export async function endUnneeded(db: Db, customerOrderId: string, at: Date): Promise<void> {
  await db.run(endPending, [customerOrderId, at])
}

/** The approval that was given for an order, whether or not it is still worth something: `isValid` says that. */
export function readApproved(db: Db, customerOrderId: string): Promise<Approval | undefined> {
  return db.row<Approval>(approved, [customerOrderId])
}

/** The same, locked until the transaction ends. */
export function lockApproved(db: Db, customerOrderId: string): Promise<Approval | undefined> {
  return db.row<Approval>(lockOfOrder, [customerOrderId])
}

/** Whether a colleague has approved an order that its buyer pays by card: the company owes no invoice for it. */
export async function isApprovedForCard(db: Db, customerOrderId: string): Promise<boolean> {
  return (await readApproved(db, customerOrderId))?.payBy === 'card'
}

/** The request that holds an order as it is; none of another company, whose orders are to look like unknown ones. */
export async function approvalOfOrder(db: Db, customerOrderId: string, companyId: string): Promise<string | null> {
  return (await db.row<{ id: string }>(parked, [customerOrderId, companyId]))?.id ?? null
}

/** The request whose cart has the goods of an order, also after the order was placed. */
export async function requestWithGoods(db: Db, customerOrderId: string, companyId: string): Promise<string | null> {
  return (await db.row<{ id: string }>(withGoods, [customerOrderId, companyId]))?.id ?? null
}

/** The same, locked until the transaction ends. */
export async function lockRequestWithGoods(db: Db, customerOrderId: string, companyId: string): Promise<string | null> {
  return (await db.row<{ id: string }>(lockWithGoods, [customerOrderId, companyId]))?.id ?? null
}

export async function countPendingApprovals(db: Db, companyId: string, customerId: string): Promise<number> {
  return (await db.row<{ count: number }>(waiting, [companyId, customerId]))?.count ?? 0
}

/** Requests without a decision and approvals without an order whose time is over. */
export function lockOverdueApprovals(db: Db, now: Date): Promise<Approval[]> {
  return db.rows<Approval>(overdue, [now])
}

/** Links of requests decided or expired before a moment. */
export async function dropApprovalTokens(db: Db, before: Date): Promise<void> {
  await db.run(dropTokens, [before])
}

/**
 * Erases what a person wrote about requests, and withdraws their pending ones. Returns the ids of their requests, and of those that they
 * commented on.
 */
export async function forgetApprovalsOf(db: Db, customerId: string): Promise<{ requests: string[]; commented: string[] }> {
  const requests = await db.rows<{ id: string }>(forgetOf, [customerId])
  const commented = await db.rows<{ id: string }>(forgetComments, [customerId])
  await db.run(removeTokens, [customerId])
  return { requests: requests.map(({ id }) => id), commented: commented.map(({ id }) => id) }
}

type OwnWords = Pick<
  Approval,
  'id' | 'customerOrderId' | 'market' | 'payBy' | 'total' | 'currency' | 'proposal' | 'note' | 'requestedAt' | 'expiresAt'
>
interface RequestOfPerson extends OwnWords {
  /** Null for a company that the person has left: what colleagues decided and wrote there is theirs. */
  decision: (Pick<Approval, 'state' | 'limits' | 'comment' | 'approvedTotal'> & { decidedAt: string | null }) | null
}

/** A person's own requests, and their decisions about those of colleagues without what the colleagues wrote. `companyIds`: where they are a member. */
export async function readApprovalsBy(db: Db, customerId: string, companyIds: readonly string[]) {
  const [requests, decisions] = await Promise.all([
    db.rows<RequestOfPerson>(requestedBy, [customerId, companyIds]),
    db.rows<Pick<Approval, 'id' | 'state' | 'comment' | 'decidedAt'>>(decidedBy, [customerId]),
  ])
  return { requests: requests.map(({ decision, ...own }) => ({ ...own, ...decision })), decisions }
}
