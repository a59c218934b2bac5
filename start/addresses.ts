import { marketCodes, type Market, type Mode } from '@purlin/contract/markets.ts'
import type { Settings } from '@purlin/server/foundation/platform/index.ts'

/** All addresses, for the person who has just started the shop. */
export function addresses({ hosts, port, role, identity }: Settings): string {
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
  return `\n${lines.join('\n')}\n\n${more.join('\n')}\n\n  Guests buy without signing in. Test cards and people who can sign in are in the README. Ctrl-C stops everything.\n\n`
}
