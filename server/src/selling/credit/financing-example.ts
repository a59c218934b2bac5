import { financing, isFinanced, scheduleOf } from '@purlin/contract/financing.ts'
import type { SiteScope } from '#platform'
import { showMoney } from '#pricing'

const usual = { amount: 10_000, months: 24 }

interface Asked {
  amount?: number | null
  months?: number | null
}

/** The schedule of an amount in whole units of currency over a term; the usual example for one that is not financed. */
export function financingExample({ market }: SiteScope, { amount, months }: Asked) {
  const asked = { amount: amount ?? 0, months: months ?? 0 }
  const shown = isFinanced(asked.amount, asked.months) ? asked : usual
  const money = (minor: number) => showMoney(market, minor)
  const { instalments, total, interest, effectiveRate } = scheduleOf(shown.amount * 100, shown.months)
  return {
    ...shown,
    financed: money(shown.amount * 100),
    least: money(financing.least * 100),
    most: money(financing.most * 100),
    total: money(total),
    interest: money(interest),
    rate: financing.rateBp / 10_000,
    effectiveRate,
    instalments: instalments.map((each) => ({
      number: each.number,
      payment: money(each.payment),
      interest: money(each.interest),
      left: money(each.left),
    })),
  }
}
