import { markets } from '@purlin/contract/markets.ts'
import { authorize, sellerIdOf } from '#accounts'
import { balanceOf } from '#ledger'
import { isId, StatusError, type Scope } from '#platform'
import { showMoney } from '#pricing'
import { minimumPayout, type Payout } from './payout.ts'
import { readAccount, readInTransit, readPayout, readPayoutsOf } from './payout-store.ts'

const pageSize = 20
const highest = '9223372036854775807'

/** The seller whose staff asks. @throws 403 for members whose role does not cover this market */
export function ownSeller(scope: Scope): number {
  const sellerId = sellerIdOf(scope)
  if (sellerId === null || !authorize(scope, 'payout.see', { sellerId })) throw new StatusError(403, 'FORBIDDEN', 'Staff of sellers alone')
  return sellerId
}

/** What a seller is owed in the currency of this market: by the ledger alone. */
export async function showBalance(scope: Scope) {
  const sellerId = ownSeller(scope)
  const { db, market, now } = scope
  const { currency } = markets[market]
  const [pending, payable, inTransit, account] = await Promise.all([
    balanceOf(db, `seller:${sellerId}`, currency),
    balanceOf(db, `payable:${sellerId}`, currency),
    readInTransit(db, sellerId, currency),
    readAccount(db, sellerId, currency),
  ])
  const money = (amount: number) => showMoney(market, amount)
  const usableFrom = account?.usableFrom ?? null
  return {
    pending: money(-pending || 0),
    payable: money(-payable || 0),
    inTransit: money(inTransit),
    minimum: money(minimumPayout[currency]),
    account: account?.bankEnd
      ? { holder: account.holder ?? '', end: account.bankEnd, usableFrom: usableFrom && usableFrom > now ? usableFrom : null }
      : null,
    mayChangeAccount: authorize(scope, 'payout.change-account', { sellerId }),
    takesIban: currency === 'EUR',
  }
}

function showPayout({ market }: Scope, payout: Payout) {
  const { id, number, createdAt, endedAt, state, carryReason, bankEnd, pdfFile } = payout
  const money = (amount: number) => showMoney(market, amount)
  return {
    id,
    number,
    createdAt,
    endedAt,
    state,
    carryReason,
    bankEnd,
    pdfUrl: pdfFile === null ? null : `/api/v1/seller/payouts/${id}/pdf`,
    csvUrl: pdfFile === null ? null : `/api/v1/seller/payouts/${id}/csv`,
    opening: money(payout.opening),
    settled: money(payout.settled),
    amount: money(payout.amount),
    closing: money(payout.closing),
  }
}

/** Payouts of the principal's seller, newest first, in the currency of this market. */
export async function listPayouts(scope: Scope, below: string | null | undefined) {
  const sellerId = ownSeller(scope)
  const from = below && /^\d{1,18}$/.test(below) ? below : highest
  const rows = await readPayoutsOf(scope.db, sellerId, markets[scope.market].currency, from, pageSize + 1)
  const shown = rows.slice(0, pageSize)
  return { payouts: shown.map((payout) => showPayout(scope, payout)), next: rows.length > pageSize ? (shown.at(-1)?.number ?? null) : null }
}

/** A payout of the principal's seller; another's is not found. */
export async function findOwnPayout(scope: Scope, id: string): Promise<Payout | undefined> {
  const payout = isId(id) ? await readPayout(scope.db, id) : undefined
  return payout && authorize(scope, 'payout.see', payout) && payout.currency === markets[scope.market].currency ? payout : undefined
}

export async function showOwnPayout(scope: Scope, id: string) {
  const payout = await findOwnPayout(scope, id)
  return payout ? showPayout(scope, payout) : null
}
