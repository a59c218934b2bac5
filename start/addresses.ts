import { marketCodes, type Market, type Mode } from '@purlin/contract/markets.ts'
import { demoPassword, demoPeople, type DemoPerson } from '@purlin/demo/people.ts'
import type { Settings } from '@purlin/server/foundation/platform/index.ts'

/** All addresses, for the person who has just started the shop. */
export function addresses({ hosts, port, role, identity }: Settings, hasDemoPeople = false): string {
  if (role === 'worker') return '  The worker is running.\n'
  const originOf = (market: Market, mode: Mode) => (hosts.serves(market, mode) ? hosts.site(market, mode).origin : '-')
  const rows = marketCodes
    .map((market) => [market, originOf(market, 'b2c'), originOf(market, 'b2b')])
    .filter(([, ...origins]) => origins.some((origin) => origin !== '-'))
  const own = hosts.sites[0]?.origin
  const table = [['market', 'shop', 'for professionals'], ...rows]
  const widths = [0, 1].map((column) => Math.max(...table.map((row) => (row[column] ?? '').length)))
  const lines = table.map(([a = '', b = '', c = '']) => `  ${a.padEnd(widths[0] ?? 0)}   ${b.padEnd(widths[1] ?? 0)}   ${c}`)
  const more = [
    ['API', `${own}/graphql`],
    ['health', `${own}/health/ready`],
    ['metrics', `${own}/metrics`],
    ...(role
      ? []
      : [
          ['mailbox', `${own}/dev/mailbox`],
          ['mails', `${own}/dev/mails`],
          ['payment provider', `http://pay.localhost:${port + 1}`],
          ['identity provider', identity.url],
        ]),
  ].map(([name = '', address]) => `  ${name.padEnd(17)}   ${address}`)
  return `\n${lines.join('\n')}\n\n${more.join('\n')}\n\n${hasDemoPeople ? people() : ''}  Guests buy without signing in. Test cards are in the README. Ctrl-C stops everything.\n\n`
}

/** The demo people, each with their role. */
function people(): string {
  const width = Math.max(...demoPeople.map(({ email }) => email.length))
  const lines = demoPeople.map((person) => `  ${person.email.padEnd(width)}   ${standing(person)}`)
  return `  People who can sign in, all with the password ${demoPassword}:\n${lines.join('\n')}\n\n`
}

function standing(person: DemoPerson): string {
  switch (person.kind) {
    case 'consumer':
      return `consumer, ${person.market}`
    case 'member':
      return `${person.role} of ${person.company.name}, ${person.market}`
    case 'seller':
      return person.isOwner ? 'owner of a seller, staff' : 'clerk of a seller, staff'
    case 'operator':
      return 'operator of the marketplace, staff'
  }
}
