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
export const equalTime = { atLeast: 0.6, atMost: 1.67 } as const

/**
 * Ratio of the times of two acts. They take turns, so that a busy machine slows both; of each the median counts. A round that
 * noise has spoiled is repeated: a real difference shows in every round.
 */
export async function timeRatio(
  one: (n: number) => Promise<unknown>,
  other: (n: number) => Promise<unknown>,
  { samples = 21, rounds = 4 } = {},
): Promise<number> {
  const time = async (act: (n: number) => Promise<unknown>, n: number) => {
    const began = performance.now()
    await act(n)
    return performance.now() - began
  }
  const median = (times: number[]) => times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0
  let best = Infinity
  for (let round = 0; round < rounds; round++) {
    const times: [number[], number[]] = [[], []]
    for (let n = 0; n < samples; n++) {
      const at = round * samples + n
      // Neither is always the first.
      for (const which of at % 2 ? ([0, 1] as const) : ([1, 0] as const)) times[which].push(await time(which ? other : one, at))
    }
    const ratio = median(times[0]) / median(times[1])
    if (Math.abs(Math.log(ratio)) < Math.abs(Math.log(best))) best = ratio
    if (ratio >= equalTime.atLeast && ratio <= equalTime.atMost) break
  }
  return best
}
