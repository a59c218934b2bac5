import type { Customer, Guest, Member, Operator, SellerMember } from './principal.ts'

/** Made-up people, for tests. */

const ann = { id: '00000000-0000-7000-8000-00000000000a', email: 'ann@example.com', name: 'Ann Lee', market: 'gb' } as const

export function testGuest(more: Partial<Guest> = {}): Guest {
  return { kind: 'guest', id: null, email: null, ...more }
}

export function testCustomer(more: Partial<Customer> = {}): Customer {
  return { kind: 'customer', ...ann, ...more }
}

export function testMember({ company, ...more }: Partial<Omit<Member, 'company'>> & { company?: Partial<Member['company']> } = {}): Member {
  const works = { id: '00000000-0000-7000-8000-00000000000c', country: 'GB', ...company }
  return { kind: 'member', ...ann, role: 'buyer', ...more, company: works }
}

export function testSellerMember(more: Partial<SellerMember> = {}): SellerMember {
  const roles = [{ role: 'seller', market: null }] as const
  return {
    kind: 'sellerMember',
    id: '00000000-0000-7000-8000-00000000000e',
    email: 'sam@example.com',
    name: 'Sam',
    sellerId: 1,
    roles,
    ...more,
  }
}

export function testOperator(more: Partial<Operator> = {}): Operator {
  return { kind: 'operator', id: '00000000-0000-7000-8000-00000000000f', email: 'ola@example.com', name: 'Ola', roles: [], ...more }
}

/** CPU time of this process during an act, in milliseconds: other processes that want the machine do not count. */
export async function cpuMsOf(act: () => unknown): Promise<number> {
  const before = process.cpuUsage()
  await act()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

/** How far apart the times of two acts may be for a test to call them equal. */
export const equalTime = { atLeast: 0.75, atMost: 1.33 } as const

interface Rounds {
  samples?: number
  rounds?: number
  beforeRound?: () => Promise<unknown>
}

/**
 * Ratio of the times of two acts: they take turns, so that a busy machine slows both. The median counts, of the pairs that begin with
 * one of them as much as of those that begin with the other. Every round counts as well, the best as much as the worst: a difference
 * cannot pass by being measured again.
 */
export async function timeRatio(
  one: (n: number) => Promise<unknown>,
  other: (n: number) => Promise<unknown>,
  { samples = 21, rounds = 5, beforeRound }: Rounds = {},
): Promise<number> {
  const time = async (act: (n: number) => Promise<unknown>, n: number) => {
    const began = performance.now()
    await act(n)
    return performance.now() - began
  }
  const ratios: { isFirst: boolean; ratio: number }[] = []
  for (let round = 0; round < rounds; round++) {
    await beforeRound?.()
    for (let n = round * samples; n < (round + 1) * samples; n++) {
      // Neither is always the first.
      const isFirst = n % 2 === 0
      const early = await time(isFirst ? one : other, n)
      const late = await time(isFirst ? other : one, n)
      ratios.push({ isFirst, ratio: isFirst ? early / late : late / early })
    }
  }
  const [whenFirst, whenSecond] = [true, false].map((wanted) => ratios.filter(({ isFirst }) => isFirst === wanted))
  return Math.sqrt(medianOf(whenFirst) * medianOf(whenSecond))
}

function medianOf(ratios: readonly { ratio: number }[] = []): number {
  const sorted = ratios.map(({ ratio }) => ratio).toSorted((a, b) => a - b)
  const [low = 1, high = 1] = [sorted[Math.floor((sorted.length - 1) / 2)], sorted[Math.floor(sorted.length / 2)]]
  return Math.sqrt(low * high)
}

export function isEqualTime(ratio: number): boolean {
  return ratio >= equalTime.atLeast && ratio <= equalTime.atMost
}
