import { markets } from '@purlin/contract/markets.ts'
import { authorize, sellerIdOf, staffOf } from '#accounts'
import { sendMail } from '#mail'
import { newId, type Scope } from '#platform'
import { knownSellers } from '#sellers'
import { checkBank, sealBank, type BankFault, type BankField, type BankInput } from './bank-account.ts'
import { accountMail } from './mails.ts'
import { siteOf } from './notify-payout.ts'
import { lockAccount, writeAccount } from './payout-store.ts'
import { ownSeller } from './show-payouts.ts'
import { marketOfPayout } from './statement.ts'

/** A changed account waits, so that the seller can object: whoever took over an owner's session cannot take the next payout. */
const coolingMs = 3 * 24 * 3_600_000

export type Changed = { ok: true } | { ok: false; reason: 'account-invalid'; faults: Partial<Record<BankField, BankFault>> }

/** Names the account that payouts in this market's currency go to. For owners; the seller is told by mail. */
export async function changeAccount(scope: Scope, input: BankInput): Promise<Changed> {
  const { db, now, market } = scope
  const sellerId = ownSeller(scope)
  if (!authorize(scope, 'payout.change-account', { sellerId: sellerIdOf(scope) }))
    throw new Error('The table of actions has let a clerk pass')
  const { currency } = markets[market]
  const checked = checkBank(currency, input)
  if (!checked.ok) return { ok: false, reason: 'account-invalid', faults: checked.faults }
  const before = await lockAccount(db, sellerId, currency)
  const usableFrom = before?.bank ? new Date(now.getTime() + coolingMs) : now
  const { principal } = scope
  await writeAccount(db, {
    sellerId,
    currency,
    bank: sealBank(`${sellerId}:${currency}`, checked.bank),
    end: checked.end,
    holder: checked.bank.holder,
    changedBy: staffOf(scope)?.id ?? '',
    now,
    usableFrom,
  })
  const seller = (await knownSellers(scope, [sellerId])).get(sellerId)
  if (seller?.email)
    await sendMail(scope, accountMail, {
      to: seller.email,
      site: siteOf(marketOfPayout({ currency }, seller.country)),
      payload: { end: checked.end, changedBy: 'name' in principal ? principal.name : '', usableFrom },
      key: `payout-account:${newId()}`,
    })
  return { ok: true }
}
