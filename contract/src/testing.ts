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
  const works = { id: '00000000-0000-7000-8000-00000000000c', country: 'GB', prefersVat: false, ...company }
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
