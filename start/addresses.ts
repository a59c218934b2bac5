import { marketCodes } from '@purlin/contract/markets.ts'
import type { Settings } from '@purlin/server/foundation/platform/index.ts'

/** Where everything is, for the person who has just started it. */
export function addresses({ hosts, port, role, identity }: Settings): string {
  if (role === 'worker') return '  The worker is running.\n'
  const rows = marketCodes.map((market) => [market, hosts.site(market, 'b2c').origin, hosts.site(market, 'b2b').origin])
  const own = hosts.site('gb', 'b2c').origin
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
  return `\n${lines.join('\n')}\n\n${more.join('\n')}\n\n  Guests buy without signing in. Test cards are in the README. Ctrl-C stops everything.\n\n`
}
