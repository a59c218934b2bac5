/** Conditions of the example schedule: amounts in whole units of currency, a fixed nominal rate per year in hundredths of a per cent. */
export const financing = { least: 1_000, most: 50_000, months: [6, 12, 24, 36, 48, 60], rateBp: 790 } as const

export interface Instalment {
  number: number
  /** Minor units. */
  payment: number
  interest: number
  repayment: number
  left: number
}

export interface Schedule {
  instalments: Instalment[]
  /** Paid in all, and of it interest. */
  total: number
  interest: number
  /** The effective annual rate, as a fraction. */
  effectiveRate: number
}

export const isFinanced = (amount: number, months: number): boolean =>
  Number.isSafeInteger(amount) &&
  amount >= financing.least &&
  amount <= financing.most &&
  (financing.months as readonly number[]).includes(months)

/** An annuity loan without fees: equal instalments at the end of each month; the last one takes the rounding. `amount` in minor units. */
export function scheduleOf(amount: number, months: number, rateBp: number = financing.rateBp): Schedule {
  const rate = rateBp / 10_000 / 12
  const payment = Math.round((amount * rate) / (1 - (1 + rate) ** -months))
  const instalments: Instalment[] = []
  let left = amount
  for (let number = 1; number <= months; number += 1) {
    const interest = Math.round(left * rate)
    const repayment = number === months ? left : payment - interest
    left -= repayment
    instalments.push({ number, payment: interest + repayment, interest, repayment, left })
  }
  const total = instalments.reduce((all, each) => all + each.payment, 0)
  return { instalments, total, interest: total - amount, effectiveRate: (1 + rate) ** 12 - 1 }
}
